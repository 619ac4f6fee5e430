"""The fields of Kubernetes' Go structs: how each is named, typed, written and merged."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from ..golang.letter import folded

_MOST_KEPT = 256
"""Sets of fields of one struct whose order is kept: files have the same few again and again."""


class Field(NamedTuple):
    """One JSON member of a struct.

    Attributes:
        name: In JSON.
        shape: ``one`` value, a ``list``, or a ``map`` with string keys.
        kind: Of the value or of the elements: a Go kind (``string``, ``bool``, ``int32``, ``int64``) or a struct.
        pointer: Whether an explicit zero differs from nothing.
        always: Whether it is written even when it holds nothing.
        merged: Whether a strategic merge patch merges the list instead of replacing it.
        merge_key: The field by which elements are matched; empty for a list of scalars.
    """

    name: str
    shape: str
    kind: str
    pointer: bool
    always: bool
    merged: bool
    merge_key: str


class Struct:
    """A Go struct.

    Attributes:
        name: In Go.
        fields: In the order in which Go writes them, embedded structs taken apart.
        by_name: The same by their names.
        texts: Names of those that hold a single text.
    """

    __slots__ = ("_always", "_by_folded_name", "_places", "_written", "by_name", "fields", "name", "texts")

    def __init__(self, name: str, fields: tuple[Field, ...]) -> None:
        self.name = name
        self.fields = fields
        self.by_name = {field.name: field for field in fields}
        self.texts = frozenset(field.name for field in fields if field.kind == "string" and field.shape == "one")
        self._by_folded_name = {folded(field.name): field for field in reversed(fields)}
        self._places = {field.name: place for place, field in enumerate(fields)}
        self._always = frozenset(field.name for field in fields if field.always)
        self._written: dict[tuple[str, ...], list[Field]] = {}

    def written(self, names: tuple[str, ...]) -> list[Field]:
        """Return the fields of these names and those that are always written, in the order in which Go writes them."""
        known = self._written.get(names)
        if known is None:
            known = [self.by_name[name] for name in sorted(self._always.union(names), key=self._places.__getitem__)]
            if len(self._written) < _MOST_KEPT:
                self._written[names] = known
        return known

    def find(self, name: str, *, exact: bool = False) -> Field | None:
        """Return the field that Go decodes the member ``name`` into: that very name first, else in any case."""
        field = self.by_name.get(name)
        if field is None and not exact:
            field = self._by_folded_name.get(folded(name))
        return field


@cache
def struct(name: str) -> Struct | None:
    """Return the struct of that name, or ``None`` for a Go kind or a name that no pod template leads to."""
    lines = _blocks().get(name)
    return None if lines is None else Struct(name, tuple(map(_field, lines)))


def struct_names() -> tuple[str, ...]:
    """Name all structs of the table."""
    return tuple(_blocks())


@cache
def _blocks() -> dict[str, list[str]]:
    from ...schemas._pod import STRUCTS

    blocks = (block.split("\n") for block in STRUCTS.strip().split("\n\n"))
    return {name: lines for name, *lines in blocks}


def _field(line: str) -> Field:
    """Read one line of the generated table; its notation is documented there."""
    name, kind, strategy, merge_key = (*line.split(" "), "", "")[:4]
    shape = {"[]": "list", "{}": "map"}.get(kind[:2], "one")
    return Field(
        name=name.rstrip("!*"),
        shape=shape,
        kind=kind.lstrip("[]{}"),
        pointer=name.endswith("*"),
        always="!" in name,
        # The other strategies concern how a patch is made, not how it is applied.
        merged="merge" in strategy.split(","),
        merge_key=merge_key,
    )
