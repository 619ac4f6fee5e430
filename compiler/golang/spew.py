"""Dump Go objects as one line, and hash the dumps like Kubernetes controllers, which compare configurations by hash.

The dump names every Go type, so the types are described next to the plain data::

    (v1alpha1.PrometheusConfig){Enabled:(bool)true}

Source: github.com/davecgh/go-spew v1.1.1, Sprintf ``%#v`` with sorted keys, without methods and pointer addresses, as
k8s.io/apimachinery's DeepHashObject uses it; FNV-1a of 32 bits (RFC draft-eastlake-fnv).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ..diagnostics.named_tuple import NamedTuple
from .duration import parse_duration
from .json import compact

if TYPE_CHECKING:
    from collections.abc import Mapping

_FNV_OFFSET = 0x811C9DC5
"""The offset basis of 32-bit FNV (draft-eastlake-fnv)."""
_FNV_PRIME = 0x01000193
"""The prime of 32-bit FNV (draft-eastlake-fnv)."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """A string, boolean or integer; ``name`` is the Go type, ``zero`` replaces a missing value."""

    name: str
    zero: str | bool | int = ""


@dataclass(frozen=True, slots=True)
class Pointer:
    """A pointer to a value. A missing value is dumped as ``<nil>``."""

    to: Type

    @property
    def name(self) -> str:
        """The name of the Go type in dumps."""
        return "*" + self.to.name


@dataclass(frozen=True, slots=True)
class Slice:
    """A list. A missing list is dumped as ``<nil>``, an empty list as ``[]``."""

    of: Type

    @property
    def name(self) -> str:
        """The name of the Go type in dumps."""
        return "[]" + self.of.name


@dataclass(frozen=True, slots=True)
class Map:
    """An object with arbitrary keys. A missing map is dumped as ``<nil>``, an empty map as ``map[]``."""

    of: Type

    @property
    def name(self) -> str:
        """The name of the Go type in dumps."""
        return "map[string]" + self.of.name


@dataclass(frozen=True, slots=True)
class Raw:
    """Free-form data that Go keeps as JSON bytes in the struct field ``Raw``.

    Attributes:
        tail: Dump of the struct's other fields, which are always empty.
    """

    name: str
    tail: str = ""


@dataclass(frozen=True, slots=True)
class Struct:
    """An object with fixed fields in the order of their declaration."""

    name: str
    fields: tuple[Field, ...]


class Field(NamedTuple):
    """A field of a struct: Go name, key in the data, type, and the first release with the field.

    The key ``None`` marks an embedded struct, whose fields are in the same object of the data. If ``since`` is
    ``None``, every release has the field.
    """

    go: str
    key: str | None
    type: Type
    since: str | None = None


@dataclass(frozen=True, slots=True)
class HeldDuration:
    """Kubernetes' duration: a Go struct with one field. In the data it is a string such as ``30s``."""

    name: str


Type: TypeAlias = Scalar | Pointer | Slice | Map | Raw | HeldDuration | Struct

STRING: Final = Scalar("string")
BOOL: Final = Scalar("bool", zero=False)
INT32: Final = Scalar("int32", zero=0)
INT64: Final = Scalar("int64", zero=0)
JSON: Final = Raw("v1.JSON")
RAW_EXTENSION: Final = Raw("runtime.RawExtension", " Object:(runtime.Object)<nil>")


def dump(value: Any, kind: Type) -> str:
    """Return the dump of a value of the Go type ``kind`` on one line. ``None`` is a missing value."""
    out = [f"({kind.name})"]
    _write(value, kind, out)
    return "".join(out)


def bytes_dump(data: bytes) -> str:
    """Return the dump of a Go byte slice."""
    return f"([]uint8)[{' '.join(map(str, data))}]"


def fnv32a(data: bytes) -> int:
    """Return the 32-bit FNV-1a hash of ``data``."""
    state = _FNV_OFFSET
    for byte in data:
        state = ((state ^ byte) * _FNV_PRIME) & 0xFFFFFFFF
    return state


def text_hash(text: str) -> str:
    """Return the FNV-1a hash of a text in hexadecimal digits, without leading zeros."""
    return f"{fnv32a(text.encode('utf-8', 'surrogatepass')):x}"


def object_hash(value: Any, kind: Type) -> str:
    """Return the hash of an object's dump, as in ``status.configHash``."""
    return text_hash(dump(value, kind))


def _write(value: Any, kind: Type, out: list[str]) -> None:
    """Append the dump of ``value`` to ``out``, without the Go type of ``value`` itself."""
    if isinstance(kind, Scalar):
        _write_scalar(kind.zero if value is None else value, out)
    elif isinstance(kind, Struct):
        _write_struct({} if value is None else value, kind, out)
    elif value is None and not isinstance(kind, Raw):
        out.append("<nil>")
    elif isinstance(kind, Pointer):
        _write(value, kind.to, out)
    elif isinstance(kind, Slice):
        out.append("[")
        for at, item in enumerate(value):
            out.append(" " if at else "")
            _write_element(item, kind.of, out)
        out.append("]")
    elif isinstance(kind, Map):
        out.append("map[")
        for at, key in enumerate(sorted(value)):
            out.append(f" {key}:" if at else f"{key}:")
            _write_element(value[key], kind.of, out)
        out.append("]")
    elif isinstance(kind, HeldDuration):
        out.append(f"{{Duration:(time.Duration){parse_duration(value)}}}")
    else:
        out.append(f"{{Raw:{bytes_dump(compact(value, sort_keys=True).encode())}{kind.tail}}}")


def _write_element(value: Any, kind: Type, out: list[str]) -> None:
    if isinstance(kind, Pointer) and value is not None:
        out.append("<*>")
    _write(value, kind, out)


def _write_scalar(value: str | bool | int, out: list[str]) -> None:  # noqa: FBT001 - data
    if value is True:
        out.append("true")
    elif value is False:
        out.append("false")
    else:
        out.append(str(value))


def _write_struct(value: Mapping[str, Any], kind: Struct, out: list[str]) -> None:
    lead = "{"
    for go, key, child, _ in kind.fields:
        out.append(f"{lead}{go}:({child.name})")
        _write(value if key is None else value.get(key), child, out)
        lead = " "
    out.append("}" if kind.fields else "{}")
