"""The formats of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from ..diagnostics.finding import LEVELS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..diagnostics.finding import Finding

Format: TypeAlias = Literal["text", "json", "github", "sarif", "junit", "gitlab", "markdown"]
"""Each is the module of this room that writes it."""

FORMATS: tuple[Format, ...] = get_args(Format)


def worst_first(findings: Iterable[Finding]) -> list[Finding]:
    """Return errors, then warnings, then infos, each in the order given: for reports of which the end is cut off."""
    return sorted(findings, key=lambda finding: -LEVELS[finding.severity])
