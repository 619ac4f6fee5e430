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


def read_lines(text: str, dialect: Dialect) -> list[Any]:  # noqa: PLR0912, PLR0915 - calls for each line would cost more
    """Return the data of the one document of ``text``, in a list; an empty list where it holds none.

    Raises:
        Unusual: The exact reader has to read the text.
    """
    if len(text) > MAX_NODES:
        raise Unusual
    known = LINES[dialect]
    lines = text.split("\n")
    if lines[0][:3] == "---":
        if lines[0] != "---":
            raise Unusual
        lines[0] = ""
    current: Any = None
    """The list or mapping that is filled."""
    is_list = False
    column = _NONE
    """Where its items or keys begin."""
    outer: list[tuple[int, Any]] = []
    """The same of those around it."""
    waiting: str | None = None
    """The key of ``current`` whose value comes on the next lines."""
    named: dict[str, Any] = {}
    """Values that have a name, by it."""
    copied = 0
    is_named_within = False
    """Whether something in brackets may have a name: it may be that of something else, too."""
    anchor: str | None = None
    """The name of what is waited for."""
    new: Any
    rest = iter(lines)
    for line in rest:
        indent, inner, key, kind, value = known[line]
        is_item = inner >= 0
        name = None
        if kind == ANCHOR:
            name, kind, value = value
        if indent != column or waiting is not None or is_item is not is_list:
            if kind == SILENT:
                continue
            if waiting is not None:
                # The items of a list may stand as far left as the key that holds it.
                if indent > column or (is_item and indent == column and not is_list):
                    new = [] if is_item else {}
                    current[waiting] = new
                    if anchor is not None:
                        named[anchor] = new
                    outer.append((column, current))
                    if len(outer) > SAFE_DEPTH:
                        raise Unusual
                    current, is_list, column = new, is_item, indent
                else:
                    current[waiting] = None
                    if anchor is not None:
                        named[anchor] = None
                waiting = anchor = None
            elif current is None:
                current, is_list, column = [] if is_item else {}, is_item, indent
            if indent != column or is_item is not is_list:
                current = _closed(outer, indent, list if is_item else dict, column)
                is_list, column = is_item, indent
        if is_item:
            if key is None:
                if kind == BLOCK:
                    value = _block(lines, rest, column, value)
                elif kind == ALIAS:
                    value = _meant(named, value, current, outer)
                    copied += _count(value)
                elif name is not None:
                    named[name] = value
                is_named_within |= kind == FLOW and "&" in line
                current.append(value if kind == SCALAR else _copy(value))
                continue
            current.append(new := {})
            outer.append((column, current))
            current, is_list, column = new, False, inner
            if len(outer) > SAFE_DEPTH:
                raise Unusual
        # A key that stands twice is a fault: the exact reader reports it with its place.
        elif key in current:
            raise Unusual
        if kind == SCALAR:
            current[key] = value
        elif kind == OPEN:
            waiting, anchor = key, name
            continue
        elif kind == FLOW:
            current[key] = _copy(value)
            is_named_within |= "&" in line
        elif kind == BLOCK:
            current[key] = _block(lines, rest, column, value)
        elif kind == ALIAS:
            value = _meant(named, value, current, outer)
            copied += _count(value)
            current[key] = _copy(value)
        if name is not None:
            named[name] = value
    if copied > _MOST_COPIED or (copied and is_named_within):
        raise Unusual
    if waiting is not None:
        current[waiting] = None
    if outer:
        current = outer[0][1]
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
    return found


def _copy(value: Any) -> Any:
    """Copy what stood in brackets, of which every text that has the line gets its own."""
    if value.__class__ is list:
        return [_copy(item) for item in value]
    if value.__class__ is dict:
        return {key: _copy(item) for key, item in value.items()}
    return value
