"""The tokens of a text, and the way through them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, NoReturn

from .fault import FaultError

if TYPE_CHECKING:
    from collections.abc import Sequence


class Token(NamedTuple):
    """A word of a language; the last token of a text is of kind ``end``.

    Attributes:
        kind: What it is, in the words of the language's lexer.
        text: As it is written.
        offset: Code points from the start of the text.
    """

    kind: str
    text: str
    offset: int


class TokenReader:
    """Goes through the tokens of a text: what the parsers have in common.

    Args:
        text: The text.
        tokens: Its tokens.
        subject: What the text is, for messages: ``the expression``.
    """

    def __init__(self, text: str, tokens: Sequence[Token], subject: str) -> None:
        self.text = text
        self.tokens = tokens
        self.subject = subject
        self.at = 0

    @property
    def token(self) -> Token:
        """The token that comes next."""
        return self.tokens[self.at]

    def take(self) -> Token:
        """Return the next token and go past it, but never past the end."""
        token = self.token
        if token.kind != "end":
            self.at += 1
        return token

    def fail(self, offset: int, message: str) -> NoReturn:
        """Refuse the text for what stands at ``offset``."""
        raise FaultError.at(self.text, offset, message)

    def unexpected(self, wanted: str) -> NoReturn:
        """Refuse the text for its next token."""
        found = f"{self.subject} ends" if self.token.kind == "end" else f"found {self.token.text!r}"
        self.fail(self.token.offset, f"{found} where {wanted} should stand")
