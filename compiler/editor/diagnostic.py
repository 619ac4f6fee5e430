"""Diagnostics: findings in the form that editors display."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from ..diagnostics.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..diagnostics.finding import Finding, Note, Severity
    from .line_map import LineMap, Point

Tag = Literal["unnecessary", "deprecated"]

_WITHOUT_USE: Final = frozenset({"unused", "ignored", "unread"})
_OF_EARLIER: Final = frozenset({"deprecated", "legacy"})
MOST: Final = 1_000
"""Maximum number of diagnostics for one document, because editors get slow with more."""


class Diagnostic(NamedTuple):
    """A finding at a range of a text.

    Attributes:
        code: Id of the rule.
        message: Message of the finding. The hint, and notes without a place, follow on lines of their own.
        tags: Tags that change how the editor draws the range.
        notes: Notes of the finding that point to a place.
    """

    start: Point
    end: Point
    severity: Severity
    code: str
    message: str
    tags: tuple[Tag, ...]
    notes: tuple[Note, ...]


def diagnostics(findings: Iterable[Finding], lines: LineMap) -> list[Diagnostic]:
    """Return the first `MOST` findings of a text as diagnostics."""
    return [_diagnostic(finding, lines) for finding, _ in zip(findings, range(MOST), strict=False)]


def at_offset(findings: Iterable[Finding], lines: LineMap, offset: int) -> list[Finding]:
    """Return the findings whose range contains ``offset``, or ends there."""
    return [finding for finding in findings if (extent := lines.extent(finding.span))[0] <= offset <= extent[1]]


def _diagnostic(finding: Finding, lines: LineMap) -> Diagnostic:
    start, end = lines.points(finding.span)
    hint = f"\nhint: {finding.hint}" if finding.hint is not None else ""
    notes = tuple(note for note in finding.notes if note.span is not None)
    others = "".join(f"\nnote: {note.message}" for note in finding.notes if note.span is None)
    return Diagnostic(
        start, end, finding.severity, finding.rule, finding.message + hint + others, tags_of(finding), notes
    )


def tags_of(finding: Finding) -> tuple[Tag, ...]:
    """Return the tags for a lint about an unused or deprecated field. The name of the rule shows which it is."""
    if finding.stage != "lint":
        return ()
    words = set(finding.name.split("-"))
    if words & _OF_EARLIER:
        return ("deprecated",)
    return ("unnecessary",) if words & _WITHOUT_USE or finding.name.endswith("without-effect") else ()
