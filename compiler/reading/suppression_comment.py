"""Find comments that suppress rules, such as ``# mcpcfg: ignore[REF001]``."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import islice
from typing import TYPE_CHECKING, Final

from ..diagnostics.named_tuple import NamedTuple
from .bound import MAX_DEPTH
from .excerpt import excerpts
from .fault import line_end

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..diagnostics.span import Span
    from .excerpt import Excerpt

_MARK: Final = "mcpcfg:"
_COMMENT: Final = r"(?<![^ \t\r\n])#[ \t]*mcpcfg:[ \t]*(ignore)(?:\[([^\]\r\n]*+)(\]?)|(?![\w-]))"
"""Pattern of a comment that suppresses rules.

An unclosed bracket matches up to the end of its line. Otherwise, each comment of a hostile line would search the whole
line for the closing bracket.
"""
_ID: Final = r"[^\s,]+"
_LINES_WITHOUT: Final = r"[^\r\n]*+(?>(?:(?:\r\n?|\n)[ \t]*+(?:#[^\r\n]*+)?+(?=[\r\n]|\Z))*)(?:\r\n?|\n)?+"


MOST_IDS: Final = 50
"""Maximum number of rules that a comment can suppress, because each becomes an `Ignore`."""
BEYOND: Final = "*"


class Ignore(NamedTuple):
    """A rule that a comment suppresses.

    Attributes:
        rule: The id as written; empty if the comment names none; ``BEYOND`` for all ids above the maximum.
        line: The line whose findings are suppressed, starting at 1.
        span: The span of the id, or of a comment without ids. A finding says there that nothing was suppressed.
    """

    rule: str
    line: int
    span: Span


def ignores(text: str, file: str) -> list[Ignore]:
    """Return the rules that the comments of a YAML text suppress, in the order of the text.

    A comment at the end of a line concerns that line. A comment on its own line concerns the next line that is neither
    blank nor a comment. Text inside quoted values and blocks is no comment.
    """
    if _MARK not in text:
        return []
    return [ignore for excerpt in excerpts(text, file) if _MARK in excerpt.body for ignore in _in_excerpt(excerpt)]


def _in_excerpt(excerpt: Excerpt) -> Iterator[Ignore]:
    body = excerpt.body
    starts, ends = _text_extents(body)
    content = -1  # of the line that the last comment is about
    for comment in re.finditer(_COMMENT, body):
        nearest = bisect_right(starts, comment.start()) - 1
        if nearest >= 0 and comment.start() < ends[nearest]:
            continue
        about = comment.start()
        if _stands_alone(body, about):
            content = _next_content(body, comment.end()) if content < about else content
            about = content
        line = excerpt.span(about, about).line
        ids = re.compile(_ID).finditer(body, comment.start(2), comment.end(2)) if comment[3] else ()
        names = list(islice(ids, MOST_IDS + 1))
        for number, name in enumerate(names or [comment]):
            start, end = name.span()
            if name is comment:
                start, end = comment.start(1), comment.end() if comment[3] else comment.end(1)
            rule = "" if name is comment else name[0]
            yield Ignore(rule if number < MOST_IDS else BEYOND, line, excerpt.span(start, end))


def _stands_alone(body: str, at: int) -> bool:
    while at and body[at - 1] in " \t":
        at -= 1
    return at == 0 or body[at - 1] in "\r\n"


def _next_content(body: str, at: int) -> int:
    match = re.compile(_LINES_WITHOUT).match(body, at)
    return match.end() if match else len(body)


def _text_extents(body: str) -> tuple[list[int], list[int]]:
    """Return the start indices and the end indices of quoted values and block scalars, up to the first YAML error."""
    from yaml.events import CollectionEndEvent, CollectionStartEvent, ScalarEvent, StreamEndEvent

    from .parser import YAMLError, event_parser, extent_of

    starts: list[int] = []
    ends: list[int] = []
    depth = 0
    try:
        parser = event_parser(body)
        while depth <= MAX_DEPTH and type(event := parser.get_event()) is not StreamEndEvent:
            depth += isinstance(event, CollectionStartEvent) - isinstance(event, CollectionEndEvent)
            if type(event) is ScalarEvent and event.style:
                start, end = extent_of(event)
                starts.append(line_end(body, start) if event.style in "|>" else start)
                ends.append(end)
    except (YAMLError, UnicodeError):
        pass  # the rest is no YAML: its comments are taken as they look
    return starts, ends
