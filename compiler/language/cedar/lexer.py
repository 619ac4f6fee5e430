"""Lexer of Cedar.

Source: cedar-go v1.6, ``internal/parser/cedar_tokenize.go``: the text after the policy must consist of valid tokens
too. An unknown character is a token of its own, which no policy may contain.
"""

from __future__ import annotations

import re

from ...diagnostics.fault import Flaw, fault_at
from ..fault import FaultError
from ..token import Token

KEYWORDS = frozenset({"true", "false", "if", "then", "else", "in", "like", "has", "is", "__cedar"})

_ESCAPE = r"\\(?:[nrt\\0'\"*]|x[0-9a-fA-F]{2}|u\{[0-9a-fA-F]{1,6}\})"
_TOKEN = re.compile(
    r"(?>(?:[\t\n\r ]++|//[^\n]*+|/\*[\s\S]*?\*/)*)"
    r"(?:(?P<name>[A-Za-z_][A-Za-z0-9_]*+)"
    r"|(?P<operator>::|[!<>=]=|\|\||&&|[@.,;(){}\[\]+\-*:!<>])"
    rf"|(?P<string>\"(?>(?:[^\\\"\n]++|{_ESCAPE})*)\")"
    r"|(?P<int>[0-9]++)"
    r"|(?P<end>\Z)"
    r"|(?P<broken>\"|/\*)"
    r"|(?P<unknown>[\s\S]))"
)

# Compiled on first use, since few policies need it.
_BAD_ESCAPE = rf"\"(?:{_ESCAPE}|[^\\\"\n])*(?P<escape>\\)"
_UNREADABLE = "[\0\ud800-\udfff]"
_STRING_ESCAPE = r"\\(?:(?P<simple>[nrt\\0'\"*])|x(?P<byte>..)|u\{(?P<code>[^}]*)\})"
_PATTERN_PART = r"\*|(?:\\[\s\S]|[^\\*])+"

_SIMPLE = {"n": "\n", "r": "\r", "t": "\t", "0": "\0"}
_TOP = 0x10FFFF
"""The largest code point of Unicode."""


def tokenize(text: str) -> list[Token]:
    """Return the tokens of ``text``, the last of kind ``end``.

    The other kinds are ``name``, ``keyword``, ``operator``, ``string``, ``int`` and ``unknown``.

    Raises:
        FaultError: A string, a comment or an escape sequence is not valid, or a character is not allowed anywhere.
    """
    unreadable = re.search(_UNREADABLE, text) if "\0" in text or not text.isascii() else None
    if unreadable is not None:
        raise FaultError.at(text, unreadable.start(), f"{unreadable.group()!r} cannot stand in a policy")
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        token_text, start = match[kind], match.start(kind)
        if kind == "broken":
            raise FaultError(text, (_broken(text, start),))
        if kind == "name" and token_text in KEYWORDS:
            kind = "keyword"
        tokens.append(Token(kind, token_text, start))
        if kind == "end":
            break
    return tokens


def string_value(token: str) -> str:
    """Return the value of a string token.

    Raises:
        ValueError: An escape has an invalid code point, or escapes an asterisk, which only patterns allow.
    """
    if "\\" not in token:
        return token[1:-1]
    return re.sub(_STRING_ESCAPE, lambda match: _unescape(match, star=False), token[1:-1])


def pattern_value(token: str) -> tuple[str | None, ...]:
    r"""Return the parts of the pattern in a string token after ``like``: texts, and ``None`` for the wildcard ``*``.

    The escape sequence ``\*`` is an asterisk in a text.

    Raises:
        ValueError: An escape sequence has an invalid code point.
    """
    parts: list[str | None] = []
    for match in re.finditer(_PATTERN_PART, token[1:-1]):
        part = None if match.group() == "*" else re.sub(_STRING_ESCAPE, _unescape_in_pattern, match.group())
        if part is not None or not parts or parts[-1] is not None:
            parts.append(part)
    return tuple(parts)


def _unescape_in_pattern(match: re.Match[str]) -> str:
    return _unescape(match, star=True)


def _unescape(match: re.Match[str], *, star: bool) -> str:
    simple = match.group("simple")
    if simple == "*" and not star:
        raise ValueError(r"the escape sequence '\*' may stand only in the pattern of 'like'")
    if simple:
        return _SIMPLE.get(simple, simple)
    byte = match.group("byte")
    code = int(byte or match.group("code"), 16)
    # As in Rust, \x only stands for ASCII, and no escape stands for a surrogate.
    if (byte and code > 0x7F) or code > _TOP or 0xD800 <= code <= 0xDFFF:
        raise ValueError(f"the escape sequence {match.group()!r} is not a character")
    return chr(code)


def _broken(text: str, at: int) -> Flaw:
    if text.startswith("/*", at):
        return fault_at(text, at, "the comment is not closed")
    escape = re.compile(_BAD_ESCAPE).match(text, at)
    if escape is not None:
        shown = text[escape.start("escape") : escape.start("escape") + 2]
        return fault_at(text, escape.start("escape"), f"Cedar has no escape sequence that begins with {shown!r}")
    return fault_at(text, at, "the string is not closed on its line")
