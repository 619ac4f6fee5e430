"""Split CEL expressions into tokens.

Source: the grammar of cel-go v0.28 (``CEL.g4``), which takes the longest token.
"""

from __future__ import annotations

import re

from ..fault import FaultError
from ..token import Token

MAX_CODE_POINTS = 100_000
"""The maximum length of an expression (``expressionSizeCodePointLimit`` of cel-go's parser)."""

_ESCAPE = r"\\(?:[abfnrtv\"'\\?`]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})"
_STRING = (
    rf"\"\"\"(?:{_ESCAPE}|[^\\])*?\"\"\"|'''(?:{_ESCAPE}|[^\\])*?'''"
    rf"|[rR]\"\"\"[\s\S]*?\"\"\"|[rR]'''[\s\S]*?'''"
    rf"|\"(?:{_ESCAPE}|[^\\\"\n\r])*\"|'(?:{_ESCAPE}|[^\\'\n\r])*'"
    r"|[rR]\"[^\"\n\r]*\"|[rR]'[^'\n\r]*'"
)
_TOKEN = re.compile(
    rf"(?P<space>[\t \r\n\f]+|//[^\n]*)"
    rf"|(?P<bytes>[bB](?:{_STRING}))"
    rf"|(?P<string>{_STRING})"
    r"|(?P<double>[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<uint>(?:0x[0-9a-fA-F]+|[0-9]+)[uU])"
    r"|(?P<int>0x[0-9a-fA-F]+|[0-9]+)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<quoted>`[A-Za-z0-9_.\-/ ]+`)"
    r"|(?P<operator>==|!=|<=|>=|&&|\|\||[<>\[\]{}().,\-!?:+*/%])"
)
_KEYWORDS = frozenset({"in", "true", "false", "null"})


def tokenize(text: str) -> list[Token]:
    """Return the tokens of an expression, the last of kind ``end``.

    The other kinds are ``bytes``, ``string``, ``double``, ``uint``, ``int``, ``name``, ``quoted`` (a name in
    backquotes), ``operator`` and ``keyword``.

    Raises:
        FaultError: A part of the text is not a token, or the expression is too long.
    """
    if len(text) > MAX_CODE_POINTS:
        raise FaultError.at(text, 0, f"the expression has {len(text)} characters, {MAX_CODE_POINTS} at most")
    tokens: list[Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise FaultError.at(text, at, _no_token(text[at:]))
        kind = match.lastgroup or ""
        if kind == "name" and match.group() in _KEYWORDS:
            kind = "keyword"
        if kind != "space":
            tokens.append(Token(kind, match.group(), at))
        at = match.end()
    tokens.append(Token("end", "", len(text)))
    return tokens


def _no_token(rest: str) -> str:
    if rest[0] in "\"'" or (rest[0] in "rRbB" and rest[1:2] in ("'", '"')):
        return "the string is not closed, or holds an escape sequence that CEL does not know"
    if rest[0] in "=&|":
        return f"{rest[0]!r} is not an operator; did you mean {rest[0] * 2!r}"
    return f"{rest[0]!r} has no meaning in CEL"
