"""Find out whether the user is typing a key or a value, at which path, and which keys the object already has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal

from ..diagnostics.named_tuple import NamedTuple
from .flow import bracket_at
from .outline import outline_at

if TYPE_CHECKING:
    from ..diagnostics.span import Path
    from .outline import Extent, Outline, OutlineEntry

_BEGINNING: Final = re.compile(r"[ ]*(?P<dashes>(?:-[ ]+)*)")
_KEY: Final = re.compile(r"""(?P<key>[\w.$/-]+|"[^"\r\n]*"|'[^'\r\n]*'):(?P<blank>[ \t]*+)(?P<value>.*)""")
_WORD: Final = re.compile(r"""["']?[\w.$/-]*""")
_VALUE: Final = re.compile(r"""["']?[^\s"',\[\]{}#]*""")
_REST_OF_WORD: Final = re.compile(r"""[\w.$/-]*["']?""")
_COMMENT: Final = re.compile(r"(?:^|\s)#")


class Cursor(NamedTuple):
    """The syntactic position of a cursor.

    Attributes:
        outline: The document around the cursor. The line of a typed key is blank in it, except within brackets.
        path: Path of the typed value, or of the object that gets the typed key.
        wants: ``item`` stands for a list item, which may become a scalar or an object.
        extent: Offsets of the text that a completion replaces.
        keys: Keys that the object already has; empty if no key is typed.
        style: Syntax of the surrounding text; ``flow`` is YAML in brackets or braces.
        has_colon: True if the typed key already has its colon.
        lead: Space to insert before the value, or an empty text.
    """

    outline: Outline
    path: Path
    wants: Literal["key", "value", "item"]
    extent: Extent
    keys: frozenset[str]
    style: Literal["block", "flow", "json"] = "block"
    has_colon: bool = False
    lead: str = ""


def cursor_at(text: str, offset: int) -> Cursor | None:
    """Return the syntactic position of the cursor, or ``None`` if it is not at a key or value.

    It is ``None`` in comments, block scalars and multi-line strings, and if the position is not clear.
    """
    outline = outline_at(text, offset)
    bracket = _bracket_start(outline, offset)
    if bracket is not None:
        cursor = _in_brackets(outline, offset, *bracket)
        if cursor is not None:
            return cursor
    line_start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    line_start = max(line_start, outline.start)
    before = text[line_start:offset]
    if _COMMENT.search(before) or before.startswith("---") or _is_within_text(outline, offset, line_start):
        return None
    beginning = _BEGINNING.match(before)
    assert beginning is not None
    at = line_start + beginning.end()
    key = _KEY.fullmatch(text, at, offset)
    if key is not None:
        return _in_value(outline, at, key, offset)
    if _WORD.fullmatch(text, at, offset) is None:
        return None
    return _in_key(outline, at, offset, has_dash=bool(beginning["dashes"]))


def _bracket_start(outline: Outline, offset: int) -> tuple[int, Path] | None:
    """Return the offset and the path of the outermost flow collection around ``offset``, or ``None`` for none."""
    text = outline.text
    body = outline.start
    while body < outline.end and (text[body].isspace() or text.startswith("---", body)):
        body += 1 if text[body].isspace() else 3
    if text[body : body + 1] in {"{", "["}:
        return (body, ()) if body < offset else None
    for entry in outline.entries:
        start, end = entry.value
        if entry.column >= 0 and entry.text is None and start < offset <= end and text[start] in "{[":
            line_start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
            beginning = _BEGINNING.match(text, line_start)
            indented = beginning.end() - line_start if beginning is not None else 0
            # A line that is not indented more than the key ends a bracket that was never closed.
            return (start, entry.path) if line_start <= start or indented > entry.column else None
    return None


def _in_brackets(outline: Outline, offset: int, start: int, path: Path) -> Cursor | None:
    text = outline.text
    word = offset
    while word > start and text[word - 1] not in " \t\r\n,[]{}:\"'":
        word -= 1
    quote = text[word - 1] if text[word - 1] in "\"'" else ""
    word -= len(quote)
    bracket = bracket_at(text, start, word, path)
    if bracket is None:
        return None
    rest = _REST_OF_WORD.match(text, offset)
    end = rest.end() if rest is not None else offset
    is_json = not path and text[start] in "{[" and _is_json(text, start)
    value_path = (*bracket.path, bracket.key) if bracket.is_map and bracket.key is not None else bracket.path
    if bracket.is_map and bracket.key is None:
        keys = {
            str(entry.path[-1]) for entry in outline.below(bracket.path) if not entry.key[0] <= word <= entry.key[1]
        }
        return Cursor(
            outline,
            value_path,
            "key",
            (word, end),
            frozenset(keys | set(bracket.keys)),
            style="json" if is_json else "flow",
            # At most a few spaces stand between a key and its colon.
            has_colon=text[end : end + 8].lstrip().startswith(":"),
        )
    lead = " " if text[word - 1 : word] == ":" else ""
    wants: Literal["value", "item"] = "value" if bracket.is_map else "item"
    value_path = value_path if bracket.is_map else (*bracket.path, bracket.item)
    return Cursor(outline, value_path, wants, (word, end), frozenset(), style="json" if is_json else "flow", lead=lead)


def _is_json(text: str, start: int) -> bool:
    """Return whether the bracket at ``start`` is followed by a quote, another bracket or nothing, as in JSON."""
    # Copying the whole rest takes time, and 200 characters are rarely all white space.
    return text[start + 1 : start + 200].lstrip()[:1] in {'"', "", "{", "[", "}"}


def _is_within_text(outline: Outline, offset: int, line_start: int) -> bool:
    return any(
        entry.text is None
        and entry.value[0] < line_start
        and offset <= entry.value[1]
        and entry.value[0] < entry.value[1]
        for entry in outline.entries
        if outline.text[entry.value[0] : entry.value[0] + 1] in {"|", ">", '"', "'"}
    )


def _in_value(outline: Outline, at: int, key: re.Match[str], offset: int) -> Cursor | None:
    entry_ = next((entry for entry in outline.entries if entry.key[0] == at and not entry.is_item), None)
    if entry_ is None or _VALUE.fullmatch(outline.text, key.start("value"), offset) is None:
        return None
    rest = _REST_OF_WORD.match(outline.text, offset)
    end = rest.end() if rest is not None else offset
    lead = "" if key["blank"] else " "
    return Cursor(outline, entry_.path, "value", (key.start("value"), end), frozenset(), lead=lead)


def _in_key(outline: Outline, at: int, offset: int, *, has_dash: bool) -> Cursor | None:
    text = outline.text
    rest = _REST_OF_WORD.match(text, offset)
    end = rest.end() if rest is not None else offset
    line_end = min((entry for entry in (text.find("\n", end), text.find("\r", end)) if entry >= 0), default=len(text))
    has_colon = text[end:line_end].lstrip().startswith(":")
    # The line is blanked out for the outline: it may contain half a key.
    bare = outline_at(text[:at] + " " * (line_end - at) + text[line_end:], at)
    column = at - max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) - 1
    path = _item_before(bare, at) if has_dash else _holder(bare, at, column)
    if path is None:
        return None
    keys = frozenset(str(entry.path[-1]) for entry in bare.below(path) if not entry.is_item)
    wants: Literal["item", "key"] = "item" if has_dash and not keys else "key"
    return Cursor(bare, path, wants, (at, end), keys, has_colon=has_colon)


def _item_before(outline: Outline, at: int) -> Path | None:
    items = [entry for entry in outline.entries if entry.is_item and entry.key[0] < at]
    return items[-1].path if items else None


def _holder(outline: Outline, at: int, column: int) -> Path | None:
    """Return the path of the object that gets a new key at offset ``at``; ``None`` if no key is possible there."""
    before = [entry for entry in outline.entries if entry.key[0] < at and entry.column >= 0]
    for number in range(len(before) - 1, -1, -1):
        entry = before[number]
        if entry.column > column:
            continue
        if entry.column == column and not entry.is_item:
            return entry.path[:-1]
        if entry.column == column:  # a list may have the same indentation as its key
            holder = outline.entry(entry.path[:-1])
            return holder.path[:-1] if holder is not None and holder.column == column else None
        return entry.path if _may_hold(outline, entry) else None
    return ()


def _may_hold(outline: Outline, entry: OutlineEntry) -> bool:
    is_empty = entry.text is None and entry.value[0] == entry.value[1]
    return is_empty and not any(below.is_item for below in outline.below(entry.path))
