"""Hashes of shared configurations, for the status and the annotations of the workloads that use them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..toolhive.constants import EXTERNAL_AUTH_ANNOTATION, TOOL_CONFIG_ANNOTATION, WEBHOOK_ANNOTATION
from ..toolhive.release import AUTHZ_CONFIG_SINCE
from .specdump import spec_hash

if TYPE_CHECKING:
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace

ANNOTATED_UNTIL: Final = "0.32.0"
"""The first release that leaves no hashes in annotations."""


def target_hash(workspace: Workspace, resource: Resource, *path: str) -> str | None:
    """Return the hash of the configuration that ``path`` refers to, or ``None`` if it is missing or refused."""
    target = workspace.target(resource, *path, "name")
    return None if target is None or workspace.is_refused(target) else target.once(spec_hash)


def authz_hash(workspace: Workspace, resource: Resource, *path: str) -> str | None:
    """Return the hash of the MCPAuthzConfig that ``path`` refers to.

    The result is ``None`` if the configuration is missing or refused, or if the release does not read the reference.
    """
    return target_hash(workspace, resource, *path) if resource.is_judged(since=AUTHZ_CONFIG_SINCE) else None


def proxy_hashes(workspace: Workspace, resource: Resource) -> dict[str, str | None]:
    """Return the hashes of the configurations that an MCPServer or MCPRemoteProxy refers to, by field of its status.

    A hash is ``None`` if the configuration is missing or refused, or if the release does not read the reference.
    """
    return {
        "toolConfigHash": target_hash(workspace, resource, "spec", "toolConfigRef"),
        "telemetryConfigHash": target_hash(workspace, resource, "spec", "telemetryConfigRef"),
        "externalAuthConfigHash": target_hash(workspace, resource, "spec", "externalAuthConfigRef"),
        "authServerConfigHash": target_hash(workspace, resource, "spec", "authServerRef"),
        "oidcConfigHash": target_hash(workspace, resource, "spec", "oidcConfigRef"),
        "authzConfigHash": authz_hash(workspace, resource, "spec", "authzConfigRef"),
        "webhookConfigHash": target_hash(workspace, resource, "spec", "webhookConfigRef"),
    }


def hash_annotations(workspace: Workspace, resource: Resource) -> dict[str, str]:
    """Return the hash annotations that controllers of shared configurations set on an MCPServer. Other kinds get none.

    From v0.32.0 on, the operator sets none. Both ``externalAuthConfigRef`` and ``authServerRef`` write the same
    annotation. The operator handles their targets in the order of their names, so the hash of the last name stays.
    """
    if resource.kind != "MCPServer" or not resource.is_judged(until=ANNOTATED_UNTIL):
        return {}
    external = {}
    for field in ("externalAuthConfigRef", "authServerRef"):
        target = workspace.target(resource, "spec", field, "name")
        if target is not None:
            external[target.name] = target_hash(workspace, resource, "spec", field)
    hashes = [external[name] for name in sorted(external, key=str.encode) if external[name] is not None]
    tools = target_hash(workspace, resource, "spec", "toolConfigRef")
    webhooks = target_hash(workspace, resource, "spec", "webhookConfigRef")
    annotations = {
        EXTERNAL_AUTH_ANNOTATION: hashes[-1] if hashes else None,
        TOOL_CONFIG_ANNOTATION: tools,
        WEBHOOK_ANNOTATION: webhooks,
    }
    return {resource.profile.spell(key): value for key, value in annotations.items() if value is not None}
