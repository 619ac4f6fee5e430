"""Turn errors into warnings if they depend on the judging release and the installed release is not modelled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.finding import Note

if TYPE_CHECKING:
    from ..diagnostics.finding import Finding
    from .profile import Profile


def softened(finding: Finding, profile: Profile) -> Finding:
    """Return the finding, as a warning with a reason if the installed release may accept the value.

    Args:
        finding: A finding by the profile's judging release.
        profile: The profile, which has the installed release.
    """
    lasts = finding.unmodelled == "all" or (finding.unmodelled == "newer" and not profile.is_older)
    if finding.severity != "error" or lasts or profile.is_modelled:
        return finding
    judging, installed = profile.judging_release, profile.installed_release
    reason = Note(f"release {judging} refuses this; release {installed} is not modelled and may accept it")
    return finding._replace(severity="warning", notes=(*finding.notes, reason))
