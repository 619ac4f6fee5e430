"""The formats of texts that the API server checks. Imported by the few fields that have one.

Source: Kubernetes 1.35, k8s.io/kube-openapi: pkg/validation/strfmt (``default.go``, ``duration.go``).
"""

from __future__ import annotations

import re
from typing import Final

from ..golang import url
from ..golang.duration import DurationError, parse_duration

_TERM: Final = r"[0-9]+\s*([A-Za-zµ]+)"
_UNITS: Final = re.compile(
    "ns|us|µs|ms|s|m|h|hr|d|w|wk|(?:nano|micro|milli|sec|min|hour|day|week).*", re.IGNORECASE | re.ASCII
)
"""What is taken beside Go's durations, anywhere in the text: ``3 days``."""


def has_format(text: str, form: str) -> bool:
    """Return whether a text is of a format: ``duration``, ``uri``."""
    return _is_duration(text) if form == "duration" else _is_uri(text)


def _is_duration(text: str) -> bool:
    try:
        parse_duration(text)
    except DurationError:
        return any(_UNITS.fullmatch(unit) for unit in re.findall(_TERM, text))
    return True


def _is_uri(text: str) -> bool:
    """Return whether Go's ``url.ParseRequestURI`` takes a text: an absolute URL, an absolute path, or ``*``."""
    if text == "*":
        return True
    try:
        parsed = url.parse(text)
    except url.UrlError:
        return False
    return bool(parsed.scheme) or text.startswith("/")
