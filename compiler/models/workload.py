"""Workloads of the management API: requests to create and update them, and reports about them."""

from __future__ import annotations

from typing import Annotated, Literal, Required, TypedDict

from .declare import Always, Format, Go, go_type
from .permission_profile import PermissionProfile
from .registry import HeaderSpec


@go_type("secrets.SecretParameter")
class SecretParameter(TypedDict, total=False):
    """A secret, and the environment variable for its value."""

    name: Required[Annotated[str, "Name of the secret.", Always()]]
    target: Required[Annotated[str, "Environment variable that receives the value.", Always()]]


@go_type("v1.oidcOptions")
class WorkloadOidc(TypedDict, total=False):
    """Authentication of clients of the workload."""

    issuer: Annotated[str, "Issuer of the tokens.", Always()]
    audience: Annotated[str, "Audience of the tokens.", Always()]
    jwks_url: Annotated[str, "URL of the keys.", Always()]
    introspection_url: Annotated[str, "Returned by get; ignored by create and update.", Always()]
    client_id: Annotated[str, "Client id.", Always()]
    client_secret: Annotated[str, "Returned by get; ignored by create and update.", Always()]
    scopes: Annotated[list[str], "Scopes to advertise."]


@go_type("v1.remoteOAuthConfig")
class WorkloadOAuth(TypedDict, total=False):
    """Authentication of the proxy to a remote server."""

    issuer: Annotated[str, "Issuer, whose endpoints are discovered."]
    authorize_url: Annotated[str, "Authorization endpoint, if there is no issuer."]
    token_url: Annotated[str, "Token endpoint, if there is no issuer."]
    client_id: Annotated[str, "Client id."]
    client_secret: Annotated[SecretParameter, "The secret that holds the client secret."]
    bearer_token: Annotated[SecretParameter, "The secret that holds a bearer token, instead of OAuth."]
    scopes: Annotated[list[str], "Scopes to ask for."]
    use_pkce: Annotated[bool, "Whether PKCE is used."]
    oauth_params: Annotated[dict[str, str], "Additional parameters of the authorization request."]
    callback_port: Annotated[int, "Port of the callback server: 0, or 1024 to 65535."]
    skip_browser: Annotated[bool, "Whether no browser is opened."]
    resource: Annotated[str, "Resource indicator (RFC 8707); derived from the URL when empty."]


@go_type("v1.toolOverride")
class WorkloadToolOverride(TypedDict, total=False):
    """A new name or description of a tool; at least one of the two."""

    name: Annotated[str, "New name."]
    description: Annotated[str, "New description."]


@go_type("v1.headerForwardConfig")
class WorkloadHeaderForward(TypedDict, total=False):
    """Headers that the proxy adds for a remote server."""

    add_plaintext_headers: Annotated[dict[str, str], "Values by header."]
    add_headers_from_secret: Annotated[dict[str, str], "Names of secrets by header."]


@go_type("templates.RuntimeConfig")
class WorkloadRuntime(TypedDict, total=False):
    """Build settings of the image; only for uvx://, npx:// and go:// packages."""

    builder_image: Annotated[str, "The image to build in.", Always()]
    additional_packages: Annotated[list[str], "Packages to install in the image."]


@go_type("v1.createRequest")
class WorkloadRequest(TypedDict, total=False):
    """A workload: the body of create and update, and the response of get."""

    image: Annotated[str, "Image, name in the registry, or uvx://, npx:// or go:// package.", Always()]
    runtime_config: Annotated[WorkloadRuntime, "Build of the image."]
    host: Annotated[str, "Host that the proxy binds to; 127.0.0.1 when empty.", Always()]
    cmd_arguments: Annotated[list[str], "Arguments of the container; the registry's default when empty.", Always()]
    target_port: Annotated[int, "Port in the container; for sse and streamable-http.", Always()]
    proxy_port: Annotated[int, "Port of the proxy; a free one when 0.", Always()]
    env_vars: Annotated[dict[str, str], "Environment variables.", Always()]
    secrets: Annotated[list[SecretParameter], "Secrets, and their environment variables.", Always()]
    volumes: Annotated[list[str], "Mounts: host:container, with :ro to read only.", Always()]
    transport: Annotated[str, "stdio, sse or streamable-http.", Always()]
    authz_config: Annotated[str, "Path of an authorization file; get always returns it empty.", Always()]
    oidc: Annotated[WorkloadOidc, "Authentication of clients.", Go(pointer=False), Always()]
    permission_profile: Annotated[PermissionProfile, "Permissions of the container.", Always()]
    proxy_mode: Annotated[str, "streamable-http or sse; streamable-http when empty.", Always()]
    network_isolation: Annotated[bool, "Whether the network part of the permission profile is enforced.", Always()]
    trust_proxy_headers: Annotated[bool, "Whether X-Forwarded headers are trusted.", Always()]
    tools: Annotated[list[str], "Tools that clients see; all when empty.", Always()]
    tools_override: Annotated[dict[str, WorkloadToolOverride], "New names and descriptions, by tool.", Always()]
    group: Annotated[str, "Group of the workload; default when empty."]
    url: Annotated[str, "URL of a remote server, instead of an image."]
    oauth_config: Annotated[WorkloadOAuth, "Authentication to the remote server.", Go(pointer=False), Always()]
    headers: Annotated[list[Annotated[HeaderSpec, Go(pointer=True)]], "Headers that the server reads."]
    header_forward: Annotated[WorkloadHeaderForward, "Headers that the proxy adds."]
    name: Annotated[str, "Name of the workload.", Always()]


@go_type("core.Workload")
class WorkloadSummary(TypedDict, total=False):
    """A workload, as the list of workloads shows it."""

    name: Required[Annotated[str, "Name of the workload.", Always()]]
    package: Required[Annotated[str, "Image of the workload, or the word remote.", Always()]]
    url: Required[Annotated[str, "URL of the workload for clients.", Always()]]
    port: Required[Annotated[int, "Port of the proxy.", Always()]]
    transport_type: Required[
        Annotated[Literal["stdio", "sse", "streamable-http", "inspector"], "Transport of the server.", Always()]
    ]
    proxy_mode: Annotated[str, "MCP transport of the proxy."]
    status: Required[
        Annotated[
            Literal[
                "running",
                "stopped",
                "error",
                "starting",
                "stopping",
                "unhealthy",
                "removing",
                "unknown",
                "unauthenticated",
            ],
            "State of the workload.",
            Always(),
        ]
    ]
    status_context: Annotated[str, "Details of the state."]
    created_at: Required[Annotated[str, "Time of creation.", Format("date-time"), Always()]]
    labels: Annotated[dict[str, str], "Labels set by users."]
    group: Annotated[str, "Group of the workload."]
    tools: Annotated[list[str], "Always empty in lists."]
    remote: Annotated[bool, "Whether the workload is a remote server."]
    started_at: Required[Annotated[str, "Time of the last start.", Format("date-time"), Always()]]


@go_type("v1.bulkOperationRequest")
class WorkloadSelection(TypedDict, total=False):
    """The workloads to delete, restart or stop, by names or by group."""

    names: Annotated[list[str], "Names of workloads.", Always()]
    group: Annotated[str, "A group, instead of names."]


@go_type("v1.createWorkloadResponse")
class WorkloadCreated(TypedDict, total=False):
    """Response to create and update."""

    name: Required[Annotated[str, "Name of the workload.", Always()]]
    port: Required[Annotated[int, "Port of the proxy.", Always()]]


@go_type("v1.workloadListResponse")
class WorkloadList(TypedDict, total=False):
    """A list of workloads."""

    workloads: Required[Annotated[list[WorkloadSummary], "One summary for each.", Always()]]
