"""Token reader for the parsers of policies and of their conditions."""

from __future__ import annotations

from typing import Final

from ..token import TokenReader
from .lexer import string_value

_MEANT: Final = {
    "=": "compare with ==",
    ":": "write ::",
    "allow": "write permit",
    "deny": "write forbid",
    "and": "write &&",
    "or": "write ||",
    "not": "write !",
    "'": 'write texts in double quotes: "…"',
    "&": "write &&",
    "|": "write ||",
}
"""Hints for tokens that Cedar does not have, or not there, by what users mean by them."""


class PolicyReader(TokenReader):
    """Reads the tokens of a policy. Its methods raise ``FaultError`` at an unexpected token."""

    def skip(self, text: str) -> bool:
        """Consume the next token if its text is ``text``, and return whether it was consumed."""
        if self.tokens[self.at].text == text:
            self.at += 1
            return True
        return False

    def remedy(self, expected: str) -> str | None:
        """Return the hint for an unexpected token."""
        text = self.token.text
        if text in _MEANT:
            return _MEANT[text]
        if not expected.startswith("'") or " " in expected:
            return None
        wanted = expected.strip("'")
        return f"end the policy with {wanted}" if self.token.kind == "end" else f"write {expected} before {text}"

    def expect(self, text: str) -> None:
        """Consume the next token, which must be ``text``."""
        if not self.skip(text):
            self.unexpected(repr(text))

    def name(self, what: str = "a name") -> str:
        """Consume the next token, which must be a name, and return its text. Messages call the name ``what``."""
        if self.token.kind == "keyword":
            self.fail(self.token.offset, f"the reserved word {self.token.text!r} cannot be {what}")
        if self.token.kind != "name":
            self.unexpected(what)
        return self.take().text

    def string(self, what: str) -> str:
        """Consume the next token, which must be a string, and return its value. Messages call the string ``what``."""
        if self.token.kind != "string":
            self.unexpected(what)
        token = self.take()
        try:
            return string_value(token.text)
        except ValueError as error:
            self.fail(token.offset, str(error))

    def path(self) -> str:
        """Consume the tokens of a type name such as ``Namespace::Type``, and return the name."""
        words = [self.name("a type")]
        while self.skip("::"):
            words.append(self.name("a name"))
        return "::".join(words)
