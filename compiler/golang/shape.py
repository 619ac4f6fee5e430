"""Plain JSON data to Go structs and back: what encoding/json decodes, refuses, and writes again.

A decoded struct is a dict that holds every field of the Go type under its JSON key, zero values included, so that
``record["image"]`` always answers. ``None`` is a nil pointer, slice or map.

A type is written as plain data, as the generated tables hold it: ``string``, ``bool``, ``int``, ``int32``, ``float``,
``any`` and ``raw`` (kept as it is), or a pair: ``("ptr", type)``, ``("list", type)``, ``("map", type)``,
``("struct", name)``. Any other word names a ``Hook``.

Source: Go 1.26 standard library, encoding/json: Unmarshal and Marshal.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from .strconv import NumberError
from .value import SortedMap, json_numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from mcpcfg.compiler.source import Path

Shape: TypeAlias = Any
Field: TypeAlias = tuple[str, Shape, bool]
"""Key, type, and whether the field is written also when it is empty."""

_INT64 = range(-(1 << 63), 1 << 63)
_INT32 = range(-(1 << 31), 1 << 31)
_ZERO: dict[str, Any] = {"string": "", "bool": False, "int": 0, "int32": 0, "float": 0}
_FOLD = str.maketrans({"\u017f": "s", "\u212a": "k"})


class Misfit(NamedTuple):
    """A value that Go would refuse to decode.

    Attributes:
        path: Where it is.
        expected: What the field takes: ``a string``, ``a whole number``.
        found: What is there, named by kind: ``a list``.
    """

    path: Path
    expected: str
    found: str


class MisfitError(Exception):
    """A hook refuses a value; the argument says what it expects."""


class Hook(NamedTuple):
    """A Go type with its own way to be read and written.

    Attributes:
        decode: Value to decoded value; raises ``MisfitError`` where the value does not fit.
        encode: Decoded value to plain data.
        zero: The value of a field that is missing.
        empty: Whether ``omitempty`` leaves the zero value out.
    """

    decode: Callable[[Any], Any]
    encode: Callable[[Any], Any]
    zero: Any = None
    empty: bool = True


@dataclass(slots=True)
class Decoder:
    """Decodes by a table of structs and collects what does not fit.

    Attributes:
        structs: The Go types by name.
        hooks: Types with their own way to be read.
        misfits: What Go would refuse; it names the first only.
        unknown: Keys that no field takes, which Go skips in silence.
        judges_only: The data that comes out is not asked for: fields that are missing are left out of it.
    """

    structs: Mapping[str, tuple[Field, ...]]
    hooks: Mapping[str, Hook] = field(default_factory=dict)
    misfits: list[Misfit] = field(default_factory=list)
    unknown: list[Path] = field(default_factory=list)
    judges_only: bool = False
    _keys: dict[str, dict[str, Field]] = field(default_factory=dict)

    def decode(self, value: Any, shape: Shape, path: Path = ()) -> Any:
        """Give ``value`` as the Go type holds it; a value that does not fit leaves the zero value."""
        if isinstance(shape, str):
            return self._scalar(value, shape, path)
        kind, inner = shape
        if kind == "ptr":
            return None if value is None else self.decode(value, inner, path)
        if kind == "struct":
            return self._struct(value, inner, path)
        if value is None:
            return None
        if kind == "list":
            if not isinstance(value, list):
                return self._misfit(path, "a list", value, None)
            return [self.decode(item, inner, (*path, i)) for i, item in enumerate(value)]
        if not isinstance(value, dict):
            return self._misfit(path, "an object", value, None)
        return SortedMap((key, self.decode(item, inner, (*path, key))) for key, item in value.items())

    def zero(self, shape: Shape) -> Any:
        """Give the value of a field of this type that is missing."""
        if isinstance(shape, str):
            hook = self.hooks.get(shape)
            return _ZERO.get(shape) if hook is None else hook.zero
        kind, inner = shape
        if kind != "struct":
            return None
        return {key: self.zero(inner_shape) for key, inner_shape, _ in self.structs[inner]}

    def _struct(self, value: Any, name: str, path: Path) -> dict[str, Any]:
        out: dict[str, Any] = {} if self.judges_only else self.zero(("struct", name))
        if value is None:
            return out
        if not isinstance(value, dict):
            self._misfit(path, "an object", value, None)
            return out
        fields = self._fields(name)
        for key, item in value.items():
            found = fields.get(key) or fields.get(_folded(key))
            if found is None:
                self.unknown.append((*path, key))
            elif item is not None or not isinstance(found[1], str) or found[1] in self.hooks:
                out[found[0]] = self.decode(item, found[1], (*path, key))
        return out

    def _fields(self, name: str) -> dict[str, Field]:
        if name not in self._keys:
            exact = {field[0]: field for field in self.structs[name]}
            self._keys[name] = {_folded(key): field for key, field in exact.items()} | exact
        return self._keys[name]

    def _scalar(self, value: Any, shape: str, path: Path) -> Any:
        if shape == "raw":
            return value
        hook = self.hooks.get(shape)
        if hook is not None:
            try:
                return hook.decode(value)
            except MisfitError as error:
                return self._misfit(path, str(error), value, hook.zero)
        if shape == "any":
            try:
                return json_numbers(value)
            except NumberError as error:
                return self._misfit(path, error.args[-1], value, None)
        if value is None:
            return _ZERO[shape]
        if _fits(value, shape):
            return value
        return self._misfit(path, _EXPECTED[shape], value, _ZERO[shape])

    def _misfit(self, path: Path, expected: str, value: Any, zero: Any) -> Any:
        self.misfits.append(Misfit(path, expected, kind_of(value)))
        return zero


@dataclass(frozen=True, slots=True)
class Encoder:
    """Writes decoded structs as Go marshals them: fields in order, empty ones left out where Go says so.

    Attributes:
        structs: The Go types by name.
        hooks: Types with their own way to be read and written.
        writers: Structs with their own way to be written, by name.
    """

    structs: Mapping[str, tuple[Field, ...]]
    hooks: Mapping[str, Hook] = field(default_factory=dict)
    writers: Mapping[str, Callable[[Mapping[str, Any], Encoder], Any]] = field(default_factory=dict)

    def encode(self, value: Any, shape: Shape) -> Any:
        """Give plain data for the JSON writer."""
        if isinstance(shape, str):
            hook = self.hooks.get(shape)
            return value if hook is None else hook.encode(value)
        kind, inner = shape
        if value is None:
            return None
        if kind == "ptr":
            return self.encode(value, inner)
        if kind == "list":
            return [self.encode(item, inner) for item in value]
        if kind == "map":
            return SortedMap((key, self.encode(item, inner)) for key, item in value.items())
        writer = self.writers.get(inner)
        return writer(value, self) if writer is not None else dict(self._fields(value, inner))

    def _fields(self, value: Mapping[str, Any], name: str) -> Iterator[tuple[str, Any]]:
        for key, shape, always in self.structs[name]:
            item = value[key]
            if always or not self._is_empty(item, shape):
                yield key, self.encode(item, shape)

    def _is_empty(self, value: Any, shape: Shape) -> bool:
        if isinstance(shape, str):
            hook = self.hooks.get(shape)
            if hook is not None:
                return hook.empty and value == hook.zero
            return value is None or (shape not in {"any", "raw"} and value == _ZERO[shape])
        kind = shape[0]
        if kind == "struct":
            return False
        return value is None or (kind in {"list", "map"} and not value)


_EXPECTED = {
    "string": "a string",
    "bool": "true or false",
    "int": "a whole number",
    "int32": "a whole number of 32 bits",
    "float": "a number",
}


def kind_of(value: Any) -> str:
    """Name the kind of a JSON value: ``a list``, ``a string``, ``null``."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return f"the number {value}"
    if isinstance(value, str):
        return "a string"
    return "a list" if isinstance(value, list) else "an object"


def _folded(key: str) -> str:
    """Fold a key as Go compares keys that no field spells exactly."""
    return key.translate(_FOLD).lower()


def _fits(value: Any, shape: str) -> bool:
    if shape == "string":
        return isinstance(value, str)
    if isinstance(value, bool):
        return shape == "bool"
    if shape == "bool":
        return False
    if shape == "float":
        return isinstance(value, (int, float))
    return isinstance(value, int) and value in (_INT32 if shape == "int32" else _INT64)
