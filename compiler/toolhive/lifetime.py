"""How long the tokens of an embedded authorization server may live, wherever it is configured.

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
"""Shortest and longest life of each token."""


def lifespan_fault(token: Token, text: str) -> str | None:
    """Return what is wrong with a lifespan, in a clause that names it; zero counts as not given."""
    try:
        lifespan = parse_duration(text)
    except DurationError as error:
        return str(error)
    shortest, longest = BOUNDS[token]
    if lifespan and not parse_duration(shortest) <= lifespan <= parse_duration(longest):
        return f'"{text}" is not between {shortest} and {longest}'
    return None
