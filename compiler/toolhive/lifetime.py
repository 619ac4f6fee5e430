"""Lifetimes of an embedded authorization server's tokens, for every place that configures them.

Source: toolhive 0.21.0, package authserver/server.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from ..golang.duration import DurationError, parse_duration

Token: TypeAlias = Literal["access", "refresh", "code"]

BOUNDS: Final[dict[Token, tuple[str, str]]] = {
    "access": ("1m", "24h"),
    "refresh": ("1h", "720h"),
    "code": ("30s", "10m"),
}
"""Minimum and maximum lifetime by type of token."""


def lifespan_fault(token: Token, text: str) -> str | None:
    """Return the fault of a lifetime as a clause that quotes it, or ``None``; zero counts as unset."""
    try:
        lifespan = parse_duration(text)
    except DurationError as error:
        return str(error)
    shortest, longest = BOUNDS[token]
    if lifespan and not parse_duration(shortest) <= lifespan <= parse_duration(longest):
        return f'"{text}" is not between {shortest} and {longest}'
    return None
