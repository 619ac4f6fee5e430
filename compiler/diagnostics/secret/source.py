"""Show source texts with asterisks in place of secrets. Lines and columns stay the same.

Shown texts often cannot be parsed, so secrets are recognized line by line. Hiding too much does no harm.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from .pattern import (
    ARGUMENT_LISTS,
    NAME_ENDS,
    PUBLIC_HOLDERS,
    SECRET_DATA,
    SECRET_MARKS,
    SOURCE_OF_KEY,
    UNNAMED_PATH,
    VALUE_KEYS,
)
from .text import MASK, Shown, is_sensitive, is_withheld, secret_ranges

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_NAME_END: Final = r"""s?(\\?["']?[ \t]*:)"""
"""Pattern of the end of a key after one of `NAME_ENDS`, with the colon."""
_VALUE: Final = r"""[ \t]*(?:"(?:[^"\\\n]|\\.)*"?|'(?:[^'\n]|'')*'?|[^\s"'][^\n]{0,300})?"""
"""The value after a key. More lines may follow."""
_NAME: Final = r"""(?:^|[\s{,"'\-])(?:name|path|key)\\?["']?[ \t]*:[ \t]*\\?["']?([\w.\-/~]+)"""
"""Pattern of the text that names the ``value`` in the same mapping: a variable, or the path of a patch operation."""
_MARK: Final = rf"""\b(?:{"|".join(sorted(SECRET_MARKS))})\\?["']?[ \t]*:[ \t]*true\b"""
_OPTION_VALUE: Final = (
    r"""(?:\\?["']?(?:[ \t]*,\s*|[ \t]+)"""
    r"""(?:\\?"(?P<double>[^"\\\n]+)|'(?P<single>[^'\n]+)|(?P<plain>[^\s,\]"'\-\\][^\s,\]"'\\]*))"""
    r"""|["']?[ \t]*\n[ \t]*-[ \t]+(?P<line>[^\n]+))"""
)
"""The argument after an option: in the list, in the same shell command, or on the next line."""
_FLAG: Final = r"-(?<![\w\-]-)-?(?P<flag>[A-Za-z][\w.\-]{0,100}+)" + _OPTION_VALUE
_BARE: Final = r"""(?:[\[,]\s*|-[ \t]+)\\?["']?(?P<flag>[A-Za-z][\w.\-]{0,100}+)""" + _OPTION_VALUE
_ARGUMENTS: Final = rf"""(?<![\w.\-])(?:{"|".join(sorted(ARGUMENT_LISTS))})\\?["']?[ \t]*:"""
_SCHEME: Final = (
    r"""(?m)(?:(?:^|[:\-\[,{=])[ \t]*|["'])(?:Bearer|Basic) (?P<credentials>[^\s"',}\]\\]{4,})"""
    r"""(?=[ \t\\"',}\]]*(?:#|$))"""
)
"""A value that is an authentication scheme and one word. Only a capital letter tells it from prose."""
_DEFAULT: Final = r"\$\{(?P<variable>\w+):?[-=+](?P<default>[^}\n]*+)"
_OF_KIND: Final = r"""kind(?<![^\s{,\[\-"']kind)["']?[ \t]*:[ \t]*["']?Secret(?:List)?\b"""
_MARKER: Final = r"(?m)^---(?=[ \t\r\n]|\Z)"
_ENTRY: Final = r"""(?P<lead>[ \t]*(?:-[ \t]+)*)["']?(?P<key>[^\s:"']+)["']?[ \t]*:(?=[ \t]|\Z)"""
_BRACES_ALONE: Final = r"[\s\[\]{},]*"
_BLOCK: Final = r"[|>][-+0-9]*(?:[ \t]+#.*)?"
_PUBLIC_SECRET_KEYS: Final = frozenset(
    ("apiVersion", "kind", "metadata", "name", "namespace", "type", "immutable", "items", "labels")
)
"""Keys of a Secret whose values are not confidential."""
_EMPTY: Final = ("", '""', "''")
_QUOTED: Final = r'"(?P<quoted>[^"\n]+)"|[*&!]?(?P<word>[^\s"]{6,})'
_LONGEST_LINE: Final = 2_000
"""Maximum characters before a position that are searched for its line start. Minified JSON is one line."""
_NEAR: Final = 300
"""Number of characters before and after a ``value`` in which its name is searched.

Searching the whole text for each ``value`` would be slow.
"""


@lru_cache(maxsize=2)  # consecutive findings are mostly in one text
def masked_source(text: str) -> Shown:
    """Return ``text`` with an asterisk for each character of a secret."""
    return Shown(masked(text, masked_ranges(text)))


def masked(text: str, ranges: Iterable[tuple[int, int]]) -> str:
    """Return ``text`` with an asterisk for each character in the sorted ranges, except line breaks."""
    parts: list[str] = []
    at = 0
    for start, end in ranges:
        if end > at:
            begin = max(start, at)
            parts += (text[at:begin], re.sub(r"[^\r\n]", "*", text[begin:end]))
            at = end
    return "".join((*parts, text[at:])) if parts else text


def masked_ranges(text: str) -> list[tuple[int, int]]:
    """Return the sorted ranges of ``text`` that are secrets. They may overlap."""
    ranges = {*secret_ranges(text), *_values_of_secrets(text), *_under_names(text), *_arguments(text), *_defaults(text)}
    if "Bearer " in text or "Basic " in text:
        found = (match.span("credentials") for match in re.finditer(_SCHEME, text))
        ranges.update(span for span in found if is_withheld(text[slice(*span)]))
    if "secretGenerator" in text:
        ranges.update(_literals(text))
    return sorted({*ranges, *(span for start, end in ranges for span in _anchored_spans(text, start, end))})


def _anchored_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of the value that an alias stands for."""
    alias = text[start:end].strip("\"'")
    if re.fullmatch(r"\*[\w.\-]+", alias):
        at = text.find(anchor := f"&{alias[1:]}")
        while at >= 0:
            at += len(anchor)
            if text[at : at + 1].isspace():
                yield from _value(text, at, _end_of_value(text, at))
            at = text.find(anchor, at)


def _end_of_value(text: str, at: int) -> int:
    return _value_pattern().match(text, at).end()  # type: ignore[union-attr] # it may be empty


def with_quotes_masked(message: str, text: str) -> str:
    """Return a parser's message about ``text`` with the secrets that it quotes masked."""
    seen = masked_source(text)
    if seen == text:
        return message

    def mask_quote(quote: re.Match[str]) -> str:
        quoted = (quote["quoted"] or quote["word"]).rstrip("…")
        is_visible = quoted in seen or (quoted not in text and "\\" not in quoted)
        return quote[0] if is_visible else quote[0].replace(quoted, MASK)

    return re.sub(_QUOTED, mask_quote, message)


def _values_of_secrets(text: str) -> Iterator[tuple[int, int]]:
    if "Secret" not in text or re.search(_OF_KIND, text) is None:
        return
    bounds = [0, *(match.start() for match in re.finditer(_MARKER, text)), len(text)]
    for number in range(len(bounds) - 1):
        start, end = bounds[number], bounds[number + 1]
        if re.search(_OF_KIND, text[start:end]):
            yield from _values_of_secret(text, start, end)


def _values_of_secret(text: str, at: int, end: int) -> Iterator[tuple[int, int]]:
    holds: int | None = None  # how far the key is indented below which the values stand
    for line in text[at:end].splitlines(keepends=True):
        written = line.rstrip()
        start, at = at, at + len(line)
        indent = len(written) - len(written.lstrip())
        if not written or written.lstrip().startswith(("#", "---")) or re.fullmatch(_BRACES_ALONE, written):
            continue
        if holds is not None and indent <= holds:
            holds = None
        entry = re.match(_ENTRY, written)
        if entry and holds is None and entry["key"] in SECRET_DATA and written[entry.end() :].strip() in ("", "{"):
            holds = indent
        elif entry is None or "{" in written or "[" in written:
            yield start + indent, start + len(written)
        elif written[entry.end() :].strip() in _EMPTY:
            continue
        elif holds is not None or entry["key"] not in _PUBLIC_SECRET_KEYS:
            yield start + entry.end(), start + len(written)


def _under_names(text: str) -> Iterator[tuple[int, int]]:
    covered = listed = public = 0
    for start, name, colon in sorted(_keys(text)):
        if start + len(name) <= covered or start < public:
            continue
        end = _end_of_value(text, colon)
        if re.search(PUBLIC_HOLDERS, name):
            public = _collection_end(text, start, colon)
            continue
        is_plural = name.endswith("s") and is_sensitive(name[:-1])
        if is_plural and start >= listed:
            listed = _collection_end(text, start, colon)
        if name in VALUE_KEYS:
            is_secret = start < listed or _is_beside_sensitive(text, start, end)
        elif is_plural and not is_sensitive(name):
            is_secret = _is_list_of_texts(text, colon)
        else:
            is_secret = is_sensitive(name) and not (
                name == "secretKey" and re.search(SOURCE_OF_KEY, _around(text, start, end))
            )
        if is_secret:
            for first, stop in _value(text, colon, end):
                covered = max(covered, stop)
                yield first, stop


def _is_list_of_texts(text: str, at: int) -> bool:
    """Return whether the value after a key is a list whose first item is neither a mapping nor a list."""
    return re.compile(r"\s*(?:\[|-[ \t])\s*(?![\[{\s]|[\w.\-]+:\s)").match(text, at) is not None


def _keys(text: str) -> Iterator[tuple[int, str, int]]:
    """Yield each key that may be sensitive as three items: start of the key, its name, and start of the value."""
    lower = text.lower()
    if len(lower) != len(text):  # of a few letters the small form is longer
        lower = "".join([char.lower() if char.isascii() else char for char in text])
    for word in NAME_ENDS:
        at = lower.find(word)
        while at >= 0:
            follows = _name_end().match(lower, at + len(word))
            if follows is not None:
                start = at
                while start and (text[start - 1].isalnum() or text[start - 1] in "_.-/"):
                    start -= 1
                if start and text[start - 1] == "\\":  # the first letter may belong to an escape such as \\n
                    start += len(re.match(r"u00..|[nrt]|", text[start : start + 5])[0])  # type: ignore[index] # empty
                yield start, text[start : follows.start(1)], follows.end()
            at = lower.find(word, at + len(word))


@cache
def _name_end() -> re.Pattern[str]:
    return re.compile(_NAME_END)


@cache
def _value_pattern() -> re.Pattern[str]:
    return re.compile(_VALUE)


def _is_beside_sensitive(text: str, start: int, end: int) -> bool:
    """Return whether a sensitive ``name`` or ``path``, or a mark, is beside the key on the line up to ``end``."""
    around = _around(text, start, end)
    if not any(word in around for word in ("name", "path", "key", "true")):
        return False
    if "true" in around and re.search(_MARK, around):
        return True
    for match in re.finditer(f"(?m){_NAME}", around):
        if any(map(is_sensitive, match[1].split("/"))):
            return True
        if re.fullmatch(UNNAMED_PATH, match[1]):
            return not text[start:end].partition(":")[2].lstrip(" \"'").startswith("-")
    return False


def _around(text: str, start: int, end: int) -> str:
    """Return the part of the text that has the mapping of the key at ``start``; ``end`` is the end of its line."""
    first, last = max(0, start - _NEAR), end + _NEAR
    brace = text.rfind("{", first, start)
    if brace >= 0 and text.find("}", brace, start) < 0:
        return f"{text[brace:start]}\n{text[start:end].partition('}')[0]}\n{text[end:last].partition('}')[0]}"
    line = text[_line_start(text, start) : end]
    above = text[first : _line_start(text, start)].split("\n")[::-1]
    is_first = line.lstrip().startswith("-")
    below = text[end:last].split("\n")[1:]
    return "\n".join([line, *([] if is_first else _siblings(above, line)), *_siblings(below, line, until="-")])


def _siblings(lines: list[str], line: str, until: str | None = None) -> Iterator[str]:
    """Yield lines with keys of the same mapping as ``line``, nearest first, until a line that begins with ``until``."""
    column = _column(line)
    for other in lines:
        if other.strip()[:1] in ("", "#") or _column(other) > column:
            continue
        if _column(other) < column or (until and other.lstrip().startswith(until)):
            return
        yield other
        if other.lstrip().startswith("-"):
            return


def _column(line: str) -> int:
    """Return the column of the first key in the line, after list dashes."""
    return len(line) - len(line.lstrip(" -"))


def _collection_end(text: str, start: int, at: int) -> int:
    """Return the end of the list or mapping that follows ``at``, the position after a key's colon."""
    begin = at + len(text[at : at + _NEAR]) - len(text[at : at + _NEAR].lstrip())
    if text[begin : begin + 1] in ("[", "{"):
        depth = 0
        for bracket in re.compile(r"[\[\]{}]").finditer(text, begin):
            depth += 1 if bracket[0] in "[{" else -1
            if depth == 0:
                return bracket.end()
        return len(text)
    column = _column(text[_line_start(text, start) : start + 1])
    line = text.find("\n", at)
    while line >= 0:
        end = text.find("\n", line + 1)
        written = text[line + 1 :] if end < 0 else text[line + 1 : end]
        indent = len(written) - len(written.lstrip())
        if written.strip() and (indent < column or (indent == column and written[indent] != "-")):
            return line
        line = end
    return len(text)


def _value(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the range of a value that begins within a line, and the ranges of its further lines."""
    written = text[start:end]
    start += len(written) - len(written.lstrip())
    written = written.strip()
    line = _line_start(text, start)
    if not written or written.startswith("#") or re.fullmatch(_BLOCK, written):
        yield from _lines_below(text, line, end, is_block=bool(written) and not written.startswith("#"))
        return
    if written.startswith("{"):
        return
    if written.startswith("*"):
        yield from _anchored_spans(text, start, start + len(re.split(r"[,}\s]", written, maxsplit=1)[0]))
        return
    if written.startswith("["):
        close = text.find("]", start, start + _LONGEST_LINE)
        yield start, start + len(written.partition("]")[0]) if close < 0 else close
        return
    if written[0] not in "\"'":
        if "{" in text[max(line, start - _NEAR) : start]:
            written = re.split(r"[,}]", written, maxsplit=1)[0]
        else:
            at = text.find("\n", start)
            written = text[start:] if at < 0 else text[start:at]
        written = written.partition(" #")[0].rstrip()
    if is_withheld(written.strip("\"',")):
        yield start, start + len(written)
        yield from _lines_below(text, line, end, is_block=False)


def _line_start(text: str, at: int) -> int:
    first = max(0, at - _LONGEST_LINE)
    return max(first, text.rfind("\n", first, at) + 1)


def _lines_below(text: str, line: int, end: int, *, is_block: bool) -> Iterator[tuple[int, int]]:
    """Yield the ranges of the lines below a key that belong to its value: a block, a continued string, or a list."""
    first_line = text[line:end]
    indent = len(first_line) - len(first_line.lstrip(" -"))
    at = text.find("\n", end)
    while at >= 0:
        start = at + 1
        at = text.find("\n", start)
        below = (text[start:] if at < 0 else text[start:at]).rstrip()
        if not below:
            continue
        depth = len(below) - len(below.lstrip())
        has_entry = re.match(_ENTRY, below) is not None
        is_item = below[depth : depth + 2] == "- " and not has_entry and not is_block
        if depth < indent or (depth == indent and not is_item):
            return
        if not is_block and not is_item and (has_entry or below[depth] in "-{[}]#\"'"):
            return
        yield start + depth + is_item, start + len(below)


def _defaults(text: str) -> Iterator[tuple[int, int]]:
    if "${" not in text:
        return
    for match in re.finditer(_DEFAULT, text):
        if is_sensitive(match["variable"]) and is_withheld(match["default"]):
            yield match.span("default")


def _arguments(text: str) -> Iterator[tuple[int, int]]:
    matches = [*re.compile(_FLAG).finditer(text)] if "-" in text else []
    for match in re.compile(_ARGUMENTS).finditer(text):
        end = _collection_end(text, match.start(), match.end())
        matches += re.compile(_BARE).finditer(text, match.end(), end)
    for match in matches:
        group = match.lastgroup or ""
        value = match[group].strip("\"'")
        if is_sensitive(match["flag"]) and not value.startswith("-") and (value[:1] == "*" or is_withheld(value)):
            yield match.span(group)


def _literals(text: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges of the values that a kustomization puts into Secrets."""
    for holder in re.finditer(r"secretGenerator[\"']?[ \t]*:", text):
        end = _collection_end(text, holder.start(), holder.end())
        for match in re.compile(r"literals[\"']?[ \t]*:").finditer(text, holder.end(), end):
            last = min(end, _collection_end(text, match.start(), match.end()))
            for literal in re.compile(r"""[\w.\-]=["']?(?P<value>[^\n"',\]]+)""").finditer(text, match.end(), last):
                yield literal.span("value")
