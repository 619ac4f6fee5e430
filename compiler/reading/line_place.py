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


def locate_in_lines(text: str, path: Path) -> Location:
    """Find what stands at ``path``, or at the longest part of it that is there.

    Nodes have an extent, and a text where they are scalars; what collections hold is not worked out.

    Raises:
        Unusual: The place is in brackets or in quotes with escapes, or ends with such.
    """
    original, text = text, form_of(text)
    first = _FIRST.match(text)
    if first is None:
        raise Unusual
    value = _collection(text, first.end(), len(first[1]), len(text))
    key: Node | None = None
    for step in path:
        if value.kind == "mapping" and isinstance(step, str):
            at = _key(text, value, step)
        elif value.kind == "sequence" and isinstance(step, int):
            at = _item(text, value, step)
        else:
            at = -1
        if at < 0:
            found = _node(original, text, value)
            return Location(found, key or found, is_whole=False)
        if isinstance(step, str):
            key = Node("scalar", at, at + len(step), step)
            value = _value_of_key(text, value, at + len(step) + 1)
        else:
            key = None
            value = _value_of_item(text, value, at)
    found = _node(original, text, value)
    return Location(found, key or found, is_whole=True)


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


def _item(text: str, sequence: _Value, number: int) -> int:
    """Give where the dash of an item stands, ``-1`` where there are fewer."""
    at = sequence.start
    for _ in range(number):
        at = _next_item(text, sequence, at)
        if at < 0:
            break
    return at if number >= 0 else -1


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
