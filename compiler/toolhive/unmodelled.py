"""Lower the severity of findings if the installed release of the operator may accept the value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.finding import Note
from ..diagnostics.shown import sanitized
from .release import RELEASES, holds, judge_of

if TYPE_CHECKING:
    from ..diagnostics.finding import Finding
    from .profile import Profile


def downgrade_unmodelled(finding: Finding, profile: Profile) -> Finding:
    """Return the finding, as a warning if the installed release is not modelled and may accept the value."""
    lasts = finding.unmodelled == "all" or (finding.unmodelled == "newer" and not profile.is_older)
    if finding.severity != "error" or lasts or profile.is_modelled:
        return finding
    judging, installed = judge_of(profile.installed_release), profile.installed_release
    known = "known in part" if installed in RELEASES else "not modelled"
    reason = Note(f"release {judging} refuses this; release {installed} is {known} and may accept it")
    return finding._replace(severity="warning", notes=(*finding.notes, reason))


def deferred(finding: Finding, change: str | None, profile: Profile) -> Finding:
    """Return the finding, as an info if its fault only begins at a release after the installed one.

    Args:
        change: First release that renamed, removed or required the field; ``None`` if unknown.
    """
    if change is None or holds(change, None, profile.installed_release):
        return finding
    hint = f"change it when you upgrade from {profile.installed_release} ({finding.hint})"
    return finding._replace(severity="info", hint=sanitized(hint))
