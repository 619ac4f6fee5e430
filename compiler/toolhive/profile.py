"""The names that one edition of the product goes by, as data, and which of its releases judges a project.

Models, rules and compile steps are written with the names of the built-in profile. Another profile (a re-branded
build of the operator) differs in these names alone.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeAlias

from ..diagnostics.version import RELEASE
from .release import OLDEST, SECOND_VERSION_SINCE, holds, judge_of

_NAMES: Final = 7
"""Of the fields of a profile, those before its release."""


Reason: TypeAlias = Literal["default", "statement", "pin", "document"]
"""Why a release was chosen: nothing decides, an option or the configuration states it, a file pins it, or a document
needs it because the default release does not take the document."""

_CRD_CHART: Final = "oci://ghcr.io/stacklok/toolhive/toolhive-operator-crds"
_CHARTED_SINCE: Final = "0.10.0"
"""The first release whose charts have its number."""


class Crds(Protocol):
    """CRDs that are given: ``compiler/admission/definitions.py`` has them."""

    @property
    def groups(self) -> frozenset[str]:
        """The API groups of their kinds."""

    @property
    def findings(self) -> tuple[Any, ...]:
        """What is wrong with them."""

    def may_judge(self, text: bytes) -> bool:
        """Return whether a text may hold an object of one of the groups."""

    def admission(self, document: Any, profile: Profile, namespace: str, most: int) -> Any:
        """Return what became of a document; ``None`` where no CRD is about it."""


class Profile(NamedTuple):
    """Names of one edition.

    Attributes:
        name: What the configuration file calls it.
        api_group: API group of the kinds.
        versions: Served versions of the kinds, the stored one first.
        prefix: Short product prefix of file keys and, in capitals, of variables (``thv_ca_bundle``, ``THV_…``).
        product: Long product prefix of labels and, in capitals, of variables (``toolhive-name``, ``TOOLHIVE_…``).
        organization: Word of the maker in label keys and images (``toolhive.stacklok.io/…``).
        cloud: The cloud word in field names and values (``awsSts``, ``aws-mcp``).
        release: The release of the operator, ``None`` where nothing states it.
        crds: The CRDs that admit objects in place of the models, where some are given.
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
        """The release that is stated, which may be outside the modelled range; else the default one."""
        return self.release or RELEASE

    @property
    def judging_release(self) -> str:
        """The modelled release that judges for the installed one."""
        return judge_of(self.release) if self.release else RELEASE

    @property
    def is_modelled(self) -> bool:
        """Whether the installed release is in the modelled range."""
        return self.judging_release == self.installed_release

    @property
    def is_older(self) -> bool:
        """Whether the installed release is older than all that the models describe."""
        return not holds(OLDEST, None, self.installed_release)

    def api_version(self) -> str:
        """Write ``apiVersion`` of the stored version."""
        is_second = self.release is not None and holds(SECOND_VERSION_SINCE, None, self.release)
        return f"{self.api_group}/{LATER_VERSION if is_second else self.versions[0]}"

    def serves(self, api_version: object) -> bool:
        """Return whether an object of this ``apiVersion`` is one of the profile's kinds."""
        return any(api_version == f"{self.api_group}/{version}" for version in self.versions)

    def is_later(self, data: Any) -> bool:
        """Return whether an object has the version of the kinds that only releases after the default one serve."""
        return type(data) is dict and data.get("apiVersion") == f"{self.api_group}/{LATER_VERSION}"

    def spell(self, text: str) -> str:
        """Respell a name, value or text of ours, which has the words of the built-in profile, in those of this one.

        Never of the input: what a user calls ``toolhive-test`` stays so.
        """
        return text if self[:_NAMES] == TOOLHIVE[:_NAMES] else re.sub(_WORDS, self._word, text)

    def _word(self, found: re.Match[str]) -> str:
        word = found[0]
        if word.startswith(TOOLHIVE.api_group):
            return self.api_version() if "/" in word else self.api_group
        own = {
            TOOLHIVE.product: self.product,
            TOOLHIVE.prefix: self.prefix,
            TOOLHIVE.organization: self.organization,
            TOOLHIVE.cloud: self.cloud,
        }[word.lower()]
        if word.isupper():
            return own.upper().replace("-", "_")
        return own if word.islower() else own[:1].upper() + own[1:]


_WORDS = (
    r"toolhive\.stacklok\.dev(?:/v1alpha1\b)?"
    # Catalogs and skills are for every edition, with these keys; so are the images that a server's maker publishes.
    r"|[Tt]ool[Hh]ive(?!\.requires)|TOOLHIVE|(?<!io\.github\.)[Ss]tacklok(?![a-z])|(?<![A-Za-z])(?:thv|THV)"
    # The cloud's own names, of regions and partitions for one, are the same too.
    r"|(?<![A-Za-z])aws(?=Sts|sts|-mcp|_sts)|AWS"
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
"""How the specification spells what has the cloud's word; it is taken in every edition."""


@cache
def profile_of_release(profile: Profile, release: str) -> Profile:
    """Return a profile with a release: the same one each time, so that its checks are built once."""
    return profile._replace(release=release)


LATER_VERSION = "v1beta1"
"""A version that later operators serve: such objects are read by the models of the stored version."""


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
