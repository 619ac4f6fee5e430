"""Extract the sound parts of a refused object for rules of later stages. Imported only if an object is refused.

Valid values stay. A wrong value is replaced if the intended value is clear, and otherwise becomes unknown, because the
API server stores nothing of such an object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.doubt import Doubt
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.placeholder import UNKNOWN
from ..diagnostics.plain import value_at
from ..diagnostics.suggestion import MOST_HINTS, sure_match
from ..models.history import change_of
from .later import release_without
from .leaf import is_plain_metadata
from .violation import CelRule, Sort, Violation

if TYPE_CHECKING:
    from ..diagnostics.span import Path
    from .shape import Checks
    from .table import Table

_KEPT: Final = frozenset({Sort.PLACEHOLDER, Sort.RENAMED, Sort.WIDTH, Sort.DUPLICATE})
"""Sorts of faults whose values stay in the data, because rules can use them."""
_PLAIN: Final = frozenset({"string", "integer", "number", "boolean"})
_DEEPEST: Final = 8
"""Maximum nesting of objects that stand for missing fields, because some shapes contain themselves."""


class Sound(NamedTuple):
    """The sound parts of an object.

    Attributes:
        renamed: Path as the user wrote it, and name in ``data``, for each field whose names differ.
        doubts: Paths at which later rules report nothing, with field names as the user wrote them.
    """

    data: Any
    renamed: tuple[tuple[Path, str], ...]
    doubts: tuple[Doubt, ...]


def sound(kind: str, stored: Any, faults: list[Violation], checks: Checks, table: Table) -> Sound:
    """Return the sound parts of an object.

    Args:
        stored: The object with its defaults and without unknown fields.
        faults: All faults that the checks recorded.
    """
    remains = _Remains(kind, stored, faults, checks, table)
    for fault in faults:
        remains.take(fault)
    return Sound(remains.data, tuple(remains.renamed), tuple(remains.doubts))


class _Remains:
    """An object from which faults are removed step by step."""

    def __init__(self, kind: str, stored: Any, faults: list[Violation], checks: Checks, table: Table) -> None:
        self.kind = kind
        self.data = stored
        self.renamed = [(tuple(reversed(fault.path)), fault.detail) for fault in faults if fault.sort is Sort.RENAMED]
        self._names: dict[Path, str] = {}
        for written, name in self.renamed:
            self._names.setdefault(written, name)
        self.doubts: list[Doubt] = []
        self._checks = checks
        self._table = table
        self._unknown = 0
        self._copies: dict[int, Any] = {}

    def take(self, fault: Violation) -> None:
        """Replace the value of a fault by the value that the user surely meant, or by an unknown value with a doubt."""
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
            self._put((*path, fault.detail), self._substitute((*path, fault.detail)))
            self.doubts += (Doubt(written, is_exact=True), Doubt((*written, fault.detail)))
        elif fault.sort is Sort.RULE:
            self._rule(fault.detail, written, path)
        else:
            value = self._meant_value(fault, path)
            if value is UNKNOWN:
                value = self._substitute(path) if fault.sort is Sort.TYPE else value
                self.doubts.append(Doubt(written))
            self._put(path, value)

    def _named(self, path: Path) -> Path:
        if not self._names:
            return path
        named = (self._names.get(path[: at + 1], step) for at, step in enumerate(path))
        return tuple(named)

    def _metadata(self, metadata: Any, written: Path) -> None:
        """Add a doubt for each field of metadata, because at least one field is wrong.

        A valid name gets no doubt, because other resources refer to it.
        """
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
        match = change.target if change is not None and renames else None
        if match is None and self._unknown <= MOST_HINTS:  # a hostile file may hold thousands
            match = sure_match(field, fault.detail)
        holder = value_at(self.data, path[:-1])
        # Whatever it was meant to be may be what the object lacks.
        self.doubts.append(Doubt(written[:-1], is_lint_alone=True, is_exact=True))
        if match is None or match not in fault.detail or not isinstance(holder, dict) or match in holder:
            return
        value = self._checked((*path[:-1], match), fault.value)
        if value is not UNKNOWN:
            self._put((*path[:-1], match), value)
            self.renamed.append((written, match))
            self.doubts.append(Doubt(written, is_lint_alone=True, is_exact=True))  # it names a field that is not there
            self._names.setdefault(written, match)

    def _meant_value(self, fault: Violation, path: Path) -> Any:
        """Return the value that the user certainly meant instead of the wrong one, or `UNKNOWN`."""
        value = fault.value
        if fault.sort is Sort.ENUM and isinstance(value, str):
            return sure_match(value, (item for item in fault.detail if isinstance(item, str))) or UNKNOWN
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
        position = self._table.at(self.kind, path)
        if position is None:
            return UNKNOWN
        faults: list[Violation] = []
        stored = self._checks.check(position)(value, faults)
        return UNKNOWN if faults else stored

    def _rule(self, rule: CelRule, written: Path, path: Path) -> None:
        """Make the scalars that a broken CEL rule mentions unknown, and add unknown values for missing fields.

        If it is unknown which paths the rule mentions, the whole object becomes unknown.
        """
        self.doubts.append(Doubt(written, is_exact=True))
        for _, mention in rule.mentions:
            value = value_at(self.data, (*path, *mention))
            holder = value_at(self.data, (*path, *mention[:-1]))
            if not isinstance(holder, dict):
                continue
            if value is None:
                self._put((*path, *mention), self._substitute((*path, *mention)))
            elif not isinstance(value, (dict, list)):
                self._put((*path, *mention), UNKNOWN)
            else:
                continue
            self.doubts.append(Doubt((*written, *mention)))
        if not rule.mentions:
            self._put(path, UNKNOWN)
            self.doubts.append(Doubt(written))

    def _substitute(self, path: Path, depth: int = 0) -> Any:
        """Return a substitute for a missing field: an unknown value, or an object of unknown values.

        The object has its required fields and all scalar fields, because rules replace a missing scalar by its default.
        """
        table = self._table
        shape = table.shape(table.at(self.kind, path))
        if shape is None or shape[0] != "object" or depth > _DEEPEST:
            return UNKNOWN
        _, _, fields, required, *_ = shape
        return {
            field: self._substitute((*path, field), depth + 1)
            for field, position in fields
            if field in required or table.shape(position)[0] in _PLAIN  # type: ignore[index] # a position of the table
        }

    def _put(self, path: Path, value: Any) -> None:
        """Set the value at ``path``, or do nothing if its container does not exist.

        Each container on the path is copied only once, because many faults would be slow otherwise.
        """
        if not path:
            self.data = value
            return
        holder = self.data = self._copied(self.data)
        for step in path[:-1]:
            if not _has_place(holder, step):
                return
            child = self._copied(holder.get(step) if isinstance(holder, dict) else holder[step])
            holder[step] = child
            holder = child
        if _has_place(holder, path[-1]):
            holder[path[-1]] = value

    def _copied(self, value: Any) -> Any:
        if not isinstance(value, (dict, list)) or id(value) in self._copies:
            return value
        copy = value.copy()
        self._copies[id(copy)] = copy
        return copy


def _has_place(holder: Any, step: Any) -> bool:
    return isinstance(holder, dict) or (isinstance(holder, list) and isinstance(step, int) and step < len(holder))
