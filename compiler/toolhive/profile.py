"""The names that an edition of the product uses, and the release of the operator that judges a project.

Models, rules and compile steps use the names of the built-in profile. Another profile (a re-branded build of the
operator) differs only in these names.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.named_tuple import NamedTuple
from .release import (
    NEWEST_KNOWN,
    NEWEST_MODELLED,
    OLDEST,
    RELEASES,
    SCHEMAS_KNOWN,
    SECOND_VERSION_SINCE,
    holds,
    judge_of,
    nearest_known,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal, Protocol, TypeAlias

    Reason: TypeAlias = Literal["default", "statement", "pin"]
    """Why a release was chosen: nothing decides, an option or the configuration states it, or a file pins it."""

    class Crds(Protocol):
        """CRDs that the user supplies, implemented in ``compiler/admission/definitions.py``."""

        @property
        def groups(self) -> frozenset[str]:
            """The API groups of the kinds that the CRDs define."""

        @property
        def findings(self) -> tuple[Any, ...]:
            """The faults of the CRDs."""

        def may_judge(self, text: bytes) -> bool:
            """Return whether the bytes of a file may contain an object of one of the API groups."""

        def declares(self, group: str, kind: str, path: Any) -> bool:
            """Return whether a CRD of the kind names the field at a path."""

        def admission(self, document: Any, profile: Profile, namespace: str, most: int) -> Any:
            """Return the admission result of a document, or ``None`` if no CRD defines its kind."""


_NAMES: Final = 7
"""Number of fields of a `Profile` that are names. They are its first fields."""


_CRD_CHART: Final = "oci://ghcr.io/stacklok/toolhive/toolhive-operator-crds"
_CHARTED_SINCE: Final = "0.10.0"
"""The first release whose charts have the release as their version."""


class Profile(NamedTuple):
    """The names of an edition of the operator, and its installed release.

    Attributes:
        name: Name of the profile in the configuration file.
        versions: Served versions of the kinds, the stored version first.
        prefix: Short product prefix of file keys and, in capitals, of variables (``thv_ca_bundle``, ``THV_…``).
        product: Long product prefix of labels and, in capitals, of variables (``toolhive-name``, ``TOOLHIVE_…``).
        organization: Organization in label keys and images (``toolhive.stacklok.io/…``).
        cloud: Cloud provider in field names and values (``awsSts``, ``aws-mcp``).
        release: Installed release of the operator; ``None`` if nothing states it.
        crds: CRDs that replace the models in admission, if the project supplies any.
    """

    name: str
    api_group: str
    versions: tuple[str, ...]
    prefix: str
    product: str
    organization: str
    cloud: str
    release: str | None = None
    crds: Crds | None = None

    @property
    def installed_release(self) -> str:
        """The stated release of the operator, which may not be modelled, or else the newest modelled release."""
        return self.release or NEWEST_MODELLED

    @property
    def judging_release(self) -> str:
        """The known release whose schemas and rules stand for the installed release.

        If it is only documented, they are those of the newest modelled release, changed by what is documented.
        """
        return nearest_known(self.installed_release)

    @property
    def is_modelled(self) -> bool:
        """True if the installed release is in the modelled range."""
        return judge_of(self.installed_release) == self.installed_release

    @property
    def has_known_schemas(self) -> bool:
        """True if the CRDs of the installed release are known, so admission is exact."""
        return self.is_modelled or self.installed_release in SCHEMAS_KNOWN

    @property
    def is_older(self) -> bool:
        """True if the installed release is older than the modelled range."""
        return not holds(OLDEST, None, self.installed_release)

    def api_version(self) -> str:
        """Return the ``apiVersion`` that mcpcfg writes: the newest one that the installed release serves."""
        return self.api_versions()[0]

    def api_versions(self) -> tuple[str, ...]:
        """Return each ``apiVersion`` that is not deprecated, the one that mcpcfg writes first."""
        has_second = self.versions == TOOLHIVE.versions and holds(SECOND_VERSION_SINCE, None, self.installed_release)
        return tuple(f"{self.api_group}/{version}" for version in ((LATER_VERSION,) if has_second else self.versions))

    def serves(self, api_version: object) -> bool:
        """Return whether an ``apiVersion`` consists of the API group and one of ``versions``."""
        return any(api_version == f"{self.api_group}/{version}" for version in self.versions)

    def spell(self, text: str) -> str:
        """Return a text that mcpcfg wrote, with the names of the built-in profile replaced by those of this profile.

        Never use it for text of the user: a name such as ``toolhive-test`` must not change.
        """
        return text if self.has_builtin_names else re.sub(_WORDS, self._word, text)

    @property
    def has_builtin_names(self) -> bool:
        """Whether the names are those of the built-in profile."""
        return self[:_NAMES] == TOOLHIVE[:_NAMES]

    def _word(self, match: re.Match[str]) -> str:
        word = match[0]
        if word.startswith(TOOLHIVE.api_group):
            return self.api_version() if "/" in word else self.api_group
        replacement = {
            TOOLHIVE.product: self.product,
            TOOLHIVE.prefix: self.prefix,
            TOOLHIVE.organization: self.organization,
            TOOLHIVE.cloud: self.cloud,
        }[word.lower()]
        if word.isupper():
            return replacement.upper().replace("-", "_")
        return replacement if word.islower() else replacement[:1].upper() + replacement[1:]


_WORDS = (
    r"toolhive\.stacklok\.dev(?:/v1alpha1\b)?"
    # Keys of catalogs and skills, and image names, are the same in every edition.
    r"|[Tt]ool[Hh]ive(?!\.requires)|TOOLHIVE|(?<!io\.github\.)[Ss]tacklok(?![a-z])|(?<![A-Za-z])(?:thv|THV)"
    # So are the cloud's own names, such as regions and partitions.
    r"|(?<![A-Za-z])(?:aws(?=Sts|sts|-mcp|_sts)|Aws(?=Sts))|AWS"
)

TOOLHIVE = Profile(
    name="toolhive",
    api_group="toolhive.stacklok.dev",
    versions=("v1alpha1",),
    prefix="thv",
    product="toolhive",
    organization="stacklok",
    cloud="aws",
)

NEUTRAL = TOOLHIVE._replace(cloud="cloud")
"""The built-in profile with ``cloud`` as name of the cloud provider. Every edition accepts the resulting names."""


@cache
def profile_of_release(profile: Profile, release: str) -> Profile:
    """Return a profile with ``release`` as the installed release.

    The result is cached, so equal calls share one object and the checks that were built for it.
    """
    return profile._replace(release=release)


LATER_VERSION = "v1beta1"
"""The version of the API that releases from 0.23.0 on also serve. The models of v1alpha1 apply to its objects too."""


class ReleaseChoice(NamedTuple):
    """The release that judges the project, and why it was chosen.

    Attributes:
        profile: The profile, whose installed release may not be modelled.
        source: Origin of the choice: ``default``, an option, the configuration, or a place ``file:line``.
        reason: Type of the origin.
        unread_pin: The first pinned version that is not a release, quoted, with its place; empty if there is none.
        other_pins: Version and place of other pins of the project whose releases are not modelled.
        old_charts: A clause about each pin with an old number of a chart, by its place.
    """

    profile: Profile
    source: str
    reason: Reason
    unread_pin: str
    other_pins: tuple[tuple[str, str], ...] = ()
    old_charts: Mapping[str, str] = {}

    @property
    def place(self) -> tuple[str, int] | None:
        """The file and line that decided the release, or ``None`` if no file of the project did."""
        file, _, line = self.source.rpartition(":")
        return (file, int(line)) if self.reason == "pin" else None

    @property
    def statement(self) -> str:
        """The choice as a clause of a report, followed by the pinned versions that do not count."""
        version = self.profile.installed_release
        if self.source in self.old_charts:
            text = self.old_charts[self.source]
        elif not self.profile.is_modelled:
            text = _unmodelled(version, self.source)
        else:
            reason = f", which {self.source} installs" if self.reason == "pin" else f" ({self.source})"
            text = f"judged by operator release {version}{reason}"
        if self._has_crds:
            text = f"{text}; the given CRDs admit its kinds"
        others = (self.old_charts.get(place) or _unmodelled(other, place) for other, place in self.other_pins)
        text = "; ".join((text, *others))
        return f"{text}; the version {self.unread_pin} names no release" if self.unread_pin else text

    @property
    def hint(self) -> str | None:
        """Advice on how to check with the CRDs of the installed release, if it is not modelled; otherwise ``None``.

        ``None`` is also returned if the project supplies CRDs, or if the release has no chart of its own version.
        """
        version = self.profile.installed_release
        if self.profile.is_modelled or self._has_crds or not holds(_CHARTED_SINCE, None, version):
            return None
        # Some releases of the chart refuse any other namespace.
        chart = self.profile.spell(f"-n toolhive-system {_CRD_CHART}")
        command = f"helm template crds {chart} --version {version} --include-crds > crds.yaml"
        return f"check --crds crds.yaml admits by the schema of release {version}; to get it: {command}"

    @property
    def _has_crds(self) -> bool:
        """Whether the user gives CRDs of the operator."""
        return self.profile.crds is not None and self.profile.api_group in self.profile.crds.groups

    @property
    def text(self) -> str:
        """The statement, followed by the hint."""
        return self.statement if self.hint is None else f"{self.statement} (hint: {self.hint})"

    def as_json(self) -> dict[str, object]:
        """Return the choice as JSON data; keys about pins are left out if there are none."""
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
            "judged_by": judge_of(profile.installed_release),
            **unread,
        }


def _unmodelled(version: str, source: str) -> str:
    if holds(NEWEST_MODELLED, None, version):
        what = "is known in part" if version in RELEASES else f"is newer than all known ones, up to {NEWEST_KNOWN}"
        return (
            f"release {version} ({source}) {what}; judged by {NEWEST_MODELLED} and what is documented of later releases"
        )
    from .old_chart import era_of_stated

    era = era_of_stated(version)
    if era is not None:
        return f"{version} ({source}) is a number of the old charts ({era}); judged by {judge_of(version)}"
    return f"release {version} ({source}) is not modelled; judged by {judge_of(version)}"
