"""What a template prints: its literal texts, and the kinds of the values between them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from ...golang.strconv import format_float
from ...language.template import node as tree
from ...language.template.node import Template, kept
from ...language.template.reference import UNKNOWN, Argument, argument
from .kind import kind_of

if TYPE_CHECKING:
    from ...language.template.reference import DataPath
    from ..model import TemplateText, Workflow
    from .kind import Kind


class Piece(NamedTuple):
    """A stretch of what is printed: a literal text, or a value of some kind."""

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


def pieces(text: TemplateText, workflow: Workflow) -> list[Piece] | None:
    """Take apart what ``text`` prints; None where it does not parse."""
    parsed = text.parsed
    if not isinstance(parsed, Template):
        return None
    return [_printed(part, workflow) if isinstance(part, Argument) else Piece(part) for part in _parts(parsed)]


def printed_paths(text: TemplateText) -> list[DataPath]:
    """Return where the values stand that ``text`` prints as they are."""
    if not isinstance(text.parsed, Template):
        return []
    return [part.path for part in _parts(text.parsed) if isinstance(part, Argument) and part.path is not None]


@kept
def _parts(template: Template) -> tuple[str | Argument | None, ...]:
    """Return literal texts, what is printed between them, and None for what may print anything."""
    out: list[str | Argument | None] = []
    for node in template.nodes:
        match node:
            case tree.Text(text=literal):
                out.append(literal)
            case tree.Action(pipe=pipe) if pipe.variables:
                pass
            case tree.Action(pipe=pipe):
                out.append(argument(pipe))
            case _:
                out.append(None)
    return tuple(out)


def _printed(value: Argument, workflow: Workflow) -> Piece:
    constant = value.constant
    if isinstance(constant, str):
        return Piece(constant)
    if isinstance(constant, bool):
        return Piece("true" if constant else "false")
    if isinstance(constant, int):
        return Piece(str(constant))
    if isinstance(constant, float):
        return Piece(format_float(constant))
    if constant is not UNKNOWN:
        return Piece(None)
    return Piece(None, kind_of(value, workflow), value)


def literal(parts: list[Piece]) -> str | None:
    """Return what is always printed; None where a value is part of it."""
    texts = [part.text for part in parts]
    return None if None in texts else "".join(text for text in texts if text is not None)


def can_print(parts: list[Piece], words: tuple[str, ...]) -> bool:
    """Return whether the template may print one of ``words`` and nothing else."""
    patterns = [_PATTERNS.get(part.kind, ".*") if part.text is None else re.escape(part.text) for part in parts]
    if sum(pattern not in (".*", "") for pattern in patterns) > max(map(len, words)):
        return False  # each of them takes a character at least
    # Neighbouring wildcards are one: otherwise there are too many ways to divide a word between them.
    merged = re.sub(r"(?:\.\*){2,}", ".*", "".join(patterns))
    return any(re.fullmatch(merged, word, re.DOTALL) for word in words)
