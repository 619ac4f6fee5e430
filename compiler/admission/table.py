"""The checks that are built from the generated tables: those of a profile."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...schemas._admission import FILES, KINDS
from ..toolhive.profile import LATER_VERSION, NEUTRAL, Profile
from ..toolhive.release import SECOND_VERSION_SINCE, holds
from .fault import CelRule
from .release_table import table_of
from .shape import Checks

if TYPE_CHECKING:
    from collections.abc import Mapping

_BRANDED = ("awsSts",)
_profiles: dict[int, ProfileChecks] = {}


class ProfileChecks(NamedTuple):
    """What a profile's documents are checked by.

    Attributes:
        profile: The profile; held here, its identity stays its own.
        checks: The checks, which share what they have built with every later call.
        versions: The ``apiVersion`` of its kinds.
        kinds: The kinds of its release, each with the position of its shape.
    """

    profile: Profile
    checks: Checks
    versions: frozenset[str]
    kinds: Mapping[str, int]


def checks_of(profile: Profile) -> ProfileChecks:
    """Return the checks of a profile."""
    known = _profiles.get(id(profile))
    if known is None:
        table = table_of(profile.judging_release)
        checks = Checks(table, spellings(profile), profile)
        known = _profiles[id(profile)] = ProfileChecks(profile, checks, _versions(profile), table.kinds)
    return known


def _versions(profile: Profile) -> frozenset[str]:
    """Return the ``apiVersion`` of what is admitted.

    Where no release is stated, v1beta1 is: the project is then judged by a release that serves it.
    """
    served = profile.release is None or holds(SECOND_VERSION_SINCE, None, profile.release)
    return frozenset(f"{profile.api_group}/{one}" for one in (*profile.versions, *([LATER_VERSION] if served else [])))


def spellings(profile: Profile) -> dict[str, str]:
    """Return the spellings that the specification and the profile have, to those of the models."""
    return {one.spell(name): name for one in (NEUTRAL, profile) for name in _BRANDED if one.spell(name) != name}


def rule_of(text: str, message: str, release: str) -> CelRule:
    """Return the entry of a release's table for a CEL rule."""
    for shape in table_of(release).shapes:
        for facts in shape[-1] if shape[0] in ("object", "ruled") else ():
            rule = CelRule(*facts)
            if (rule.text, rule.message) == (text, message):
                return rule
    raise KeyError(text)


__all__ = ["FILES", "KINDS", "checks_of", "rule_of", "spellings"]
