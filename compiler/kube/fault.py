"""A fault in a plain value by the rules of Kubernetes; callers turn it into a finding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..diagnostics.span import Path

FaultKind: TypeAlias = Literal["type", "invalid", "invalid-key", "required", "unknown", "forbidden", "too-long"]


class Fault(NamedTuple):
    """What is wrong at one place of a value.

    Attributes:
        path: From the root of the value that was given, in the user's own spelling; for something missing, the mapping
            that lacks it.
        message: One clause that names the value.
        hint: What to write instead, where that is known.
        kind: Which sort of fault, for callers that treat them apart.
    """

    path: Path
    message: str
    hint: str | None = None
    kind: FaultKind = "invalid"


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that was probably meant."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word[:64], list(known), 1)), None)
