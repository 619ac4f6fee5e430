"""Read the data of a YAML text line by line, without a tree. Repeated lines are looked up in a cache.

Texts that cannot be read this way, and texts with faults, are left to the exact reader (`reading/data.py`).
"""

from __future__ import annotations

import re
from itertools import islice
from operator import length_hint
from typing import TYPE_CHECKING, Any, Final

from ..bound import MAX_NODES
from .line import ALIAS, ANCHOR, BLOCK, FLOW, LINES, OPEN, PRINTED, SAFE_DEPTH, SCALAR, SILENT, Unusual, ascii_form

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..node import Dialect

_PRINTED_LINES: Final = rf"{PRINTED}*+(?:\n{PRINTED}*+)*+\Z"
_MOST_COPIED: Final = 1_000
"""Maximum number of values from aliases in a document. The exact reader judges more of them, as go-yaml does."""
_DEEPEST: Final = SAFE_DEPTH - 2
"""The maximum number of collections around an open key. Its value may be a list with a mapping in its first line."""
_NONE: Final = -2
"""Column of a missing dash or key. Blank lines and comments have the column -1."""


def read(text: str, dialect: Dialect) -> list[Any] | None:
    """Return a list with the data of the only document, or an empty list for a text without a document.

    ``None`` means that the exact reader has to read the text.
    """
    try:
        return read_lines(text, dialect)
    except Unusual:
        return None


def read_lines(text: str, dialect: Dialect) -> list[Any]:  # noqa: PLR0912, PLR0915 - a call for each line would cost more
    """Return a list with the data of the only document; empty for a text without a document.

    Raises:
        Unusual: The exact reader has to read the text.
    """
    meanings = LINES[dialect]
    values = _Values(_split(text))
    current: Any = None  # the list or mapping that is filled
    is_list, column, outer = False, _NONE, values.outer  # column: where its items or keys begin
    waiting: str | int | None = None  # the key of the current mapping, or item, whose value comes on the next lines
    anchor: str | None = None  # the name of that value
    for line in values.rest:
        indent, inner, key, kind, value = meanings[line]
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
    """Return the lines of a text. A ``---`` on the first line becomes an empty line."""
    if len(text) > MAX_NODES:
        raise Unusual
    lines = text.split("\n")
    if lines[0][:3] == "---":
        if lines[0] != "---":
            raise Unusual
        lines[0] = ""
    return lines


class _Values:
    """Reads values other than simple scalars: block scalars, flow collections and aliases.

    Attributes:
        rest: The lines that are not read yet.
        outer: The lists and mappings around the current one, each with its column.
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
        """Return the value of a line, as a copy so that no two documents share an object.

        Args:
            kind: The kind of content of the line, as in `Line`.
            value: The value; for a block scalar the header, for an alias the name.
            current: The list or mapping that will contain the value.
        """
        if kind == BLOCK:
            return _block(self._lines, self.rest, column, value)
        if kind == FLOW:
            # Something in brackets may have a name, which may be that of something else, too.
            self._is_named_within |= "&" in line
        elif kind == ALIAS:
            value = _aliased_value(self.named, value, current, self.outer)
            self._copied += _count(value)
        return _copy(value)

    def document(self, current: Any, waiting: str | int | None) -> list[Any]:
        """Return the data of the document in a list, after all lines were read.

        Args:
            current: The list or mapping of the last line.
            waiting: The key in it that has no value yet, or ``None``.
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
    first = len(lines) - length_hint(rest)
    end, text = block(lines, first, column, head)
    next(islice(rest, end - first, end - first), None)
    return text


def _closed(outer: list[tuple[int, Any]], indent: int, wanted: type, column: int) -> Any:
    """Close the collections that end before a line, and return the collection that the line continues.

    Args:
        outer: The open collections, innermost last, each with its column. Closed collections are removed.
        wanted: ``list`` if the line begins with a dash, otherwise ``dict``.
        column: The column of the current collection, which is not in ``outer``.
    """
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
    """Read a block scalar; return the zero-based number of the line after it, and its text.

    Args:
        first: The zero-based number of the first line after the header.
        column: The column of the key or dash.
        head: ``|`` or ``>``, with ``-`` if the last line break is dropped.

    Raises:
        Unusual: The exact reader has to read the block scalar.
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
    if end == first or (end == len(lines) and not head[1:]):  # no content, or no line break after it
        raise Unusual
    depth = len(margin)
    content = [line[depth:] for line in lines[first:end]]
    if head[0] == ">":
        if any(line[:1] in {"", " "} for line in content):
            raise Unusual
        text = " ".join(content)
    else:
        text = "\n".join(content)
    if re.match(_PRINTED_LINES, ascii_form(text)) is None:
        raise Unusual
    return end, text if head[1:] else text + "\n"


def _aliased_value(named: dict[str, Any], name: str, current: Any, outer: list[tuple[int, Any]]) -> Any:
    """Return the value of an alias. An unknown name is `Unusual`, and so is a collection around the alias."""
    if name not in named:
        raise Unusual
    value = named[name]
    if value.__class__ in (list, dict) and (value is current or any(value is around for _, around in outer)):
        raise Unusual
    return value


def _count(value: Any) -> int:
    """Return the number of values in a value; a long string counts as several."""
    count = 0
    waiting = [value]
    while waiting:
        item = waiting.pop()
        count += 1
        if count > _MOST_COPIED:
            raise Unusual
        if item.__class__ is list:
            waiting += item
        elif item.__class__ is dict:
            waiting += item.values()
        elif item.__class__ is str:
            count += len(item) // _MOST_COPIED
    return count


def _copy(value: Any) -> Any:
    if value.__class__ is list:
        return [_copy(item) for item in value]
    if value.__class__ is dict:
        return {key: _copy(item) for key, item in value.items()}
    return value
