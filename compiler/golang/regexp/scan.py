"""Reading the smallest parts of Go's regular expressions: escapes and classes of characters.

Source: Go 1.26 standard library, regexp/syntax.
"""

from __future__ import annotations

from typing import Final

from ..strconv import quote
from .character import EVERYTHING, PERL, POSIX, Category, Chars, complement, folded_group, unicode_class

FOLD: Final = 1
"""The flag that case does not matter."""

_SIMPLE_ESCAPES: Final = {"a": 7, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}


class PatternError(ValueError):
    """A text that is no regular expression for Go."""


class Scanner:
    """A pattern, the place that is read, and the flags that hold there."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.flags = 0

    def error(self, why: str) -> PatternError:
        """Return why the pattern is refused."""
        return PatternError(f"{quote(self.text[:200])} is not a regular expression for Go: {why}")

    def group_escape(self) -> Chars | None:
        r"""Read ``\d``, ``\pL``, ``\p{Greek}`` and the like, if one stands here."""
        if self.text[self.at : self.at + 1] != "\\":
            return None
        name = self.text[self.at + 1 : self.at + 2]
        if name and name in "pP":
            return self.unicode_escape()
        ranges = PERL.get(name.lower())
        if ranges is None:
            return None
        self.at += 2
        return self.ascii_group(ranges, negated=name.isupper())

    def ascii_group(self, ranges: tuple[tuple[int, int], ...], *, negated: bool) -> Chars:
        """Return a group of ASCII characters, or all the others, by the flags that hold."""
        if self.flags & FOLD and ranges != EVERYTHING:
            ranges = folded_group(ranges)
        return Chars(complement(ranges) if negated else ranges)

    def unicode_escape(self) -> Chars:
        r"""Read ``\p…`` or ``\P…``."""
        start = self.at + 2
        braces = self.text.startswith("{", start)
        end = self.text.find("}", start) if braces else start + 1
        name = self.text[start + 1 : end] if braces else self.text[start:end]
        negated = (self.text[start - 1] == "P") != name.startswith("^")
        chars = unicode_class(name.removeprefix("^")) if end > 0 else None
        if chars is None:
            raise self.error(f"no class of characters is called {quote(self.text[self.at :][:20])}")
        self.at = end + 1 if braces else end
        if not chars.categories:
            return chars if chars.unknown else self.ascii_group(chars.ranges, negated=negated)
        categories = tuple(Category(each.prefixes, each.negated != negated) for each in chars.categories)
        return Chars(categories=categories, fold=bool(self.flags & FOLD))

    def char_escape(self) -> int:
        """Read an escaped character; returns its code point."""
        text, start = self.text, self.at
        char = text[start + 1 : start + 2]
        self.at += 2
        if not char:
            raise self.error("it ends in a backslash")
        if char in _SIMPLE_ESCAPES:
            return _SIMPLE_ESCAPES[char]
        if char in "01234567":
            end = self.at
            while end < start + 4 and text[end : end + 1] in tuple("01234567"):
                end += 1
            if char == "0" or end > self.at:
                self.at = end
                return int(text[start + 1 : end], 8)
        elif char == "x":
            code = self.hex_code()
            if code is not None:
                return code
        elif char.isascii() and not char.isalnum():
            return ord(char)
        raise self.error(f"{text[start : start + 2]} is no escape sequence")

    def hex_code(self) -> int | None:
        r"""Read what follows ``\x``: two digits, or any number of them in braces."""
        text, at = self.text, self.at
        if text.startswith("{", at):
            end = text.find("}", at)
            digits = text[at + 1 : end] if end > 0 else ""
            after = end + 1
        else:
            digits = text[at : at + 2] if len(text) >= at + 2 else ""
            after = at + 2
        if not digits or not set(digits) <= set("0123456789abcdefABCDEF") or len(digits.lstrip("0")) > 6:
            return None
        code = int(digits, 16)
        self.at = after
        return code if code <= 0x10FFFF else None

    def char_class(self) -> Chars:
        """Read ``[…]``."""
        start = self.at
        self.at += 1
        negated = self.text.startswith("^", self.at)
        self.at += negated
        ranges: list[tuple[int, int]] = []
        categories: list[Category] = []
        unknown, first = False, True
        while first or not self.text.startswith("]", self.at):
            first = False
            chars = self.posix_group() or self.group_escape()
            if chars is None:
                ranges.append(self.char_range(start))
            else:
                ranges += chars.ranges
                categories += chars.categories
                unknown |= chars.unknown
        self.at += 1
        return Chars(tuple(ranges), tuple(categories), negated, bool(self.flags & FOLD), unknown)

    def posix_group(self) -> Chars | None:
        """Read ``[:alpha:]`` and the like, if one stands here."""
        end = self.text.find(":]", self.at + 2) if self.text.startswith("[:", self.at) else -1
        if end < 0:
            return None
        name = self.text[self.at + 2 : end]
        ranges = POSIX.get(name.removeprefix("^"))
        if ranges is None:
            raise self.error(f"no class of characters is called [:{name}:]")
        self.at = end + 2
        return self.ascii_group(ranges, negated=name.startswith("^"))

    def char_range(self, start: int) -> tuple[int, int]:
        """Read a character or a range of the class that began at ``start``."""
        low = high = self.class_char()
        at = self.at
        if self.text.startswith("-", at) and at + 1 < len(self.text) and self.text[at + 1] != "]":
            self.at += 1
            high = self.class_char()
        if high < low:
            raise self.error(f"a range runs backwards in {quote(self.text[start : self.at])}")
        return low, high

    def class_char(self) -> int:
        """Read one character of a class."""
        if self.at >= len(self.text):
            raise self.error("a closing ] is missing")
        if self.text[self.at] == "\\":
            return self.char_escape()
        self.at += 1
        return ord(self.text[self.at - 1])
