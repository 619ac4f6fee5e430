"""Go structs as plain data: the table of their shapes, and how Go writes them.

A struct in memory is a dict of its fields under the keys of the file. ``None`` is a nil pointer, slice or map, and a
field that is missing is one with its zero value. ``decoder`` reads such structs as Go does.

A type is written as plain data, as the generated tables hold it: ``string``, ``bool``, ``int``, ``int32``, ``float``,
``duration`` (nanoseconds), ``held-duration`` (one that Kubernetes' type holds: YAML writes its field), ``any``,
``json`` and ``json-map`` (free JSON that is a struct for Go: any, or an object),
``raw`` (kept as it is), or a pair: ``("ptr", type)``, ``("list", type)``, ``("map", type)``, ``("struct", name)``. Any
other word names a ``Hook``, and one of these words may do so too.

Source: Go 1.26 standard library, encoding/json: Unmarshal and Marshal; gopkg.in/yaml.v3 v3.0.1, encode.go.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from .duration import DurationError, format_duration, parse_duration
from .letter import folded
from .value import SortedMap, json_numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ..diagnostics.span import Path

Shape: TypeAlias = Any
Field: TypeAlias = tuple[str, Shape, bool]
"""Key, type, and whether the field is written also when it is empty."""
Form: TypeAlias = Literal["json", "yaml"]

ZERO: Final[dict[str, Any]] = {
    "string": "",
    "bool": False,
    "int": 0,
    "int32": 0,
    "float": 0,
    "duration": 0,
    "held-duration": 0,
}
HELD_DURATION: Final = "duration"
"""The key of a ``held-duration`` in YAML."""

INT32: Final = range(-(1 << 31), 1 << 31)


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
    """A hook refuses a value; the argument is what it expects."""


class Hook(NamedTuple):
    """A Go type with its own way to be read and written.

    Attributes:
        decode: Value to decoded value; raises ``MisfitError`` where the value does not fit.
        encode: Decoded value to plain data.
        zero: The value of a field that is missing.
        empty: Whether ``omitempty`` leaves the zero value out of JSON, as it does unless the type is a struct.
        decode_yaml: What reads a value of YAML, where that is not ``decode``.
    """

    decode: Callable[[Any], Any]
    encode: Callable[[Any], Any]
    zero: Any = None
    empty: bool = True
    decode_yaml: Callable[[Any], Any] | None = None


class Types:
    """The Go types of a table. What is worked out of it is kept: make one for each table.

    Args:
        structs: The structs by name.
        hooks: Types with their own way to be read and written.
    """

    def __init__(self, structs: Mapping[str, tuple[Field, ...]], hooks: Mapping[str, Hook] | None = None) -> None:
        self.structs = structs
        self.hooks = hooks or {}
        self._fields: dict[str, dict[str, Field]] = {}
        self._folded: dict[str, dict[str, Field]] = {}
        self._zeros: dict[str, tuple[dict[str, Any], tuple[tuple[str, Shape], ...]]] = {}

    def fields(self, name: str) -> dict[str, Field]:
        """Return the fields of a struct by their keys."""
        known = self._fields.get(name)
        if known is None:
            known = self._fields[name] = {field[0]: field for field in self.structs[name]}
        return known

    def folded_fields(self, name: str) -> dict[str, Field]:
        """Return the fields of a struct by their keys, and by their `folded` keys where no field is called so."""
        known = self._folded.get(name)
        if known is None:
            exact = self.fields(name)
            # Exact keys come last in the union: they win over another field's folded key.
            known = self._folded[name] = {folded(key): field for key, field in exact.items()} | exact
        return known

    def keys_at(self, name: str, path: Path) -> Iterable[str]:
        """Return the keys of the struct at ``path`` within a struct; none where there is something else."""
        shape: Shape = ("struct", name)
        for step in path:
            while shape[0] == "ptr":
                shape = shape[1]
            if shape[0] == "struct":
                found = self.folded_fields(shape[1])
                field = found.get(str(step)) or found.get(folded(str(step)))
                shape = "any" if field is None else field[1]
            else:
                shape = shape[1] if shape[0] in ("list", "map") else "any"
        while shape[0] == "ptr":
            shape = shape[1]
        return self.fields(shape[1]) if shape[0] == "struct" else ()

    def zero(self, shape: Shape) -> Any:
        """Return the value of a field of this type that is missing."""
        if isinstance(shape, str):
            hook = self.hooks.get(shape)
            return ZERO.get(shape) if hook is None else hook.zero
        kind, name = shape
        return self.zero_struct(name) if kind == "struct" else None

    def zero_struct(self, name: str) -> dict[str, Any]:
        """Return a struct whose fields are all missing."""
        known = self._zeros.get(name)
        if known is None:
            # Structs held by value have zero values of their own; they are built for each copy, which may be changed.
            inner = tuple((key, shape[1]) for key, shape, _ in self.structs[name] if shape[0] == "struct")
            plain = {key: None if shape[0] == "struct" else self.zero(shape) for key, shape, _ in self.structs[name]}
            known = self._zeros[name] = (plain, inner)
        plain, inner = known
        out = plain.copy()
        for key, struct in inner:
            out[key] = self.zero_struct(struct)
        return out


_Prepared: TypeAlias = "tuple[str, bool, tuple[Shape, Shape, bool, Any]]"
"""A field: its key; whether it is always written; and its type, with and without pointer, whether it is written as it
is, and what counts as empty.
"""


class Encoder:
    """Writes structs as Go marshals them: fields in order, empty ones left out by ``omitempty``.

    YAML leaves an empty struct out where JSON writes it, and writes a nil list or map as an empty one where JSON writes
    null.

    Args:
        types: The Go types.
        writers: Structs with their own way to be written, by name.
        form: What the text is to be.
        stored: Whether the values are not decoded, but as the API server stores them: durations are texts, whole
            numbers may be floats, and numbers in free JSON are as they were read.
    """

    def __init__(
        self,
        types: Types,
        *,
        writers: Mapping[str, Callable[[Mapping[str, Any], Encoder], Any]] | None = None,
        form: Form = "json",
        stored: bool = False,
    ) -> None:
        self._structs = types.structs
        self._hooks = types.hooks
        self._converters = {word: hook.encode for word, hook in types.hooks.items()}
        self._converters = (_STORED if stored else _DECODED) | self._converters
        if form == "yaml":
            self._converters["held-duration"] = _holding(self._converters["duration"])
        self._writers = writers or {}
        self._is_yaml = form == "yaml"
        self._fields: dict[str, tuple[_Prepared, ...]] = {}

    def encode(self, value: Any, shape: Shape) -> Any:
        """Return plain data for the writer of the text; keys that the struct does not have are left out.

        What stands in place of a struct, list or map, as a placeholder does, is written as it is.
        """
        if value is None:
            return self._zero(shape)
        if isinstance(shape, str):
            convert = self._converters.get(shape)
            return value if convert is None else convert(value)
        kind, inner = shape
        if kind == "ptr":
            return self.encode(value, inner)
        if kind == "list":
            return self._list(value, inner) if isinstance(value, list) else value
        if not isinstance(value, dict):
            return value
        if kind == "struct":
            return self._struct(value, inner)
        if self._is_plain(inner) and None not in value.values():
            return SortedMap(value)
        return SortedMap((key, self.encode(item, inner)) for key, item in value.items())

    def _list(self, value: list[Any], shape: Shape) -> list[Any]:
        if self._is_plain(shape) and None not in value:
            return value.copy()
        return [self.encode(item, shape) for item in value]

    def _is_plain(self, shape: Shape) -> bool:
        """Return whether values of this type are written as they are."""
        return isinstance(shape, str) and shape not in self._converters

    def _struct(self, value: Mapping[str, Any], name: str) -> Any:
        writer = self._writers.get(name)
        if writer is not None:
            return writer(value, self)
        out: dict[str, Any] = {}
        for key, always, field in self._fields.get(name) or self._prepared(name):
            item = value.get(key)
            if item is None:
                if always:
                    out[key] = self._zero(field[0])
                continue
            _, target, is_plain, empty = field
            written = item if is_plain else self.encode(item, target)
            if always or written != empty:
                out[key] = written
        return out

    def _prepared(self, name: str) -> tuple[_Prepared, ...]:
        rows = []
        for key, shape, always in self._structs[name]:
            target = pointed_to(shape)
            field = (shape, target, self._is_plain(target), self._empty(shape))
            rows.append((key, always or self._is_kept(shape), field))
        self._fields[name] = tuple(rows)
        return self._fields[name]

    def _is_kept(self, shape: Shape) -> bool:
        """Return whether JSON writes a field of this type however empty it is: one that holds a struct."""
        if self._is_yaml:
            return False
        hook = self._hooks.get(shape) if isinstance(shape, str) else None
        return not hook.empty if hook is not None else shape[0] == "struct" or shape in ("json", "json-map")

    def _empty(self, shape: Shape) -> Any:
        """Return what ``omitempty`` leaves out, as it is written."""
        if shape == "json-map" and self._is_yaml:
            return {}
        if isinstance(shape, str) or self._is_yaml:
            return self._zero(shape)
        return {"list": [], "map": {}}.get(shape[0])

    def _zero(self, shape: Shape) -> Any:
        if isinstance(shape, str):
            zero = ZERO.get(shape) if shape not in self._hooks else self._hooks[shape].zero
            return zero if zero is None or shape not in self._converters else self._converters[shape](zero)
        kind, inner = shape
        if kind == "struct":
            return self._struct({}, inner)
        return {"list": [], "map": {}}.get(kind) if self._is_yaml else None


@lru_cache(1024)
def _normal_form(text: str) -> str:
    try:
        return format_duration(parse_duration(text))
    except DurationError:
        return text


def _stored_duration(value: Any) -> Any:
    # The zero value of a field is a number: written like any other value, it is what omitempty leaves out.
    return format_duration(value) if isinstance(value, int) else _normal_form(value)


def _holding(write: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return what writes the struct that holds a duration, of what writes the duration."""
    return lambda value: {HELD_DURATION: write(value)}


def _stored_int(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


_DECODED: Final[dict[str, Callable[[Any], Any]]] = {"duration": format_duration, "held-duration": format_duration}
_STORED: Final[dict[str, Callable[[Any], Any]]] = {
    "duration": _stored_duration,
    "held-duration": _stored_duration,
    "int": _stored_int,
    "int32": _stored_int,
    "json": json_numbers,
    "json-map": json_numbers,
}
"""Word of a type to what writes its values; those of other types are written as they are."""


def pointed_to(shape: Shape) -> Shape:
    """Return the type that a pointer leads to; any other type as it is."""
    return shape[1] if shape[0] == "ptr" else shape


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
