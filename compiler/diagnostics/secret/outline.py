"""Read the structure of any text as far as it has one: YAML, JSON, or a file that no parser reads.

The result is plain data, so one search finds the secrets of texts and of documents. A fault in the text costs the
structure near the fault, and nothing else.
"""

from __future__ import annotations

import re
from typing import Any, Final

PAD: Final = "\x1f"
"""Fills up an escape, so a scalar without escapes is as long as its text. For Python it is white space."""
_PROPERTY: Final = rf"(?:&(?P<anchor>[^\s,\[\]{{}}]+)|![^\s,\[\]{{}}]*)(?=[\s,\[\]{{}}]|\Z)|[ \t\r{PAD}]+"
_QUOTED: Final = rf"\"(?P<double>(?:[^\"\\]|\\{PAD}*.)*+)\"|'(?P<single>(?:[^']|'{PAD}*')*+)'"
_UNCLOSED: Final = r"\"(?P<double>[^\n]*)|'(?P<single>[^\n]*)"
_PLAIN: Final = r"(?:[^\n#]|(?<=\S)#)+"
_PLAIN_IN_FLOW: Final = r"[^,\[\]{}\n:#]*+(?:(?::(?![\s,\[\]{}]|\Z)|(?<![\s,\[\]{}])#)[^,\[\]{}\n:#]*+)*+"
_PLAIN_KEY: Final = r"[^\s\"'\[{#*|>:][^:\n#]*+(?:(?::(?!\s|\Z)|(?<=\S)#)[^:\n#]*+)*+"
_KEY: Final = (
    rf"(?:(?:[&!][^\s,\[\]{{}}]*+[ \t]++)*+(?:\"(?:[^\"\\\n]|\\{PAD}*.)*+\"|'[^'\n]*+'|{_PLAIN_KEY})"
    rf"|{_PLAIN_KEY})[ \t]*(?P<colon>:)(?=\s|\Z)"
)
"""A key of one line, after its tag and anchor. The last part takes a tag or an anchor that no key follows."""
_SIMPLE: Final = (
    r"(?P<lead> *(?P<dash>- +)?)(?P<key>[\w.\-/]+):"
    rf"(?: +(?P<value>[^\s\"'\[{{#|>*&!:][^\n\r#:{PAD}]*(?::[^\s][^\n\r#:{PAD}]*)*)?)?(?:\n|\Z)"
)
"""A line with a key and a short value or none, as most lines are."""
_BLOCK: Final = r"[|>][-+0-9]*[ \t]*(?:#[^\n]*)?\r?(?:\n|\Z)"
_COMMENT: Final = r"#[^\n]*(?:\n\s*#(?!\s*---\s*(?:\n|\Z))[^\n]*)*"
"""Comments without other lines between them. A separator of documents begins another comment."""
_ESCAPE: Final = rf"\\{PAD}*(?:u(?P<code>[0-9a-fA-F]{{4}})|x(?P<byte>[0-9a-fA-F]{{2}})|\r?\n[ \t]*|(?P<char>[^\n]))"
_CONTROLS: Final = {"n": "\n", "r": "\r", "t": "\t"}
_IN_FLOW: Final = 1 << 30
"""The rank of a collection in brackets: no indentation ends it."""


def documents_of(text: str) -> list[str]:
    """Return the documents of a text: what begins with ``---``, and what stands before."""
    return re.split(r"(?m)^(?=---(?:\s|\Z))", text) if "---" in text else [text]


class Again(str):
    """A key that a mapping already has, or the key of a text that stands where no text may stand."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


class Outline:
    """The structure of a text.

    Attributes:
        documents: The documents of the text as plain data; the last item is the list of all comments.
        spans: Start and end of each scalar, by the identity of its mapping or list, and its key or index. The place of
            an alias is the place of its anchor's value.
    """

    def __init__(self, text: str) -> None:
        self.documents: list[Any] = []
        self.spans: dict[tuple[int, Any], tuple[int, int]] = {}
        self._text = text
        self._comments: list[str] = []
        self._anchor = ""
        self._anchors: dict[str, tuple[Any, tuple[int, int] | None]] = {}
        # Each open collection: its rank, itself and its last key. The rank of a mapping is twice its column. A list may
        # stand in the column of the mapping that has it, so its rank is one more.
        self._open: list[tuple[int, Any, list[Any]]] = [(-1, self.documents, [""])]
        self._simple = re.compile(_SIMPLE)
        self._key = re.compile(_KEY)
        self._property = re.compile(_PROPERTY)
        self._in_line = re.compile(_PLAIN)
        self._in_flow = re.compile(_PLAIN_IN_FLOW)
        at = 0
        while at < len(text):
            at = self._read_line(at)
        self.documents.append(self._comments)

    def _read_line(self, start: int) -> int:
        """Read a line and the further lines of its value. Return the start of the next line."""
        text = self._text
        if simple := self._simple.match(text, start):
            if simple["dash"]:
                self._enter((simple.start("dash") - start) * 2 + 1, list)
            self._enter((simple.end("lead") - start) * 2, dict)
            self._put_key(simple["key"])
            if simple["value"]:
                self._put(simple["value"], simple.span("value"))
            return simple.end()
        if text.startswith("---", start) and text[start + 3 : start + 4].strip() == "":
            del self._open[1:]
            return self._read_value(start + 3, -1)
        at = self._after_blanks(start)
        while text[at : at + 1] == "-" and text[at + 1 : at + 2].strip() == "":
            self._enter((at - start) * 2 + 1, list)
            at = self._after_blanks(at + 1)
        column = at - start - text.count(PAD, start, at)
        if text[at : at + 1] in ("", "\n", "#"):
            return self._read_value(at, column)
        if key := self._key.match(text, at):
            self._enter(column * 2, dict)
            at = self._after_properties(at)
            is_quoted = text[at] in "\"'"
            self._put_key(self._scalar(at, column, self._in_line)[0] if is_quoted else text[at : key.start("colon")])
            return self._read_value(key.end("colon"), column)
        self._close(column * 2)
        rank, _, last = self._open[-1]
        if rank == column * 2:
            last[0] = ""
        return self._read_value(at, rank // 2)

    def _after_blanks(self, at: int) -> int:
        while self._text[at : at + 1] in (" ", "\t", "\r", PAD):
            at += 1
        return at

    def _after_properties(self, at: int) -> int:
        """Return the position after white space, tags and anchors."""
        while match := self._property.match(self._text, at):
            self._anchor = match["anchor"] or self._anchor
            at = match.end()
        return at

    def _read_comment(self, at: int) -> int:
        """Read a comment with the comments in the lines below it. Return its end."""
        match = re.compile(_COMMENT).match(self._text, at)
        written = match[0] if match else ""
        self.spans[id(self._comments), len(self._comments)] = at, at + len(written)
        self._comments.append(re.sub(r"(?m)^[ \t]*#+", lambda sign: " " * len(sign[0]), written))
        return at + len(written)

    def _close(self, rank: int) -> None:
        while self._open[-1][0] > rank:
            self._open.pop()

    def _enter(self, rank: int, kind: type) -> None:
        """Go on with the collection of this rank, or begin one."""
        self._close(rank)
        if self._open[-1][0] != rank or not isinstance(self._open[-1][1], kind):
            self._begin(rank, kind())

    def _begin(self, rank: int, collection: Any) -> None:
        self._put(collection, None)
        self._open.append((rank, collection, [""]))

    def _put_key(self, key: str) -> None:
        _, holder, last = self._open[-1]
        key = key.strip()
        if isinstance(holder, list):  # a pair within a list in brackets
            holder.append({})
            last[0] = key
            return
        last[0] = Again(key) if key in holder else key
        holder[last[0]] = None

    def _put(self, value: Any, span: tuple[int, int] | None) -> None:
        """Put a value into the innermost collection."""
        if isinstance(value, str) and value[:1] == "*":
            value, span = self._anchors.get(value[1:], (value, span))
        if self._anchor:
            self._anchors[self._anchor] = value, span
            self._anchor = ""
        _, holder, last = self._open[-1]
        key: Any = len(holder)
        if isinstance(holder, dict):
            key = last[0] if holder.get(last[0], self) is None else Again(last[0])
            holder[key] = value
        elif last[0]:
            holder, key, last[0] = holder[-1], last[0], ""
            holder[key] = value
        else:
            holder.append(value)
        if span is not None:
            self.spans[id(holder), key] = span

    def _read_value(self, at: int, column: int) -> int:
        """Read the value that begins in a line. Its further lines are indented by more than ``column``."""
        text = self._text
        while (at := self._after_properties(at)) < len(text):
            if text[at] == "\n":
                return at + 1
            if text[at] == "#":
                at = self._read_comment(at)
            elif text[at] in "[{":
                at = self._read_flow(at, column)
                if text[at - 1] == "\n":
                    return at
            elif text[at] in "|>" and (block := re.compile(_BLOCK).match(text, at)):
                deeper = re.compile(rf"(?:[ \t\r]*\n|[ \t]{{{column + 1},}}[^\n]*(?:\n|\Z))*").match(text, block.end())
                assert deeper is not None
                self._put(deeper[0], deeper.span())
                return deeper.end()
            else:
                value, span, at = self._scalar(at, column, self._in_line)
                self._put(value, span)
        return at

    def _scalar(self, at: int, column: int, plain: re.Pattern[str]) -> tuple[str, tuple[int, int], int]:
        """Return a scalar without escapes, its place and the position after it. Unclosed quotes end with the line."""
        text, quotes = self._text, "plain"
        if text[at] not in "\"'":
            match = plain.match(text, at)
        else:
            match = re.compile(_QUOTED, re.DOTALL).match(text, at)
            entry = rf"\n[ \t]{{0,{max(column, 0)}}}[^\s\"'\]}},]+:\s"
            if match is None or ("\n" in match[0] and re.search(entry, match[0])):
                match = re.compile(_UNCLOSED).match(text, at)
            quotes = (match and match.lastgroup) or "plain"
        start, end = match.span(0 if quotes == "plain" else quotes) if match else (at, at)
        value = text[start:end]
        if quotes == "double" and "\\" in value:
            value = re.sub(_ESCAPE, _unescaped, value)
        elif quotes == "single":
            value = value.replace("''", f"{PAD}'")
        blank = None if quotes == "plain" else PAD
        start += len(value) - len(value.lstrip(blank))
        value = value.strip(blank)
        return value, (start, start + len(value)), max(match.end() if match else 0, at + 1)

    def _read_flow(self, at: int, column: int) -> int:
        """Read a collection in brackets. If a line outside of it begins before it is closed, return its start.

        The first line is outside, whatever its indentation, unless it ends with a comma or a bracket, or the next line
        begins with a closing bracket.
        """
        text, depth = self._text, len(self._open)
        gap = re.compile(r"[\s,]*")
        entry = re.compile(rf"- |{_KEY}")
        ending = re.compile(r"[^\n]*[,\[{\]}]\s*(?:\n|\Z)")
        last = re.compile(r"[^\n]*+(?:\n\s*+[\]}]|\s*+\Z)")
        while at < len(text):
            begin, at = at, gap.match(text, at).end()  # type: ignore[union-attr] # it may be empty
            line = text.rfind("\n", begin, at) + 1
            if "," in text[begin:at]:
                self._open[-1][2][0] = ""
            elif line and entry.match(text, at) and not ending.match(text, at):
                is_first = len(self._open) > depth and not self._open[-1][1]
                if at - line <= column or (is_first and not last.match(text, at)):
                    del self._open[depth:]
                    return line
            at = self._after_properties(at)
            if text[at : at + 1] in ("[", "{"):
                self._begin(_IN_FLOW, [] if text[at] == "[" else {})
                at += 1
            elif text[at : at + 1] in ("]", "}"):
                self._open.pop()
                at += 1
                if len(self._open) <= depth:
                    break
            elif text[at : at + 1] == "#":
                at = self._read_comment(at)
            elif at < len(text) and text[at] != "\n":
                value, span, at = self._scalar(at, column, self._in_flow)
                if text[(colon := self._after_blanks(at)) : colon + 1] == ":":
                    self._put_key(value)
                    at = colon + 1
                else:
                    self._put(value, span)
        del self._open[depth:]
        return at


def _unescaped(match: re.Match[str]) -> str:
    code = match["code"] or match["byte"]
    char = chr(int(code, 16)) if code else _CONTROLS.get(match["char"], match["char"] or "")
    return char.rjust(len(match[0]), PAD)
