"""From a fault in plain data to a finding about the resource or file that the data came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..compiler.diagnostics.placeholder import is_placeholder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..compiler.diagnostics.finding import Finding, Note, Rule, Severity, Stage
    from ..compiler.diagnostics.span import Path
    from ..compiler.workflow.fault import Fault
    from ..compiler.workspace.resource import Resource


def stated(resource: Resource, path: Path) -> Path:
    """Return the part of ``path`` that the text states: of something missing, the mapping that lacks it."""
    while path and not resource.states(*path):
        path = path[:-1]
    return path


def tell(
    resource: Resource,
    rule: Rule,
    path: Path,
    fault: Fault,
    *,
    notes: tuple[Note, ...] = (),
    stage: Stage | None = None,
) -> Finding:
    """Make a finding of a fault that lies at ``path`` of a resource, or at the nearest place that the text states.

    Args:
        resource: Where it is told.
        rule: Whose finding it is.
        path: From the resource's root.
        fault: What is wrong; its own path is not looked at.
        notes: Places that explain it.
        stage: Who refuses, where it is not whom the rule names.
    """
    place = stated(resource, path)
    on_key = fault.on_key and place == path
    span = resource.at_offset(path, fault.offset) if fault.offset is not None and place == path else None
    finding = resource.finding(
        rule, place, fault.message, hint=fault.hint, notes=notes, on="key" if on_key else "value", span=span
    )
    return finding if stage is None else restaged(finding, stage)


def restaged(finding: Finding, stage: Stage) -> Finding:
    """Report that another stage refuses: what the cluster refuses is an error, a lint is a warning."""
    severity: Severity = "warning" if stage == "lint" else "error"
    return finding if finding.stage == stage else finding._replace(stage=stage, severity=severity)


def has_placeholder(value: Any) -> bool:
    """Return whether a placeholder stands anywhere in ``value``.

    In a Go template ``$name`` is a variable, and as a key it is a word of JSON Schema: there only ``${NAME}`` counts.
    """
    if isinstance(value, str) and "$" not in value:
        return False
    values: list[Any] = [value]
    for item in values:  # which grows by what is within
        if isinstance(item, str):
            if "$" in item and ("{{" not in item or "${" in item) and is_placeholder(item):
                return True
        elif isinstance(item, dict):
            values += item.values()
            values += [key for key in item if "${" in key]
        elif isinstance(item, list):
            values += item
    return False


def known(texts: Iterable[str]) -> bool:
    """Return whether none of ``texts`` is filled in by a later tool."""
    return not any(is_placeholder(text) for text in texts)
