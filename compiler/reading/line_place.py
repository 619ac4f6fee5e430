"""Places in a text that was read line by line: the lines on the way to a place are looked for by what they begin with.

That is right only for such texts. There a key stands alone at the beginning of its line, in the column of its mapping;
what lies inside it is indented further, a block scalar too; and no key becomes another text.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from .line import DOUBLE, KEY, PLAIN, REST, SINGLE, form_of
from .line_data import block
from .meaning import Unusual
from .node import Location, Node

if TYPE_CHECKING:
    from mcpcfg.compiler.source import Path

    from .node import Kind

_FIRST: Final = re.compile(r"(?:---\n)?(?: *+(?:#[^\n]*+)?\n)*+( *+)(?=[^ #\n])")
_NEXT: Final = re.compile(r" *+(?:#[^\n]*+)?\n(?: *+(?:#[^\n]*+)?\n)*+( *+)(?=[^ #\n])")
_KEY: Final = re.compile(rf"{KEY}:(?=[ \n]|\Z)")
_KEY_BEGINS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"
_AFTER_COLON: Final = ("", " ", "\n")
_HEAD: Final = re.compile(r" *+([|>]-?)(?=[ \n])[^\n]*+")
_GAP: Final = re.compile(" ++")
_SCALAR: Final = re.compile(rf" *+(?:({PLAIN})|{DOUBLE}|{SINGLE}){REST}(?=\n|\Z)")
_NOTHING: Final = re.compile(rf"{REST}(?=\n|\Z)")


_FEW: Final = 4
"""Places in one text that are sooner searched for than remembered."""


class _Value(NamedTuple):
    """A value in the text.

    Attributes:
        kind: What it is.
        start: Where it begins: a collection at its first key or dash.
        end: Where a scalar ends; the end of the last line that a collection may hold.
        column: Of the keys or dashes of a collection.
        quote: How many characters of quotes a scalar has on each side.
        head: What a block scalar begins with.
    """

    kind: Kind
    start: int
    end: int
    column: int = -1
    quote: int = 0
    head: str = ""


class LinePlaces:
    """Finds what stands at paths in one text.

    Where many are asked for, the way to a place is searched once for all that lie beyond it.

    Raises:
        Unusual: What holds the text is in brackets or in quotes with escapes.
    """

    __slots__ = ("_asked", "_dashes", "_found", "_last", "_original", "_root", "_text")

    def __init__(self, text: str) -> None:
        self._original = text
        self._text = form_of(text)
        first = _FIRST.match(self._text)
        if first is None:
            raise Unusual
        self._root = _collection(self._text, first.end(), len(first[1]), len(text))
        self._asked = 0
        self._found: dict[Path, tuple[_Value, Node | None]] = {}
        self._dashes: dict[Path, list[int]] = {}
        self._last: tuple[Path, Location] | None = None

    def locate(self, path: Path) -> Location:
        """Find what stands at ``path``, or at the longest part of it that is there.

        Nodes have an extent, and a text where they are scalars; what collections hold is not worked out.

        Raises:
            Unusual: The place is in brackets or in quotes with escapes, or ends with such.
        """
        if self._last is not None and self._last[0] == path:
            return self._last[1]  # of a long text, one place inside after the other is asked for
        self._asked += 1
        remembers = self._asked > _FEW
        known = len(path) if remembers else 0
        while known and path[:known] not in self._found:
            known -= 1
        value, key = self._found[path[:known]] if known else (self._root, None)
        is_whole = True
        for end in range(known, len(path)):
            inner = self._inside(path[:end], value, path[end])
            if inner is None:
                is_whole = False
                break
            value, key = inner
            if remembers:
                self._found[path[: end + 1]] = inner
        node = _node(self._original, self._text, value)
        location = Location(node, key or node, is_whole=is_whole)
        self._last = path, location
        return location

    def _inside(self, path: Path, value: _Value, step: str | int) -> tuple[_Value, Node | None] | None:
        """Give what stands at ``step`` of the collection at ``path``, and its key if it has one, if it is there."""
        if isinstance(step, str):
            at = _key(self._text, value, step) if value.kind == "mapping" else -1
            if at < 0:
                return None
            end = at + len(step)
            return _value_of_key(self._text, value, end + 1), Node("scalar", at, end, step)
        at = self._item(path, value, step) if value.kind == "sequence" else -1
        return None if at < 0 else (_value_of_item(self._text, value, at), None)

    def _item(self, path: Path, sequence: _Value, number: int) -> int:
        """Give where the dash of an item stands, ``-1`` where there are fewer."""
        dashes = self._dashes.setdefault(path, [sequence.start])
        while len(dashes) <= number:
            following = _next_item(self._text, sequence, dashes[-1])
            if following < 0:
                return -1
            dashes.append(following)
        return dashes[number] if number >= 0 else -1


def _node(original: str, text: str, value: _Value) -> Node:
    if value.head:
        lines = original[value.start : value.end + 1].split("\n")
        return Node("scalar", value.start, value.end, block([*lines, ""], 1, value.column, value.head)[1])
    if value.kind == "scalar":
        return Node("scalar", value.start, value.end, original[value.start + value.quote : value.end - value.quote])
    return Node(value.kind, value.start, _end(text, value), ())


def _end(text: str, value: _Value) -> int:
    """Give where the last scalar ends that lies in a collection."""
    while value.kind != "scalar":
        if value.kind == "sequence":
            value = _value_of_item(text, value, _last(text, value, "-"))
        else:
            at = _last(text, value, _KEY_BEGINS)
            key = _KEY.match(text, at)
            if key is None:
                raise Unusual
            value = _value_of_key(text, value, key.end())
    return value.end


def _last(text: str, value: _Value, signs: str) -> int:
    """Give where the last key or item of a collection begins, by the signs that it may begin with."""
    sought = _line_start(value)
    at = value.end
    while (at := text.rfind(sought, value.start, at)) >= 0:
        found = at + len(sought)
        if text[found : found + 1] in signs:
            return found
    return value.start


def _line_start(value: _Value) -> str:
    return "\n" + " " * value.column


def _key(text: str, mapping: _Value, name: str) -> int:
    """Give where a key begins, ``-1`` where it is not there."""
    line_start = _line_start(mapping)
    at = mapping.start
    while at >= 0:
        end = at + len(name)
        if text.startswith(name + ":", at) and text[end + 1 : end + 2] in _AFTER_COLON:
            return at
        at = text.find(f"{line_start}{name}:", at, mapping.end)
        if at >= 0:
            at += len(line_start)
    return -1


def _next_item(text: str, sequence: _Value, at: int) -> int:
    sought = _line_start(sequence) + "- "
    found = text.find(sought, at, sequence.end)
    return found + len(sought) - 2 if found >= 0 else -1


def _value_of_item(text: str, sequence: _Value, dash: int) -> _Value:
    following = _next_item(text, sequence, dash)
    end = sequence.end if following < 0 else following - sequence.column - 1
    gap = _GAP.match(text, dash + 1)
    if gap is None:
        raise Unusual
    start = gap.end()
    if _KEY.match(text, start, end):
        return _Value("mapping", start, end, sequence.column + start - dash)
    return _scalar(text, start, end, sequence.column)


def _value_of_key(text: str, mapping: _Value, after: int) -> _Value:
    """Give the value of the key whose colon stands before ``after``."""
    following = _key_in_column(mapping.column).search(text, after, mapping.end)
    end = following.start() if following else mapping.end
    inside = _NEXT.match(text, after, end)
    if inside is not None:
        return _collection(text, inside.end(), len(inside[1]), end)
    if _NOTHING.match(text, after, end):
        return _Value("scalar", after, after)
    return _scalar(text, after, end, mapping.column)


@cache
def _key_in_column(column: int) -> re.Pattern[str]:
    return re.compile(f"\n{' ' * column}[{_KEY_BEGINS}]")


def _collection(text: str, start: int, column: int, end: int) -> _Value:
    return _Value("sequence" if text.startswith("- ", start) else "mapping", start, end, column)


def _scalar(text: str, start: int, end: int, column: int) -> _Value:
    match = _SCALAR.match(text, start, end)
    if match is None:
        return _block_scalar(text, start, end, column)
    group = match.lastindex or 1
    quote = 0 if group == 1 else 1
    return _Value("scalar", match.start(group) - quote, match.end(group) + quote, quote=quote)


def _block_scalar(text: str, start: int, end: int, column: int) -> _Value:
    match = _HEAD.match(text, start, end)
    if match is None:
        raise Unusual
    after = _line_up_to(column).search(text, match.end(), end)
    content = text[match.start(1) : after.start() if after else end].rstrip()
    return _Value("scalar", match.start(1), match.start(1) + len(content), column, head=match[1])


@cache
def _line_up_to(column: int) -> re.Pattern[str]:
    """Give what finds a line that is indented by at most ``column`` and not blank."""
    return re.compile(rf"\n {{0,{column}}}[^ \n]")
