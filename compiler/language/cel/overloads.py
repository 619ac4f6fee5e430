"""The functions and operators of CEL's standard library, and the names of types.

Source: cel-go v0.28, the declarations of ``cel.NewEnv()`` without options. A receiver is written before the dot.
"""

from __future__ import annotations

import re

from ...diagnostics.named_tuple import NamedTuple
from . import types
from .types import Type, list_of, map_of, wrapper_of


class Overload(NamedTuple):
    """A signature of a function. If ``member`` is true, the first argument is the receiver before the dot."""

    member: bool
    arguments: tuple[Type, ...]
    result: Type


_NUMBERS = ("int", "uint", "double")
_ORDERED = ("bool", *_NUMBERS, "string", "bytes", "timestamp", "duration")
_COMPARISON = " | ".join(f"({kind}, {kind}) bool" for kind in _ORDERED)
_SIGNATURES = f"""
!_      (bool) bool
-_      (double) double | (int) int
_?_:_   (bool, A, A) A
_==_    (A, A) bool
_!=_    (A, A) bool
_<_     {_COMPARISON}
_<=_    {_COMPARISON}
_>_     {_COMPARISON}
_>=_    {_COMPARISON}
@in     (A, list<A>) bool | (A, map<A,B>) bool
_[_]    (list<A>, int) A | (map<A,B>, A) B
_+_     (bytes, bytes) bytes | (double, double) double | (duration, duration) duration
_+_     (duration, timestamp) timestamp | (timestamp, duration) timestamp | (int, int) int
_+_     (list<A>, list<A>) list<A> | (string, string) string | (uint, uint) uint
_-_     (double, double) double | (duration, duration) duration | (int, int) int
_-_     (timestamp, duration) timestamp | (timestamp, timestamp) duration | (uint, uint) uint
_*_     (double, double) double | (int, int) int | (uint, uint) uint
_/_     (double, double) double | (int, int) int | (uint, uint) uint
_%_     (int, int) int | (uint, uint) uint
size    (bytes) int | bytes.() int | (list<A>) int | list<A>.() int
size    (map<A,B>) int | map<A,B>.() int | (string) int | string.() int
type    (A) type<A>
dyn     (A) dyn
bool    (bool) bool | (string) bool
bytes   (bytes) bytes | (string) bytes
double  (double) double | (int) double | (string) double | (uint) double
duration  (duration) duration | (int) duration | (string) duration
int     (int) int | (double) int | (duration) int | (string) int | (timestamp) int | (uint) int
string  (string) string | (bool) string | (bytes) string | (double) string
string  (duration) string | (int) string | (timestamp) string | (uint) string
timestamp  (timestamp) timestamp | (int) timestamp | (string) timestamp
uint    (uint) uint | (double) uint | (int) uint | (string) uint
contains    string.(string) bool
endsWith    string.(string) bool
startsWith  string.(string) bool
matches     (string, string) bool | string.(string) bool
getDate          timestamp.() int | timestamp.(string) int
getDayOfMonth    timestamp.() int | timestamp.(string) int
getDayOfWeek     timestamp.() int | timestamp.(string) int
getDayOfYear     timestamp.() int | timestamp.(string) int
getFullYear      timestamp.() int | timestamp.(string) int
getMonth         timestamp.() int | timestamp.(string) int
getHours         timestamp.() int | timestamp.(string) int | duration.() int
getMilliseconds  timestamp.() int | timestamp.(string) int | duration.() int
getMinutes       timestamp.() int | timestamp.(string) int | duration.() int
getSeconds       timestamp.() int | timestamp.(string) int | duration.() int
"""
_SIGNATURE = re.compile(r"([\w<>,]*)\.?\(([^)]*)\) ([\w<>,]+)")
_PART = re.compile(r"\w+|[<>,]")


def _type(text: str) -> Type:
    """Parse a type such as ``map<A,list<int>>``."""
    stack: list[tuple[str, list[Type]]] = [("", [])]
    for part in _PART.findall(text):
        if part == ">":
            kind, inner = stack.pop()
            stack[-1][1][-1] = Type(kind, tuple(inner))
        elif part == "<":
            stack.append((stack[-1][1][-1].kind, []))
        elif part != ",":
            stack[-1][1].append(Type("variable", (), part) if part.isupper() else Type(part))
    return stack[0][1][0]


def read_signatures(text: str) -> dict[str, tuple[Overload, ...]]:
    """Return the signatures in a table by function name.

    Each line of the table has a name and signatures such as ``string.(int) string``, separated by ``|``.
    """
    table: dict[str, tuple[Overload, ...]] = {}
    for line in text.strip().splitlines():
        name, signatures = line.split(None, 1)
        for receiver, arguments, result in _SIGNATURE.findall(signatures):
            parts = ([receiver] if receiver else []) + [part for part in arguments.split(", ") if part]
            overload = Overload(bool(receiver), tuple(_type(part) for part in parts), _type(result))
            table[name] = (*table.get(name, ()), overload)
    return table


OVERLOADS = read_signatures(_SIGNATURES)

API_SERVER_FUNCTIONS = read_signatures("""
lowerAscii  string.() string
split       string.(string) list<string>
""")
"""The functions that CRDs of ToolHive use and that the API server adds to the standard library.

Source: cel-go v0.26, ``ext.Strings``, which Kubernetes 1.35 enables.
"""

MIXED_ORDERINGS: dict[str, tuple[Overload, ...]] = {
    name: tuple(
        Overload(False, (Type(left), Type(right)), types.BOOL)
        for left in _NUMBERS
        for right in _NUMBERS
        if left != right
    )
    for name in ("_<_", "_<=_", "_>_", "_>=_")
}
"""Comparisons of different number types. cel-go refuses them before the first macro, and accepts them after it."""

TYPE_NAMES: dict[str, Type] = {
    **{kind.kind: kind for kind in (types.BOOL, types.BYTES, types.DOUBLE, types.INT, types.STRING, types.UINT)},
    "list": list_of(types.DYN),
    "map": map_of(types.DYN, types.DYN),
    "null_type": types.NULL,
    "type": types.TYPE,
    "google.protobuf.Duration": types.DURATION,
    "google.protobuf.Timestamp": types.TIMESTAMP,
    "google.protobuf.Empty": Type("message", (), "google.protobuf.Empty"),
}
"""Names whose value is a type, and that type."""

ENUM_VALUES = {"google.protobuf.NullValue.NULL_VALUE": 0}


class MessageType(NamedTuple):
    """A protocol buffer message that every environment declares: the type of its literals, and its fields."""

    type: Type
    fields: dict[str, Type]


_JSON_MAP = map_of(types.STRING, types.DYN)
_JSON_LIST = list_of(types.DYN)
_SECONDS = {"seconds": types.INT, "nanos": types.INT}
_WRAPPERS = {
    "BoolValue": types.BOOL,
    "BytesValue": types.BYTES,
    "DoubleValue": types.DOUBLE,
    "FloatValue": types.DOUBLE,
    "Int32Value": types.INT,
    "Int64Value": types.INT,
    "StringValue": types.STRING,
    "UInt32Value": types.UINT,
    "UInt64Value": types.UINT,
}
_JSON_VALUE = {
    "null_value": types.INT,
    "number_value": types.DOUBLE,
    "string_value": types.STRING,
    "bool_value": types.BOOL,
    "struct_value": _JSON_MAP,
    "list_value": _JSON_LIST,
}

MESSAGES: dict[str, MessageType] = {
    "google.protobuf.Duration": MessageType(types.DURATION, _SECONDS),
    "google.protobuf.Timestamp": MessageType(types.TIMESTAMP, _SECONDS),
    "google.protobuf.Any": MessageType(types.ANY, {"type_url": types.STRING, "value": types.BYTES}),
    "google.protobuf.Empty": MessageType(TYPE_NAMES["google.protobuf.Empty"], {}),
    "google.protobuf.Struct": MessageType(_JSON_MAP, {"fields": _JSON_MAP}),
    "google.protobuf.Value": MessageType(types.DYN, _JSON_VALUE),
    "google.protobuf.ListValue": MessageType(_JSON_LIST, {"values": _JSON_LIST}),
    **{
        f"google.protobuf.{name}": MessageType(wrapper_of(scalar), {"value": scalar})
        for name, scalar in _WRAPPERS.items()
    },
}
