"""Findings as editors show them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..diagnostics.finding import Finding, Note, Severity
    from .line_map import LineMap, Point

Tag = Literal["unnecessary", "deprecated"]

_WITHOUT_USE: Final = frozenset({"unused", "ignored", "unread"})
_OF_EARLIER: Final = frozenset({"deprecated", "legacy"})
MOST: Final = 1_000
"""Diagnostics of one document."""


class Diagnostic(NamedTuple):
    """A finding in a text.

    Attributes:
        start: Where it begins.
        end: Where it ends.
        severity: As the finding has it.
        code: The rule.
        message: What is wrong, and on a second line what to do.
        tags: What else an editor may make of it.
        notes: Other places that explain it.
    """

    start: Point
    end: Point
    severity: Severity
    code: str
    message: str
    tags: tuple[Tag, ...]
    notes: tuple[Note, ...]


def diagnostics(findings: Iterable[Finding], lines: LineMap) -> list[Diagnostic]:
    """Return the findings of one text as diagnostics, at most `MOST`."""
    return [_diagnostic(finding, lines) for finding, _ in zip(findings, range(MOST), strict=False)]


def at_offset(findings: Iterable[Finding], lines: LineMap, offset: int) -> list[Finding]:
    """Return the findings whose place ``offset`` is in, or next to."""
    return [one for one in findings if (extent := lines.extent(one.span))[0] <= offset <= extent[1]]


def _diagnostic(finding: Finding, lines: LineMap) -> Diagnostic:
    start, end = lines.points(finding.span)
    hint = f"\nhint: {finding.hint}" if finding.hint is not None else ""
    notes = tuple(note for note in finding.notes if note.span is not None)
    others = "".join(f"\nnote: {note.message}" for note in finding.notes if note.span is None)
    return Diagnostic(
        start, end, finding.severity, finding.rule, finding.message + hint + others, tags_of(finding), notes
    )


def tags_of(finding: Finding) -> tuple[Tag, ...]:
    """Return, by the name of its rule, whether a finding is about what nothing reads, or is of earlier versions."""
    if finding.stage != "lint":
        return ()
    words = set(finding.name.split("-"))
    if words & _OF_EARLIER:
        return ("deprecated",)
    return ("unnecessary",) if words & _WITHOUT_USE or finding.name.endswith("without-effect") else ()
