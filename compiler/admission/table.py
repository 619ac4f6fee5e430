"""Load the generated schemas of each release as shapes (see ``shape.py``), and build the checks of a profile."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from ..diagnostics.named_tuple import NamedTuple
from ..toolhive.profile import LATER_VERSION, NEUTRAL, Profile
from ..toolhive.release import NEWEST_MODELLED, SECOND_VERSION_SINCE, holds
from ._shapes import FILES, FIRST_VERSION_ONLY, KINDS, SHAPES
from .shape import Checks
from .violation import CelRule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..diagnostics.span import Path

Shape: TypeAlias = tuple[Any, ...]

_WRAPPERS = frozenset({"ruled", "status", "bounded", "nullable"})
"""Names of shapes that wrap another shape. Their second item is the position of the inner shape."""
_BRANDED = ("awsSts",)
"""Names of fields that other editions of the operator spell differently."""
_profiles: dict[int, ProfileChecks] = {}


class Table(NamedTuple):
    """The shapes and kinds of a release.

    Attributes:
        shapes: The shape at each position; see ``shape.py``.
        kinds: The position of the shape of each kind.
        first_version_only: Kinds that are not served as v1beta1.
    """

    shapes: tuple[Shape, ...]
    kinds: Mapping[str, int]
    first_version_only: frozenset[str] = frozenset()

    def at(self, kind: str, path: Path) -> int | None:
        """Return the position of the shape at ``path`` of a kind, or ``None`` if the table has no such path."""
        position = self.kinds.get(kind)
        for step in path:
            shape = self.shape(position)
            if shape is None:
                return None
            if shape[0] == "object":
                position = dict(shape[2]).get(str(step))
            elif shape[0] in ("list", "map"):
                position = shape[1]
            else:
                return None
        return position

    def shape(self, position: int | None) -> Shape | None:
        """Return the innermost shape at a position, without the shapes for rules, bounds, status and nullability."""
        while position is not None and self.shapes[position][0] in _WRAPPERS:
            position = self.shapes[position][1]
        return None if position is None else self.shapes[position]

    def places_of(self, kind: str, field: str) -> Iterator[tuple[str, ...]]:
        """Yield the paths of objects with a field called ``field``, in the ``spec`` of a kind or in a file format."""
        if kind in FILES:
            yield from self._places(FILES[kind], field, (), ())
            return
        root = self.shape(self.kinds[kind])
        below = dict(root[2]) if root is not None else {}
        if "spec" in below:
            yield from self._places(below["spec"], field, ("spec",), ())

    def _places(
        self, position: int, field: str, path: tuple[str, ...], above: tuple[int, ...]
    ) -> Iterator[tuple[str, ...]]:
        shape = self.shapes[position]
        if position in above:
            return
        if shape[0] in ("list", "map") or shape[0] in _WRAPPERS:
            yield from self._places(shape[1], field, path, (*above, position))
        elif shape[0] == "object":
            for key, below in shape[2]:
                if key == field:
                    yield path
                yield from self._places(below, field, (*path, key), (*above, position))


class ProfileChecks(NamedTuple):
    """The checks of a profile, with the table that they were built from.

    Attributes:
        profile: The profile, kept alive because its ``id`` is the key of the cache.
        checks: The checks, shared by all later calls.
        versions: The values of ``apiVersion`` that are admitted.
    """

    profile: Profile
    checks: Checks
    versions: frozenset[str]
    table: Table


@cache
def table_of(release: str) -> Table:
    """Return the table of a release. The tables of all releases except the newest modelled one are imported on use."""
    if release == NEWEST_MODELLED:
        return Table(SHAPES, KINDS, FIRST_VERSION_ONLY)
    from . import _dated_shapes as dated

    kinds = dict(KINDS)
    for kind, changes in dated.KINDS.items():
        *_, position = (position for since, position in changes.items() if holds(since, None, release))
        if position is None:
            del kinds[kind]
        else:
            kinds[kind] = position
    return Table((*SHAPES, *dated.SHAPES), kinds, FIRST_VERSION_ONLY)


def checks_of(profile: Profile) -> ProfileChecks:
    """Return the checks of a profile, from the cache if possible."""
    profile_checks = _profiles.get(id(profile))
    if profile_checks is None:
        table = table_of(profile.judging_release)
        checks = Checks(table.shapes, spellings(profile), profile)
        profile_checks = _profiles[id(profile)] = ProfileChecks(profile, checks, _versions(profile), table)
    return profile_checks


def _versions(profile: Profile) -> frozenset[str]:
    served = holds(SECOND_VERSION_SINCE, None, profile.installed_release)
    return frozenset(
        f"{profile.api_group}/{version}" for version in (*profile.versions, *([LATER_VERSION] if served else []))
    )


def spellings(profile: Profile) -> dict[str, str]:
    """Return a dict from the neutral and the profile's spelling of each branded name to the spelling in the models."""
    return {
        edition.spell(name): name for edition in (NEUTRAL, profile) for name in _BRANDED if edition.spell(name) != name
    }


def rule_of(text: str, message: str, release: str) -> CelRule:
    """Return the entry of a CEL rule in a release's table, found by its text and message.

    Raises:
        KeyError: The release has no such rule.
    """
    for shape in table_of(release).shapes:
        for facts in shape[-1] if shape[0] in ("object", "ruled") else ():
            rule = CelRule(*facts)
            if (rule.text, rule.message) == (text, message):
                return rule
    raise KeyError(text)


__all__ = ["FILES", "KINDS", "ProfileChecks", "Shape", "Table", "checks_of", "rule_of", "spellings", "table_of"]
