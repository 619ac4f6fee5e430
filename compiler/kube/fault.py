"""What was meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Give the known word that was probably meant."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word[:64], list(known), 1)), None)
