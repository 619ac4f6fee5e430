"""The generated table, and the checks built from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ...schemas._admission import FILES, KINDS, SHAPES
from ..toolhive.profile import LATER_VERSION, TOOLHIVE, Profile
from .fault import CelRule
from .shape import Checks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..diagnostics.span import Path

_BRANDED = ("awsSts",)
_NEUTRAL_CLOUD = "cloud"
_profiles: dict[int, ProfileChecks] = {}


class ProfileChecks(NamedTuple):
    """What a profile's documents are checked by.

    Attributes:
        profile: The profile; held here, its identity stays its own.
        checks: The checks, which share what they have built with every later call.
        versions: The ``apiVersion`` of its kinds, to whether it is one that only later operators serve.
    """

    profile: Profile
    checks: Checks
    versions: dict[str, bool]


def checks_of(profile: Profile) -> ProfileChecks:
    """Return the checks of a profile."""
    known = _profiles.get(id(profile))
    if known is None:
        versions = {f"{profile.api_group}/{LATER_VERSION}": True}
        versions |= {f"{profile.api_group}/{version}": False for version in profile.versions}
        known = _profiles[id(profile)] = ProfileChecks(profile, Checks(SHAPES, _spellings(profile)), versions)
    return known


def _spellings(profile: Profile) -> dict[str, str]:
    """Return the spellings that the specification and the profile have, to those of the models."""
    neutral = profile._replace(cloud=_NEUTRAL_CLOUD)
    return {one.spell(name): name for one in (neutral, profile) for name in _BRANDED if one.spell(name) != name}


def rule_of(text: str, message: str) -> CelRule:
    """Return the entry of the table for a CEL rule."""
    for shape in SHAPES:
        for facts in shape[-1] if shape[0] in ("object", "ruled") else ():
            rule = CelRule(*facts)
            if (rule.text, rule.message) == (text, message):
                return rule
    raise KeyError(text)


def shape_at(kind: str, path: Path) -> int | None:
    """Return the position in the admission table of what a kind has at ``path``; ``None`` where the table ends."""
    position = KINDS.get(kind)
    for step in path:
        while position is not None and SHAPES[position][0] == "ruled":
            position = SHAPES[position][1]
        if position is None:
            return None
        shape = SHAPES[position]
        if shape[0] == "object":
            position = dict(shape[2]).get(str(step))
        elif shape[0] in ("list", "map", "status"):
            position = shape[1] if shape[0] != "status" else None
        else:
            return None
    return position


def places_of(kind: str, field: str) -> Iterator[tuple[str, ...]]:
    """Yield the paths of objects of a kind, below ``spec``, or of a file, that have a field of this name."""
    if kind in FILES:
        yield from _places(FILES[kind], field, (), ())
    else:
        yield from _places(dict(SHAPES[KINDS[kind]][2])["spec"], field, ("spec",), ())


def _places(position: int, field: str, path: tuple[str, ...], above: tuple[int, ...]) -> Iterator[tuple[str, ...]]:
    shape: tuple[Any, ...] = SHAPES[position]
    if position in above:
        return
    if shape[0] in ("list", "map", "ruled"):
        yield from _places(shape[1], field, path, (*above, position))
    elif shape[0] == "object":
        for key, below in shape[2]:
            if key == field:
                yield path
            yield from _places(below, field, (*path, key), (*above, position))


__all__ = ["FILES", "KINDS", "SHAPES", "TOOLHIVE", "checks_of", "places_of", "shape_at"]
