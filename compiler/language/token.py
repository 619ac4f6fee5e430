"""Tokens of a text, and the base class of parsers that read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from ..diagnostics.named_tuple import NamedTuple
from .fault import FaultError

if TYPE_CHECKING:
    from collections.abc import Sequence


class Token(NamedTuple):
    """A token. The last token of a text is of kind ``end``.

    Attributes:
        kind: Kind, as named by the lexer of the language.
        offset: Code points from the start of the text.
    """

    kind: str
    text: str
    offset: int


class TokenReader:
    """Reads the tokens of a text. It is the base class of parsers.

    Args:
        subject: Name of the text in messages, such as ``the expression``.
    """

    def __init__(self, text: str, tokens: Sequence[Token], subject: str) -> None:
        self.text = text
        self.tokens = tokens
        self.subject = subject
        self.at = 0

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[self.at]

    def take(self) -> Token:
        """Return the next token and consume it. The token ``end`` is never consumed."""
        token = self.token
        if token.kind != "end":
            self.at += 1
        return token

    def fail(self, offset: int, message: str, hint: str | None = None) -> NoReturn:
        """Raise ``FaultError`` for a fault at ``offset``."""
        raise FaultError.at(self.text, offset, message, hint)

    def unexpected(self, expected: str) -> NoReturn:
        """Raise ``FaultError`` for the next token. ``expected`` names the expected token, such as ``a field name``."""
        actual = f"{self.subject} ends" if self.token.kind == "end" else f"found {self.token.text!r}"
        self.fail(self.token.offset, f"{actual} where {expected} should stand", self.remedy(expected))

    def remedy(self, expected: str) -> str | None:
        """Return the hint for an unexpected token, or ``None``. ``expected`` names the expected token."""
        del expected
        return None
