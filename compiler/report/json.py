"""Findings as JSON, in the documented format."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ..diagnostics.shown import in_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..diagnostics.finding import Finding, Severity
    from ..toolhive.profile import ReleaseChoice


def render(
    findings: Iterable[Finding],
    counts: Mapping[Severity, int],
    files: int,
    documents: int,
    templates: int,
    release: ReleaseChoice,
) -> str:
    """Return the JSON object of ``--format json``, with a final newline.

    Args:
        findings: The shown findings.
        counts: Numbers of all findings by severity, including those that are not shown.
        files: Number of read files.
        documents: Number of their documents.
        templates: Number of templates that were not read. Zero is left out.
        release: The release that judged, and why.
    """
    listed = [finding.as_json() for finding in findings]
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
