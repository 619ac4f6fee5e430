"""The way through the tokens of a policy: what the parsers of its head and of its conditions share."""

from __future__ import annotations

from ..token import TokenReader
from .lexer import string_value


class Reader(TokenReader):
    """Goes through the tokens of a policy."""

    def skip(self, text: str) -> bool:
        """Consume the next token if it is ``text``; return whether it is."""
        if self.tokens[self.at].text == text:
            self.at += 1
            return True
        return False

    def expect(self, text: str) -> None:
        """Go past the next token, which has to be ``text``."""
        if not self.skip(text):
            self.unexpected(repr(text))

    def name(self, wanted: str = "a name") -> str:
        """Return the next token, which has to be a name, and go past it."""
        if self.token.kind == "keyword":
            self.fail(self.token.offset, f"the reserved word {self.token.text!r} cannot be {wanted}")
        if self.token.kind != "name":
            self.unexpected(wanted)
        return self.take().text

    def string(self, wanted: str) -> str:
        """Return the value of the next token, which has to be a string, and go past it."""
        if self.token.kind != "string":
            self.unexpected(wanted)
        token = self.take()
        try:
            return string_value(token.text)
        except ValueError as error:
            self.fail(token.offset, str(error))

    def path(self) -> str:
        """Return the name of a type, with the names before it, and go past it."""
        words = [self.name("a type")]
        while self.skip("::"):
            words.append(self.name("a name"))
        return "::".join(words)
