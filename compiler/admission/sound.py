"""What of a refused object rules of later stages may look at. Imported only when something is wrong.

What the operator would make of it is unknown, as the API server stores nothing; but what is sound in it stays as it
is, and is checked in the same run. A value that is wrong or missing becomes `UNKNOWN`, which rules treat as they treat
placeholders, or what a sure fix makes of it; an unknown field is absent, or stands under the name that it was surely
meant to have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..diagnostics.doubt import Doubt
from ..diagnostics.placeholder import UNKNOWN
from ..diagnostics.plain import value_at
from ..diagnostics.suggestion import MOST_HINTS, sure_match
from ..models.history import change_of
from .fault import CelRule, Sort, Violation
from .later import release_without
from .leaf import is_plain_metadata

if TYPE_CHECKING:
    from ..diagnostics.span import Path
    from .shape import Checks
    from .table import Table

_KEPT: Final = frozenset({Sort.PLACEHOLDER, Sort.RENAMED, Sort.WIDTH, Sort.DUPLICATE})
"""Faults of which the value is known all the same."""
_PLAIN: Final = frozenset({"string", "integer", "number", "boolean"})
_DEEPEST: Final = 8
"""Objects within objects that are made up for one that is missing."""


class Sound(NamedTuple):
    """What is left of an object.

    Attributes:
        data: The object.
        renamed: Fields that stand under another name than the text has: their path as written, and the name.
        doubts: Places, as the text has them, that later rules leave alone.
    """

    data: Any
    renamed: tuple[tuple[Path, str], ...]
    doubts: tuple[Doubt, ...]


def sound(kind: str, stored: Any, faults: list[Violation], checks: Checks, table: Table) -> Sound:
    """Return what is sound of an object.

    Args:
        kind: Its kind.
        stored: The object with its defaults and without unknown fields.
        faults: What its checks noted.
        checks: The checks of its profile.
        table: What they are built from.
    """
    left = _Remains(kind, stored, faults, checks, table)
    for fault in faults:
        left.take(fault)
    return Sound(left.data, tuple(left.renamed), tuple(left.doubts))


class _Remains:
    """An object while its faults are taken out of it."""

    def __init__(self, kind: str, stored: Any, faults: list[Violation], checks: Checks, table: Table) -> None:
        self.kind = kind
        self.data = stored
        self.renamed = [(tuple(reversed(one.path)), one.detail) for one in faults if one.sort is Sort.RENAMED]
        self._names: dict[Path, str] = {}
        for written, name in self.renamed:
            self._names.setdefault(written, name)
        self.doubts: list[Doubt] = []
        self._checks = checks
        self._table = table
        self._unknown = 0
        self._copies: dict[int, Any] = {}

    def take(self, fault: Violation) -> None:
        """Take one fault out."""
        if fault.sort in _KEPT and not (fault.sort is Sort.WIDTH and isinstance(fault.value, list)):
            return
        written = tuple(reversed(fault.path))
        path = self._named(written)
        if fault.sort is Sort.METADATA:
            self._metadata(fault.value, written)
        elif fault.sort is Sort.UNKNOWN:
            self._unknown_field(fault, written, path)
        elif fault.sort is Sort.MISSING:
            if fault.detail in (value_at(self.data, path) or ()):
                return  # under another name
            self._put((*path, fault.detail), self._made_up((*path, fault.detail)))
            self.doubts += (Doubt(written, is_exact=True), Doubt((*written, fault.detail)))
        elif fault.sort is Sort.RULE:
            self._rule(fault.detail, written, path)
        else:
            value = self._meant_value(fault, path)
            if value is UNKNOWN:
                value = self._made_up(path) if fault.sort is Sort.TYPE else value
                self.doubts.append(Doubt(written))
            self._put(path, value)

    def _named(self, path: Path) -> Path:
        """Return a path as written with the names that the data has."""
        if not self._names:
            return path
        named = (self._names.get(path[: at + 1], step) for at, step in enumerate(path))
        return tuple(named)

    def _metadata(self, metadata: Any, written: Path) -> None:
        """Doubt the fields of metadata, of which one is wrong; the name, which findings stand at, only where it is."""
        fields: dict[str, Any] = metadata if isinstance(metadata, dict) else {}
        has_sound_name = "name" in fields and is_plain_metadata({"name": fields["name"]})
        self.doubts += [Doubt((*written, field)) for field in fields if field != "name" or not has_sound_name]

    def _unknown_field(self, fault: Violation, written: Path, path: Path) -> None:
        if release_without(fault, self.kind, path, self._checks.profile.judging_release) is not None:
            # A rule over several fields concerns all that stands beside it; one over a whole spec only what that lacks.
            self.doubts.append(Doubt(written[:-1], is_lint_alone=True, is_exact=len(written) == len(("spec", "field"))))
            return
        field = str(path[-1])
        change = change_of(self.kind, path[:-1], field)
        renames = change is not None and change.rewrite == "rename"
        self._unknown += 1
        meant = change.target if change is not None and renames else None
        if meant is None and self._unknown <= MOST_HINTS:  # a hostile file may hold thousands
            meant = sure_match(field, fault.detail)
        holder = value_at(self.data, path[:-1])
        # Whatever it was meant to be may be what the object lacks.
        self.doubts.append(Doubt(written[:-1], is_lint_alone=True, is_exact=True))
        if meant is None or meant not in fault.detail or not isinstance(holder, dict) or meant in holder:
            return
        value = self._checked((*path[:-1], meant), fault.value)
        if value is not UNKNOWN:
            self._put((*path[:-1], meant), value)
            self.renamed.append((written, meant))
            self.doubts.append(Doubt(written, is_lint_alone=True, is_exact=True))  # it names a field that is not there
            self._names.setdefault(written, meant)

    def _meant_value(self, fault: Violation, path: Path) -> Any:
        """Return the value that is surely meant, where there is one."""
        value = fault.value
        if fault.sort is Sort.ENUM and isinstance(value, str):
            return sure_match(value, (one for one in fault.detail if isinstance(one, str))) or UNKNOWN
        # An older release may have had another type there: what it made of the value is unknown.
        if fault.sort is not Sort.TYPE or not path or self._checks.profile.is_older:
            return UNKNOWN
        expected = fault.detail[0]
        if expected == "string" and type(value) is int:
            return self._checked(path, str(value))
        # Nine digits always fit into 32 bits.
        if expected == "integer" and isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
            return self._checked(path, int(value))
        if isinstance(value, str):
            change = change_of(self.kind, path[:-1], str(path[-1]), is_text=True)
            if change is not None and change.rewrite == "wrap":
                return self._checked(path, {change.target: value})
        return UNKNOWN

    def _checked(self, path: Path, value: Any) -> Any:
        """Return ``value`` as it is stored at ``path``, `UNKNOWN` where the API server would refuse it there."""
        position = self._table.at(self.kind, path)
        if position is None:
            return UNKNOWN
        faults: list[Violation] = []
        stored = self._checks.check(position)(value, faults)
        return UNKNOWN if faults else stored

    def _rule(self, rule: CelRule, written: Path, path: Path) -> None:
        """Make what a CEL rule decides by unknown, and add what it may miss; what stands there stays."""
        self.doubts.append(Doubt(written, is_exact=True))
        for _, mention in rule.mentions:
            value = value_at(self.data, (*path, *mention))
            holder = value_at(self.data, (*path, *mention[:-1]))
            if not isinstance(holder, dict):
                continue
            if value is None:
                self._put((*path, *mention), self._made_up((*path, *mention)))
            elif not isinstance(value, (dict, list)):
                self._put((*path, *mention), UNKNOWN)
            else:
                continue
            self.doubts.append(Doubt((*written, *mention)))
        if not rule.mentions:
            self._put(path, UNKNOWN)
            self.doubts.append(Doubt(written))

    def _made_up(self, path: Path, depth: int = 0) -> Any:
        """Return something of which nothing is known but that it is there.

        An object has the objects that it needs and all its plain fields: rules take a missing one for its default.
        """
        table = self._table
        shape = table.shape(table.at(self.kind, path))
        if shape is None or shape[0] != "object" or depth > _DEEPEST:
            return UNKNOWN
        _, _, fields, required, *_ = shape
        return {
            field: self._made_up((*path, field), depth + 1)
            for field, position in fields
            if field in required or table.shape(position)[0] in _PLAIN  # type: ignore[index] # a position of the table
        }

    def _put(self, path: Path, value: Any) -> None:
        """Put a value at ``path``. What the path leads through is copied once; else a thousand faults would be slow."""
        if not path:
            self.data = value
            return
        holder = self.data = self._own(self.data)
        for step in path[:-1]:
            if not _has_place(holder, step):
                return
            child = self._own(holder.get(step) if isinstance(holder, dict) else holder[step])
            holder[step] = child
            holder = child
        if _has_place(holder, path[-1]):
            holder[path[-1]] = value

    def _own(self, value: Any) -> Any:
        """Return a copy of a list or mapping that nobody else has; the same one for one that was copied before."""
        if not isinstance(value, (dict, list)) or id(value) in self._copies:
            return value
        copy = value.copy()
        self._copies[id(copy)] = copy
        return copy


def _has_place(holder: Any, step: Any) -> bool:
    return isinstance(holder, dict) or (isinstance(holder, list) and isinstance(step, int) and step < len(holder))
