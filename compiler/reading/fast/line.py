"""What one line of a YAML text means, for texts in which each line is complete on its own.

Nearly all configuration is written so: block lists and mappings, one key or item on a line, values that end where the
line ends. Lines recur from file to file, so the meaning of each is computed once.
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
"""Of lists and mappings on lines, and again in brackets on one line; deeper ones are left to who counts exactly."""

_WIDE: Final = "[^\x00-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]"
"""What YAML prints beyond ASCII, without what it takes for the end of a line or for a byte order mark.

Wide ranges are named by what is not in them, here and elsewhere: `re` takes milliseconds to compile them otherwise.
"""

PRINTED: Final = "[ -~]"
_INNER: Final = r"[!-\"$-9;-~]"  # without space, # and :
KEY: Final = r"(?:[A-Za-z0-9_]|[.$](?=[A-Za-z_]))[A-Za-z0-9_./-]{0,127}+"
PLAIN: Final = rf"(?:[A-Za-z0-9_./~+$(^]|[:-](?=[!-~])){_INNER}*+(?:(?::(?=[!-~])|(?<! )#| +(?=[!-\"$-~])){_INNER}*+)*+"
DOUBLE: Final = r"\"([ !#-\[\]-~]*+)\""
SINGLE: Final = "'([ -&(-~]*+)'"
REST: Final = rf" *+(?:(?<= )#{PRINTED}*+)?"
"""What may stand after a value."""

HEAD: Final = re.compile(rf"( *+)(?:(-)( ++))?(?:({KEY}):(?= |\Z))?")
"""The beginning of a line: its indentation, a dash and the gap after it, a key."""
KEY_GROUP: Final = 4
VALUE: Final = re.compile(rf" *+(?:({PLAIN})|{DOUBLE}|{SINGLE}|([|>]-?)(?= |\Z))?{REST}\Z")
"""What comes then, up to the end of the line: a value without escapes, or the head of a block."""
PLAIN_GROUP, BLOCK_GROUP = 1, 4
"""Groups of `VALUE`; those of quoted values are between the two."""
_VALUE_BEGINS: Final = re.compile(rf"( *+)(?:(-)( ++))?(?:({KEY}): ++)?(?=[\[{{\"'])")
_BLANK: Final = re.compile(rf" *+(?:#{PRINTED}*+)?\Z")
_ITEM: Final = rf"(?:([A-Za-z0-9_./$][A-Za-z0-9_./$+-]*+)|{DOUBLE}|{SINGLE}) *+"
_ITEMS: Final = rf"\[ *+((?:{_ITEM}(?:, *+{_ITEM})*+)?)\]{REST}\Z"
_ENTRIES: Final = rf"\{{ *+((?:{KEY}: ++{_ITEM}(?:, *+{KEY}: ++{_ITEM})*+)?)\}}{REST}\Z"
"""Brackets with nothing in them but scalars; compiled when a line first has some."""

_ANCHOR: Final = re.compile(rf" *+(?:&([A-Za-z0-9_-]++)(?= |\Z)|\*([A-Za-z0-9_-]++){REST}\Z)")
"""What names a value, or stands for one that has a name."""

SCALAR, OPEN, BLOCK, FLOW, SILENT, ANCHOR, ALIAS = range(7)
"""What comes on a line after its dash and key; from `ANCHOR` on it has to do with names."""


def form_of(text: str) -> str:
    """Return ``text`` with a letter in place of each character beyond ASCII that may stand where letters do.

    Patterns are made for ASCII alone: such of all characters take milliseconds to be compiled.
    """
    return text if text.isascii() else re.sub(_WIDE, "x", text)


Line: TypeAlias = tuple[int, int, str | None, int, Any]
"""What a line means: the column of its first character; the column of what comes after a dash, ``-1`` where there is
none; its key, ``None`` where it has none; what comes then (a scalar, nothing yet, the head of a block scalar, brackets;
or the line is blank); and that: the scalar, the head, what stands in the brackets. Of a value with a name that is the
name, what comes then, and that; of what stands for such a value the name.
"""

_Head: TypeAlias = tuple[int, int, str | None]
"""The first three of these."""

_NOTHING: Final[Line] = (-1, -1, None, SILENT, None)


class Unusual(Exception):  # noqa: N818 - not an error: the exact reader takes over
    """The text is not written so that each of its lines is complete on its own."""


class _Lines(dict[str, Line]):
    """Meanings of lines in a dialect, computed once for each line of at most `LONGEST` code points."""

    MOST = 16_384
    LONGEST = 80

    def __init__(self, dialect: Dialect) -> None:
        super().__init__()
        self._dialect: Dialect = dialect
        self._heads: dict[str, _Head] = {}

    def __missing__(self, text: str) -> Line:
        line = self._work_out(text)
        if len(text) <= self.LONGEST:
            # Cleared as a whole: a bound on memory, cheaper than an order of eviction.
            if len(self) >= self.MOST:
                self.clear()
            self[text] = line
        return line

    def _work_out(self, text: str) -> Line:
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
        form = form_of(text)
        return _NOTHING if text.lstrip(" ")[:1] in ("", "#") and _BLANK.match(form) else self._read(text, form)

    def _read(self, text: str, form: str) -> Line:
        head = HEAD.match(form)
        assert head is not None
        value = VALUE.match(form, head.end())
        name = _ANCHOR.match(form, head.end()) if value is None else None
        if name is not None and name[1]:
            value = VALUE.match(form, name.end())
        if value is None and (name is None or name[1]):
            return self._in_quotes_or_brackets(text)
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
        """Return the meaning of a line whose value `VALUE` matched as ``value_text``, by its ``group``."""
        if group == PLAIN_GROUP:
            return *head, SCALAR, self._meaning(value_text)
        if group is None:
            return *head, OPEN, None
        return *head, BLOCK if group == BLOCK_GROUP else SCALAR, value_text

    def _in_quotes_or_brackets(self, text: str) -> Line:
        """Read a line whose value stands in brackets, or in quotes with escapes, closed on the line.

        But for the simplest of them this is left to the exact reader, which need not be imported for those.
        """
        match = _VALUE_BEGINS.match(text)
        if match is None:
            raise Unusual
        indent, dash, gap, key = match.groups()
        if key is None and dash is None:
            raise Unusual
        self._check_key(key)
        rest = text[match.end() :]
        value = self._few(rest)
        if value is None:
            value = self._parsed(rest)
        kind = SCALAR if value.__class__ is str else FLOW
        return len(indent), len(indent) + 1 + len(gap) if dash else -1, key, kind, value

    def _few(self, text: str) -> list[Any] | dict[str, Any] | None:
        """Read brackets that hold scalars alone; ``None`` where there is something else."""
        if text[0] == "[" and (match := re.match(_ITEMS, text)):
            return [self._item(one) for one in re.finditer(_ITEM, match[1])]
        if text[0] == "{" and (match := re.match(_ENTRIES, text)):
            entries = {}
            for one in re.finditer(rf"({KEY}): ++{_ITEM}", match[1]):
                self._check_key(one[1])
                if one[1] in entries:
                    raise Unusual
                entries[one[1]] = self._item(one)
            return entries
        return None

    def _item(self, match: re.Match[str]) -> Any:
        *_, unquoted, double, single = match.groups()
        return self._meaning(unquoted) if unquoted is not None else single if double is None else double

    def _parsed(self, text: str) -> Any:
        """Read a value that the exact reader reads alike by itself: on one line, not deep, without aliases."""
        if ("&" in text and "*" in text) or len(text.splitlines()) > 1 or len(re.findall(r"[\[{]", text)) > SAFE_DEPTH:
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

    def _meaning(self, text: str) -> Any:
        """Return what an unquoted value means."""
        if text[0] not in MEANINGFUL_FIRST:
            return text
        value = resolve_plain(text, v3=self._dialect == "vmcp")
        if isinstance(value, float) and self._dialect == "kubernetes":
            if not isfinite(value):
                raise Unusual
            return json_number(value)
        return value

    def _check_key(self, key: str | None) -> None:
        """Leave keys that become another text to others; places are looked for by the text of a key."""
        if key is None:
            return
        means_itself = self._dialect == "vmcp" or key_text(resolve_plain(key, v3=False)) == key
        if key in NULLS or not key.isascii() or not means_itself:
            raise Unusual


LINES: Final = {"kubernetes": _Lines("kubernetes"), "vmcp": _Lines("vmcp")}
