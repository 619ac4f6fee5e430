"""Findings for programs: the one object of the contract."""

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
    """Return the object that ``--format json`` prints, with a closing newline.

    Args:
        findings: Those that are shown.
        counts: Of all findings, also those that are not shown, by severity.
        files: How many files were read.
        documents: How many documents they hold.
        templates: How many templates were not read; stated where there are any.
        release: Which release of the operator judged, and why.
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
