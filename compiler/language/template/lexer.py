"""Lexer of Go's text/template.

Source: Go 1.26 text/template/parse.
"""

from __future__ import annotations

import re
from typing import Final

from ...golang.strconv import quote
from .token import KEYWORDS, TemplateToken, TokenKind

_SPACE: Final = " \t\r\n"
_SPACES: Final = frozenset(_SPACE)
_AFTER_WORD: Final = frozenset(("", *_SPACE, ".", ",", "|", ":", "(", ")"))
_NUMBER: Final = r"""[+-]?(?:
        0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?(?:[pP][+-]?[0-9_]*)?
      | 0[oO][0-7_]*(?:\.[0-7_]*)?
      | 0[bB][01_]*(?:\.[01_]*)?
      | [0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9_]*)?
    )i?"""
_SINGLES: Final = {"=": TokenKind.ASSIGN, "|": TokenKind.PIPE, "(": TokenKind.OPEN, ")": TokenKind.CLOSE}


def lex(text: str) -> list[TemplateToken]:
    """Return the tokens of ``text``. The last token is EOF, or ERROR with the message as its text."""
    return _Lexer(text).run()


class _Stop(Exception):  # noqa: N818 - it ends the scan; the fault is data
    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset
        self.message = message


def _is_word(char: str) -> bool:
    if char.isascii():
        return char.isalnum() or char == "_"
    import unicodedata

    category = unicodedata.category(char)
    return category[0] == "L" or category == "Nd"


class _Lexer:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.parens = 0
        self.tokens: list[TemplateToken] = []

    def run(self) -> list[TemplateToken]:
        try:
            while self._text():
                while self._inside():
                    pass
        except _Stop as stop:
            self.tokens.append(TemplateToken(TokenKind.ERROR, stop.offset, stop.message))
        else:
            self.tokens.append(TemplateToken(TokenKind.EOF, len(self.text), ""))
        return self.tokens

    def _emit(self, kind: TokenKind, start: int, end: int) -> None:
        self.tokens.append(TemplateToken(kind, start, self.text[start:end]))
        self.at = end

    # Outside of actions.

    def _text(self) -> bool:
        """Read text up to the start of the next action. Return false at the end of the template."""
        while True:
            opening = self.text.find("{{", self.at)
            end = len(self.text) if opening < 0 else opening
            if opening >= 0 and self._trims_left(opening + 2):
                end = self.at + len(self.text[self.at : opening].rstrip(_SPACE))
            if end > self.at:
                self._emit(TokenKind.TEXT, self.at, end)
            if opening < 0:
                return False
            inside = opening + 2 + (2 if self._trims_left(opening + 2) else 0)
            if not self.text.startswith("/*", inside):
                self._emit(TokenKind.LEFT, opening, opening + 2)
                self.at = inside
                self.parens = 0
                return True
            self._comment(inside)

    def _trims_left(self, at: int) -> bool:
        return self.text.startswith("-", at) and self.text[at + 1 : at + 2] in _SPACES

    def _trims_right(self, at: int) -> bool:
        return self.text[at : at + 1] in _SPACES and self.text.startswith("-}}", at + 1)

    def _comment(self, start: int) -> None:
        end = self.text.find("*/", start + 2)
        if end < 0:
            raise _Stop(start, "the comment is not closed")
        self.at = end + 2
        if not self._right_delimiter(emit=False):
            raise _Stop(start, "a comment must be all that its action holds")

    def _right_delimiter(self, *, emit: bool) -> bool:
        trims = self._trims_right(self.at)
        start = self.at + (2 if trims else 0)
        if not self.text.startswith("}}", start):
            return False
        if emit:
            self._emit(TokenKind.RIGHT, start, start + 2)
        self.at = start + 2
        if trims:
            while self.text[self.at : self.at + 1] in _SPACES:
                self.at += 1
        return True

    # Inside an action.

    def _inside(self) -> bool:
        """Read one token within an action. Return false after the closing delimiter."""
        start = self.at
        if self._trims_right(start) or self.text.startswith("}}", start):
            if self.parens:
                raise _Stop(start, "a parenthesis is not closed")
            self._right_delimiter(emit=True)
            return False
        char = self.text[start : start + 1]
        if char == "":
            raise _Stop(start, "the action is not closed with }}")
        if char in _SPACES:
            self._space(start)
        elif char in _SINGLES:
            self._single(char, start)
        elif char == ":":
            if not self.text.startswith(":=", start):
                raise _Stop(start, "a colon must be followed by =")
            self._emit(TokenKind.DECLARE, start, start + 2)
        elif char in "\"'`":
            self._quoted(char, start)
        elif char == "$":
            self._word(TokenKind.VARIABLE, start)
        elif char in "+-0123456789" or (char == "." and self._starts_number(start + 1)):
            self._number(start)
        elif char == ".":
            self._word(TokenKind.FIELD, start)
        elif _is_word(char):
            self._word(TokenKind.IDENTIFIER, start)
        elif " " < char <= "~":
            self._emit(TokenKind.CHAR, start, start + 1)
        else:
            raise _Stop(start, f"the character U+{ord(char):04X} has no meaning in an action")
        return True

    def _single(self, char: str, start: int) -> None:
        if char == "(":
            self.parens += 1
        elif char == ")":
            self.parens -= 1
            if self.parens < 0:
                raise _Stop(start, "a parenthesis closes that was never opened")
        self._emit(_SINGLES[char], start, start + 1)

    def _space(self, start: int) -> None:
        end = start
        while self.text[end : end + 1] in _SPACES:
            end += 1
        if self._trims_right(end - 1):  # the last space belongs to the closing delimiter
            end -= 1
        if end > start:
            self._emit(TokenKind.SPACE, start, end)

    def _quoted(self, quote: str, start: int) -> None:
        at = start + 1
        while (char := self.text[at : at + 1]) != quote:
            if char == "" or (char == "\n" and quote != "`"):
                what = "character constant" if quote == "'" else "string"
                raise _Stop(start, f"the {what} is not closed")
            if char == "\\" and quote != "`":
                at += 1
                if self.text[at : at + 1] in ("", "\n"):
                    raise _Stop(start, "the text ends after a backslash")
            at += 1
        kind = {'"': TokenKind.STRING, "'": TokenKind.RUNE, "`": TokenKind.RAW_STRING}[quote]
        self._emit(kind, start, at + 1)

    def _word(self, kind: TokenKind, start: int) -> None:
        end = start if kind is TokenKind.IDENTIFIER else start + 1
        while end < len(self.text) and _is_word(self.text[end]):
            end += 1
        word = self.text[start:end]
        if not self._terminates(end):
            message = f"{quote(self.text[end])} may not follow {quote(word)}"
            raise _Stop(end, message if word else f"unexpected {quote(self.text[end])}")
        if kind is TokenKind.IDENTIFIER:
            kind = TokenKind.BOOL if word in ("true", "false") else KEYWORDS.get(word, kind)
        elif word == ".":
            kind = TokenKind.DOT
        self._emit(kind, start, end)

    def _terminates(self, at: int) -> bool:
        return self.text[at : at + 1] in _AFTER_WORD or self.text.startswith("}}", at)

    def _starts_number(self, at: int) -> bool:
        return self.text[at : at + 1] in ("", *"0123456789")

    def _number(self, start: int) -> None:
        end = self._number_end(start, start)
        if self.text[end : end + 1] in ("+", "-"):
            end = self._number_end(start, end)
            if self.text[end - 1] != "i":
                raise _Stop(start, f"{quote(self.text[start:end])} is not a number")
            self._emit(TokenKind.COMPLEX, start, end)
        else:
            self._emit(TokenKind.NUMBER, start, end)

    def _number_end(self, start: int, at: int) -> int:
        match = re.compile(_NUMBER, re.VERBOSE).match(self.text, at)
        end = match.end() if match else at
        if end < len(self.text) and _is_word(self.text[end]):
            raise _Stop(start, f"{quote(self.text[start : end + 1])} is not a number")
        return end
