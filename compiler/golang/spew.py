"""Objects as one line of Go text, and its hash: what Kubernetes controllers compare configurations by.

A description of the Go types goes beside the plain data, for the text names every type::

    (v1alpha1.PrometheusConfig){Enabled:(bool)true}

Source: github.com/davecgh/go-spew v1.1.1, Sprintf ``%#v`` with sorted keys, without methods and pointer addresses, as
k8s.io/apimachinery's DeepHashObject uses it; FNV-1a of 32 bits (RFC draft-eastlake-fnv).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from .duration import parse_duration
from .json import compact

if TYPE_CHECKING:
    from collections.abc import Mapping

_FNV_OFFSET = 0x811C9DC5
_FNV_PRIME = 0x01000193


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text, truth value or integer; ``name`` is the Go type, ``zero`` what an absent value is."""

    name: str
    zero: str | bool | int = ""


@dataclass(frozen=True, slots=True)
class Pointer:
    """A value that may be absent: ``nil``."""

    to: Type

    @property
    def name(self) -> str:
        """The Go type as the dump prints it."""
        return "*" + self.to.name


@dataclass(frozen=True, slots=True)
class Slice:
    """A list; absent is not the same as empty."""

    of: Type

    @property
    def name(self) -> str:
        """The Go type as the dump prints it."""
        return "[]" + self.of.name


@dataclass(frozen=True, slots=True)
class Map:
    """An object whose keys are data; absent is not the same as empty."""

    of: Type

    @property
    def name(self) -> str:
        """The Go type as the dump prints it."""
        return "map[string]" + self.of.name


@dataclass(frozen=True, slots=True)
class Raw:
    """Free-form data that Go keeps as the bytes of its JSON text, below a struct field ``Raw``.

    Attributes:
        name: The Go type.
        tail: The text of the struct's further fields, which are always empty.
    """

    name: str
    tail: str = ""


@dataclass(frozen=True, slots=True)
class Struct:
    """An object with fixed fields, in the order of their declaration."""

    name: str
    fields: tuple[Field, ...]


class Field(NamedTuple):
    """One field of a struct: its name in Go, its key in the data, its type, the first release that has it.

    A key of ``None`` marks an embedded struct: its fields lie in the same object of the data. Without a release every
    one has the field.
    """

    go: str
    key: str | None
    type: Type
    since: str | None = None


@dataclass(frozen=True, slots=True)
class HeldDuration:
    """A duration, a text in the data, that is the one field of a struct."""

    name: str


Type: TypeAlias = Scalar | Pointer | Slice | Map | Raw | HeldDuration | Struct

STRING: Final = Scalar("string")
BOOL: Final = Scalar("bool", zero=False)
INT32: Final = Scalar("int32", zero=0)
INT64: Final = Scalar("int64", zero=0)
JSON: Final = Raw("v1.JSON")
RAW_EXTENSION: Final = Raw("runtime.RawExtension", " Object:(runtime.Object)<nil>")


def dump(value: Any, kind: Type) -> str:
    """Write ``value`` on one line, with the Go type in front; ``None`` is an absent value."""
    out = [f"({kind.name})"]
    _write(value, kind, out)
    return "".join(out)


def bytes_dump(data: bytes) -> str:
    """Write bytes as the dump of a Go byte slice."""
    return f"([]uint8)[{' '.join(map(str, data))}]"


def fnv32a(data: bytes) -> int:
    """Return the FNV-1a hash of 32 bits."""
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
    """Write ``value`` without its type in front."""
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
