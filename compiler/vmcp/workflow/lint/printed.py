"""Split the output of a template into literal texts and values with their kinds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ....diagnostics.budget import cache_by_text
from ....diagnostics.named_tuple import NamedTuple
from ....golang.strconv import format_float
from ....language.template import node as tree
from ....language.template.node import Template
from ....language.template.reference import UNKNOWN, Argument, argument
from .kind import kind_of

if TYPE_CHECKING:
    from ....language.template.reference import DataPath
    from ..model import TemplateText, Workflow
    from .kind import Kind


class OutputPiece(NamedTuple):
    """A piece of a template's output.

    Attributes:
        text: The literal text, or ``None`` for a value.
        argument: The argument that the template prints, if known.
    """

    text: str | None
    kind: Kind = "unknown"
    argument: Argument = Argument()


_PATTERNS: Final[dict[Kind, str]] = {
    "bool": "(?:true|false|<no value>)",
    "int": "(?:-?[0-9]+|<no value>)",
    "float": r"(?:-?[0-9][0-9.e+-]*|<no value>)",
    "map": r"(?:map\[.*\]|<no value>)",
    "list": r"(?:\[.*\]|<no value>)",
}


def pieces(text: TemplateText, workflow: Workflow) -> list[OutputPiece] | None:
    """Return the pieces of a template's output, or ``None`` if the template does not parse."""
    parsed = text.parsed
    if not isinstance(parsed, Template):
        return None
    return [_printed(part, workflow) if isinstance(part, Argument) else OutputPiece(part) for part in _parts(parsed)]


def printed_paths(text: TemplateText) -> list[DataPath]:
    """Return the data paths of the values that a template prints unchanged; empty if it does not parse."""
    if not isinstance(text.parsed, Template):
        return []
    return [part.path for part in _parts(text.parsed) if isinstance(part, Argument) and part.path is not None]


@cache_by_text(4096)
def _parts(template: Template) -> tuple[str | Argument | None, ...]:
    """Return the literal texts and printed arguments in order, and ``None`` for a part that may print anything."""
    out: list[str | Argument | None] = []
    for node in template.nodes:
        match node:
            case tree.Text(text=literal):
                out.append(literal)
            case tree.ActionNode(pipe=pipe) if pipe.variables:
                pass
            case tree.ActionNode(pipe=pipe):
                out.append(argument(pipe))
            case _:
                out.append(None)
    return tuple(out)


def _printed(value: Argument, workflow: Workflow) -> OutputPiece:
    constant = value.constant
    if isinstance(constant, str):
        return OutputPiece(constant)
    if isinstance(constant, bool):
        return OutputPiece("true" if constant else "false")
    if isinstance(constant, int):
        return OutputPiece(str(constant))
    if isinstance(constant, float):
        return OutputPiece(format_float(constant))
    if constant is not UNKNOWN:
        return OutputPiece(None)
    return OutputPiece(None, kind_of(value, workflow), value)


def literal(parts: list[OutputPiece]) -> str | None:
    """Return the text that the template prints in every run, or ``None`` if a part of the output is not literal."""
    texts = [part.text for part in parts]
    return None if None in texts else "".join(text for text in texts if text is not None)


def can_print(parts: list[OutputPiece], words: tuple[str, ...]) -> bool:
    """Return whether an output of these pieces may be equal to one of ``words``."""
    patterns = [_PATTERNS.get(part.kind, ".*") if part.text is None else re.escape(part.text) for part in parts]
    if sum(pattern not in (".*", "") for pattern in patterns) > max(map(len, words)):
        return False  # each of them takes a character at least
    # Adjacent wildcards are merged: otherwise there are too many ways to divide a word between them.
    merged = re.sub(r"(?:\.\*){2,}", ".*", "".join(patterns))
    return any(re.fullmatch(merged, word, re.DOTALL) for word in words)
