"""Turn errors into warnings, with the reason, if the installed release may not have the fault.

The installed release may not have the fault if another release judges instead of it, or if the rule is about a process
and was not verified at the judging release.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.finding import Note
from ..diagnostics.version import READ, RECORDED
from ..toolhive.release import release_key
from ..toolhive.unmodelled import downgrade_unmodelled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..diagnostics.finding import Finding
    from ..toolhive.profile import Profile

_PROCESS_TOPICS = ("RUN", "VMC")
"""Topics of rules about files that processes of the operator read. Other records belong to the management API."""


def downgrade_unverified(
    findings: Iterable[Finding], profiles: Mapping[str, Profile], default: Profile
) -> Iterator[Finding]:
    """Yield the findings; those that the installed release may not report become warnings.

    Args:
        profiles: The profile of each file, whose release judges it.
    """
    for reported in findings:
        profile = profiles.get(reported.span.file, default)
        finding, judging = downgrade_unmodelled(reported, profile), profile.judging_release
        if is_process_error(finding) and not _is_verified(finding, judging):
            reason = f"verified at release {' and '.join(finding.verified)}, not at {judging}, which may start with it"
            finding = finding._replace(severity="warning", notes=(*finding.notes, Note(reason)))
        yield finding


def is_process_error(finding: Finding) -> bool:
    """Return whether a finding is an error of a process that the operator starts."""
    is_about_operator = finding.subject is not None or finding.rule.startswith(_PROCESS_TOPICS)
    return is_about_operator and (finding.stage, finding.severity) == ("process", "error")


def _is_verified(finding: Finding, release: str) -> bool:
    """Return whether the rule of a finding was verified at ``release``, or both before and after it.

    Every change between the newest recorded release and ``READ`` was read, so these releases count as verified too.
    """
    verified_keys = sorted(map(release_key, finding.verified))
    last = release_key(READ if finding.verified[-1] == RECORDED[-1] else finding.verified[-1])
    return verified_keys[0] <= release_key(release) <= last
