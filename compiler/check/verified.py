"""What a process refuses at start, by a release at which that was not verified, is a warning with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...validators.registry import all_rules
from ..diagnostics.finding import Note
from ..toolhive.release import release_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..diagnostics.finding import Finding, Rule

_FILES = ("RUN", "VMC")
"""Topics of files that processes of the operator read; other records are those of the management API."""


def softened(findings: Iterable[Finding], releases: Mapping[str, str], release: str) -> Iterator[Finding]:
    """Yield findings, those of stage process as warnings where their rule was not verified for the release.

    Args:
        findings: Of a check.
        releases: By file the release that judges it.
        release: What judges all other files.
    """
    rules: dict[str, Rule] = {}
    for finding in findings:
        judging = releases.get(finding.span.file, release)
        if is_error_of_process(finding):
            rules = rules or all_rules()
            rule = rules.get(finding.rule)
            if rule is not None and not _is_verified(rule, judging):
                reason = f"verified at release {' and '.join(rule.verified)}, not at {judging}, which may start with it"
                yield finding._replace(severity="warning", notes=(*finding.notes, Note(reason)))
                continue
        yield finding


def is_error_of_process(finding: Finding) -> bool:
    """Return whether a process that an operator starts refuses what a finding is about."""
    is_ours = finding.subject is not None or finding.rule.startswith(_FILES)
    return is_ours and (finding.stage, finding.severity) == ("process", "error")


def _is_verified(rule: Rule, release: str) -> bool:
    keys = sorted(map(release_key, rule.verified))
    return keys[0] <= release_key(release) <= keys[-1]
