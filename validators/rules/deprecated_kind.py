"""Rules about kinds and API versions that later releases of the operator deprecate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.toolhive.profile import LATER_VERSION
from ...compiler.toolhive.release import SECOND_VERSION_SINCE
from ..registry import VERSIONED
from ..rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..rule import Check, Finding, Resource, Workspace

REGISTRY = rule(
    "MRG014 deprecated-registry", "MCPRegistry is deprecated", stage="lint", is_one_change=True, since="0.29.2"
)
VERSION = rule(
    "ADM092 deprecated-version",
    "An API version is deprecated",
    stage="lint",
    is_one_change=True,
    since=SECOND_VERSION_SINCE,
)


def check(resource: Resource, _: Workspace) -> Iterator[Finding]:
    """Report an MCPRegistry, whose kind is deprecated."""
    message = "MCPRegistry is deprecated: a later release of the operator no longer has it"
    hint = "install the registry server from its own Helm chart"
    yield resource.finding(REGISTRY, ("kind",), message, hint=hint)


def check_version(resource: Resource, _: Workspace) -> Iterator[Finding]:
    """Report the API version v1alpha1, which is deprecated, except for deprecated kinds, which `check` reports."""
    stated = resource.data.get("apiVersion")
    if resource.kind == "MCPRegistry" and resource.is_judged(since=REGISTRY.since):
        return
    if isinstance(stated, str) and stated.endswith("/v1alpha1"):
        message = f"v1alpha1 is deprecated: a later release of the operator serves only {LATER_VERSION}"
        hint = f"run mcpcfg upgrade --to RELEASE to write {LATER_VERSION} in all files"
        yield resource.finding(VERSION, ("apiVersion",), message, hint=hint)


CHECKS: dict[str, tuple[Check, ...]] = dict.fromkeys(VERSIONED, (check_version,)) | {
    "MCPRegistry": (check, check_version)
}
