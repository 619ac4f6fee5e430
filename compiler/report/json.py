"""Findings as JSON, in the documented format."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ..diagnostics.shown import in_json, sanitized

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..diagnostics.finding import Finding, Fix, Severity
    from ..toolhive.profile import ReleaseChoice


def render(
    findings: Iterable[Finding],
    counts: Mapping[Severity, int],
    read: tuple[int, int, int],
    release: ReleaseChoice,
    fixes: Mapping[tuple[Any, ...], Fix] | None = None,
) -> str:
    """Return the JSON object of ``--format json``, with a final newline.

    Args:
        counts: Numbers of all findings by severity, including those that are not shown.
        read: Numbers of read files, of their documents, and of templates that were not read. The last number is omitted
            from the report if it is 0.
        release: The release that judged, and why.
        fixes: Safe fixes by the `identity` of the finding.
    """
    listed = [_with_fix(finding.as_json(), (fixes or {}).get(finding.identity())) for finding in findings]
    files, documents, templates = read
    summary: dict[str, object] = {
        "files": files,
        "documents": documents,
        "errors": counts["error"],
        "warnings": counts["warning"],
        "infos": counts["info"],
        "release": release.as_json(),
    }
    if templates:
        summary["templates"] = templates
    whole = {"version": 1, "findings": listed, "summary": summary}
    return in_json(json.dumps(whole, indent=2, ensure_ascii=False)) + "\n"


def _with_fix(finding: dict[str, Any], fix: Fix | None) -> dict[str, Any]:
    """Return a finding as JSON data with its fix, if there is one. Edits have positions like those of the finding."""
    if fix is None:
        return finding
    edits = [
        {
            "line": place.line,
            "column": place.column,
            "end_line": place.end_line,
            "end_column": place.end_column,
            "text": text,
        }
        for place, text in fix.replacements
    ]
    return finding | {"fix": {"title": sanitized(fix.title), "edits": edits}}
