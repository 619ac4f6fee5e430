"""Workloads of the management API: requests to create and update them, and what is reported of them."""

from __future__ import annotations

from typing import Annotated, Literal, Required, TypedDict

from .declare import Always, Format, Go, go_type
from .permission_profile import PermissionProfile
from .registry import HeaderSpec


@go_type("secrets.SecretParameter")
class SecretParameter(TypedDict, total=False):
    """A secret, and where its value goes."""

    name: Required[Annotated[str, "Name of the secret.", Always()]]
    target: Required[Annotated[str, "Environment variable that gets its value.", Always()]]


@go_type("v1.oidcOptions")
class WorkloadOidc(TypedDict, total=False):
    """How callers of the workload are authenticated."""

    issuer: Annotated[str, "Issuer of the tokens.", Always()]
    audience: Annotated[str, "Audience of the tokens.", Always()]
    jwks_url: Annotated[str, "URL of the keys.", Always()]
    introspection_url: Annotated[str, "Returned on reading; not used on writing.", Always()]
    client_id: Annotated[str, "Client id.", Always()]
    client_secret: Annotated[str, "Returned on reading; not used on writing.", Always()]
    scopes: Annotated[list[str], "Scopes to advertise."]


@go_type("v1.remoteOAuthConfig")
class WorkloadOAuth(TypedDict, total=False):
    """How the proxy authenticates to a remote server."""

    issuer: Annotated[str, "Issuer, for discovery."]
    authorize_url: Annotated[str, "Authorization endpoint, where nothing is discovered."]
    token_url: Annotated[str, "Token endpoint, where nothing is discovered."]
    client_id: Annotated[str, "Client id."]
    client_secret: Annotated[SecretParameter, "The secret that holds the client secret."]
    bearer_token: Annotated[SecretParameter, "The secret that holds a bearer token, instead of OAuth."]
    scopes: Annotated[list[str], "Scopes to ask for."]
    use_pkce: Annotated[bool, "Whether PKCE is used."]
    oauth_params: Annotated[dict[str, str], "Further parameters of the authorization request."]
    callback_port: Annotated[int, "Port of the callback server: 0, or 1024 to 65535."]
    skip_browser: Annotated[bool, "Whether no browser is opened."]
    resource: Annotated[str, "Resource indicator (RFC 8707); derived from the URL when empty."]


@go_type("v1.toolOverride")
class WorkloadToolOverride(TypedDict, total=False):
    """A new name or description of a tool: at least one of them."""

    name: Annotated[str, "The name to show."]
    description: Annotated[str, "The description to show."]


@go_type("v1.headerForwardConfig")
class WorkloadHeaderForward(TypedDict, total=False):
    """Headers that the proxy adds for a remote server."""

    add_plaintext_headers: Annotated[dict[str, str], "Values by header."]
    add_headers_from_secret: Annotated[dict[str, str], "Names of secrets by header."]


@go_type("templates.RuntimeConfig")
class WorkloadRuntime(TypedDict, total=False):
    """How an image is built, for uvx://, npx:// and go:// images alone."""

    builder_image: Annotated[str, "The image to build in.", Always()]
    additional_packages: Annotated[list[str], "Packages to install in it."]


@go_type("v1.createRequest")
class WorkloadRequest(TypedDict, total=False):
    """What to run: the body of create and update, and the answer of get."""

    image: Annotated[str, "Image, name in the registry, or uvx://, npx:// or go:// package.", Always()]
    runtime_config: Annotated[WorkloadRuntime, "How the image is built."]
    host: Annotated[str, "Host that the proxy binds to; 127.0.0.1 when empty.", Always()]
    cmd_arguments: Annotated[list[str], "Arguments of the container; those of the registry when empty.", Always()]
    target_port: Annotated[int, "Port in the container, for sse and streamable-http.", Always()]
    proxy_port: Annotated[int, "Port of the proxy; a free one when 0.", Always()]
    env_vars: Annotated[dict[str, str], "Environment variables.", Always()]
    secrets: Annotated[list[SecretParameter], "Secrets, and the variables that get them.", Always()]
    volumes: Annotated[list[str], "Mounts: host:container, with :ro to read only.", Always()]
    transport: Annotated[str, "stdio, sse or streamable-http.", Always()]
    authz_config: Annotated[str, "Path of an authorization file; always empty on reading.", Always()]
    oidc: Annotated[WorkloadOidc, "How callers are authenticated.", Go(pointer=False), Always()]
    permission_profile: Annotated[PermissionProfile, "What the container may do.", Always()]
    proxy_mode: Annotated[str, "streamable-http or sse; streamable-http when empty.", Always()]
    network_isolation: Annotated[bool, "Whether the profile is enforced on the network.", Always()]
    trust_proxy_headers: Annotated[bool, "Whether X-Forwarded headers are believed.", Always()]
    tools: Annotated[list[str], "The tools to offer; all when empty.", Always()]
    tools_override: Annotated[dict[str, WorkloadToolOverride], "New names and descriptions by tool.", Always()]
    group: Annotated[str, "Group of the workload; default when empty."]
    url: Annotated[str, "URL of a remote server, instead of an image."]
    oauth_config: Annotated[WorkloadOAuth, "How to authenticate to it.", Go(pointer=False), Always()]
    headers: Annotated[list[Annotated[HeaderSpec, Go(pointer=True)]], "Headers that it reads."]
    header_forward: Annotated[WorkloadHeaderForward, "Headers that the proxy adds."]
    name: Annotated[str, "Name of the workload.", Always()]


@go_type("core.Workload")
class WorkloadSummary(TypedDict, total=False):
    """A workload, as the list of workloads shows it."""

    name: Required[Annotated[str, "Name of the workload.", Always()]]
    package: Required[Annotated[str, "Its image, or the word remote.", Always()]]
    url: Required[Annotated[str, "Where clients reach it.", Always()]]
    port: Required[Annotated[int, "Port of its proxy.", Always()]]
    transport_type: Required[
        Annotated[Literal["stdio", "sse", "streamable-http", "inspector"], "Its transport.", Always()]
    ]
    proxy_mode: Annotated[str, "How clients talk to the proxy."]
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
            "Its state.",
            Always(),
        ]
    ]
    status_context: Annotated[str, "What is known besides of its state."]
    created_at: Required[Annotated[str, "When it was made.", Format("date-time"), Always()]]
    labels: Annotated[dict[str, str], "Labels that users gave."]
    group: Annotated[str, "Group of the workload."]
    tools: Annotated[list[str], "Never filled by the listing."]
    remote: Annotated[bool, "Whether it is a remote server."]
    started_at: Required[Annotated[str, "When it was last started.", Format("date-time"), Always()]]


@go_type("v1.bulkOperationRequest")
class WorkloadSelection(TypedDict, total=False):
    """Which workloads to delete, restart or stop: by names, or by group."""

    names: Annotated[list[str], "Names of workloads.", Always()]
    group: Annotated[str, "A group, instead of names."]


@go_type("v1.createWorkloadResponse")
class WorkloadCreated(TypedDict, total=False):
    """Answer of create and update."""

    name: Required[Annotated[str, "Name of the workload.", Always()]]
    port: Required[Annotated[int, "Port of its proxy.", Always()]]


@go_type("v1.workloadListResponse")
class WorkloadList(TypedDict, total=False):
    """The workloads of a list."""

    workloads: Required[Annotated[list[WorkloadSummary], "What is known of each.", Always()]]
