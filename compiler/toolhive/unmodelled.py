"""Errors that rest on the behavior of the judging release are warnings if the installed one is not modelled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.finding import Note

if TYPE_CHECKING:
    from ..diagnostics.finding import Finding
    from .profile import Profile


def softened(finding: Finding, profile: Profile) -> Finding:
    """Return a finding, as a warning with the reason if the installed release may accept what the judging one refuses.

    Args:
        finding: Made by a rule that judged by the profile's judging release.
        profile: States the installed release.
    """
    lasts = finding.unmodelled == "all" or (finding.unmodelled == "newer" and not profile.is_older)
    if finding.severity != "error" or lasts or profile.is_modelled:
        return finding
    judging, installed = profile.judging_release, profile.installed_release
    reason = Note(f"release {judging} refuses this; release {installed} is not modelled and may accept it")
    return finding._replace(severity="warning", notes=(*finding.notes, reason))
