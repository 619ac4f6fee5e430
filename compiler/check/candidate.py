"""Add the names of the project's resources to hints about a missing reference."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ..admission.describe import CEL_RULE_FAILED, MISSING_FIELD
from ..diagnostics.shown import sanitized
from ..workspace._reference import REFERENCES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..diagnostics.finding import Finding
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace

_RULES: Final = frozenset({CEL_RULE_FAILED.id, MISSING_FIELD.id})
_LACKS: Final = re.compile(r"(?:has no|needs an?) ([a-z][A-Za-z]*Ref)\Z")
"""The end of the messages of admission about a missing reference, with the name of its field."""
_MOST: Final = 3
"""Maximum number of resources that a hint names."""


def name_candidates(findings: Iterable[Finding], workspace: Workspace) -> Iterator[Finding]:
    """Yield the findings. Hints about a missing reference name the resources of its namespace that it may refer to."""
    for finding in findings:
        lacked = _LACKS.search(finding.message) if finding.rule in _RULES and finding.subject is not None else None
        yield finding if lacked is None else _with_candidates(finding, lacked[1], workspace)


def _with_candidates(finding: Finding, field: str, workspace: Workspace) -> Finding:
    subject = finding.subject
    assert subject is not None
    kind = next((target for path, target, *_ in REFERENCES.get(subject.kind, ()) if field in path), "")
    resources: list[Resource[Any]] = workspace.of_kind(kind)
    names = sorted({other.name for other in resources if other.printed_namespace == subject.namespace})
    if not names:
        return finding
    hint = finding.hint if finding.hint and "{name: …" in finding.hint else f"add {field}: {{name: …}}"
    if len(names) == 1:
        return finding._replace(hint=sanitized(hint.replace("{name: …", f"{{name: {names[0]}", 1)))
    listed = ", ".join(names[:_MOST]) + (", …" if len(names) > _MOST else "")
    return finding._replace(hint=sanitized(f"{hint}; the project has {listed}"))
