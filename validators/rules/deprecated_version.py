"""The rule about the API version v1alpha1, which later releases of the operator deprecate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...compiler.toolhive.profile import LATER_VERSION
from ...compiler.toolhive.release import SECOND_VERSION_SINCE
from ..registry import VERSIONED
from ..rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..rule import Finding, ProjectRule, Workspace

VERSION = rule(
    "ADM092 deprecated-version", "lint", "An API version is deprecated", is_one_change=True, since=SECOND_VERSION_SINCE
)
_REGISTRY_SINCE: Final = "0.29.2"
"""The release that deprecates the kind MCPRegistry, which rule MRG014 reports instead of its version."""


def find_first_versions(workspace: Workspace) -> Iterator[Finding]:
    """Yield a finding for each resource with the API version v1alpha1, except for deprecated kinds."""
    for resource in workspace.resources:
        stated = resource.data.get("apiVersion")
        if resource.kind not in VERSIONED or not isinstance(stated, str) or not stated.endswith("/v1alpha1"):
            continue
        is_reported = resource.kind == "MCPRegistry" and resource.is_judged(since=_REGISTRY_SINCE)
        if resource.is_judged(since=SECOND_VERSION_SINCE) and not is_reported:
            message = f"v1alpha1 is deprecated: a later release of the operator serves only {LATER_VERSION}"
            hint = f"run mcpcfg upgrade --to RELEASE to write {LATER_VERSION} in all files"
            yield resource.finding(VERSION, ("apiVersion",), message, hint=hint)


PROJECT_RULES: tuple[ProjectRule, ...] = (find_first_versions,)
