"""The status of a shared configuration: validity, hash and the workloads that use it.

Source: the controllers of the configuration kinds, v0.21.0 to v0.44.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from .condition import Settled, condition, status_of
from .specdump import spec_hash

if TYPE_CHECKING:
    from ..models.embeddedauth import EmbeddedAuthServerConfig
    from ..models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from ..models.upstream import OAuth2UpstreamConfig
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace
    from .build import Object

REFERRERS: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "MCPAuthzConfig": (
        ("MCPServer", ("spec", "authzConfigRef", "name")),
        ("MCPRemoteProxy", ("spec", "authzConfigRef", "name")),
        ("VirtualMCPServer", ("spec", "incomingAuth", "authzConfigRef", "name")),
    ),
    "MCPWebhookConfig": (("MCPServer", ("spec", "webhookConfigRef", "name")),),
    "MCPOIDCConfig": (
        ("MCPServer", ("spec", "oidcConfigRef", "name")),
        ("MCPRemoteProxy", ("spec", "oidcConfigRef", "name")),
        ("VirtualMCPServer", ("spec", "incomingAuth", "oidcConfigRef", "name")),
    ),
    "MCPToolConfig": (("MCPServer", ("spec", "toolConfigRef", "name")),),
    "MCPExternalAuthConfig": (
        ("MCPServer", ("spec", "externalAuthConfigRef", "name")),
        ("MCPServer", ("spec", "authServerRef", "name")),
        ("MCPRemoteProxy", ("spec", "externalAuthConfigRef", "name")),
        ("MCPRemoteProxy", ("spec", "authServerRef", "name")),
    ),
    "MCPTelemetryConfig": (
        ("MCPServer", ("spec", "telemetryConfigRef", "name")),
        ("MCPRemoteProxy", ("spec", "telemetryConfigRef", "name")),
        ("VirtualMCPServer", ("spec", "telemetryConfigRef", "name")),
    ),
}
"""For each kind of shared configuration, the kinds and fields whose references its status lists."""

LISTED_UNTIL: Final = "0.42.0"
"""The first release whose configurations do not list the workloads that refer to them."""

COUNTED_SINCE: Final = {
    "MCPAuthzConfig": "0.30.0",
    "MCPExternalAuthConfig": "0.28.0",
    "MCPOIDCConfig": "0.28.0",
    "MCPToolConfig": "0.28.0",
}
"""The first release that also writes the number of references, by kind."""

SYNTHESIZED_SINCE: Final = "0.26.0"
"""The first release with a condition about upstream providers that do not identify users."""


def config_status(workspace: Workspace, resource: Resource) -> Settled:
    """Return the status of a shared configuration that the operator accepts."""
    reason = "ConfigValid" if resource.kind in {"MCPAuthzConfig", "MCPOIDCConfig"} else "ValidationSucceeded"
    conditions = [condition("Valid", True, reason, "the configuration is valid")]
    if resource.kind == "MCPExternalAuthConfig":
        spec = cast("Resource[MCPExternalAuthConfigSpec]", resource).spec
        server = spec.get("embeddedAuthServer") if spec.get("type") == "embeddedAuthServer" else None
        conditions += identity_condition(resource, server)
    workloads, count = None, None
    if resource.is_judged(until=LISTED_UNTIL):
        workloads = referencing_workloads(workspace, resource) or None
        counted = COUNTED_SINCE.get(resource.kind)
        count = len(workloads) if workloads and counted and resource.is_judged(since=counted) else None
    fields = {"configHash": spec_hash(resource), "referenceCount": count, "referencingWorkloads": workloads}
    return Settled(None, status_of(conditions, **fields))


def referencing_workloads(workspace: Workspace, resource: Resource) -> list[Object]:
    """Return the workloads that a shared configuration lists in its status, sorted by kind and name."""
    listed = set(REFERRERS[resource.kind])
    workloads = {
        (reference.source.kind, reference.source.name)
        for reference in workspace.referrers(resource)
        if (reference.source.kind, reference.path) in listed
    }
    return [{"kind": kind, "name": name} for kind, name in sorted(workloads)]


def identity_condition(resource: Resource, server: EmbeddedAuthServerConfig | None) -> list[Object]:
    """Return the condition that tells whether an upstream does not identify the user, in a list.

    The list is empty without an auth server, and in releases that do not set the condition yet.
    """
    if server is None or not resource.is_judged(since=SYNTHESIZED_SINCE):
        return []
    made_up = any(
        upstream.get("type") == "oauth2" and oauth2 is not None and not _has_identity(oauth2)
        for upstream in server.get("upstreamProviders") or ()
        for oauth2 in (upstream.get("oauth2Config"),)
    )
    reason = "OAuth2UpstreamWithoutUserInfo" if made_up else "AllUpstreamsHaveUserInfo"
    message = "some upstreams state no identity" if made_up else "all upstreams state the identity of users"
    return [condition("IdentitySynthesized", made_up, reason, message)]


def _has_identity(oauth2: OAuth2UpstreamConfig) -> bool:
    return oauth2.get("userInfo") is not None or oauth2.get("identityFromToken") is not None
