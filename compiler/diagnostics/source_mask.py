"""Source texts as they are shown: the same lines and columns, with asterisks in the place of secrets.

A text that is shown is often one that cannot be read, so lines are taken for what they look like. What is hidden
without need does no harm.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from .secret_text import MASK, forms, is_sensitive, is_withheld

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME_END: Final = r"""(?:word|wd|phrase|s)?(["']?[ \t]*:)"""
"""How a name may go on after one of `_SENSITIVE_WORDS`, and what follows the name of a key."""
_VALUE: Final = r"""[ \t]*(?:"(?:[^"\\\n]|\\.)*"?|'(?:[^'\n]|'')*'?|[^\s"'][^\n]{0,300})?"""
"""The value after a key, of which more may follow."""
_SENSITIVE_WORDS: Final = (
    *("pass", "secret", "token", "key", "credential"),
    *("authorization", "cookie", "hmac", "value"),
)
"""Of which the names of keys have one near their end that are sensitive, or may be."""
_NAME: Final = r"""(?:^|[\s{,"'\-])name["']?[ \t]*:[ \t]*["']?([\w.\-]+)"""
_FLAG: Final = (
    r"""-(?<![\w\-]-)-?(?P<flag>[A-Za-z][\w.\-]{0,100})(?:["']?[ \t]*(?:,\s*|\n[ \t]*-[ \t]+)|[ \t]+)["']?"""
    r"""(?P<value>[^\s,\]"'\-][^\s,\]"']*)"""
)
_OF_KIND: Final = r"""kind(?<![^\s{,\[\-"']kind)["']?[ \t]*:[ \t]*["']?Secret(?:List)?\b"""
_MARKER: Final = r"(?m)^---(?=[ \t\r\n]|\Z)"
_ENTRY: Final = r"""(?P<lead>[ \t]*(?:-[ \t]+)*)["']?(?P<key>[^\s:"']+)["']?[ \t]*:(?=[ \t]|\Z)"""
_BRACES_ALONE: Final = r"[\s\[\]{},]*"
_BLOCK: Final = r"[|>][-+0-9]*(?:[ \t]+#.*)?"
_SEEN_IN_A_SECRET: Final = frozenset(
    ("apiVersion", "kind", "metadata", "name", "namespace", "type", "immutable", "items", "labels")
)
"""Keys of a Secret whose values everybody may see."""
_HOLDING: Final = ("data", "stringData")
_QUOTED: Final = r'"(?P<quoted>[^"\n]+)"|[*&!]?(?P<word>[^\s"]{6,})'
_LONGEST_LINE: Final = 2_000
_NEAR: Final = 300
"""Characters in which the name beside a value is looked for."""


@lru_cache(maxsize=2)
def hidden(text: str) -> str:
    """Return ``text`` with an asterisk for each character of a secret."""
    parts: list[str] = []
    at = 0
    for start, end in stretches(text):
        if end > at:
            begin = max(start, at)
            parts += (text[at:begin], re.sub(r"[^\r\n]", "*", text[begin:end]))
            at = end
    return "".join((*parts, text[at:])) if parts else text


def stretches(text: str) -> list[tuple[int, int]]:
    """Return where ``text`` holds secrets, in order; they may overlap."""
    return sorted({*forms(text), *_of_secrets(text), *_under_names(text), *_after_flags(text)})


def without_hidden(message: str, text: str) -> str:
    """Return a message about a text that cannot be parsed, without the secrets that it quotes from it."""
    seen = hidden(text)
    if seen == text:
        return message

    def judged(quote: re.Match[str]) -> str:
        quoted = (quote["quoted"] or quote["word"]).rstrip("…")
        is_visible = quoted in seen or (quoted not in text and "\\" not in quoted)
        return quote[0] if is_visible else quote[0].replace(quoted, MASK)

    return re.sub(_QUOTED, judged, message)


def _of_secrets(text: str) -> Iterator[tuple[int, int]]:
    """Yield the values of documents of kind Secret."""
    if "Secret" not in text or re.search(_OF_KIND, text) is None:
        return
    bounds = [0, *(found.start() for found in re.finditer(_MARKER, text)), len(text)]
    for number in range(len(bounds) - 1):
        start, end = bounds[number], bounds[number + 1]
        if re.search(_OF_KIND, text[start:end]):
            yield from _of_secret(text, start, end)


def _of_secret(text: str, at: int, end: int) -> Iterator[tuple[int, int]]:
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
        if entry and holds is None and entry["key"] in _HOLDING and written[entry.end() :].strip() in ("", "{"):
            holds = indent
        elif entry is None or "{" in written or "[" in written:
            yield start + indent, start + len(written)
        elif holds is not None or entry["key"] not in _SEEN_IN_A_SECRET:
            yield start + entry.end(), start + len(written)


def _under_names(text: str) -> Iterator[tuple[int, int]]:
    """Yield what stands under a sensitive name."""
    covered = 0
    for start, name, colon in sorted(_keys(text)):
        if start + len(name) <= covered:
            continue
        is_value = name == "value"
        if not is_value and not is_sensitive(name):
            continue
        begin, end = _value_pattern().match(text, colon).span()  # type: ignore[union-attr] # it may be empty
        if not is_value or _is_beside_sensitive(text, start, end):
            for first, stop in _value(text, begin, end):
                covered = max(covered, stop)
                yield first, stop


def _keys(text: str) -> Iterator[tuple[int, str, int]]:
    """Yield the keys that end as sensitive ones may: where each begins, its name, and where its value may begin."""
    lower = text.lower()
    if len(lower) != len(text):  # of a few letters the small form is longer
        lower = "".join([char.lower() if char.isascii() else char for char in text])
    for word in _SENSITIVE_WORDS:
        at = lower.find(word)
        while at >= 0:
            follows = _name_end().match(lower, at + len(word))
            if follows is not None:
                start = at
                while start and (text[start - 1].isalnum() or text[start - 1] in "_.-"):
                    start -= 1
                yield start, text[start : follows.start(1)], follows.end()
            at = lower.find(word, at + len(word))


@cache
def _name_end() -> re.Pattern[str]:
    return re.compile(_NAME_END)


@cache
def _value_pattern() -> re.Pattern[str]:
    return re.compile(_VALUE)


def _is_beside_sensitive(text: str, start: int, end: int) -> bool:
    """Return whether the ``value`` at a place has a sensitive ``name`` beside it."""
    first, last = max(0, start - _NEAR), end + _NEAR
    brace = text.rfind("{", first, start)
    if brace >= 0 and text.find("}", brace, start) < 0:
        around = f"{text[brace:start]}\n{text[start:end].partition('}')[0]}\n{text[end:last].partition('}')[0]}"
    else:
        line = text[_line_start(text, start) : end]
        above = "" if line.lstrip().startswith("-") else _line_above(text, first, start)
        below = _line_below(text, end, last)
        around = f"{line}\n{above}\n{'' if below.lstrip().startswith('-') else below}"
    if "name" not in around:
        return False
    return any(is_sensitive(found[1]) for found in re.finditer(f"(?m){_NAME}", around))


def _line_above(text: str, first: int, at: int) -> str:
    """Return the last line with content before that of ``at``, as far as it stands behind ``first``."""
    end = text.rfind("\n", first, at)
    while end >= 0:
        start = max(text.rfind("\n", first, end) + 1, first)
        if _has_content(text[start:end]):
            return text[start:end]
        end = start - 1 if start > first else -1
    return ""


def _line_below(text: str, at: int, last: int) -> str:
    """Return the first line with content after that of ``at``, as far as it stands before ``last``."""
    start = text.find("\n", at, last) + 1
    while start:
        end = text.find("\n", start, last)
        line = text[start : last if end < 0 else end]
        if _has_content(line):
            return line
        start = end + 1
    return ""


def _has_content(line: str) -> bool:
    return line.strip()[:1] not in ("", "#")


def _value(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield a value that begins somewhere on a line, with the lines that belong to it."""
    written = text[start:end]
    start += len(written) - len(written.lstrip())
    written = written.strip()
    line = _line_start(text, start)
    if not written or written.startswith("#") or re.fullmatch(_BLOCK, written):
        yield from _lines_below(text, line, end, is_block=bool(written) and not written.startswith("#"))
        return
    if written.startswith(("{", "*")):
        return
    if written.startswith("["):
        written = written.partition("]")[0]
        yield start, start + len(written)
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
    """Return where the line begins that holds ``at``, or some place before on a line that is very long."""
    first = max(0, at - _LONGEST_LINE)
    return max(first, text.rfind("\n", first, at) + 1)


def _lines_below(text: str, line: int, end: int, *, is_block: bool) -> Iterator[tuple[int, int]]:
    """Yield the lines that belong to a key: all of a block; else those that go on with a text, or items of a list."""
    own = text[line:end]
    indent = len(own) - len(own.lstrip(" -"))
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


def _after_flags(text: str) -> Iterator[tuple[int, int]]:
    """Yield the arguments that follow a sensitive flag."""
    if "-" not in text:
        return
    for found in _flag().finditer(text):
        if is_sensitive(found["flag"]) and is_withheld(found["value"]):
            yield found.span("value")


@cache
def _flag() -> re.Pattern[str]:
    return re.compile(_FLAG)
