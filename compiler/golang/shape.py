"""Go structs as plain data: the table of their types, and encoding.

A struct in memory is a dict of its fields under the keys of the file. ``None`` is a nil pointer, slice or map, and a
missing field has its zero value. ``decoder`` decodes such structs like Go.

A type is plain data, as in the generated tables: ``string``, ``bool``, ``int``, ``int32``, ``float``, ``duration``
(nanoseconds), ``held-duration`` (a duration inside Kubernetes' struct, whose field YAML writes), ``any``, ``json`` and
``json-map`` (free JSON in a Go struct: any value, or an object), ``raw`` (kept unchanged), or a pair: ``("ptr",
type)``, ``("list", type)``, ``("map", type)``, ``("struct", name)``. Any other word names a ``Hook``; a hook may also
override one of these words.

Source: Go 1.26 standard library, encoding/json: Unmarshal and Marshal; gopkg.in/yaml.v3 v3.0.1, encode.go.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from ..diagnostics.budget import cache_by_text
from ..diagnostics.named_tuple import NamedTuple
from .duration import DurationError, format_duration, parse_duration
from .letter import folded
from .value import SortedMap, json_numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ..diagnostics.span import Path

Shape: TypeAlias = Any
Field: TypeAlias = tuple[str, Shape, bool]
"""A field of a struct: its key, its type, and whether it is written even when empty."""
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
"""The integers that fit into 32 bits."""


class Misfit(NamedTuple):
    """A value that Go would refuse to decode.

    Attributes:
        expected: The type of the field: ``a string``, ``a whole number``.
        actual: The kind of the value, as ``kind_of`` returns it: ``a list``.
    """

    path: Path
    expected: str
    actual: str


class MisfitError(Exception):
    """A hook refuses a value. The argument describes the expected type: ``a string``."""


class Hook(NamedTuple):
    """A Go type with its own encoding.

    Attributes:
        decode: Returns the decoded form of a value of the document. Raises ``MisfitError`` if the value does not fit.
        encode: Returns plain data for a decoded value.
        zero: Value of a missing field.
        empty: True if ``omitempty`` omits the zero value in JSON, as for every type except structs.
        decode_yaml: Replaces ``decode`` for values from YAML; ``None`` if ``decode`` fits both.
    """

    decode: Callable[[Any], Any]
    encode: Callable[[Any], Any]
    zero: Any = None
    empty: bool = True
    decode_yaml: Callable[[Any], Any] | None = None


class StructTable(Mapping[str, tuple[Field, ...]]):
    """The fields of structs by name, read from a generated text. A struct is read when it is first used.

    Each line is a struct: its name, then its fields, if any, in Go's order, as ``KEY:TYPE``. ``!`` after the key
    means that the field is written even when empty, before the release that follows ``!`` if there is one. ``@``
    precedes the release that added the field. In a type, ``*`` means a pointer, ``[]`` a list, ``{}`` a map, and a
    name with a capital letter a struct.

    Args:
        has: Returns whether the table is for this release or a later one; by default, it is for the newest.
    """

    def __init__(self, text: str, has: Callable[[str], bool] = bool) -> None:
        self._lines = {name: fields for name, _, fields in (line.partition(" ") for line in text.splitlines())}
        self._has = has
        self._fields: dict[str, tuple[Field, ...]] = {}

    def __getitem__(self, name: str) -> tuple[Field, ...]:
        fields = self._fields.get(name)
        if fields is None:
            rows = (field.partition("@") for field in self._lines[name].split())
            fields = tuple(self._field(row) for row, _, since in rows if not since or self._has(since))
            self._fields[name] = fields
        return fields

    def _field(self, row: str) -> Field:
        name, _, kind = row.partition(":")
        key, mark, until = name.partition("!")
        return key, _shape(kind), bool(mark) and not (until and self._has(until))

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)


def _shape(text: str) -> Shape:
    for mark, kind in (("*", "ptr"), ("[]", "list"), ("{}", "map")):
        if text.startswith(mark):
            return (kind, _shape(text[len(mark) :]))
    return ("struct", text) if text[0].isupper() else text


class Types:
    """A table of Go types. Create one instance for each table, because an instance caches what it derives.

    Args:
        structs: Fields of the structs by name.
        hooks: Types with their own encoding.
    """

    def __init__(self, structs: Mapping[str, tuple[Field, ...]], hooks: Mapping[str, Hook] | None = None) -> None:
        self.structs = structs
        self.hooks = hooks or {}
        self._fields: dict[str, dict[str, Field]] = {}
        self._folded: dict[str, dict[str, Field]] = {}
        self._zeros: dict[str, tuple[dict[str, Any], tuple[tuple[str, Shape], ...]]] = {}

    def fields(self, name: str) -> dict[str, Field]:
        """Return the fields of a struct by key."""
        fields_ = self._fields.get(name)
        if fields_ is None:
            fields_ = self._fields[name] = {field[0]: field for field in self.structs[name]}
        return fields_

    def folded_fields(self, name: str) -> dict[str, Field]:
        """Return the fields of a struct by key, and also by `folded` key unless that is the key of another field."""
        fields_ = self._folded.get(name)
        if fields_ is None:
            exact = self.fields(name)
            # Exact keys come last, so they win over another field's folded key.
            fields_ = self._folded[name] = {folded(key): field for key, field in exact.items()} | exact
        return fields_

    def keys_at(self, name: str, path: Path) -> Iterable[str]:
        """Return the keys of the struct at ``path`` below the struct ``name``; empty if the path leads to no struct."""
        shape: Shape = ("struct", name)
        for step in path:
            while shape[0] == "ptr":
                shape = shape[1]
            if shape[0] == "struct":
                fields = self.folded_fields(shape[1])
                field = fields.get(str(step)) or fields.get(folded(str(step)))
                shape = "any" if field is None else field[1]
            else:
                shape = shape[1] if shape[0] in ("list", "map") else "any"
        while shape[0] == "ptr":
            shape = shape[1]
        return self.fields(shape[1]) if shape[0] == "struct" else ()

    def zero(self, shape: Shape) -> Any:
        """Return Go's zero value of a type, which a missing field has."""
        if isinstance(shape, str):
            hook = self.hooks.get(shape)
            return ZERO.get(shape) if hook is None else hook.zero
        kind, name = shape
        return self.zero_struct(name) if kind == "struct" else None

    def zero_struct(self, name: str) -> dict[str, Any]:
        """Return a struct whose fields are all missing."""
        cached = self._zeros.get(name)
        if cached is None:
            # Structs by value are created for each copy, because the caller may change it.
            inner = tuple((key, shape[1]) for key, shape, _ in self.structs[name] if shape[0] == "struct")
            plain = {key: None if shape[0] == "struct" else self.zero(shape) for key, shape, _ in self.structs[name]}
            cached = self._zeros[name] = (plain, inner)
        plain, inner = cached
        out = plain.copy()
        for key, struct in inner:
            out[key] = self.zero_struct(struct)
        return out


_Prepared: TypeAlias = "tuple[str, bool, Shape, Callable[[Any], Any] | None, Any]"
"""A prepared field: its key, whether it is always written, its type, its conversion, and its empty value.

The conversion is ``None`` if values are written unchanged.
"""


class Encoder:
    """Encodes structs like Go: fields in order, empty fields omitted by ``omitempty``.

    YAML omits an empty struct that JSON writes. YAML writes a nil list or map as empty, JSON as null.

    Args:
        writers: Functions that encode a struct instead of the default encoding, by name of the struct.
        stored: True if the values are not decoded but as the API server stores them: durations are strings, integers
            may be floats, and numbers in free JSON are unchanged.
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
        """Return a value of the type ``shape`` as the plain data that Go would write, without keys that a struct lacks.

        A placeholder in place of a struct, list or map is written unchanged.
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
        return isinstance(shape, str) and shape not in self._converters

    def _struct(self, value: Mapping[str, Any], name: str) -> Any:
        writer = self._writers.get(name)
        if writer is not None:
            return writer(value, self)
        out: dict[str, Any] = {}
        for key, always, shape, convert, empty in self._fields.get(name) or self._prepared(name):
            item = value.get(key)
            if item is None:
                if always:
                    out[key] = self._zero(shape)
                continue
            if always or item != empty:  # most empty values need no conversion
                written = item if convert is None else convert(item)
                if always or written != empty:
                    out[key] = written
        return out

    def _prepared(self, name: str) -> tuple[_Prepared, ...]:
        rows = []
        for key, shape, always in self._structs[name]:
            target = pointed_to(shape)
            convert = self._converters.get(target) if isinstance(target, str) else partial(self.encode, shape=target)
            rows.append((key, always or self._is_kept(shape), shape, convert, self._empty(shape)))
        self._fields[name] = tuple(rows)
        return self._fields[name]

    def _is_kept(self, shape: Shape) -> bool:
        """Return whether JSON ignores ``omitempty`` for a field of this type, because the type is a struct in Go."""
        if self._is_yaml:
            return False
        hook = self._hooks.get(shape) if isinstance(shape, str) else None
        return not hook.empty if hook is not None else shape[0] == "struct" or shape in ("json", "json-map")

    def _empty(self, shape: Shape) -> Any:
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


@cache_by_text(1024)  # files repeat the same few durations
def _normal_form(text: str) -> str:
    try:
        return format_duration(parse_duration(text))
    except DurationError:
        return text


def duration_text(value: Any) -> Any:
    """Return a duration in Go's notation. Durations are nanoseconds or texts; a text that is no duration stays."""
    return format_duration(value) if isinstance(value, int) else _normal_form(value)


def _holding(write: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: {HELD_DURATION: write(value)}


def _stored_int(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


_DECODED: Final[dict[str, Callable[[Any], Any]]] = {"duration": format_duration, "held-duration": format_duration}
_STORED: Final[dict[str, Callable[[Any], Any]]] = {
    "duration": duration_text,
    "held-duration": duration_text,
    "int": _stored_int,
    "int32": _stored_int,
    "json": json_numbers,
    "json-map": json_numbers,
}
"""Functions that convert values of the API server to plain data, by type; other types stay unchanged."""


def pointed_to(shape: Shape) -> Shape:
    """Return the target type of a pointer, or any other type unchanged."""
    return shape[1] if shape[0] == "ptr" else shape


def kind_of(value: Any) -> str:
    """Return the kind of a JSON value for messages: ``a list``, ``a string``, ``null``, ``the number 3``."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return f"the number {value}"
    if isinstance(value, str):
        return "a string"
    return "a list" if isinstance(value, list) else "an object"
