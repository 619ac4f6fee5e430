"""The fields of Kubernetes' Go structs: names, types, order, and merge strategy."""

from __future__ import annotations

from functools import cache

from ..diagnostics.named_tuple import NamedTuple
from ..golang.letter import folded

_MOST_KEPT = 256
"""Maximum number of cached field orders per struct. Files repeat the same few combinations of fields."""


class StructField(NamedTuple):
    """A JSON member of a struct.

    Attributes:
        shape: ``one`` value, a ``list``, or a ``map`` with string keys.
        kind: Type of the value or of the items: a Go kind (``string``, ``bool``, ``int32``, ``int64``) or a struct.
        pointer: True if an explicit zero differs from a missing value.
        always: True if the field is written even when empty.
        merged: True if a strategic merge patch merges the list instead of replacing it.
        merge_key: Field that matches the items of two lists; empty for a list of scalars.
    """

    name: str
    shape: str
    kind: str
    pointer: bool
    always: bool
    merged: bool
    merge_key: str


class GoStruct:
    """A Go struct of Kubernetes.

    Attributes:
        fields: Fields in the order in which Go writes them, including those of embedded structs.
        by_name: Fields by JSON name.
        texts: Names of the fields whose value is a single string.
    """

    __slots__ = ("_always", "_by_folded_name", "_places", "_written", "by_name", "fields", "name", "texts")

    def __init__(self, name: str, fields: tuple[StructField, ...]) -> None:
        self.name = name
        self.fields = fields
        self.by_name = {field.name: field for field in fields}
        self.texts = frozenset(field.name for field in fields if field.kind == "string" and field.shape == "one")
        self._by_folded_name = {folded(field.name): field for field in reversed(fields)}
        self._places = {field.name: place for place, field in enumerate(fields)}
        self._always = frozenset(field.name for field in fields if field.always)
        self._written: dict[tuple[str, ...], list[StructField]] = {}

    def written(self, names: tuple[str, ...]) -> list[StructField]:
        """Return the fields with these names and the fields that are always written, in Go's order."""
        fields = self._written.get(names)
        if fields is None:
            fields = [self.by_name[name] for name in sorted(self._always.union(names), key=self._places.__getitem__)]
            if len(self._written) < _MOST_KEPT:
                self._written[names] = fields
        return fields

    def find(self, name: str, *, exact: bool = False) -> StructField | None:
        """Return the field that Go decodes the member ``name`` into, or ``None`` for an unknown member.

        Unless ``exact`` is true, a match that ignores case is used if no name matches exactly.
        """
        field = self.by_name.get(name)
        if field is None and not exact:
            field = self._by_folded_name.get(folded(name))
        return field


@cache
def struct(name: str) -> GoStruct | None:
    """Return the struct called ``name``, or ``None`` for a Go kind and for a struct that no pod template contains."""
    fields = _structs().get(name)
    return None if fields is None else GoStruct(name, tuple(map(_field, fields.split())))


def struct_names() -> tuple[str, ...]:
    """Return the names of all structs in the table."""
    return tuple(_structs())


@cache
def _structs() -> dict[str, str]:
    from ._pod import STRUCTS

    return {name: fields for name, _, fields in (line.partition(" ") for line in STRUCTS.splitlines())}


def _field(text: str) -> StructField:
    """Parse one field of the generated table. The header of the table documents the notation."""
    name, kind, strategy, merge_key = (*text.split(":"), "", "")[:4]
    shape = {"[]": "list", "{}": "map"}.get(kind[:2], "one")
    return StructField(
        name=name.rstrip("!*"),
        shape=shape,
        kind=kind.lstrip("[]{}"),
        pointer=name.endswith("*"),
        always="!" in name,
        # Other strategies matter for creating a patch, not for applying it.
        merged="merge" in strategy.split(","),
        merge_key=merge_key,
    )
