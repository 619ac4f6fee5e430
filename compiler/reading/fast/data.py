"""The data of a YAML text that is read line by line: no tree is made, and nothing is called for a line seen before.

Whatever is written in another way, a fault of the text included, is left to the exact reader (`reading/data.py`).
"""

from __future__ import annotations

import re
from itertools import islice
from operator import length_hint
from typing import TYPE_CHECKING, Any, Final

from ..bound import MAX_NODES
from .line import ALIAS, ANCHOR, BLOCK, FLOW, LINES, OPEN, PRINTED, SAFE_DEPTH, SCALAR, SILENT, Unusual, form_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..node import Dialect

_PRINTED_LINES: Final = rf"{PRINTED}*+(?:\n{PRINTED}*+)*+\Z"
_MOST_COPIED: Final = 1_000
"""Values that others stand for, in one document: of more the exact reader knows whether they are too many."""
_DEEPEST: Final = SAFE_DEPTH - 2
"""Collections around an open key, whose value may be a list on whose first line a mapping begins."""
_NONE: Final = -2
"""The column of what there is not: blank lines and comments have another, too."""


def read(text: str, dialect: Dialect) -> list[Any] | None:
    """Return the data of the document in ``text`` in a list, empty without one; ``None``: read it exactly."""
    try:
        return read_lines(text, dialect)
    except Unusual:
        return None


def has_names(text: str) -> bool:
    """Return whether values of a text may have names: behind these, places are not found in lines."""
    return "&" in text and re.search(r"[:-] +&[A-Za-z0-9_-]", text) is not None


def read_lines(text: str, dialect: Dialect) -> list[Any]:  # noqa: PLR0912, PLR0915 - a call for each line would cost more
    """Return the data of the one document of ``text``, in a list; an empty list where it holds none.

    Raises:
        Unusual: The exact reader has to read the text.
    """
    known = LINES[dialect]
    values = _Values(_split(text))
    current: Any = None  # the list or mapping that is filled
    is_list, column, outer = False, _NONE, values.outer  # column: where its items or keys begin
    waiting: str | int | None = None  # the key of the current mapping, or item, whose value comes on the next lines
    anchor: str | None = None  # the name of that value
    for line in values.rest:
        indent, inner, key, kind, value = known[line]
        is_item, name = inner >= 0, None
        if kind == ANCHOR:
            name, kind, value = value
        if indent != column or waiting is not None or is_item is not is_list:
            if kind == SILENT:
                continue
            if waiting is not None:
                # The items of a list may stand as far left as the key that holds it.
                is_inner = indent > column or (is_item and indent == column and not is_list)
                if is_list and not is_inner:
                    raise Unusual  # an empty item, which has its place elsewhere
                new: Any = ([] if is_item else {}) if is_inner else None
                current[waiting] = new
                if anchor is not None:
                    values.named[anchor] = new
                if is_inner:
                    outer.append((column, current))
                    current, is_list, column = new, is_item, indent
                waiting = anchor = None
            elif current is None:
                current, is_list, column = [] if is_item else {}, is_item, indent
            if indent != column or is_item is not is_list:
                current = _closed(outer, indent, list if is_item else dict, column)
                is_list, column = is_item, indent
        if is_item and key is not None:
            current.append(new := {})
            outer.append((column, current))
            current, is_list, column = new, False, inner
        elif not is_item and key in current:  # a fault, which the exact reader reports with its place
            raise Unusual
        if kind == OPEN:
            if key is None:
                current.append(None)
            waiting, anchor = len(current) - 1 if key is None else key, name
            if len(outer) > _DEEPEST:
                raise Unusual
            continue
        if kind != SCALAR:
            value = values.read(kind, value, line, column, current)
        if key is None:
            current.append(value)
        else:
            current[key] = value
        if name is not None:
            values.named[name] = value
    return values.document(current, waiting)


def _split(text: str) -> list[str]:
    """Return the lines of a text, without the marker that begins its document."""
    if len(text) > MAX_NODES:
        raise Unusual
    lines = text.split("\n")
    if lines[0][:3] == "---":
        if lines[0] != "---":
            raise Unusual
        lines[0] = ""
    return lines


class _Values:
    """Reads values that are more than a scalar on their line: block scalars, brackets, and what a name stands for.

    Args:
        lines: The lines of the text.

    Attributes:
        rest: The lines that are still to be read.
        outer: The lists and mappings around the one that is filled, each with its column.
        named: Values that have a name, by it.
    """

    __slots__ = ("_copied", "_is_named_within", "_lines", "named", "outer", "rest")

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self.rest = iter(lines)
        self.outer: list[tuple[int, Any]] = []
        self.named: dict[str, Any] = {}
        self._copied = 0
        self._is_named_within = False

    def read(self, kind: int, value: Any, line: str, column: int, current: Any) -> Any:
        """Return the value that ``line`` begins, as an object that belongs to this document alone."""
        if kind == BLOCK:
            return _block(self._lines, self.rest, column, value)
        if kind == FLOW:
            # Something in brackets may have a name, which may be that of something else, too.
            self._is_named_within |= "&" in line
        elif kind == ALIAS:
            value = _meant(self.named, value, current, self.outer)
            self._copied += _count(value)
        return _copy(value)

    def document(self, current: Any, waiting: str | int | None) -> list[Any]:
        """Return the data of the document in a list, once all lines are read.

        Args:
            current: The list or mapping that the last line is in.
            waiting: The key or item in it whose value has not come, if there is one.

        Raises:
            Unusual: Names stand for too many values, or for values that are not sure.
        """
        if self._copied > _MOST_COPIED or (self._copied and self._is_named_within):
            raise Unusual
        if waiting is not None:
            if isinstance(current, list):
                raise Unusual
            current[waiting] = None
        if self.outer:
            current = self.outer[0][1]
        return [] if current is None else [current]


def _block(lines: list[str], rest: Iterator[str], column: int, head: str) -> str:
    """Read the block scalar whose head was the last line before the ``rest``, which is left after it. See `block`."""
    first = len(lines) - length_hint(rest)
    end, text = block(lines, first, column, head)
    next(islice(rest, end - first, end - first), None)
    return text


def _closed(outer: list[tuple[int, Any]], indent: int, wanted: type, column: int) -> Any:
    """Close what ends before a line at ``indent``; returns the ``wanted`` list or mapping that the line continues."""
    if indent > column:
        raise Unusual
    while outer:
        column, around = outer.pop()
        if column < indent:
            break
        if column == indent and around.__class__ is wanted:
            return around
    raise Unusual


def block(lines: list[str], first: int, column: int, head: str) -> tuple[int, str]:
    """Read the block scalar whose content begins at line ``first``; returns the line after it, and its text.

    Args:
        lines: Of the text.
        first: The first line after the head.
        column: Of the key, or of the dash.
        head: ``|`` or ``>``, and ``-`` where the last line break is left out.
    """
    end = first
    margin = ""
    for number in range(first, len(lines)):
        line = lines[number]
        if not line:
            continue
        if not margin or not line.startswith(margin):
            indent = len(line) - len(line.lstrip(" "))
            if indent <= column and indent < len(line):
                break
            if margin:
                raise Unusual
            margin = " " * indent
        if line.isspace():
            raise Unusual
        end = number + 1
    if end == first or end == len(lines):  # no content, or no line break after it
        raise Unusual
    depth = len(margin)
    content = [line[depth:] for line in lines[first:end]]
    if head[0] == ">":
        if any(line[:1] in {"", " "} for line in content):
            raise Unusual
        text = " ".join(content)
    else:
        text = "\n".join(content)
    if re.match(_PRINTED_LINES, form_of(text)) is None:
        raise Unusual
    return end, text if head[1:] else text + "\n"


def _meant(named: dict[str, Any], name: str, current: Any, outer: list[tuple[int, Any]]) -> Any:
    """Return what a name stands for: nothing that is still open, and so would hold itself."""
    if name not in named:
        raise Unusual
    value = named[name]
    if value.__class__ in (list, dict) and (value is current or any(value is around for _, around in outer)):
        raise Unusual
    return value


def _count(value: Any) -> int:
    """Return how many values there are in one; one that holds very many is left to the exact reader."""
    found = 0
    waiting = [value]
    while waiting:
        one = waiting.pop()
        found += 1
        if found > _MOST_COPIED:
            raise Unusual
        if one.__class__ is list:
            waiting += one
        elif one.__class__ is dict:
            waiting += one.values()
        elif one.__class__ is str:
            found += len(one) // _MOST_COPIED
    return found


def _copy(value: Any) -> Any:
    """Copy what stood in brackets, of which every text that has the line gets its own."""
    if value.__class__ is list:
        return [_copy(item) for item in value]
    if value.__class__ is dict:
        return {key: _copy(item) for key, item in value.items()}
    return value
