"""The signatures of the functions that templates of a composite tool may call.

Source: Go 1.26 text/template builtins, and three functions of the vMCP server.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from ...diagnostics.named_tuple import NamedTuple

ParameterType: TypeAlias = Literal["value", "any", "string"]


class Signature(NamedTuple):
    """The parameters of a function.

    Attributes:
        fixed: Type of each required argument: ``value`` for ``reflect.Value``, ``any`` for ``interface{}``, ``string``.
        rest: Type of further arguments; ``None`` if the function takes no more.
    """

    fixed: tuple[ParameterType, ...]
    rest: ParameterType | None = None


FUNCTIONS: Final[dict[str, Signature]] = {
    "and": Signature(("value",), "value"),
    "call": Signature(("value",), "value"),
    "eq": Signature(("value",), "value"),
    "fromJson": Signature(("string",)),
    "ge": Signature(("value", "value")),
    "gt": Signature(("value", "value")),
    "html": Signature((), "any"),
    "index": Signature(("value",), "value"),
    "js": Signature((), "any"),
    "json": Signature(("any",)),
    "le": Signature(("value", "value")),
    "len": Signature(("value",)),
    "lt": Signature(("value", "value")),
    "ne": Signature(("value", "value")),
    "not": Signature(("value",)),
    "or": Signature(("value",), "value"),
    "print": Signature((), "any"),
    "printf": Signature(("string",), "any"),
    "println": Signature((), "any"),
    "quote": Signature(("string",)),
    "slice": Signature(("value",), "value"),
    "urlquery": Signature((), "any"),
}
