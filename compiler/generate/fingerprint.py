"""CustomResourceDefinitions without their words: what two of them are compared by.

``fixtures/releases/fingerprints.json`` holds the digest of what each release ships, for each kind from the release on
that changed it; ``None`` from the one on that no longer has the kind.

Source: ``deploy/charts/operator-crds/files/crds`` of ToolHive, at the tags of its releases.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, TypeAlias

from ..toolhive.profile import TOOLHIVE
from ..toolhive.release import RELEASES, holds
from .crd import definition
from .kind import read_kinds

if TYPE_CHECKING:
    from collections.abc import Mapping

FINGERPRINTS = "fixtures/releases/fingerprints.json"

Fingerprints: TypeAlias = "dict[str, dict[str, str | None]]"
"""Kind, to the releases that changed it, the oldest first, to the digest."""

_SORTED = ("required", "shortNames", "categories")
_WORDS = ("deprecationWarning", "description")


def canonical(crd: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a CustomResourceDefinition says beside its words: names, versions, columns, schema.

    Left out are descriptions, the messages of CEL rules, and metadata but the name.
    """
    return {"name": crd["metadata"]["name"]} | {key: _stripped(value, key) for key, value in crd["spec"].items()}


def _stripped(value: Any, key: str) -> Any:
    if isinstance(value, dict):
        if key == "properties":  # its keys are fields, whatever they are called
            return {name: _stripped(one, "") for name, one in value.items()}
        return {name: _stripped(one, name) for name, one in value.items() if name not in _WORDS}
    if key == "x-kubernetes-validations":
        return [{"rule": rule["rule"]} for rule in value]
    if isinstance(value, list):
        return sorted(value) if key in _SORTED else [_stripped(one, "") for one in value]
    return value


def digest(crd: Mapping[str, Any]) -> str:
    """Return the fingerprint of a CustomResourceDefinition: 16 hexadecimal digits."""
    text = json.dumps(canonical(crd), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def definitions(release: str) -> dict[str, dict[str, Any]]:
    """Return the CustomResourceDefinitions that the models give for a release, by kind."""
    return {read.kind.name: definition(read, TOOLHIVE, release) for read in read_kinds(release)}


def shipped(fingerprints: Fingerprints, release: str) -> dict[str, str]:
    """Return the fingerprints that a release ships, by kind."""
    found = {}
    for kind, changes in fingerprints.items():
        last = [one for since, one in changes.items() if holds(since, None, release)]
        if last and last[-1] is not None:
            found[kind] = last[-1]
    return found


def recorded(fingerprints: Fingerprints, release: str, digests: Mapping[str, str]) -> Fingerprints:
    """Return the fingerprints with those of the next release, by kind."""
    before = shipped(fingerprints, release)
    out = {kind: dict(changes) for kind, changes in fingerprints.items()}
    for kind in before.keys() | digests.keys():
        if before.get(kind) != digests.get(kind):
            out.setdefault(kind, {})[release] = digests.get(kind)
    return dict(sorted(out.items()))


def unlike(fingerprints: Fingerprints) -> list[tuple[str, str]]:
    """Return each release and kind of which the models give something else than the release ships."""
    found = []
    for release in RELEASES:
        ours = {kind: digest(one) for kind, one in definitions(release).items()}
        theirs = shipped(fingerprints, release)
        found += [(release, kind) for kind in sorted(ours.keys() | theirs) if ours.get(kind) != theirs.get(kind)]
    return found
