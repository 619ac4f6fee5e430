"""Findings for programs: the one object of the contract."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcpcfg.compiler.finding import Finding


def render(findings: Iterable[Finding], files: int, documents: int) -> str:
    """Write the object that ``--format json`` prints, with a closing newline."""
    told = [finding.as_json() for finding in findings]
    counts = {
        severity: sum(1 for item in told if item["severity"] == severity) for severity in ("error", "warning", "info")
    }
    summary = {
        "files": files,
        "documents": documents,
        "errors": counts["error"],
        "warnings": counts["warning"],
        "infos": counts["info"],
    }
    return json.dumps({"version": 1, "findings": told, "summary": summary}, indent=2, ensure_ascii=False) + "\n"
