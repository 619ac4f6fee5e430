"""Which release of the operator judges a project and why, as reports state it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from ..diagnostics.version import RELEASE
from .release import holds, judge_of

if TYPE_CHECKING:
    from .profile import Profile

Reason: TypeAlias = Literal["default", "statement", "pin", "document"]
"""Why a release was chosen: nothing decides, an option or the configuration states it, a file pins it, or a document
needs it because the default release does not take the document."""

_CRD_CHART: Final = "oci://ghcr.io/stacklok/toolhive/toolhive-operator-crds"
_CHARTED_SINCE: Final = "0.10.0"
"""The first release whose charts have its number."""


class ReleaseChoice(NamedTuple):
    """Which release judges.

    Attributes:
        profile: Its release is the installed one, which may not be modelled.
        source: What decides: ``default``, an option, the configuration, or a place ``file:line``.
        reason: Why it decides.
        unread_pin: The first version in the project that names no release, quoted, with its place.
        other_pins: Other releases that the project pins for some of its files and that are not modelled, with places.
    """

    profile: Profile
    source: str
    reason: Reason
    unread_pin: str
    other_pins: tuple[tuple[str, str], ...] = ()

    @property
    def place(self) -> tuple[str, int] | None:
        """The file and line that decide, or ``None``."""
        file, _, line = self.source.rpartition(":")
        return (file, int(line)) if self.reason in ("pin", "document") else None

    @property
    def statement(self) -> str:
        """The choice as a clause."""
        version, judging = self.profile.installed_release, self.profile.judging_release
        if version != judging:
            text = _unmodelled(version, self.source)
        else:
            reason = {
                "pin": f", which {self.source} installs",
                "document": f", because {self.source} needs a release after {RELEASE}",
            }.get(self.reason, f" ({self.source})")
            text = f"judged by operator release {version}{reason}"
        text = "; ".join((text, *(_unmodelled(*pin) for pin in self.other_pins)))
        return f"{text}; the version {self.unread_pin} names no release" if self.unread_pin else text

    @property
    def hint(self) -> str | None:
        """How to check against the schema of a release that is not modelled, or ``None``."""
        version = self.profile.installed_release
        if self.profile.is_modelled or self.profile.crds is not None or not holds(_CHARTED_SINCE, None, version):
            return None
        # A few releases of the chart refuse another namespace.
        chart = self.profile.spell(f"-n toolhive-system {_CRD_CHART}")
        command = f"helm template crds {chart} --version {version} --include-crds > crds.yaml"
        return f"check --crds crds.yaml admits by the schema of release {version}; to get it: {command}"

    @property
    def text(self) -> str:
        """The statement with the hint."""
        return self.statement if self.hint is None else f"{self.statement} (hint: {self.hint})"

    def as_json(self) -> dict[str, object]:
        """Return the choice as programs read it; keys about pins are left out if there is nothing to name."""
        unread: dict[str, object] = {"unread_pin": self.unread_pin} if self.unread_pin else {}
        if self.other_pins:
            unread["other_pins"] = [
                {"version": version, "from": place, "judged_by": judge_of(version)}
                for version, place in self.other_pins
            ]
        profile = self.profile
        return {
            "version": profile.installed_release,
            "from": self.source,
            "judged_by": profile.judging_release,
            **unread,
        }


def _unmodelled(version: str, source: str) -> str:
    return f"release {version} ({source}) is not modelled; judged by {judge_of(version)}"
