"""A fault of a composite tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from ..diagnostics.span import Path

When: TypeAlias = Literal["validate", "serve", "lint"]


class Fault(NamedTuple):
    """What is wrong with a composite tool.

    Attributes:
        path: From the composite tool to the value; for something missing, to the mapping that lacks it.
        code: Names the fault, in kebab-case.
        message: One clause that names the value.
        hint: What to do instead, where that is known.
        when: ``validate`` for what the validation of composite tools refuses, wherever it runs; ``serve`` for what only
            the start of the vMCP server refuses; ``lint`` for what works otherwise than meant, or never.
        offset: Code points from the start of the text at ``path`` to the fault, where it lies inside that text.
        on_key: Whether the key at ``path`` is to be changed, not its value.
    """

    path: Path
    code: str
    message: str
    hint: str | None = None
    when: When = "validate"
    offset: int | None = None
    on_key: bool = False
