"""Kubernetes' typed objects as plain data, decoded and encoded like Go's encoding/json.

A *typed value* is a plain value in the exact form that Go would marshal. It only has fields of the type, in Go's order.
Empty fields are missing unless Go always writes them. Quantities and time stamps are canonical, and maps are sorted.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from ..diagnostics.fault import Flaw
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.placeholder import is_placeholder
from ..diagnostics.shown import shown
from .field_table import GoStruct, StructField, struct
from .scalar import SCALARS, Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..diagnostics.span import Path

POD_TEMPLATE = "PodTemplateSpec"


class Decoded(NamedTuple):
    """A value decoded into a Go type, and the faults in it.

    Attributes:
        value: The typed value. Where the input is invalid, it has the zero value of the type, or no value.
        faults: Faults that Go would refuse, in the order of the document.
        unknown: Paths of unknown members, which Go drops silently.
        unfilled: Paths of placeholders in fields that are not strings. Their values are unknown.
    """

    value: Any
    faults: tuple[Flaw, ...]
    unknown: tuple[Path, ...]
    unfilled: tuple[Path, ...] = ()


def decode(value: Any, type_name: str = POD_TEMPLATE, *, exact_names: bool = False) -> Decoded:
    """Decode a plain JSON value into the struct ``type_name``.

    Args:
        value: The value as the API server stores it: a mapping, or ``None`` for an empty one.
        type_name: A struct of the field table, such as ``PodTemplateSpec``, ``Volume`` or ``ObjectMeta``.
        exact_names: True to match member names exactly, as the API server does. False to ignore case, as operators do.

    Raises:
        KeyError: The table has no such struct.
    """
    reader = _TypedReader(exact_names=exact_names)
    typed = reader.read_struct(_struct_named(type_name), value, (), None)
    return Decoded(typed, tuple(reader.faults), tuple(reader.unknown), tuple(reader.unfilled))


def is_plain(value: Any, type_name: str = POD_TEMPLATE) -> bool:
    """Return whether ``decode`` would certainly report nothing about ``value`` and return an equal value.

    The order of members, empty fields and the notation of quantities may differ. Nearly all values pass this check, and
    it is faster than decoding.
    """
    shape = _struct_named(type_name)
    if not isinstance(value, dict) or not _always_filled(type_name) <= value.keys():
        return False
    for key, item in value.items():
        if key in shape.texts and isinstance(item, str):
            continue
        field = shape.by_name.get(key)
        if field is None:
            return False
        if field.shape == "one":
            items: Iterable[Any] = (item,)
        elif field.shape == "list" and isinstance(item, list):
            items = item
        elif field.shape == "map" and isinstance(item, dict):
            items = item.values()
        else:
            return False
        if not _are_plain(items, field.kind):
            return False
    return True


@cache
def _always_filled(type_name: str) -> frozenset[str]:
    """Return the names of the scalar fields that Go writes even if the input lacks them."""
    fields = _struct_named(type_name).fields
    return frozenset(field.name for field in fields if field.always and field.shape == "one" and field.kind in SCALARS)


def _are_plain(values: Iterable[Any], kind: str) -> bool:
    scalar = SCALARS.get(kind)
    if scalar is None:
        return all(is_plain(value, kind) for value in values)
    for value in values:
        if value is None:
            return False
        read = scalar.read(value)
        # 1.0 equals 1 in Python but is written differently, so types are compared.
        if type(read) is not type(value) or not (read == value or kind == "Quantity"):
            return False
    return True


def encode(typed: Any, type_name: str = POD_TEMPLATE) -> Any:
    """Return a typed value that mcpcfg built or changed, in the form that Go would marshal.

    Raises:
        KeyError: The table has no such struct.
        ValueError: The value does not fit the type, or has a placeholder in a field that is not a string. Both are bugs
            of the caller.
    """
    decoded = decode(typed, type_name, exact_names=True)
    if wrong := decoded.faults or decoded.unknown or decoded.unfilled:
        raise ValueError(f"no {type_name}: {wrong}")
    return decoded.value


def empty(type_name: str = POD_TEMPLATE) -> dict[str, Any]:
    """Return the zero value of a struct, as Go writes it.

    Raises:
        KeyError: The table has no such struct.
    """
    return _in_go_order(_struct_named(type_name), {})


def _struct_named(type_name: str) -> GoStruct:
    struct_ = struct(type_name)
    if struct_ is None or type_name in SCALARS:
        raise KeyError(type_name)
    return struct_


class _TypedReader:
    """Decodes one value and collects its faults.

    Two members can match the same field, such as ``Spec`` and ``spec``. Go decodes the second over the first. The
    methods take the result of the first as ``old``; ``None`` means that there is no earlier member.
    """

    __slots__ = ("exact_names", "faults", "unfilled", "unknown")

    def __init__(self, *, exact_names: bool) -> None:
        self.exact_names = exact_names
        self.faults: list[Flaw] = []
        self.unknown: list[Path] = []
        self.unfilled: list[Path] = []

    def read_struct(self, shape: GoStruct, value: Any, path: Path, old: dict[str, Any] | None) -> dict[str, Any]:
        members: dict[str, Any] = dict(old) if old else {}
        if isinstance(value, dict):
            for key, field in self._matched(shape, value, path):
                item = value[key]
                if field.name in shape.texts and isinstance(item, str):  # the usual case
                    members[field.name] = item
                else:
                    members[field.name] = self._read_field(field, item, (*path, key), members.get(field.name))
        elif value is not None:
            self._refuse(path, value, f"{shown(value)} where a mapping is needed")
        return _in_go_order(shape, members)

    def _matched(self, shape: GoStruct, value: dict[Any, Any], path: Path) -> list[tuple[str, StructField]]:
        matched: list[tuple[str, StructField]] = []
        is_exact = True
        for key in value:
            field = shape.by_name.get(key)
            if field is None:
                is_exact = False
                field = shape.find(key, exact=self.exact_names)
            if field is None:
                self.unknown.append((*path, key))
            else:
                matched.append((key, field))
        if not is_exact and len({field.name for _, field in matched}) < len(matched):
            matched.sort()  # the API server stores members by name: upper case comes first, and the last one wins
        return matched

    def _read_field(self, field: StructField, value: Any, path: Path, old: Any) -> Any:
        if field.shape == "one":
            if value is None and field.pointer:
                return None
            return self._read_value(field.kind, value, path, old)
        if value is None:
            return None
        if field.shape == "list":
            if isinstance(value, list):
                # Go decodes a list on top of the earlier one, item by item; maps are merged by key.
                before = old or []
                return [
                    self._read_value(field.kind, element, (*path, i), before[i] if i < len(before) else None)
                    for i, element in enumerate(value)
                ]
            self._refuse(path, value, f"{shown(value)} where a list is needed")
            return old
        if isinstance(value, dict):
            read = {key: self._read_value(field.kind, element, (*path, key), None) for key, element in value.items()}
            return read if not old else old | read
        self._refuse(path, value, f"{shown(value)} where a mapping is needed")
        return old

    def _read_value(self, kind: str, value: Any, path: Path, old: Any) -> Any:
        scalar = SCALARS.get(kind)
        if scalar is None:
            return self.read_struct(_struct_named(kind), value, path, old)
        previous = scalar.zero if old is None else old
        if value is None:
            return scalar.null(previous)
        read = scalar.read(value)
        if isinstance(read, Refusal):
            self._refuse(path, value, read.message, read.hint)
            return previous
        return read

    def _refuse(self, path: Path, value: Any, message: str, hint: str | None = None) -> None:
        if isinstance(value, str) and is_placeholder(value):
            self.unfilled.append(path)
        else:
            self.faults.append(Flaw(path, "type", message, hint))


def _in_go_order(shape: GoStruct, members: dict[str, Any]) -> dict[str, Any]:
    """Return the members in Go's order, without empty fields that Go omits. Fields that Go always writes are added."""
    out: dict[str, Any] = {}
    for field in shape.written(tuple(members)):
        value = members.get(field.name)
        if field.shape == "map" and value:
            out[field.name] = {key: value[key] for key in sorted(value)}
        elif value or (field.pointer and value is not None):
            out[field.name] = value
        elif field.always:
            out[field.name] = value if value is not None else _zero(field)
    return out


def _zero(field: StructField) -> Any:
    if field.pointer or field.shape != "one":
        return None
    scalar = SCALARS.get(field.kind)
    return _in_go_order(_struct_named(field.kind), {}) if scalar is None else scalar.zero
