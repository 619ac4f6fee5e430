"""The formats of a report, and what each shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from ..project.suppression import LEVELS

if TYPE_CHECKING:
    from ..diagnostics.finding import Severity
    from ..project.settings import Threshold

Format: TypeAlias = Literal["text", "json", "github", "sarif", "junit", "gitlab", "markdown"]
"""Each is the module of this room that writes it."""

FORMATS: tuple[Format, ...] = get_args(Format)


def least(format_: str, severity: Severity | None, threshold: Threshold) -> Severity:
    """Return the least severity that a report of a format shows; what decides the exit status is always shown.

    Args:
        format_: One of `FORMATS`.
        severity: What is asked for, ``None`` for what is usual in the format.
        threshold: The severity that decides the exit status.
    """
    asked: Severity = severity or ("warning" if format_ == "text" else "info")
    if threshold == "never" or LEVELS[asked] <= LEVELS[threshold]:
        return asked
    return threshold
