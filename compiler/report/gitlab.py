"""Findings as a GitLab code quality report.

Source: GitLab Docs, "Code Quality report format": description, check_name, fingerprint, severity, location.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING

from ..diagnostics.address import rule_address
from ..diagnostics.shown import in_json, sanitized
from .sarif import fingerprint
from .text import note_texts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..diagnostics.finding import Finding
    from ..toolhive.profile import ReleaseChoice

SEVERITIES = {"error": "major", "warning": "minor", "info": "info"}


def render(findings: Iterable[Finding], release: ReleaseChoice, file: str | None = None) -> str:
    """Return the report as JSON. Repeated fingerprints get a number, because GitLab needs distinct ones.

    Args:
        findings: Findings in the order of the report.
        release: The release that judged, and why. The format has no summary, so an extra entry states it.
        file: File of that entry if no file of the project decided the release. With ``None``, the entry is left out in
            that case.
    """
    seen: dict[str, int] = {}
    entries = []
    for finding in findings:
        mark = fingerprint(finding)
        seen[mark] = seen.get(mark, 0) + 1
        uri = rule_address(finding.rule)
        more = [
            *([] if finding.hint is None else [finding.hint]),
            *note_texts(finding.notes, len(finding.notes)),
            *([uri] if uri else []),
        ]
        entries.append(
            {
                "description": sanitized(finding.message + (f" ({'; '.join(more)})" if more else "")),
                "check_name": f"{finding.rule} {finding.name}",
                "fingerprint": mark if seen[mark] == 1 else f"{mark}-{seen[mark]}",
                "severity": SEVERITIES[finding.severity],
                "location": {
                    "path": finding.span.file,
                    "lines": {"begin": finding.span.line, "end": finding.span.end_line},
                },
            }
        )
    place = release.place or (file and (file, 1))
    if place:
        entries.append(
            {
                "description": sanitized(release.text),
                "check_name": "mcpcfg operator-release",
                # 128 bits, as in `fingerprint`.
                "fingerprint": sha256(b"mcpcfg operator-release").hexdigest()[:32],
                "severity": SEVERITIES["info"],
                "location": {"path": place[0], "lines": {"begin": place[1], "end": place[1]}},
            }
        )
    return in_json(json.dumps(entries, indent=2, ensure_ascii=False)) + "\n"
