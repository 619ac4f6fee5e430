"""The JSON Schemas of the kinds of a release, and of their lists."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from ..toolhive.profile import LATER_VERSION, TOOLHIVE
from ..toolhive.release import SECOND_VERSION_SINCE, holds
from .json_schema import kind_schema, list_schema
from .kind import read_kinds
from .metadata import OBJECT_METADATA

if TYPE_CHECKING:
    from ..models.dated import Kind


@cache
def kind_schemas(release: str) -> dict[str, dict[str, Any]]:
    """Return the schema of each kind and list of a release, by its name."""
    out = {}
    for read in read_kinds(release):
        kind = read.kind
        versions = _versions(kind, release)
        out[kind.name] = kind_schema(kind.name, kind.description, read.parts, OBJECT_METADATA, versions, kind.since)
        out[f"{kind.name}List"] = list_schema(kind.name, versions)
    return out


def _versions(kind: Kind, release: str) -> list[str]:
    """Return the ``apiVersion`` values of a kind. The schemas of the default release include v1beta1."""
    has_second = release == TOOLHIVE.judging_release or holds(SECOND_VERSION_SINCE, None, release)
    versions = [*TOOLHIVE.versions, *([LATER_VERSION] if has_second and not kind.only_first_version else [])]
    return [f"{TOOLHIVE.api_group}/{version}" for version in versions]
