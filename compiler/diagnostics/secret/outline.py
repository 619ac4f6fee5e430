"""Read the structure of any text as far as it has one, as plain data. A fault costs the structure near the fault."""

from __future__ import annotations

import re
from typing import Any, Final

from .text import PAD

# No group is repeated possessively: before 3.11.5, Python then reads too little (gh-106052). Each part of a group
# begins with another character, so reading takes linear time all the same.
_PROPERTY: Final = r"(?:&(?P<anchor>[^\s,\[\]{}]++)|(?P<tag>![^\s,\[\]{}]*+))(?<!:)(?=[\s,\[\]{}]|\Z)"
_COMMENT: Final = r"(?P<comment>#[^\n]*(?:\n\s*#(?!\s*---\s*(?:\n|\Z))[^\n]*)*)"
"""Comments without other lines between them. A separator of documents begins another comment."""
_QUOTED: Final = rf"\"(?P<double>(?:[^\"\\]++|\\{PAD}*+[\s\S])*)\"|'(?P<single>(?:[^']++|'{PAD}*+')*)'(?!{PAD}*+')"
_UNCLOSED: Final = r"[\"'](?P<unclosed>[^\n]*)"
_BLOCK: Final = r"(?P<block>[|>][-+0-9]*[ \t]*(?:#[^\n]*)?\r?(?:\n|\Z))"
_PLAIN_KEY: Final = r"[^\s\"'\[{#*|>:][^:\n#]*+(?:(?::(?!\s|\Z)|(?<=\S)#)[^:\n#]*+)*"
_KEY: Final = rf"(?P<key>(?:\"(?:[^\"\\\n]++|\\{PAD}*+.)*\"|'[^'\n]*+'|{_PLAIN_KEY})[ \t]*):(?=\s|\Z)"
_PLAIN: Final = r"(?P<plain>(?:[^\n#]|(?<=\S)#)+)"
_PLAIN_IN_FLOW: Final = r"(?P<plain>[^,\[\]{}\n:#]*+(?:(?::(?![\s,\[\]{}]|\Z)|(?<![\s,\[\]{}])#)[^,\[\]{}\n:#]*+)*)"
_OPEN: Final = r"(?P<open>[\[{])"
_GAP: Final = rf"[ \t\r\n{PAD}]*"
_GAP_IN_FLOW: Final = rf"[ \t\r\n{PAD},]*"
_COLON: Final = rf"[ \t\r{PAD}]*:"
_IN_LINE: Final = f"{_PROPERTY}|{_COMMENT}|{_OPEN}|{_BLOCK}|{_QUOTED}|{_UNCLOSED}|{_PLAIN}"
_AT_START: Final = rf"(?P<dash>-)(?=\s|\Z)|{_IN_LINE}".replace(_OPEN, f"{_KEY}|{_OPEN}")
_IN_FLOW: Final = rf"{_PROPERTY}|{_COMMENT}|{_OPEN}|(?P<close>[\]}}])|{_QUOTED}|{_UNCLOSED}|{_PLAIN_IN_FLOW}"
_ESCAPE: Final = rf"\\{PAD}*(?:u(?P<code>[0-9a-fA-F]{{4}})|x(?P<byte>[0-9a-fA-F]{{2}})|\r?\n[ \t]*|(?P<char>[^\n]))"
_CONTROLS: Final = {"n": "\n", "r": "\r", "t": "\t"}
_ENTRY: Final = rf"(?:- |{_KEY})(?![^\n]*[,\[{{\]}}]\s*(?:\n|\Z))(?![^\n]*+\n\s*+[\]}}])"
"""The beginning of a line that is outside of brackets: an entry of a block that no bracket ends."""
_PATTERNS: Final = (_GAP, _GAP_IN_FLOW, _IN_LINE, _AT_START, _IN_FLOW, _ENTRY, _COLON)
_FLOW: Final = 1 << 30  # the rank of a collection in brackets: no indentation ends it


class Outline:
    """The structure of a document.

    Attributes:
        roots: The values of the document as plain data; the last item is the list of all comments.
            A key that a mapping already has, or that no text may follow, has a number and `PAD` before it.
        spans: Start and end of each scalar, by the identity of its mapping or list, and its key or index. The place of
            an alias is the place of its anchor's value.
    """

    def __init__(self, text: str) -> None:
        self.roots: list[Any] = []
        self.spans: dict[tuple[int, Any], tuple[int, int]] = {}
        self._text = text
        self._comments: list[str] = []
        self._anchor = ""
        self._anchors: dict[str, tuple[Any, tuple[int, int] | None]] = {}
        # Each open collection: its rank, itself and its last key. The rank of a mapping is twice its column. A list may
        # stand in the column of the mapping that has it, so its rank is one more.
        self._open: list[tuple[int, Any, list[Any]]] = [(-1, self.roots, [""])]
        self._column = -1  # of the innermost block; further lines of a value are indented by more
        self._line = 0
        self._start: int | None = -1 if text.startswith("---") else None
        """Where the first key or value of the line begins, after dashes; -1 if it has been read."""
        self._patterns = [re.compile(part) for part in _PATTERNS]
        at = 0 if self._start is None else 3
        while (at := self._after_gap(at)) < len(text):
            at = self._after_token(at)
        self.roots.append(self._comments)

    def _after_gap(self, at: int) -> int:
        """Return the position of the next token."""
        rank, holder, last = self._open[-1]
        is_flow = rank == _FLOW
        end = self._patterns[is_flow].match(self._text, at).end()  # type: ignore[union-attr] # it may be empty
        newline = self._text.rfind("\n", at, end)
        self._line = newline + 1 or self._line
        if newline >= 0 or self._start is None:
            self._start = end
        is_outside = newline >= 0 and (not holder or end - self._line <= self._column)
        if is_flow and "," in self._text[at:end]:
            last[0] = ""
        elif is_flow and is_outside and self._patterns[5].match(self._text, end):
            self._open = [collection for collection in self._open if collection[0] != _FLOW]
        return end

    def _after_token(self, at: int) -> int:
        """Read a token. Return the position after it."""
        text, is_flow = self._text, self._open[-1][0] == _FLOW
        match = self._patterns[4 if is_flow else 2 if self._start == -1 else 3].match(text, at)
        assert match is not None
        kind = match.lastgroup
        if kind == "comment":
            begin = self._line if text[self._line : at].isspace() else at
            self.spans[id(self._comments), len(self._comments)] = begin, match.end()
            self._comments.append(re.sub(r"(?m)^[ \t]*#+", lambda sign: " " * len(sign[0]), text[begin : match.end()]))
        if kind in ("anchor", "tag", "comment"):
            self._anchor = match["anchor"] or self._anchor
            return match.end()
        if self._start not in (-1, None) and not is_flow:
            column = self._start - self._line - text.count(PAD, self._line, self._start)
            if kind == "dash":
                self._enter(column * 2 + 1, list)
                self._start = None
                return match.end()
            self._begin_line(column * 2, match["key"])
        self._start = -1
        if kind == "open":
            self._begin(_FLOW, [] if text[at] == "[" else {})
        elif kind == "close":
            self._open.pop()
        elif kind == "block":
            deeper = re.compile(rf"(?:[ \t\r]*\n|[ \t]{{{self._column + 1},}}[^\n]*(?:\n|\Z))*")
            match = deeper.match(text, match.end())
            assert match is not None
            self._put(match[0], match.span())
            self._line, self._start = match.end(), None
        elif kind != "key":
            return self._after_scalar(match, is_key=is_flow)
        return match.end()

    def _begin_line(self, rank: int, key: str | None) -> None:
        """Begin with a key, or go on with a value of the lines above."""
        if key is not None:
            self._enter(rank, dict)
            self._put_key(_unescaped(key.rstrip()[1:-1], key[0]) if key[0] in "\"'" else key)
            return
        self._close(rank)
        if self._open[-1][0] == rank:
            self._open[-1][2][0] = ""

    def _after_scalar(self, match: re.Match[str], *, is_key: bool) -> int:
        """Put a scalar without escapes. Unclosed quotes end with the line."""
        if match.lastgroup in ("double", "single") and "\n" in match[0]:
            entry = rf"\n[ \t]{{0,{max(self._column, 0)}}}[^\s\"'\]}},]+:\s"
            unclosed = re.compile(_UNCLOSED).match(self._text, match.start())
            match = unclosed if unclosed and re.search(entry, match[0]) else match
        written, is_plain = match[match.lastgroup or 0], match.lastgroup == "plain"
        value = written if is_plain else _unescaped(written, self._text[match.start()])
        blank = None if is_plain else PAD
        start = match.start(match.lastgroup or 0) + len(value) - len(value.lstrip(blank))
        value = value.strip(blank)
        if is_key and (colon := self._patterns[6].match(self._text, match.end())):
            self._put_key(value)
            return colon.end()
        self._put(value, (start, start + len(value)))
        return match.end()

    def _close(self, rank: int) -> None:
        while self._open[-1][0] > rank:
            self._open.pop()
        self._column = self._open[-1][0] // 2

    def _enter(self, rank: int, kind: type) -> None:
        """Go on with the collection of this rank, or begin one. A key may stand too far left in an item of a list."""
        inner = next((item for item in self._open if item[0] > rank), None)
        self._close(rank)
        if inner and isinstance(inner[1], kind) and kind is dict and self._open[-1][0] % 2 and len(self._open) > 1:
            self._open.append((rank, *inner[1:]))
            self._column = rank // 2
        elif self._open[-1][0] != rank or not isinstance(self._open[-1][1], kind):
            self._begin(rank, kind())
            self._column = rank // 2

    def _begin(self, rank: int, collection: Any) -> None:
        self._put(collection, None)
        self._open.append((rank, collection, [""]))

    def _put_key(self, key: str) -> None:
        _, holder, last = self._open[-1]
        key = last[0] = key.replace(PAD, "").strip()
        if isinstance(holder, list):  # a pair within a list in brackets
            holder.append({})
        else:
            last[0] = f"{len(holder)}{PAD}{key}" if key in holder else key
            holder[last[0]] = None

    def _put(self, value: Any, span: tuple[int, int] | None) -> None:
        """Put a value into the innermost collection."""
        if isinstance(value, str) and value[:1] == "*":
            value, span = self._anchors.get(value[1:], (value, span))
        if self._anchor:
            self._anchors[self._anchor], self._anchor = (value, span), ""
        _, holder, last = self._open[-1]
        key: Any = len(holder)
        if isinstance(holder, dict):
            key = last[0] if holder.get(last[0], self) is None else f"{len(holder)}{PAD}{last[0]}"
            holder[key] = value
        elif last[0]:
            holder, key, last[0] = holder[-1], last[0], ""
            holder[key] = value
        else:
            holder.append(value)
        if span is not None:
            self.spans[id(holder), key] = span


def _unescaped(text: str, quote: str) -> str:
    """Return the text between quotes without escapes, filled up to the same length."""
    return re.sub(_ESCAPE, _character, text) if quote == '"' else text.replace("''", f"{PAD}'")


def _character(escape: re.Match[str]) -> str:
    code = escape["code"] or escape["byte"]
    char = chr(int(code, 16)) if code else _CONTROLS.get(escape["char"], escape["char"] or "")
    return char.rjust(len(escape[0]), PAD)
