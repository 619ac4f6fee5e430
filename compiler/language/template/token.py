"""Tokens of a template."""

from __future__ import annotations

from enum import Enum

from ...diagnostics.named_tuple import NamedTuple


class TokenKind(Enum):
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
        TokenKind.BLOCK,
        TokenKind.BREAK,
        TokenKind.CONTINUE,
        TokenKind.DEFINE,
        TokenKind.ELSE,
        TokenKind.END,
        TokenKind.IF,
        TokenKind.NIL,
        TokenKind.RANGE,
        TokenKind.TEMPLATE,
        TokenKind.WITH,
    )
}

OPERANDS = frozenset(
    {
        TokenKind.BOOL,
        TokenKind.RUNE,
        TokenKind.COMPLEX,
        TokenKind.DOT,
        TokenKind.FIELD,
        TokenKind.IDENTIFIER,
        TokenKind.NUMBER,
        TokenKind.NIL,
        TokenKind.RAW_STRING,
        TokenKind.STRING,
        TokenKind.VARIABLE,
        TokenKind.OPEN,
    }
)
"""Kinds of tokens that a term may start with."""


class TemplateToken(NamedTuple):
    """A token. ``offset`` counts code points from the start of the template."""

    kind: TokenKind
    offset: int
    text: str
