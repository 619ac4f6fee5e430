"""The names that an edition of the product uses, as data.

Models, rules and compile steps use the names of the built-in profile. Another profile (a re-branded build of the
operator) differs only in these names.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final, NamedTuple, Protocol

from ..diagnostics.version import RELEASE
from .release import OLDEST, SECOND_VERSION_SINCE, holds, judge_of

_NAMES: Final = 7
"""Number of fields before the release in a profile: its names."""


class Crds(Protocol):
    """CRDs supplied by the project, implemented in ``compiler/admission/definitions.py``."""

    @property
    def groups(self) -> frozenset[str]:
        """The API groups of their kinds."""

    @property
    def findings(self) -> tuple[Any, ...]:
        """The faults of the CRDs."""

    def may_judge(self, text: bytes) -> bool:
        """Return whether a text may contain an object of one of the groups."""

    def admission(self, document: Any, profile: Profile, namespace: str, most: int) -> Any:
        """Return the result of admitting a document, or ``None`` if no CRD applies to it."""


class Profile(NamedTuple):
    """The names of an edition.

    Attributes:
        name: Name of the profile in the configuration file.
        api_group: API group of the kinds.
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
        """The stated release, which may be outside the modelled range, or the default release."""
        return self.release or RELEASE

    @property
    def judging_release(self) -> str:
        """The modelled release that judges for the installed release."""
        return judge_of(self.release) if self.release else RELEASE

    @property
    def is_modelled(self) -> bool:
        """True if the installed release is in the modelled range."""
        return self.judging_release == self.installed_release

    @property
    def is_older(self) -> bool:
        """True if the installed release is older than the modelled range."""
        return not holds(OLDEST, None, self.installed_release)

    def api_version(self) -> str:
        """Return the ``apiVersion`` of the stored version."""
        is_second = self.release is not None and holds(SECOND_VERSION_SINCE, None, self.release)
        return f"{self.api_group}/{LATER_VERSION if is_second else self.versions[0]}"

    def serves(self, api_version: object) -> bool:
        """Return whether objects with this ``apiVersion`` belong to the profile's kinds."""
        return any(api_version == f"{self.api_group}/{version}" for version in self.versions)

    def spell(self, text: str) -> str:
        """Return a text of mcpcfg with the words of the built-in profile replaced by those of this profile.

        Never use it for text of the user: a name such as ``toolhive-test`` must not change.
        """
        return text if self[:_NAMES] == TOOLHIVE[:_NAMES] else re.sub(_WORDS, self._word, text)

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
"""The spelling of the specification for names that contain the cloud. Every edition accepts it."""


@cache
def profile_of_release(profile: Profile, release: str) -> Profile:
    """Return a profile with a release. The result is cached, so the checks of a profile are built once."""
    return profile._replace(release=release)


LATER_VERSION = "v1beta1"
"""A version that later operators serve. The models of the stored version also apply to such objects."""
