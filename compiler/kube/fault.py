"""A fault in a plain value by the rules of Kubernetes; callers turn it into a finding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcpcfg.compiler.source import Path

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


def shown(value: object, *, longest: int = 60) -> str:
    """Name a value in a message: scalars as JSON has them, cut to ``longest`` characters; others by their sort."""
    if isinstance(value, str):
        text = f'"{value}"'
    elif value is None or isinstance(value, bool):
        text = {None: "null", True: "true", False: "false"}[value]
    elif isinstance(value, (int, float)):
        # Python refuses to print integers of thousands of digits.
        text = f"{value}" if isinstance(value, float) or value.bit_length() < 1000 else "a number of hundreds of digits"
    elif isinstance(value, dict):
        text = "a mapping"
    else:
        text = "a list" if isinstance(value, list) else f"a {type(value).__name__}"
    return text if len(text) <= longest else f"{text[: longest - 2]}…{text[-1]}"


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Give the known word that was probably meant."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word[:64], list(known), 1)), None)
