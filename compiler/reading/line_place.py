"""Places in a text that was read line by line: the lines on the way to a place are looked for by what they begin with.

That is right only for such texts. There a key stands alone at the beginning of its line, in the column of its mapping;
what lies inside it is indented further, a block scalar too; and no key becomes another text.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, TypeAlias

from .line import BLOCK_GROUP, HEAD, KEY_GROUP, PLAIN_GROUP, VALUE, form_of
from .line_data import block
from .meaning import Unusual
from .node import Location, Node

if TYPE_CHECKING:
    from ..diagnostics.span import Path

_CONTENT: Final = re.compile(r"(?: *+(?:#[^\n]*+)?\n)*+( *+)(?=[^ #\n])")
_MARKER: Final = "---\n"
_KEY_BEGINS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"
_BLOCK_SIGNS: Final = ("|", ">")
_QUOTES: Final = ("'", '"')


class _Collection:
    """A list or mapping, as far as it was asked for.

    Attributes:
        start: Where its first key or dash stands.
        column: Of its keys or dashes.
        under: The column of the key or dash that it belongs to, ``-1`` where it is the root.
        is_list: It has dashes.
        end: The end of the last line that it may hold, ``-1`` while nobody has asked.
        inner: What was found in it: where its key or dash stands, and the value.
        dashes: Where the first items of a list stand.
    """

    __slots__ = ("column", "dashes", "end", "inner", "is_list", "start", "under")

    def __init__(self, start: int, column: int, under: int, is_list: bool) -> None:  # noqa: FBT001 - made very often
        self.start = start
        self.column = column
        self.under = under
        self.is_list = is_list
        self.end = -1
        self.inner: dict[str | int, tuple[int, _Value]] = {}
        self.dashes: list[int] | None = None


_Scalar: TypeAlias = tuple[int, int]
"""A text, number or the like: where it begins and ends, with its quotes."""

_Value: TypeAlias = _Scalar | _Collection


class LinePlaces:
    """Finds what stands at paths in one text.

    What was found on the way to a place is kept for all that lie beyond it.

    Raises:
        Unusual: What holds the text is in brackets or in quotes with escapes.
    """

    __slots__ = ("_last", "_original", "_root", "_text")

    def __init__(self, text: str) -> None:
        self._original = text
        self._text = form_of(text)
        root = _collection(self._text, len(_MARKER) if text.startswith(_MARKER) else 0, -1)
        if root is None:
            raise Unusual
        root.end = len(text)
        self._root = root
        self._last: tuple[Path, Location] | None = None

    def extent(self, path: Path, *, of_key: bool = False) -> tuple[int, int]:
        """Return where the value at ``path``, or its key if it has one, begins and ends; else as `locate`.

        Raises:
            Unusual: As of `locate`.
        """
        if of_key and path and isinstance(path[-1], str):
            _, around, depth = self._find(path[:-1])
            if isinstance(around, _Collection) and depth == len(path) - 1:
                at = _key(self._text, around, path[-1])
                if at >= 0:
                    return at, at + len(path[-1])
        _, value, _ = self._find(path)
        return (value.start, _end(self._text, value)) if isinstance(value, _Collection) else value

    def locate(self, path: Path) -> Location:
        """Find what stands at ``path``, or at the longest part of it that is there.

        Nodes have an extent, and a text where they are scalars; what collections hold is not worked out.

        Raises:
            Unusual: The place is in brackets or in quotes with escapes, or ends with such.
        """
        if self._last is not None and self._last[0] == path:
            return self._last[1]  # of a long text, one place inside after the other is asked for
        at, value, depth = self._find(path)
        node = _node(self._original, self._text, value)
        name = path[depth - 1] if depth else 0
        key = Node("scalar", at, at + len(name), name) if isinstance(name, str) else node
        location = Location(node, key, is_whole=depth == len(path))
        self._last = path, location
        return location

    def _find(self, path: Path) -> tuple[int, _Value, int]:
        """Get what stands at ``path``, or at the part that is there: its key or dash, itself, and the steps to it."""
        at, depth = -1, 0
        value: _Value = self._root
        for step in path:
            if not isinstance(value, _Collection):
                break
            found = value.inner.get(step) or _inside(self._text, value, step)
            if found is None:
                break
            at, value = found
            depth += 1
        return at, value, depth


def _inside(text: str, collection: _Collection, step: str | int) -> tuple[int, _Value] | None:
    """Find where the key or dash of ``step`` stands, and its value, if it is there; the collection keeps them."""
    if isinstance(step, str):
        at = _key(text, collection, step)
        value = _value_of_key(text, at + len(step) + 1, collection.column) if at >= 0 else None
    else:
        at = _item(text, collection, step)
        value = _value_of_item(text, at, collection.column) if at >= 0 else None
    if value is None:
        return None
    found = collection.inner[step] = at, value
    return found


def _item(text: str, sequence: _Collection, number: int) -> int:
    """Return where the dash of an item of a collection stands, ``-1`` where it is not there."""
    if not sequence.is_list:
        return -1
    if sequence.dashes is None:
        sequence.dashes = [sequence.start]
    dashes = sequence.dashes
    while len(dashes) <= number:
        following = _next_item(text, sequence, dashes[-1])
        if following < 0:
            return -1
        dashes.append(following)
    return dashes[number] if number >= 0 else -1


def _node(original: str, text: str, value: _Value) -> Node:
    if isinstance(value, _Collection):
        return Node("sequence" if value.is_list else "mapping", value.start, _end(text, value), ())
    start, end = value
    sign = text[start : start + 1]
    if sign in _BLOCK_SIGNS:
        lines = original[start : _line_end(original, end)].split("\n")
        return Node("scalar", start, end, block([*lines, ""], 1, -1, text[start : start + 2].rstrip())[1])
    quote = 1 if sign in _QUOTES else 0
    return Node("scalar", start, end, original[start + quote : end - quote])


def _end(text: str, value: _Value) -> int:
    """Return where a scalar ends, or the last one that lies in a collection."""
    while isinstance(value, _Collection):
        if value.is_list:
            value = _value_of_item(text, _last(text, value, "-"), value.column)
        else:
            key = _last(text, value, _KEY_BEGINS)
            value = _value_of_key(text, text.find(":", key) + 1, value.column)
    return value[1]


def _last(text: str, collection: _Collection, signs: str) -> int:
    """Return where the last key or item of a collection begins, by the signs that it may begin with."""
    sought = _line_start(collection)
    at = _bound(text, collection)
    while (at := text.rfind(sought, collection.start, at)) >= 0:
        found = at + len(sought)
        if found < len(text) and text[found] in signs:
            return found
    return collection.start


def _line_start(collection: _Collection) -> str:
    return "\n" + " " * collection.column


def _bound(text: str, collection: _Collection) -> int:
    """Return the end of the last line that a collection may hold."""
    if collection.end < 0:
        beyond = _beyond(collection.under, collection.is_list and collection.column == collection.under)
        found = beyond.search(text, collection.start)
        collection.end = found.start() if found else len(text)
    return collection.end


@cache
def _beyond(column: int, has_dashes: bool) -> re.Pattern[str]:  # noqa: FBT001 - a cache takes no keywords
    """Return what finds the line that does not belong any more to a key or dash in ``column``.

    Args:
        column: What belongs to it is indented further.
        has_dashes: But for the dashes of a list, which stand in that column, too.
    """
    but = f"(?! {{{column}}}-)" if has_dashes else ""
    indentation = f" {{0,{column}}}+" if column else ""
    return re.compile(rf"\n{but}{indentation}[^ \n#]")


def _key(text: str, mapping: _Collection, name: str) -> int:
    """Return where a key of a collection begins, ``-1`` where it is not there."""
    if mapping.is_list or ":" in name:  # no key of such a text holds a colon
        return -1
    start, key = mapping.start, name + ":"
    if text.startswith(key, start):
        return start
    bound = mapping.end if mapping.end >= 0 else _bound(text, mapping)
    found = text.find(f"\n{' ' * mapping.column}{key}", start, bound)
    return found + 1 + mapping.column if found >= 0 else -1


def _next_item(text: str, sequence: _Collection, at: int) -> int:
    sought = _line_start(sequence) + "- "
    found = text.find(sought, at, _bound(text, sequence))
    return found + len(sought) - 2 if found >= 0 else -1


def _value_of_item(text: str, dash: int, column: int) -> _Value:
    """Return what belongs to the dash that stands at ``dash``, in ``column``."""
    line_end = _line_end(text, dash)
    head = HEAD.match(text, dash, line_end)
    assert head is not None
    if head[KEY_GROUP] is None:
        return _scalar(text, head.end(), line_end, column) or (head.end(), head.end())
    start = head.start(KEY_GROUP)
    return _Collection(start, column + start - dash, column, False)


def _value_of_key(text: str, after: int, column: int) -> _Value:
    """Return what belongs to the key whose colon stands before ``after``, in ``column``."""
    line_end = after
    if not text.startswith("\n", after):
        line_end = _line_end(text, after)
        scalar = _scalar(text, after, line_end, column)
        if scalar is not None:
            return scalar
    return _collection(text, line_end + 1, column) or (after, after)


def _collection(text: str, at: int, under: int) -> _Collection | None:
    """Get the collection whose first line is the next from ``at``, if it belongs to a key in the column ``under``."""
    content = _CONTENT.match(text, at)
    if content is None:
        return None
    line, start = content.span(1)
    column, is_list = start - line, text[start] == "-"
    return _Collection(start, column, under, is_list) if column > under or (is_list and column == under) else None


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _scalar(text: str, at: int, line_end: int, column: int) -> _Scalar | None:
    """Get the scalar that begins on the line after ``at``, whose key or dash stands in ``column``, if there is one."""
    match = VALUE.match(text, at, line_end)
    if match is None:
        raise Unusual
    group = match.lastindex
    if group is None:
        return None
    start, end = match.span(group)
    if group == PLAIN_GROUP:
        return start, end
    if group < BLOCK_GROUP:
        return start - 1, end + 1
    after = _line_up_to(column).search(text, end)
    content = text[start : after.start() if after else len(text)].rstrip()
    return start, start + len(content)


@cache
def _line_up_to(column: int) -> re.Pattern[str]:
    """Return what finds a line that is indented by at most ``column`` and not blank."""
    return re.compile(rf"\n {{0,{column}}}[^ \n]")
