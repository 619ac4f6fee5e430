"""Turn a fault into a finding of a rule, at its place in the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Literal, Protocol

    from .fault import Fault
    from .finding import Finding, Note, Rule, Severity, Stage
    from .span import Path, Span

    class Holder(Protocol):
        """A document or resource: data whose values have places in a text."""

        def states(self, *path: str | int) -> bool:
            """Return whether the text states the field at ``path``."""

        def at_offset(self, path: Path, offset: int) -> Span:
            """Return the place of the word at ``offset`` of the text at ``path``."""

        def finding(  # noqa: PLR0913 - each argument is one fact of the finding
            self,
            rule: Rule,
            path: Path,
            message: str,
            *,
            hint: str | None = None,
            notes: tuple[Note, ...] = (),
            on: Literal["value", "key"] = "value",
            severity: Severity | None = None,
            span: Span | None = None,
        ) -> Finding:
            """Return a finding about the value (or the key) at ``path``."""


def finding_of(
    holder: Holder, fault: Fault, path: Path | None = None, *, notes: tuple[Note, ...] = (), stage: Stage | None = None
) -> Finding:
    """Return the finding for a fault. If the text lacks the path, the finding is at the nearest enclosing value.

    Args:
        holder: The document or resource that the finding is about.
        path: Path within ``holder``, if it differs from the fault's own path.
        notes: Other places that explain the finding.
        stage: The component that refuses the value, if it differs from the rule's stage.
    """
    asked = fault.path if path is None else path
    place = stated(holder, asked)
    is_there = place == asked
    finding = holder.finding(
        fault.rule,
        place,
        fault.message,
        hint=fault.hint,
        notes=notes,
        on="key" if fault.on_key and is_there else "value",
        severity=fault.severity,
        span=holder.at_offset(place, fault.offset) if fault.offset is not None and is_there else None,
    )
    return finding if stage is None else restaged(finding, stage)


def stated(holder: Holder, path: Path) -> Path:
    """Return the longest part of ``path`` that the text contains: for a missing field, the mapping that lacks it."""
    while path and not holder.states(*path):
        path = path[:-1]
    return path


def restaged(finding: Finding, stage: Stage) -> Finding:
    """Return the finding with another stage, as a warning for stage lint and as an error for any other.

    A finding that already has the stage keeps its severity.
    """
    severity: Severity = "warning" if stage == "lint" else "error"
    return finding if finding.stage == stage else finding._replace(stage=stage, severity=severity)
