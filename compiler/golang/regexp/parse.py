"""Reading Go's regular expressions: RE2 syntax to a tree, refused where Go refuses.

Source: Go 1.26 standard library, regexp/syntax with the flags of regexp.Compile.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from ..strconv import quote
from .character import EVERYTHING, Chars, complement
from .scan import FOLD, Scanner
from .tree import At, Node, One, Place, choice, copies_fit, repeat, sequence

_LINES = 2
_DOT_ALL = 4
_FLAGS: Final = {"i": FOLD, "m": _LINES, "s": _DOT_ALL, "U": 0}  # greediness does not change what matches

_MOST_COPIES = 1000
_MOST_SIZE = (128 << 20) // 40
_MOST_DEPTH = 300  # Go allows 1000; nobody comes near it

_NOT_NEWLINE: Final = Chars(complement(((0x0A, 0x0A),)))
_ANYTHING: Final = Chars(EVERYTHING)
_PLACES: Final[dict[str, Place]] = {"A": "text-start", "z": "text-end", "b": "word-edge", "B": "not-word-edge"}
_COUNTS = re.compile(r"\{(0|[1-9][0-9]*)(?:(,)(0|[1-9][0-9]*)?)?\}")
_WORD_CHARS = frozenset("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz")


def parse(text: str) -> Node:
    """Read a regular expression.

    Raises:
        PatternError: Go would refuse it.
    """
    return _Parser(text).run()


@dataclass(slots=True)
class _Group:
    """An open parenthesis: the flags to go back to, finished alternatives, and the one being read."""

    flags: int
    choices: list[Node] = field(default_factory=list)
    parts: list[Node] = field(default_factory=list)

    def node(self) -> Node:
        return choice([*self.choices, sequence(self.parts)])


class _Parser(Scanner):
    """One pass over a pattern; ``groups`` is the stack of open parentheses, the whole pattern at its bottom."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.groups = [_Group(0)]

    def run(self) -> Node:
        text = self.text
        repeated = False
        while self.at < len(text):
            char = text[self.at]
            if char in "*+?":
                self.repeat({"*": 0, "+": 1, "?": 0}[char], 1 if char == "?" else None, self.at + 1, repeated=repeated)
                repeated = True
                continue
            if char == "{":
                counts = self.counts()
                if counts is not None:
                    least, most, end = counts
                    self.repeat(least, most, end, counted=True, repeated=repeated)
                    repeated = True
                    continue
            repeated = False
            self.item(char)
        if len(self.groups) > 1:
            raise self.error("a closing ) is missing")
        return self.checked(self.groups[0].node())

    def item(self, char: str) -> None:
        """Read what is not a repetition."""
        if char == "\\":
            self.escape()
        elif char == "[":
            self.push(One(self.char_class()))
        elif char == "(":
            self.open_group()
        elif char == ")":
            self.close_group()
        else:
            self.at += 1
            group = self.groups[-1]
            if char == "|":
                group.choices.append(sequence(group.parts))
                group.parts = []
            elif char == "^":
                self.push(At("line-start" if self.flags & _LINES else "text-start"))
            elif char == "$":
                self.push(At("line-end" if self.flags & _LINES else "text-end"))
            elif char == ".":
                self.push(One(_ANYTHING if self.flags & _DOT_ALL else _NOT_NEWLINE))
            else:
                self.literal(ord(char))

    def push(self, node: Node) -> None:
        self.groups[-1].parts.append(self.checked(node))

    def checked(self, node: Node) -> Node:
        if node.depth > _MOST_DEPTH:
            raise self.error("it nests too deeply")
        if node.size > _MOST_SIZE:
            raise self.error("it is too large")
        return node

    def literal(self, code: int) -> None:
        self.push(One(Chars(((code, code),), fold=bool(self.flags & FOLD))))

    def open_group(self) -> None:
        text, at = self.text, self.at
        outside = self.flags
        if not text.startswith("(?", at):
            self.at += 1
        elif text.startswith(("(?P<", "(?<"), at):
            start = text.index("<", at) + 1
            end = text.find(">", start)
            if end <= start or not set(text[start:end]) <= _WORD_CHARS:
                raise self.error(
                    f"a group's name consists of letters, digits and underscores, unlike {quote(text[at:][:20])}"
                )
            self.at = end + 1
        elif not self.flag_group():
            return
        if len(self.groups) > _MOST_DEPTH:
            raise self.error("it nests too deeply")
        self.groups.append(_Group(outside))

    def flag_group(self) -> bool:
        """Read ``(?flags:`` or ``(?flags)``; tell whether it opens a group."""
        flags, clear, seen = self.flags, False, False
        for at in range(self.at + 2, len(self.text)):
            char = self.text[at]
            if char in _FLAGS:
                flags = flags & ~_FLAGS[char] if clear else flags | _FLAGS[char]
                seen = True
            elif char == "-" and not clear:
                clear, seen = True, False
            elif char in ":)" and (seen or not clear):
                self.flags = flags
                self.at = at + 1
                return char == ":"
            else:
                break
        raise self.error(f"lookaround and other Perl groups are unknown: {quote(self.text[self.at :][:4])}")

    def close_group(self) -> None:
        if len(self.groups) == 1:
            raise self.error("a ) closes nothing")
        group = self.groups.pop()
        self.flags = group.flags
        self.at += 1
        self.push(group.node())

    def repeat(self, least: int, most: int | None, end: int, *, repeated: bool, counted: bool = False) -> None:
        written = self.text[self.at : end][:20]
        parts = self.groups[-1].parts
        if repeated:
            raise self.error(f"{written} follows another repetition")
        if not parts:
            raise self.error(f"{written} has nothing to repeat")
        if counted and (least > _MOST_COPIES or (most is not None and not least <= most <= _MOST_COPIES)):
            raise self.error(f"the counts of {written} are above {_MOST_COPIES} or in the wrong order")
        part = parts.pop()
        node = repeat(part, least, most, counted=counted)
        if counted and max(least, most or 0) >= 2 and not copies_fit(node, _MOST_COPIES):
            raise self.error(f"with {written}, nested repetitions amount to more than {_MOST_COPIES} copies")
        self.push(node)
        self.at = end + 1 if self.text.startswith("?", end) else end

    def counts(self) -> tuple[int, int | None, int] | None:
        """Read ``{2}``, ``{2,}`` or ``{2,5}``, with the place behind it; any other brace is a plain character."""
        match = _COUNTS.match(self.text, self.at)
        if match is None:
            return None
        least = _count(match[1])
        most = least if match[2] is None else _count(match[3]) if match[3] else None
        return least, most, match.end()

    def escape(self) -> None:
        """Read what a backslash begins."""
        following = self.text[self.at + 1 : self.at + 2]
        if following in _PLACES:
            self.at += 2
            self.push(At(_PLACES[following]))
        elif following == "Q":
            start = self.at + 2
            end = self.text.find("\\E", start)
            for char in self.text[start : end if end >= 0 else None]:
                self.literal(ord(char))
            self.at = end + 2 if end >= 0 else len(self.text)
        else:
            chars = self.group_escape()
            if chars is None:
                self.literal(self.char_escape())
            else:
                self.push(One(chars))


def _count(digits: str) -> int:
    """Read a count; what is far too large is cut."""
    return int(digits) if len(digits) <= 8 else _MOST_COPIES + 1
