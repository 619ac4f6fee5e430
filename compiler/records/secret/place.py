"""Find the secrets in plain text in a record, so no report shows them."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any

from ...diagnostics.finding import REACH
from ...diagnostics.secret_detection import has_credential_form, looks_secret
from ...diagnostics.span import Span
from .reference import parse_secret

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...diagnostics.span import Path
    from ...reading.document import Document

SECRET_KEYS = frozenset({"clientsecret", "bearertoken", "password", "secrets"})
"""Keys, in lower case without separators, below which texts are secrets unless they are references."""

REFERENCE_KEYS = ("name", "target")
"""The keys of a secret reference in object form."""

CREDENTIAL_HEADERS = ("authorization", "cookie", "proxy-authorization")

_LINE_END = 1 << 30
"""A column beyond the end of every line, for secrets that continue on the next line."""


class SecretPlaces:
    """The positions of the secrets in a document, which are searched when the first finding needs them."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._lines: dict[int, list[Span]] | None = None

    def near(self, span: Span) -> tuple[Span, ...]:
        """Return the spans of the secrets that a report of a finding at ``span`` could show.

        They are on the first line of ``span``, within `REACH` characters.
        """
        if self._lines is None:
            self._lines = self._spans_by_line()
        spans = self._lines.get(span.line, [])
        first = bisect_left(spans, span.column - REACH, key=lambda secret_span: secret_span.end_column)
        end = bisect_left(spans, span.column + REACH, key=lambda secret_span: secret_span.column)
        return tuple(spans[first:end])

    def _spans_by_line(self) -> dict[int, list[Span]]:
        out: dict[int, list[Span]] = {}
        for path in secret_paths(self._document.data):
            span = self._document.span(path)
            for number in range(span.line, span.end_line + 1):
                start = span.column if number == span.line else 1
                end = span.end_column if number == span.end_line else _LINE_END
                out.setdefault(number, []).append(Span(span.file, number, start, number, end))
        return {number: sorted(spans) for number, spans in out.items()}


def secret_paths(data: Any) -> Iterator[Path]:
    """Yield the paths of strings that look like secrets, because of their key or their form."""
    waiting: list[tuple[Path, Any, bool]] = [((), data, False)]
    while waiting:
        path, value, is_secret = waiting.pop()
        if isinstance(value, str):
            if (is_secret and parse_secret(value) is None) or is_likely_secret(str(path[-1]) if path else "", value):
                yield path
        elif isinstance(value, dict):
            for key, inner in value.items():
                is_secret_below = is_secret and key not in REFERENCE_KEYS
                waiting.append(((*path, key), inner, is_secret_below or _is_secret_key(key)))
        elif isinstance(value, list):
            waiting += [((*path, number), inner, is_secret) for number, inner in enumerate(value)]


def is_likely_secret(name: str, value: str) -> bool:
    """Return whether the value of a variable or header looks like a secret. References to secrets do not."""
    lowered = name.lower()
    named = lowered in CREDENTIAL_HEADERS and looks_secret("token", value)
    return parse_secret(value) is None and (named or looks_secret(lowered, value) or has_credential_form(value))


def _is_secret_key(key: object) -> bool:
    return isinstance(key, str) and key.lower().replace("_", "").replace("-", "") in SECRET_KEYS
