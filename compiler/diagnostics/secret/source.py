"""Show source texts with asterisks in place of secrets. Lines and columns stay the same."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from ..span import Span
from .text import REACH, Shown, starred
from .value import Secrets, ranges_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..span import Path


class SecretPlaces:
    """The places of the values that are secret as a whole, found when the first finding needs them.

    Args:
        paths: The paths of the values, also of those that a patch, a variable or an alias has put there.
        span_of: Returns the place of the value at a path, in whatever file; ``None`` if it has none.
    """

    def __init__(self, paths: Iterable[Path], span_of: Callable[[Path], Span | None]) -> None:
        self._paths = paths
        self._span_of = span_of

    def near(self, span: Span) -> tuple[Span, ...]:
        """Return the spans of secrets on the first line of ``span``, within `REACH` characters."""
        spans = self._lines.get((span.file, span.line), [])
        first = bisect_left(spans, span.column - REACH, key=lambda secret_span: secret_span.end_column)
        end = bisect_left(spans, span.column + REACH, key=lambda secret_span: secret_span.column)
        return tuple(spans[first:end])

    @cached_property
    def _lines(self) -> dict[tuple[str, int], list[Span]]:
        out: dict[tuple[str, int], set[Span]] = {}
        for span in filter(None, map(self._span_of, self._paths)):
            for number in range(span.line, span.end_line + 1):
                start = span.column if number == span.line else 1
                end = span.end_column if number == span.end_line else 1 << 30  # beyond the end of every line
                out.setdefault((span.file, number), set()).add(Span(span.file, number, start, number, end))
        return {place: sorted(spans) for place, spans in out.items()}


@lru_cache(maxsize=2)  # consecutive findings are mostly in one text
def masked_source(text: str) -> Shown:
    """Return ``text`` with an asterisk for each character of a secret."""
    return Shown(starred(text, ranges_of(text)))


def with_quotes_masked(message: str, text: str) -> str:
    """Return a parser's message about ``text`` with the secrets that it quotes masked, and the words in them."""
    secrets = {text[start:end] for start, end in ranges_of(text)}
    return Secrets({part for secret in secrets for part in (secret, *re.split(r"[\s\"]+", secret))}).without(message)
