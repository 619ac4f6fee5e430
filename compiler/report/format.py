"""The formats of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from ..diagnostics.finding import LEVELS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..diagnostics.finding import Finding

Format: TypeAlias = Literal["text", "json", "github", "sarif", "junit", "gitlab", "markdown"]
"""Each format is written by the module of the same name in this package."""

FORMATS: tuple[Format, ...] = get_args(Format)


def worst_first(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings sorted by severity, worst first and stable, as readers of a format may cut off the end."""
    return sorted(findings, key=lambda finding: -LEVELS[finding.severity])
