"""Errors that the installed release may not have are warnings with the reason.

They rest on the behavior of another release that judges in its place, or on a process of a release at which the rule
was not verified.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.finding import Note
from ..diagnostics.version import READ, RECORDED
from ..toolhive.release import release_key
from ..toolhive.unmodelled import softened as softened_outside

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..diagnostics.finding import Finding
    from ..toolhive.profile import Profile

_FILES = ("RUN", "VMC")
"""Topics of files that processes of the operator read; other records are those of the management API."""


def softened(findings: Iterable[Finding], profiles: Mapping[str, Profile], default: Profile) -> Iterator[Finding]:
    """Yield findings, as warnings where the installed release may not have the fault.

    Args:
        findings: Of rules about resources and records.
        profiles: By file the profile whose release judges it.
        default: The profile of all other files.
    """
    for error in findings:
        profile = profiles.get(error.span.file, default)
        finding, judging = softened_outside(error, profile), profile.judging_release
        if is_error_of_process(finding) and not _is_verified(finding, judging):
            reason = f"verified at release {' and '.join(finding.verified)}, not at {judging}, which may start with it"
            yield finding._replace(severity="warning", notes=(*finding.notes, Note(reason)))
            continue
        yield finding


def is_error_of_process(finding: Finding) -> bool:
    """Return whether a process that an operator starts refuses what a finding is about."""
    is_ours = finding.subject is not None or finding.rule.startswith(_FILES)
    return is_ours and (finding.stage, finding.severity) == ("process", "error")


def _is_verified(finding: Finding, release: str) -> bool:
    keys = sorted(map(release_key, finding.verified))
    is_read = release == READ and finding.verified[-1] == RECORDED[-1]
    return is_read or keys[0] <= release_key(release) <= keys[-1]
