"""The functions that a composite tool's templates may call.

Source: Go 1.26 text/template builtins, and three of the vMCP server's own.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

Want: TypeAlias = Literal["value", "any", "string"]


class Signature(NamedTuple):
    """What a function takes.

    Attributes:
        fixed: One entry for each argument that must be given: a reflected value, any value, or a string.
        rest: What any further arguments are; None when there may be none.
    """

    fixed: tuple[Want, ...]
    rest: Want | None = None


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
