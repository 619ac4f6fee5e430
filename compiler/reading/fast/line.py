"""Parse single lines of YAML, for texts in which each line is complete on its own.

Nearly all configuration is written this way: block lists and mappings, a key or item per line, and values that end with
the line. Lines recur in many files, so parsed lines are cached.
"""

from __future__ import annotations

import re
import sys
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ...golang.yaml.resolve import MEANINGFUL_FIRST, NULLS, json_number, key_text, resolve_plain
from ..bound import MAX_DEPTH
from ..fault import ReadError, UnreadableError

if TYPE_CHECKING:
    from ..node import Dialect

SAFE_DEPTH: Final = MAX_DEPTH // 2
"""Maximum nesting over lines, and again within brackets on one line; together at most `MAX_DEPTH`.

Deeper texts are left to the exact reader.
"""

_WIDE: Final = "[^\x00-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]"
"""Pattern of a character beyond ASCII that YAML allows, except line separators and byte order marks."""

PRINTED: Final = "[ -~]"
_INNER: Final = r"[!-\"$-9;-~]"  # without space, # and :
# A longer key, which is rare, is left to the exact reader.
KEY: Final = r"(?:[A-Za-z0-9_]|(?:\$?\$|\.)(?=[A-Za-z_]))[A-Za-z0-9_./-]{0,127}+"
PLAIN: Final = (
    rf"(?:[A-Za-z0-9_./~+$(^]|[:-](?=[!-~])|<(?!<)){_INNER}*+(?>(?:(?::(?=[!-~])|(?<! )#| +(?=[!-\"$-~])){_INNER}*+)*)"
)
DOUBLE: Final = r"\"([ !#-\[\]-~]*+)\""
SINGLE: Final = "'([ -&(-~]*+)'"
REST: Final = rf" *+(?:(?<= )#{PRINTED}*+)?"
"""Pattern of the text that may follow a value: spaces and a comment."""

HEAD: Final = re.compile(rf"( *+)(?:(-)( ++))?(?:({KEY}):(?= |\Z))?")
"""Pattern of the start of a line: indentation, a dash with the gap after it, and a key."""
KEY_GROUP: Final = 4
"""Number of the group in the patterns below that matches the key."""
VALUE: Final = re.compile(rf" *+(?:({PLAIN})|{DOUBLE}|{SINGLE}|([|>]-?)(?= |\Z))?{REST}\Z")
"""Pattern of the rest of a line: a value without escapes, or the header of a block scalar."""
PLAIN_GROUP, BLOCK_GROUP = 1, 4
"""Numbers of the groups of `VALUE` for plain values and block headers. Groups 2 and 3 match quoted values."""
_BLANK: Final = re.compile(rf" *+(?:#{PRINTED}*+)?\Z")

# These patterns are compiled on first use.
_VALUE_BEGINS: Final = rf"( *+)(?:(-)( ++))?(?:({KEY}): ++)?(?=[\[{{\"'])"
_IN_DOUBLE: Final = rf"\"((?:[ !#-\[\]-~]|\\[\"\\])*+)\"{REST}\Z"
_IN_SINGLE: Final = rf"'((?:[ -&(-~]|'')*+)'{REST}\Z"
"""Patterns of texts in quotes in which only quotes and backslashes are escaped."""
_ITEM: Final = rf"(?:([A-Za-z0-9_./$][A-Za-z0-9_./$+-]*+|--?[A-Za-z][A-Za-z0-9_./=-]*+)|{DOUBLE}|{SINGLE}) *+"
"""Pattern of a scalar in brackets."""
_ANCHOR: Final = rf" *+(?:&([A-Za-z0-9_-]++)(?= |\Z)|\*([A-Za-z0-9_-]++){REST}\Z)"
"""Pattern of an anchor or an alias."""

SCALAR, OPEN, BLOCK, FLOW, SILENT, ANCHOR, ALIAS = range(7)
"""Kinds of content after the dash and key of a line.

`SCALAR` and `FLOW` are a value on the line, `BLOCK` is the header of a block scalar. After `OPEN`, the value follows on
the next lines. `SILENT` is a blank line or a comment.
"""


def ascii_form(text: str) -> str:
    """Return a text with an ``x`` in place of each character beyond ASCII that YAML treats like a letter.

    Patterns only cover ASCII, because patterns for all characters take milliseconds to compile.
    """
    return text if text.isascii() else re.sub(_WIDE, "x", text)


Line: TypeAlias = tuple[int, int, str | None, int, Any]
"""A parsed line as a tuple of five items:

- the column of the first character, other than spaces;
- the column of the text after a dash, or ``-1`` without a dash;
- the key, or ``None``;
- the kind of content that follows, such as `SCALAR`;
- the content: the value of a scalar or of brackets, the header of a block scalar, or ``None``. For an anchor, it is a
  tuple of its name, and kind and content of the value; for an alias, it is the name.
"""

_Head: TypeAlias = tuple[int, int, str | None]
"""The first three items of `Line`: column, column after a dash, and key."""

_NOTHING: Final[Line] = (-1, -1, None, SILENT, None)


class Unusual(Exception):  # noqa: N818 - not an error: the exact reader takes over
    """The text has lines that are not complete on their own, so the exact reader takes over."""


class _Lines(dict[str, Line]):
    """Parsed lines of a dialect by their text. A missing line is parsed, and cached if it is at most `LONGEST` long."""

    MOST = 16_384  # Each line and head takes some hundred bytes, so the cache takes a few megabytes.
    LONGEST = 80  # Longer lines rarely recur.

    def __init__(self, dialect: Dialect) -> None:
        super().__init__()
        self._dialect: Dialect = dialect
        self._heads: dict[str, _Head] = {}

    def __missing__(self, text: str) -> Line:
        line = self._parse(text)
        if len(text) <= self.LONGEST:
            # Cleared as a whole: a bound on memory, cheaper than an order of eviction.
            if len(self) >= self.MOST:
                self.clear()
            self[text] = line
        return line

    def _parse(self, text: str) -> Line:
        after = text.find(": ") + 1
        head = self._heads.get(text[:after])
        if head is not None:
            value_text = text[after + 1 :]
            # As most names are.
            if value_text.replace("-", "x").isalnum() and value_text[0] != "-" and value_text.isascii():
                return self._line(head, PLAIN_GROUP, value_text)
            value = VALUE.match(text, after)
            if value is not None:
                group = value.lastindex
                return self._line(head, group, value[group] if group else "")
        form = ascii_form(text)
        return _NOTHING if text.lstrip(" ")[:1] in ("", "#") and _BLANK.match(form) else self._read(text, form)

    def _read(self, text: str, form: str) -> Line:
        head = HEAD.match(form)
        assert head is not None
        value = VALUE.match(form, head.end())
        name = re.compile(_ANCHOR).match(form, head.end()) if value is None else None
        if name is not None and name[1]:
            value = VALUE.match(form, name.end())
        if value is None and (name is None or name[1]):
            return self._quoted_or_bracket_line(text)
        indent, dash, gap, key = head.groups()
        if key is None and dash is None:
            raise Unusual
        begin = len(indent)
        inner = begin + 1 + len(gap) if dash else -1
        if key is not None:
            key = sys.intern(text[slice(*head.span(KEY_GROUP))])
            self._check_key(key)
            if len(self._heads) < self.MOST:
                self._heads[text[: head.end()]] = begin, inner, key
        if value is None:
            assert name is not None
            return begin, inner, key, ALIAS, name[2]
        group = value.lastindex
        line = self._line((begin, inner, key), group, text[slice(*value.span(group))] if group else "")
        if name is None:
            return line
        if line[3] == BLOCK:
            raise Unusual
        return *line[:3], ANCHOR, (name[1], *line[3:])

    def _line(self, head: _Head, group: int | None, value_text: str) -> Line:
        """Return the parsed line for a value that matched `VALUE`.

        Args:
            head: The indentation, the column after a dash, and the key of the line.
            group: The group of `VALUE` that matched, or ``None`` for a line without a value.
        """
        if group == PLAIN_GROUP:
            return *head, SCALAR, self._plain_value(value_text)
        if group is None:
            return *head, OPEN, None
        return *head, BLOCK if group == BLOCK_GROUP else SCALAR, value_text

    def _quoted_or_bracket_line(self, text: str) -> Line:
        """Parse a line with a value in brackets, or in quotes with escapes, that is closed on the line.

        Only the simplest values are parsed here. The exact reader, which is imported on demand, reads all others.
        """
        match = re.match(_VALUE_BEGINS, text)
        if match is None:
            raise Unusual
        indent, dash, gap, key = match.groups()
        if key is None and dash is None:
            raise Unusual
        self._check_key(key)
        rest = text[match.end() :]
        if ("&" in rest and "*" in rest) or len(re.findall(r"[\[{]", rest)) > SAFE_DEPTH:
            raise Unusual
        value = self._simple_value(rest)
        if value is None:
            value = self._parsed(rest)
        kind = SCALAR if value.__class__ is str else FLOW
        return len(indent), len(indent) + 1 + len(gap) if dash else -1, key, kind, value

    def _simple_value(self, text: str) -> list[Any] | dict[str, Any] | str | None:
        """Return the value of quotes with simple escapes or brackets with simple scalars; ``None`` for other texts."""
        if text[0] == '"' and (match := re.match(_IN_DOUBLE, text)):
            return re.sub(r"\\(.)", r"\1", match[1])
        if text[0] == "'" and (match := re.match(_IN_SINGLE, text)):
            return match[1].replace("''", "'")
        try:
            value, end = self._bracket_value(text, 0)
        except Unusual:
            return None
        return value if re.compile(rf"{REST}\Z").match(text, end) else None

    def _bracket_value(self, text: str, start: int) -> tuple[Any, int]:
        """Return the value of the simple scalar or brackets at ``start``, and the position after it and its spaces."""
        closing = {"[": "]", "{": "}"}.get(text[start : start + 1])
        if closing is None:
            match = re.compile(_ITEM).match(text, start)
            if match is None:
                raise Unusual
            return self._item(match), match.end()
        items: list[Any] = []
        entries: dict[str, Any] = {}
        at = _skipped(text, start + 1)
        while not text.startswith(closing, at):
            key = re.compile(rf"({KEY}): ++").match(text, at) if closing == "}" else None
            value, at = self._bracket_value(text, at if key is None else key.end())
            if key is not None and key[1] not in entries:
                self._check_key(key[1])
                entries[key[1]] = value
            elif closing == "}":
                raise Unusual
            else:
                items.append(value)
            if text.startswith(",", at):
                at = _skipped(text, at + 1)
            elif not text.startswith(closing, at):
                raise Unusual
        return items if closing == "]" else entries, _skipped(text, at + 1)

    def _item(self, match: re.Match[str]) -> Any:
        *_, unquoted, double, single = match.groups()
        return self._plain_value(unquoted) if unquoted is not None else single if double is None else double

    def _parsed(self, text: str) -> Any:
        """Return the value of a text in quotes or brackets on a single line, as the exact reader reads it."""
        if len(text.splitlines()) > 1:
            raise Unusual
        from ..character import forbidden
        from ..data import data_of
        from ..tree import compose

        try:
            forbidden(text)
            values = [data_of(root, self._dialect) for root in compose(text)]
        except (ReadError, UnreadableError):
            raise Unusual from None
        value = values[0] if len(values) == 1 else None
        if not isinstance(value, list if text[0] == "[" else dict if text[0] == "{" else str):
            raise Unusual
        return value

    def _plain_value(self, text: str) -> Any:
        if text[0] not in MEANINGFUL_FIRST:
            return text
        value = resolve_plain(text, v3=self._dialect == "vmcp")
        if isinstance(value, float) and self._dialect == "kubernetes":
            if not isfinite(value):
                raise Unusual
            return json_number(value)
        return value

    def _check_key(self, key: str | None) -> None:
        """Raise `Unusual` for a key whose JSON key differs from its text, because places are found by that text."""
        if key is None:
            return
        means_itself = self._dialect == "vmcp" or key_text(resolve_plain(key, v3=False)) == key
        if key in NULLS or not key.isascii() or not means_itself:
            raise Unusual


def _skipped(text: str, at: int) -> int:
    while text.startswith(" ", at):
        at += 1
    return at


LINES: Final = {"kubernetes": _Lines("kubernetes"), "vmcp": _Lines("vmcp")}
