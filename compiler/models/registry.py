"""Registry files in the legacy format, and the records of the API that are made of them."""

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
    description: Required[Annotated[str, "What it is for.", MinLength(5), MaxLength(200), Always()]]
    required: Required[Annotated[bool, "Whether it has to be given.", Always()]]
    default: Annotated[str, "Its value where none is given; not used for a required variable."]
    secret: Annotated[bool, "Whether the value is kept as a secret."]


@go_type("registry.Header")
class HeaderSpec(TypedDict, total=False):
    """An HTTP header that a remote server reads."""

    name: Required[Annotated[str, "Name of the header.", Pattern(r"^[A-Za-z0-9][A-Za-z0-9-]*$"), Always()]]
    description: Required[Annotated[str, "What it is for.", MinLength(5), MaxLength(200), Always()]]
    required: Required[Annotated[bool, "Whether it has to be given.", Always()]]
    default: Annotated[str, "Its value where none is given; not used for a required header."]
    secret: Annotated[bool, "Whether the value is kept as a secret."]
    choices: Annotated[list[str], "The values that it may have.", ListSet()]


@go_type("registry.KubernetesMetadata")
class KubernetesMetadata(TypedDict, total=False):
    """Where a registry server found the entry in a cluster."""

    kind: Annotated[str, "Kind of the resource."]
    namespace: Annotated[str, "Its namespace.", Pattern(r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")]
    name: Annotated[str, "Its name.", Pattern(r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")]
    uid: Annotated[str, "Its UID.", Format("uuid")]
    image: Annotated[str, "The image that it runs."]
    transport: Annotated[Literal["stdio", "sse", "streamable-http", "http"], "Its transport."]


@go_type("registry.Metadata")
class CatalogMetadata(TypedDict, total=False):
    """A server's popularity, and where it runs."""

    stars: Annotated[int, "Stars of its repository.", Minimum(0)]
    last_updated: Annotated[str, "When this was looked up.", Format("date-time")]
    pulls: Annotated[int, "How often the image was pulled.", Minimum(0), SchemaOnly()]
    kubernetes: Annotated[KubernetesMetadata, "Where it runs in a cluster.", Unchecked()]


@go_type("registry.OAuthConfig")
class OAuthConfig(TypedDict, total=False):
    """How to authenticate to a remote server."""

    issuer: Annotated[str, "Issuer, for discovery.", Format("uri")]
    authorize_url: Annotated[str, "Authorization endpoint, where nothing is discovered.", Format("uri")]
    token_url: Annotated[str, "Token endpoint, where nothing is discovered.", Format("uri")]
    client_id: Annotated[str, "Client id."]
    scopes: Annotated[list[str], "Scopes to ask for."]
    use_pkce: Annotated[bool, "Whether PKCE is used; off where it is not given."]
    oauth_params: Annotated[dict[str, str], "Further parameters of the authorization request."]
    callback_port: Annotated[int, "Port of the callback server.", Minimum(1), Maximum(65535)]
    resource: Annotated[str, "Resource indicator (RFC 8707)."]


@go_type("registry.VerifiedAttestation")
class Attestation(TypedDict, total=False):
    """A verified attestation."""

    predicate_type: Annotated[str, "Type of the predicate.", Format("uri")]
    predicate: Annotated[Any, "The predicate."]


@go_type("registry.Provenance")
class Provenance(TypedDict, total=False):
    """Where an image comes from and who signed it."""

    sigstore_url: Annotated[str, "Host of the Sigstore TUF repository.", Format("hostname"), Always()]
    repository_uri: Annotated[str, "The repository that it was built from.", Format("uri"), Always()]
    repository_ref: Annotated[str, "The Git reference that it was built from."]
    signer_identity: Annotated[str, "Who signed it.", Always()]
    runner_environment: Annotated[str, "Where it was built: github-hosted, gitlab-hosted, self-hosted.", Always()]
    cert_issuer: Annotated[str, "Who issued the certificate.", Format("uri"), Always()]
    attestation: Annotated[Attestation, "The attestation that was verified."]


@go_type("registry.ImageMetadata")
class ImageServer(TypedDict, total=False):
    """A server that runs as a container."""

    name: Annotated[str, "Its name; the key of the entry counts when the file is loaded."]
    title: Annotated[str, "Name to show."]
    description: Required[Annotated[str, "What it does.", MinLength(10), MaxLength(500), Always()]]
    tier: Required[Annotated[Literal["Official", "Community"], "Who stands behind it.", Always()]]
    status: Required[Annotated[Literal["Active", "Deprecated"], "Whether it should be used.", Always()]]
    transport: Required[Annotated[Literal["stdio", "sse", "streamable-http"], "How it is talked to.", Always()]]
    tools: Required[Annotated[list[ToolName], "Names of its tools.", MinItems(1), ListSet(), Always()]]
    metadata: Annotated[CatalogMetadata, "What is known of its popularity."]
    repository_url: Annotated[str, "URL of its repository.", Format("uri")]
    tags: Annotated[list[Tag], "Tags to find it by.", MinItems(1), ListSet()]
    overview: Annotated[str, "A longer description in Markdown."]
    tool_definitions: Annotated[list[Annotated[dict[str, Any], Go(type="mcp.Tool")]], "Its tools in full."]
    custom_metadata: Annotated[dict[str, Any], "Anything else."]
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
    target_port: Annotated[int, "Port in the container, for sse and streamable-http.", Minimum(1), Maximum(65535)]
    proxy_port: Annotated[int, "Port of the proxy on the host.", Minimum(1), Maximum(65535)]
    permissions: Annotated[RegistryPermissions, "What it may mount and reach."]
    env_vars: Annotated[list[Annotated[EnvVarSpec, Go(pointer=True)]], "Environment variables that it reads."]
    args: Annotated[list[str], "Arguments of the container where the user gives none."]
    docker_tags: Annotated[list[str], "Tags of the image that exist.", ListSet()]
    provenance: Annotated[Provenance, "Where the image comes from."]


@go_type("registry.RemoteServerMetadata")
class RemoteServer(TypedDict, total=False):
    """A server that runs elsewhere."""

    name: Annotated[str, "Its name; the key of the entry counts when the file is loaded."]
    title: Annotated[str, "Name to show."]
    description: Required[Annotated[str, "What it does.", MinLength(10), MaxLength(500), Always()]]
    tier: Required[Annotated[Literal["Official", "Community"], "Who stands behind it.", Always()]]
    status: Required[Annotated[Literal["Active", "Deprecated"], "Whether it should be used.", Always()]]
    transport: Required[Annotated[Literal["sse", "streamable-http"], "How it is talked to.", Always()]]
    tools: Required[Annotated[list[ToolName], "Names of its tools.", MinItems(1), ListSet(), Always()]]
    metadata: Annotated[CatalogMetadata, "What is known of its popularity."]
    repository_url: Annotated[str, "URL of its repository.", Format("uri")]
    tags: Annotated[list[Tag], "Tags to find it by.", MinItems(1), ListSet()]
    overview: Annotated[str, "A longer description in Markdown."]
    tool_definitions: Annotated[list[Annotated[dict[str, Any], Go(type="mcp.Tool")]], "Its tools in full."]
    custom_metadata: Annotated[dict[str, Any], "Anything else."]
    url: Required[Annotated[str, "Where it is.", Format("uri"), Always()]]
    proxy_port: Annotated[int, "Port of the proxy on the host.", Minimum(1), Maximum(65535)]
    headers: Annotated[list[Annotated[HeaderSpec, Go(pointer=True)]], "Headers that it reads."]
    oauth_config: Annotated[OAuthConfig, "How to authenticate to it."]
    env_vars: Annotated[list[Annotated[EnvVarSpec, Go(pointer=True)]], "Variables that configure the client."]


ImageServers = Annotated[dict[str, Annotated[ImageServer, Go(pointer=True)]], "Containers by name.", SERVER_KEY]
RemoteServers = Annotated[dict[str, Annotated[RemoteServer, Go(pointer=True)]], "Remote servers by name.", SERVER_KEY]


@go_type("registry.Group")
class RegistryGroup(TypedDict, total=False):
    """Servers that belong together."""

    name: Required[
        Annotated[
            str,
            "Name of the group.",
            Pattern(r"^[a-z0-9][a-z0-9-]*[a-z0-9]$"),
            MinLength(1),
            MaxLength(100),
            Always(),
        ]
    ]
    description: Required[Annotated[str, "What it is for.", MinLength(10), MaxLength(500), Always()]]
    servers: ImageServers
    remote_servers: RemoteServers


@go_type("registry.Registry")
class RegistryData(TypedDict, total=False):
    """A registry file in the legacy format."""

    version: Required[Annotated[str, "Version of the format.", Pattern(r"^\d+\.\d+\.\d+$"), Always()]]
    last_updated: Required[Annotated[str, "When it was made.", Format("date-time"), Always()]]
    servers: Required[Annotated[ImageServers, "Containers by name.", Always()]]
    remote_servers: RemoteServers
    groups: Annotated[list[Annotated[RegistryGroup, Go(pointer=True)]], "Servers that belong together."]


@go_type("registry.OAuthPublicConfig")
class AuthConfig(TypedDict, total=False):
    """How the service authenticates to a registry."""

    issuer: Required[Annotated[str, "Issuer: https, or http on localhost.", Always()]]
    client_id: Required[Annotated[str, "Client id.", Always()]]
    audience: Annotated[str, "Audience."]
    scopes: Annotated[list[str], "Scopes; openid and offline_access where none are given."]


@go_type("v1.registryInfo")
class RegistrySummary(TypedDict, total=False):
    """A registry, as the list of registries shows it."""

    name: Required[Annotated[str, "Always default: there is one registry.", Always()]]
    version: Required[Annotated[str, "Version of its format.", Always()]]
    last_updated: Required[Annotated[str, "When it was made.", Always()]]
    server_count: Required[Annotated[int, "How many containers it has; remote servers are not counted.", Always()]]
    type: Required[Annotated[Literal["file", "url", "api", "default"], "Where it is from.", Always()]]
    source: Required[Annotated[str, "URL or path; empty for the catalog of the program.", Always()]]
    auth_status: Required[
        Annotated[Literal["none", "configured", "authenticated"], "How far authentication is.", Always()]
    ]
    auth_type: Required[Annotated[Literal["oauth", ""], "How the service authenticates.", Always()]]
    auth_config: Annotated[AuthConfig, "The public part of the authentication."]


@go_type("v1.getRegistryResponse")
class Registry(TypedDict, total=False):
    """A registry with all that it holds."""

    name: Required[Annotated[str, "Always default: there is one registry.", Always()]]
    version: Required[Annotated[str, "Version of its format.", Always()]]
    last_updated: Required[Annotated[str, "When it was made.", Always()]]
    server_count: Required[Annotated[int, "How many containers it has; remote servers are not counted.", Always()]]
    type: Required[Annotated[Literal["file", "url", "api", "default"], "Where it is from.", Always()]]
    source: Required[Annotated[str, "URL or path; empty for the catalog of the program.", Always()]]
    auth_status: Required[
        Annotated[Literal["none", "configured", "authenticated"], "How far authentication is.", Always()]
    ]
    auth_type: Required[Annotated[Literal["oauth", ""], "How the service authenticates.", Always()]]
    auth_config: Annotated[AuthConfig, "The public part of the authentication."]
    registry: Required[Annotated[RegistryData, "What it holds.", Go(pointer=True), Always()]]


@go_type("v1.listServersResponse")
class RegistryServerList(TypedDict, total=False):
    """All servers of a registry."""

    servers: Required[Annotated[list[Annotated[ImageServer, Go(pointer=True)]], "Containers.", Always()]]
    remote_servers: Annotated[list[Annotated[RemoteServer, Go(pointer=True)]], "Remote servers."]


@go_type("v1.getServerResponse")
class RegistryServerResult(TypedDict, total=False):
    """One server of a registry."""

    server: Annotated[ImageServer, "The server, where it is a container."]
    remote_server: Annotated[RemoteServer, "The server, where it is remote."]
    is_remote: Required[Annotated[bool, "Which of the two it is.", Always()]]


@go_type("v1.UpdateRegistryRequest")
class RegistryUpdate(TypedDict, total=False):
    """Where the registry is to be from: at most one of the three places; none for the built-in catalog."""

    url: Annotated[str, "URL of a file or of an API; the three places are interchangeable.", Go(pointer=True)]
    api_url: Annotated[str, "URL of an API.", Go(pointer=True)]
    local_path: Annotated[str, "Path of a file.", Go(pointer=True)]
    allow_private_ip: Annotated[bool, "Whether private addresses and http are allowed.", Go(pointer=True)]
    auth: Annotated[AuthConfig, "How to authenticate; clears what is stored where it is missing."]


@go_type("v1.registryListResponse")
class RegistryList(TypedDict, total=False):
    """All registries."""

    registries: Required[Annotated[list[RegistrySummary], "What is known of each.", Always()]]
