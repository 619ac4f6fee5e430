"""The release that judges a project and the reason, as reports state them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from ..diagnostics.version import RELEASE
from .release import holds

if TYPE_CHECKING:
    from .profile import Profile

Reason: TypeAlias = Literal["default", "statement", "pin", "document"]
"""The reason for a release.

An option or the configuration states it, a file pins it, a document needs it because the default release refuses the
document, or it is the default.
"""

_CRD_CHART: Final = "oci://ghcr.io/stacklok/toolhive/toolhive-operator-crds"
_CHARTED_SINCE: Final = "0.10.0"
"""The first release whose charts have the release's number."""


class ReleaseChoice(NamedTuple):
    """The release that judges.

    Attributes:
        profile: The profile, with the installed release, which may not be modelled.
        source: Origin of the choice: ``default``, an option, the configuration, or a place ``file:line``.
        reason: Type of the origin.
        unread_pin: The first pinned version that is not a release, quoted, with its place.
    """

    profile: Profile
    source: str
    reason: Reason
    unread_pin: str

    @property
    def place(self) -> tuple[str, int] | None:
        """The file and line of the origin, or ``None``."""
        file, _, line = self.source.rpartition(":")
        return (file, int(line)) if self.reason in ("pin", "document") else None

    @property
    def statement(self) -> str:
        """The choice as a clause."""
        version, judging = self.profile.installed_release, self.profile.judging_release
        if version != judging:
            text = f"release {version} ({self.source}) is not modelled; judged by {judging}"
        else:
            reason = {
                "pin": f", which {self.source} installs",
                "document": f", because {self.source} needs a release after {RELEASE}",
            }.get(self.reason, f" ({self.source})")
            text = f"judged by operator release {version}{reason}"
        return f"{text}; the version {self.unread_pin} names no release" if self.unread_pin else text

    @property
    def hint(self) -> str | None:
        """Advice on how to check with the schema of a release that is not modelled, or ``None``."""
        version = self.profile.installed_release
        if self.profile.is_modelled or self.profile.crds is not None or not holds(_CHARTED_SINCE, None, version):
            return None
        # Some releases of the chart refuse any other namespace.
        chart = self.profile.spell(f"-n toolhive-system {_CRD_CHART}")
        command = f"helm template crds {chart} --version {version} --include-crds > crds.yaml"
        return f"check --crds crds.yaml admits by the schema of release {version}; to get it: {command}"

    @property
    def text(self) -> str:
        """The statement, followed by the hint."""
        return self.statement if self.hint is None else f"{self.statement} (hint: {self.hint})"

    def as_json(self) -> dict[str, str]:
        """Return the choice as JSON data; ``unread_pin`` is left out if the project has none."""
        unread = {"unread_pin": self.unread_pin} if self.unread_pin else {}
        profile = self.profile
        return {
            "version": profile.installed_release,
            "from": self.source,
            "judged_by": profile.judging_release,
            **unread,
        }
