"""Registry files in the legacy format, and the API records that contain their entries."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Required, TypedDict

from .declare import (
    Always,
    Format,
    Go,
    Keys,
    ListSet,
    Maximum,
    MaxLength,
    Minimum,
    MinItems,
    MinLength,
    Pattern,
    SchemaOnly,
    Unchecked,
    go_type,
)
from .permission_profile import RegistryPermissions

SERVER_KEY = Keys(r"^[a-z0-9][a-z0-9-]+[a-z0-9]$")

ToolName = Annotated[str, "Name of a tool.", Pattern(r"^[\w-]+$")]
Tag = Annotated[str, "A tag.", Pattern(r"^[a-z0-9][a-z0-9_-]*[a-z0-9]$")]
ENV_NAME = Pattern(r"^[A-Za-z_][A-Za-z0-9_]*$")


@go_type("registry.EnvVar")
class EnvVarSpec(TypedDict, total=False):
    """An environment variable that a server reads."""

    name: Required[Annotated[str, "Name of the variable.", ENV_NAME, Always()]]
    description: Required[Annotated[str, "Purpose of the variable.", MinLength(5), MaxLength(200), Always()]]
    required: Required[Annotated[bool, "Whether a value is required.", Always()]]
    default: Annotated[str, "Value to use if the user gives none; ignored for a required variable."]
    secret: Annotated[bool, "Whether the value is secret."]


@go_type("registry.Header")
class HeaderSpec(TypedDict, total=False):
    """An HTTP header that a remote server reads."""

    name: Required[Annotated[str, "Name of the header.", Pattern(r"^[A-Za-z0-9][A-Za-z0-9-]*$"), Always()]]
    description: Required[Annotated[str, "Purpose of the header.", MinLength(5), MaxLength(200), Always()]]
    required: Required[Annotated[bool, "Whether a value is required.", Always()]]
    default: Annotated[str, "Value to use if the user gives none; ignored for a required header."]
    secret: Annotated[bool, "Whether the value is secret."]
    choices: Annotated[list[str], "Allowed values.", ListSet()]


@go_type("registry.KubernetesMetadata")
class KubernetesMetadata(TypedDict, total=False):
    """The cluster resource from which a registry server created the entry."""

    kind: Annotated[str, "Kind of the resource."]
    namespace: Annotated[str, "Namespace of the resource.", Pattern(r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")]
    name: Annotated[str, "Name of the resource.", Pattern(r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")]
    uid: Annotated[str, "UID of the resource.", Format("uuid")]
    image: Annotated[str, "Image of the workload."]
    transport: Annotated[Literal["stdio", "sse", "streamable-http", "http"], "Transport of the workload."]


@go_type("registry.Metadata")
class CatalogMetadata(TypedDict, total=False):
    """Popularity of a server, and the cluster resource that runs it."""

    stars: Annotated[int, "Number of stars of the repository.", Minimum(0)]
    last_updated: Annotated[str, "Time at which the metadata was collected.", Format("date-time")]
    pulls: Annotated[int, "How often the image was pulled.", Minimum(0), SchemaOnly()]
    kubernetes: Annotated[KubernetesMetadata, "Resource in a cluster that runs the server.", Unchecked()]


@go_type("registry.OAuthConfig")
class OAuthConfig(TypedDict, total=False):
    """OAuth settings for authentication to a remote server."""

    issuer: Annotated[str, "Issuer, whose endpoints are discovered.", Format("uri")]
    authorize_url: Annotated[str, "Authorization endpoint, if there is no issuer.", Format("uri")]
    token_url: Annotated[str, "Token endpoint, if there is no issuer.", Format("uri")]
    client_id: Annotated[str, "Client id."]
    scopes: Annotated[list[str], "Scopes to ask for."]
    use_pkce: Annotated[bool, "Whether PKCE is used; false when missing."]
    oauth_params: Annotated[dict[str, str], "Additional parameters of the authorization request."]
    callback_port: Annotated[int, "Port of the callback server.", Minimum(1), Maximum(65535)]
    resource: Annotated[str, "Resource indicator (RFC 8707)."]


@go_type("registry.VerifiedAttestation")
class Attestation(TypedDict, total=False):
    """A verified attestation about an image."""

    predicate_type: Annotated[str, "Type of the predicate.", Format("uri")]
    predicate: Annotated[Any, "The predicate."]


@go_type("registry.Provenance")
class Provenance(TypedDict, total=False):
    """Provenance of an image: its source and its signer."""

    sigstore_url: Annotated[str, "Host of the Sigstore TUF repository.", Format("hostname"), Always()]
    repository_uri: Annotated[str, "Repository that the image was built from.", Format("uri"), Always()]
    repository_ref: Annotated[str, "Git reference that the image was built from."]
    signer_identity: Annotated[str, "Identity of the signer.", Always()]
    runner_environment: Annotated[str, "Build environment: github-hosted, gitlab-hosted, self-hosted.", Always()]
    cert_issuer: Annotated[str, "Issuer of the signing certificate.", Format("uri"), Always()]
    attestation: Annotated[Attestation, "The attestation that was verified."]


@go_type("registry.ImageMetadata")
class ImageServer(TypedDict, total=False):
    """A server that runs as a container."""

    name: Annotated[str, "Name of the server. Loading the file replaces it by the key of the entry."]
    title: Annotated[str, "Display name."]
    description: Required[Annotated[str, "What the server does.", MinLength(10), MaxLength(500), Always()]]
    tier: Required[Annotated[Literal["Official", "Community"], "Who maintains the server.", Always()]]
    status: Required[Annotated[Literal["Active", "Deprecated"], "Whether the server is recommended for use.", Always()]]
    transport: Required[Annotated[Literal["stdio", "sse", "streamable-http"], "Transport of the server.", Always()]]
    tools: Required[Annotated[list[ToolName], "Names of the server's tools.", MinItems(1), ListSet(), Always()]]
    metadata: Annotated[CatalogMetadata, "Popularity, and the place in a cluster."]
    repository_url: Annotated[str, "URL of its repository.", Format("uri")]
    tags: Annotated[list[Tag], "Tags for searching.", MinItems(1), ListSet()]
    overview: Annotated[str, "A longer description in Markdown."]
    tool_definitions: Annotated[list[Annotated[dict[str, Any], Go(type="mcp.Tool")]], "Complete tool definitions."]
    custom_metadata: Annotated[dict[str, Any], "Additional metadata of any form."]
    image: Required[
        Annotated[
            str,
            "The image; a digest is refused.",
            Pattern(
                r"^[a-z0-9]([a-z0-9._-]*[a-z0-9])?(:[0-9]+)?(/[a-z0-9]([a-z0-9._-]*[a-z0-9])?)*"
                r"(:([a-zA-Z0-9][a-zA-Z0-9._-]*))?$"
            ),
            Always(),
        ]
    ]
    target_port: Annotated[int, "Port in the container; for sse and streamable-http.", Minimum(1), Maximum(65535)]
    proxy_port: Annotated[int, "Port of the proxy on the host.", Minimum(1), Maximum(65535)]
    permissions: Annotated[RegistryPermissions, "Mounts and network access of the container."]
    env_vars: Annotated[list[Annotated[EnvVarSpec, Go(pointer=True)]], "Environment variables that the server reads."]
    args: Annotated[list[str], "Arguments of the container if the user gives none."]
    docker_tags: Annotated[list[str], "Existing tags of the image.", ListSet()]
    provenance: Annotated[Provenance, "Provenance of the image."]


@go_type("registry.RemoteServerMetadata")
class RemoteServer(TypedDict, total=False):
    """A remote server, which clients reach at a URL."""

    name: Annotated[str, "Name of the server. Loading the file replaces it by the key of the entry."]
    title: Annotated[str, "Display name."]
    description: Required[Annotated[str, "What the server does.", MinLength(10), MaxLength(500), Always()]]
    tier: Required[Annotated[Literal["Official", "Community"], "Who maintains the server.", Always()]]
    status: Required[Annotated[Literal["Active", "Deprecated"], "Whether the server is recommended for use.", Always()]]
    transport: Required[Annotated[Literal["sse", "streamable-http"], "Transport of the server.", Always()]]
    tools: Required[Annotated[list[ToolName], "Names of the server's tools.", MinItems(1), ListSet(), Always()]]
    metadata: Annotated[CatalogMetadata, "Popularity, and the place in a cluster."]
    repository_url: Annotated[str, "URL of its repository.", Format("uri")]
    tags: Annotated[list[Tag], "Tags for searching.", MinItems(1), ListSet()]
    overview: Annotated[str, "A longer description in Markdown."]
    tool_definitions: Annotated[list[Annotated[dict[str, Any], Go(type="mcp.Tool")]], "Complete tool definitions."]
    custom_metadata: Annotated[dict[str, Any], "Additional metadata of any form."]
    url: Required[Annotated[str, "URL of the server.", Format("uri"), Always()]]
    proxy_port: Annotated[int, "Port of the proxy on the host.", Minimum(1), Maximum(65535)]
    headers: Annotated[list[Annotated[HeaderSpec, Go(pointer=True)]], "Headers that the server reads."]
    oauth_config: Annotated[OAuthConfig, "Authentication to the remote server."]
    env_vars: Annotated[
        list[Annotated[EnvVarSpec, Go(pointer=True)]], "Environment variables that configure the client."
    ]


ImageServers = Annotated[dict[str, Annotated[ImageServer, Go(pointer=True)]], "Containers by name.", SERVER_KEY]
RemoteServers = Annotated[dict[str, Annotated[RemoteServer, Go(pointer=True)]], "Remote servers by name.", SERVER_KEY]


@go_type("registry.Group")
class RegistryGroup(TypedDict, total=False):
    """A named group of servers."""

    name: Required[
        Annotated[
            str, "Name of the group.", Pattern(r"^[a-z0-9][a-z0-9-]*[a-z0-9]$"), MinLength(1), MaxLength(100), Always()
        ]
    ]
    description: Required[Annotated[str, "Purpose of the group.", MinLength(10), MaxLength(500), Always()]]
    servers: ImageServers
    remote_servers: RemoteServers


@go_type("registry.Registry")
class RegistryData(TypedDict, total=False):
    """A registry file in the legacy format."""

    version: Required[Annotated[str, "Version of the format.", Pattern(r"^\d+\.\d+\.\d+$"), Always()]]
    last_updated: Required[Annotated[str, "Time of creation.", Format("date-time"), Always()]]
    servers: Required[Annotated[ImageServers, "Containers by name.", Always()]]
    remote_servers: RemoteServers
    groups: Annotated[list[Annotated[RegistryGroup, Go(pointer=True)]], "Servers that belong together."]


@go_type("registry.OAuthPublicConfig")
class AuthConfig(TypedDict, total=False):
    """Authentication of the management API to a registry."""

    issuer: Required[Annotated[str, "Issuer: https, or http on localhost.", Always()]]
    client_id: Required[Annotated[str, "Client id.", Always()]]
    audience: Annotated[str, "Audience."]
    scopes: Annotated[list[str], "Scopes; openid and offline_access when missing."]


@go_type("v1.registryInfo")
class RegistrySummary(TypedDict, total=False):
    """A registry, as the list of registries shows it."""

    name: Required[Annotated[str, "Always default: there is one registry.", Always()]]
    version: Required[Annotated[str, "Version of the registry's format.", Always()]]
    last_updated: Required[Annotated[str, "Time of creation.", Always()]]
    server_count: Required[Annotated[int, "Number of containers; remote servers are not counted.", Always()]]
    type: Required[Annotated[Literal["file", "url", "api", "default"], "Type of the registry's source.", Always()]]
    source: Required[Annotated[str, "URL or path; empty for the catalog of the program.", Always()]]
    auth_status: Required[
        Annotated[Literal["none", "configured", "authenticated"], "State of authentication.", Always()]
    ]
    auth_type: Required[Annotated[Literal["oauth", ""], "Method of authentication; empty for none.", Always()]]
    auth_config: Annotated[AuthConfig, "The public part of the authentication."]


@go_type("v1.getRegistryResponse")
class Registry(RegistrySummary, total=False):
    """A registry and its content."""

    registry: Required[Annotated[RegistryData, "Content of the registry.", Go(pointer=True), Always()]]


@go_type("v1.listServersResponse")
class RegistryServerList(TypedDict, total=False):
    """All servers of a registry."""

    servers: Required[Annotated[list[Annotated[ImageServer, Go(pointer=True)]], "Containers.", Always()]]
    remote_servers: Annotated[list[Annotated[RemoteServer, Go(pointer=True)]], "Remote servers."]


@go_type("v1.getServerResponse")
class RegistryServerResult(TypedDict, total=False):
    """One server of a registry: a container or a remote server."""

    server: Annotated[ImageServer, "The server, if it is a container."]
    remote_server: Annotated[RemoteServer, "The server, if it is remote."]
    is_remote: Required[Annotated[bool, "Whether the server is remote.", Always()]]


@go_type("v1.UpdateRegistryRequest")
class RegistryUpdate(TypedDict, total=False):
    """New source of the registry: one of ``url``, ``api_url`` and ``local_path``, or none for the built-in catalog."""

    url: Annotated[str, "URL of a registry file or of a registry API.", Go(pointer=True)]
    api_url: Annotated[str, "URL of an API.", Go(pointer=True)]
    local_path: Annotated[str, "Path of a file.", Go(pointer=True)]
    allow_private_ip: Annotated[bool, "Whether private addresses and plain HTTP are allowed.", Go(pointer=True)]
    auth: Annotated[AuthConfig, "Authentication to the registry. If missing, the stored configuration is cleared."]


@go_type("v1.registryListResponse")
class RegistryList(TypedDict, total=False):
    """The list of all registries."""

    registries: Required[Annotated[list[RegistrySummary], "One summary for each.", Always()]]
