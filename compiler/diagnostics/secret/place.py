"""Find the places of the secrets of a document that a report of a finding could show."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from ..span import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..span import Path

_LINE_END: Final = 1 << 30
"""A column beyond the end of every line, for secrets that continue on the next line."""

REACH: Final = 400
"""Maximum characters of a source line that a report shows on each side of the start of a finding.

Therefore only secrets this near have to be masked. Otherwise a long line with many findings would take too long.
"""


class SecretPlaces:
    """The places of the values that are secret as a whole, which are searched when the first finding needs them.

    Args:
        paths: The paths of the values, also of those that a patch, a variable or an alias has put there.
        span_of: Returns the place of the value at a path, in whatever file it is; ``None`` if it has none.
    """

    def __init__(self, paths: Iterable[Path], span_of: Callable[[Path], Span | None]) -> None:
        self._paths = paths
        self._span_of = span_of
        self._lines: dict[tuple[str, int], list[Span]] | None = None

    def near(self, span: Span) -> tuple[Span, ...]:
        """Return the spans of secrets on the first line of ``span``, within `REACH` characters."""
        if self._lines is None:
            self._lines = self._spans_by_line()
        spans = self._lines.get((span.file, span.line), [])
        first = bisect_left(spans, span.column - REACH, key=lambda secret_span: secret_span.end_column)
        end = bisect_left(spans, span.column + REACH, key=lambda secret_span: secret_span.column)
        return tuple(spans[first:end])

    def _spans_by_line(self) -> dict[tuple[str, int], list[Span]]:
        out: dict[tuple[str, int], set[Span]] = {}
        for span in filter(None, map(self._span_of, self._paths)):
            for number in range(span.line, span.end_line + 1):
                start = span.column if number == span.line else 1
                end = span.end_column if number == span.end_line else _LINE_END
                out.setdefault((span.file, number), set()).add(Span(span.file, number, start, number, end))
        return {place: sorted(spans) for place, spans in out.items()}
