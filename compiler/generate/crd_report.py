"""Compare CRDs of a user with those of all known releases, for ``mcpcfg releases --from-crds``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.span import InputError
from ..kube.crd_fingerprint import newest_release
from ..toolhive.release import NEWEST_KNOWN, SCHEMA_CHANGES, release_key
from .crd_sentence import path_of, sentence
from .fingerprint import definitions
from .missing import Difference, differences

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..toolhive.profile import Profile
    from .missing import Crds


class CrdReport(NamedTuple):
    """How CRDs of the operator differ from those of the nearest known release.

    Attributes:
        release: The known release with the fewest differences; the newest one if several are equally near.
        kinds: The kinds that the CRDs define, sorted.
        differences: Facts that only the CRDs have or only the release has.
    """

    release: str
    kinds: tuple[str, ...]
    differences: tuple[Difference, ...]

    @property
    def unknown(self) -> tuple[Difference, ...]:
        """The differences that the program does not know: new fields, kinds, values, rules and bounds."""
        return tuple(difference for difference in self.differences if difference.is_new)

    @property
    def absent(self) -> tuple[Difference, ...]:
        """What the release has and the CRDs lack."""
        return tuple(difference for difference in self.differences if not difference.is_new)

    def as_json(self, paths: tuple[str, ...]) -> dict[str, Any]:
        """Return the report as plain data. ``paths`` are the files and folders of the CRDs."""
        return {
            "version": 1,
            "release": self.release,
            "kinds": list(self.kinds),
            "unknown": [_row(difference) for difference in self.unknown],
            "absent": [_row(difference) for difference in self.absent],
            "configuration": {"crds": list(paths)},
        }


def report_of(crds: Mapping[str, Mapping[str, Any]], profile: Profile) -> CrdReport:
    """Compare CRDs of the operator's group, by kind, with the known releases.

    Raises:
        InputError: A CRD has a form that the API server would not accept.
    """
    try:
        release, found = _nearest(crds, profile)
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError):
        raise InputError("the CRDs have a form that cannot be compared") from None
    return CrdReport(release, tuple(sorted(crds)), tuple(found))


def _nearest(crds: Crds, profile: Profile) -> tuple[str, list[Difference]]:
    """Return the nearest known release, and the differences from it."""
    best: tuple[str, list[Difference]] = "", []
    for release in _candidates(crds):
        found = list(differences(crds, _known(crds, profile, release)))
        if best[0] and len(found) > len(best[1]):
            break  # the releases before differ still more
        if not best[0] or len(found) < len(best[1]):
            best = release, found
        if not found:
            break
    return best


def _candidates(crds: Crds) -> Iterator[str]:
    """Yield the releases to compare with, the newest first. It is the one that shipped the CRDs, if that is known."""
    shipping = {newest_release(crd) for crd in crds.values()}
    newest = min(map(str, shipping), key=release_key) if None not in shipping else NEWEST_KNOWN
    yield newest
    yield from (release for release in reversed(SCHEMA_CHANGES) if release_key(release) < release_key(newest))


def _known(crds: Crds, profile: Profile, release: str) -> Crds:
    """Return the CRDs that the models generate for the kinds of ``crds``, in the names of a profile."""
    known = {kind: crd for kind, crd in definitions(release).items() if kind in crds}
    if profile.has_builtin_names:
        return known
    spelled: dict[str, dict[str, Any]] = json.loads(profile.spell(json.dumps(known)))
    return spelled


def _row(difference: Difference) -> dict[str, str]:
    row = {"kind": difference.kind, "path": path_of(difference), "change": difference.change}
    return row | {"sentence": sentence(difference)}
