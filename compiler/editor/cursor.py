"""Where a cursor stands while the user types: in a key or a value, of what, beside what."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from .flow import bracket_at
from .outline import outline_at

if TYPE_CHECKING:
    from ..diagnostics.span import Path
    from .outline import Entry, Extent, Outline

_BEGINNING: Final = re.compile(r"[ ]*(?P<dashes>(?:-[ ]+)*)")
_KEY: Final = re.compile(r"""(?P<key>[\w.$/-]+|"[^"\r\n]*"|'[^'\r\n]*'):(?P<blank>[ \t]*+)(?P<value>.*)""")
_WORD: Final = re.compile(r"""["']?[\w.$/-]*""")
_VALUE: Final = re.compile(r"""["']?[^\s"',\[\]{}#]*""")
_REST_OF_WORD: Final = re.compile(r"""[\w.$/-]*["']?""")
_COMMENT: Final = re.compile(r"(?:^|\s)#")


class Cursor(NamedTuple):
    """Where a cursor stands.

    Attributes:
        outline: The document around it, without what is being typed where that is a key.
        path: Of the object whose key is typed, else of the value.
        wants: What is typed; an item of a list may turn out to be a value or to hold keys.
        extent: What a completion replaces.
        keys: The keys that are there already.
        style: How the text around it is written.
        has_colon: A colon follows.
        lead: What has to stand before the value.
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
    """Return where the cursor at ``offset`` stands; ``None`` in comments, texts of many lines, or if unknown."""
    outline = outline_at(text, offset)
    bracket = _bracket_start(outline, offset)
    if bracket is not None:
        found = _in_brackets(outline, offset, *bracket)
        if found is not None:
            return found
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
    """Return where the outermost bracket around ``offset`` begins, and the path of its value."""
    text = outline.text
    body = outline.start
    while body < outline.end and (text[body].isspace() or text.startswith("---", body)):
        body += 1 if text[body].isspace() else 3
    if text[body : body + 1] in {"{", "["}:
        return (body, ()) if body < offset else None
    for one in outline.entries:
        start, end = one.value
        if one.column >= 0 and one.text is None and start < offset <= end and text[start] in "{[":
            line_start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
            beginning = _BEGINNING.match(text, line_start)
            indented = beginning.end() - line_start if beginning is not None else 0
            # A line that begins no further in than the key does no longer belongs to what was never closed.
            return (start, one.path) if line_start <= start or indented > one.column else None
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
    own = (*bracket.path, bracket.key) if bracket.is_map and bracket.key is not None else bracket.path
    if bracket.is_map and bracket.key is None:
        keys = {str(one.path[-1]) for one in outline.below(bracket.path) if not one.key[0] <= word <= one.key[1]}
        return Cursor(
            outline,
            own,
            "key",
            (word, end),
            frozenset(keys | set(bracket.keys)),
            style="json" if is_json else "flow",
            has_colon=text[end : end + 8].lstrip().startswith(":"),
        )
    lead = " " if text[word - 1 : word] == ":" else ""
    wants: Literal["value", "item"] = "value" if bracket.is_map else "item"
    own = own if bracket.is_map else (*bracket.path, bracket.item)
    return Cursor(outline, own, wants, (word, end), frozenset(), style="json" if is_json else "flow", lead=lead)


def _is_json(text: str, start: int) -> bool:
    """Return whether keys of the text are quoted as JSON wants them."""
    return text[start + 1 : start + 200].lstrip()[:1] in {'"', "", "{", "[", "}"}


def _is_within_text(outline: Outline, offset: int, line_start: int) -> bool:
    """Return whether the line lies within a block of text, or a quoted text of several lines."""
    return any(
        one.text is None and one.value[0] < line_start and offset <= one.value[1] and one.value[0] < one.value[1]
        for one in outline.entries
        if outline.text[one.value[0] : one.value[0] + 1] in {"|", ">", '"', "'"}
    )


def _in_value(outline: Outline, at: int, key: re.Match[str], offset: int) -> Cursor | None:
    own = next((one for one in outline.entries if one.key[0] == at and not one.is_item), None)
    if own is None or _VALUE.fullmatch(outline.text, key.start("value"), offset) is None:
        return None
    rest = _REST_OF_WORD.match(outline.text, offset)
    end = rest.end() if rest is not None else offset
    lead = "" if key["blank"] else " "
    return Cursor(outline, own.path, "value", (key.start("value"), end), frozenset(), lead=lead)


def _in_key(outline: Outline, at: int, offset: int, *, has_dash: bool) -> Cursor | None:
    text = outline.text
    rest = _REST_OF_WORD.match(text, offset)
    end = rest.end() if rest is not None else offset
    line_end = min((one for one in (text.find("\n", end), text.find("\r", end)) if one >= 0), default=len(text))
    has_colon = text[end:line_end].lstrip().startswith(":")
    # What is being typed is left out of the outline: it may be half a key.
    bare = outline_at(text[:at] + " " * (line_end - at) + text[line_end:], at)
    column = at - max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) - 1
    path = _item_before(bare, at) if has_dash else _holder(bare, at, column)
    if path is None:
        return None
    keys = frozenset(str(one.path[-1]) for one in bare.below(path) if not one.is_item)
    wants: Literal["item", "key"] = "item" if has_dash and not keys else "key"
    return Cursor(bare, path, wants, (at, end), keys, has_colon=has_colon)


def _item_before(outline: Outline, at: int) -> Path | None:
    found = [one for one in outline.entries if one.is_item and one.key[0] < at]
    return found[-1].path if found else None


def _holder(outline: Outline, at: int, column: int) -> Path | None:
    """Return the path of the object that a key in this column would belong to."""
    before = [one for one in outline.entries if one.key[0] < at and one.column >= 0]
    for number in range(len(before) - 1, -1, -1):
        one = before[number]
        if one.column > column:
            continue
        if one.column == column and not one.is_item:
            return one.path[:-1]
        if one.column == column:  # a list that is not indented: its key stands in this column too
            holder = outline.entry(one.path[:-1])
            return holder.path[:-1] if holder is not None and holder.column == column else None
        return one.path if _may_hold(outline, one) else None
    return ()


def _may_hold(outline: Outline, one: Entry) -> bool:
    """Return whether keys may stand below an entry: it is no scalar, and no list."""
    is_empty = one.text is None and one.value[0] == one.value[1]
    return is_empty and not any(below.is_item for below in outline.below(one.path))
