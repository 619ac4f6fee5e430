"""Tokens of a template."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Kind(Enum):
    """The kind of a token. The value is its name in messages."""

    ERROR = "error"
    TEXT = "text"
    LEFT = "{{"
    RIGHT = "}}"
    SPACE = "space"
    PIPE = "|"
    OPEN = "("
    CLOSE = ")"
    ASSIGN = "="
    DECLARE = ":="
    CHAR = "character"
    DOT = "."
    FIELD = "field"
    VARIABLE = "variable"
    IDENTIFIER = "identifier"
    BOOL = "boolean"
    NUMBER = "number"
    COMPLEX = "complex number"
    RUNE = "character constant"
    STRING = "string"
    RAW_STRING = "raw string"
    NIL = "nil"
    BLOCK = "block"
    BREAK = "break"
    CONTINUE = "continue"
    DEFINE = "define"
    ELSE = "else"
    END = "end"
    IF = "if"
    RANGE = "range"
    TEMPLATE = "template"
    WITH = "with"
    EOF = "end of the template"


KEYWORDS = {
    kind.value: kind
    for kind in (
        Kind.BLOCK,
        Kind.BREAK,
        Kind.CONTINUE,
        Kind.DEFINE,
        Kind.ELSE,
        Kind.END,
        Kind.IF,
        Kind.NIL,
        Kind.RANGE,
        Kind.TEMPLATE,
        Kind.WITH,
    )
}

OPERANDS = frozenset(
    {
        Kind.BOOL,
        Kind.RUNE,
        Kind.COMPLEX,
        Kind.DOT,
        Kind.FIELD,
        Kind.IDENTIFIER,
        Kind.NUMBER,
        Kind.NIL,
        Kind.RAW_STRING,
        Kind.STRING,
        Kind.VARIABLE,
        Kind.OPEN,
    }
)
"""Kinds of tokens that a term may start with."""


class Token(NamedTuple):
    """A token. ``offset`` counts code points from the start of the template."""

    kind: Kind
    offset: int
    text: str
