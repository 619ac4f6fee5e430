"""Where a record holds secrets in plain text: what no report may show, whatever else is wrong near it."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any

from ...diagnostics.secret_detection import gives_itself_away, looks_secret
from ...diagnostics.span import Span
from .reference import parse_secret

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...diagnostics.span import Path
    from ...reading.document import Document

SECRET_KEYS = frozenset({"clientsecret", "bearertoken", "password", "secrets"})
"""Keys, in lower case and without separators, below which texts are secrets unless they are references to some."""

REFERENCE_KEYS = ("name", "target")
"""Keys of a reference to a secret that is written as an object."""

CREDENTIAL_HEADERS = ("authorization", "cookie", "proxy-authorization")
_NEAR = 400
"""Characters of a line around a finding that may be shown with it."""

_LINE_END = 1 << 30


class SecretPlaces:
    """The secrets of a document, by the lines that they stand on; looked for when the first finding asks."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._lines: dict[int, list[Span]] | None = None

    def near(self, span: Span) -> tuple[Span, ...]:
        """Return the places of the secrets that would be shown together with ``span``."""
        if self._lines is None:
            self._lines = self._by_line()
        found = self._lines.get(span.line, [])
        first = bisect_left(found, span.column - _NEAR, key=lambda one: one.end_column)
        end = bisect_left(found, span.column + _NEAR, key=lambda one: one.column)
        return tuple(found[first:end])

    def _by_line(self) -> dict[int, list[Span]]:
        out: dict[int, list[Span]] = {}
        for path in secret_paths(self._document.data):
            span = self._document.span(path)
            for number in range(span.line, span.end_line + 1):
                start = span.column if number == span.line else 1
                end = span.end_column if number == span.end_line else _LINE_END
                out.setdefault(number, []).append(Span(span.file, number, start, number, end))
        return {number: sorted(spans) for number, spans in out.items()}


def secret_paths(data: Any) -> Iterator[Path]:
    """Yield where texts stand that are secrets by their key or by their look."""
    waiting: list[tuple[Path, Any, bool]] = [((), data, False)]
    while waiting:
        path, value, is_secret = waiting.pop()
        if isinstance(value, str):
            if (is_secret and parse_secret(value) is None) or is_likely_secret(str(path[-1]) if path else "", value):
                yield path
        elif isinstance(value, dict):
            for key, inner in value.items():
                own = is_secret and key not in REFERENCE_KEYS
                waiting.append(((*path, key), inner, own or _is_secret_key(key)))
        elif isinstance(value, list):
            waiting += [((*path, number), inner, is_secret) for number, inner in enumerate(value)]


def is_likely_secret(name: str, value: str) -> bool:
    """Return whether a value that stands under a name, of a variable or a header, looks like a secret."""
    lowered = name.lower()
    named = lowered in CREDENTIAL_HEADERS and looks_secret("token", value)
    return parse_secret(value) is None and (named or looks_secret(lowered, value) or gives_itself_away(value))


def _is_secret_key(key: object) -> bool:
    return isinstance(key, str) and key.lower().replace("_", "").replace("-", "") in SECRET_KEYS
