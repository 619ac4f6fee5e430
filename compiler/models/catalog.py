"""Catalog records: ``server.json``, publisher extensions, and registry files in the upstream format."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Required, TypeAlias, TypedDict

from .declare import (
    Always,
    Forbidden,
    Format,
    Go,
    ListSet,
    Maximum,
    MaxLength,
    Minimum,
    MinLength,
    Pattern,
    Tagged,
    Unchecked,
    any_of,
    go_type,
)
from .permission_profile import ExtensionPermissions
from .registry import ENV_NAME, KubernetesMetadata, OAuthConfig, Provenance, Tag, ToolName
from .skill import RegistrySkill

URL = Pattern(r"^https?://[^\s]+$")

InputFormat: TypeAlias = Literal["string", "number", "boolean", "filepath"]


@go_type("model.Input")
class Input(TypedDict, total=False):
    """A value that a user supplies."""

    description: Annotated[str, "Purpose of the value."]
    isRequired: Annotated[bool, "Whether a value is required."]
    format: Annotated[InputFormat, "Format of the value."]
    value: Annotated[str, "Fixed value that users cannot change. {name} in it stands for a variable."]
    isSecret: Annotated[bool, "Whether the value is secret."]
    default: Annotated[str, "Value to use if the user gives none."]
    placeholder: Annotated[str, "An example to show."]
    choices: Annotated[list[str], "Allowed values."]


@go_type("model.KeyValueInput")
class KeyValueInput(TypedDict, total=False):
    """An environment variable or a header, and the value that it gets."""

    description: Annotated[str, "Purpose of the variable or header."]
    isRequired: Annotated[bool, "Whether a value is required."]
    format: Annotated[InputFormat, "Format of the value."]
    value: Annotated[str, "Fixed value that users cannot change. {name} in it stands for a variable."]
    isSecret: Annotated[bool, "Whether the value is secret."]
    default: Annotated[str, "Value to use if the user gives none."]
    placeholder: Annotated[str, "An example to show."]
    choices: Annotated[list[str], "Allowed values."]
    variables: Annotated[dict[str, Input], "Variables that {name} in the value stands for."]
    name: Required[Annotated[str, "Name of the variable or header.", Always()]]


class ArgumentInput(TypedDict, total=False):
    """A positional argument of a command line."""

    description: Annotated[str, "Purpose of the argument."]
    isRequired: Annotated[bool, "Whether a value is required."]
    format: Annotated[InputFormat, "Format of the value."]
    value: Annotated[str, "Fixed value that users cannot change. {name} in it stands for a variable."]
    isSecret: Annotated[bool, "Whether the value is secret."]
    default: Annotated[str, "Value to use if the user gives none."]
    placeholder: Annotated[str, "An example to show."]
    choices: Annotated[list[str], "Allowed values."]
    variables: Annotated[dict[str, Input], "Variables that {name} in the value stands for."]


@any_of("valueHint", "value")
@go_type("model.Argument")
class PositionalArgument(ArgumentInput, total=False):
    """A positional argument of a command line."""

    type: Required[Annotated[Literal["positional"], "Marks a positional argument.", Always()]]
    name: Annotated[str, "Ignored in a positional argument.", Unchecked()]
    valueHint: Annotated[str, "Name of the value, for URL templates."]
    isRepeated: Annotated[bool, "Whether the argument may be repeated."]


@go_type("model.Argument")
class NamedArgument(ArgumentInput, total=False):
    """A flag of a command line, with its value."""

    type: Required[Annotated[Literal["named"], "Marks a named argument.", Always()]]
    name: Required[Annotated[str, "The flag, with its dashes."]]
    valueHint: Annotated[str, "Ignored in a named argument.", Unchecked()]
    isRepeated: Annotated[bool, "Whether the argument may be repeated."]


Argument = Annotated[PositionalArgument | NamedArgument, Tagged("type")]


@go_type("model.Transport")
class StdioTransport(TypedDict, total=False):
    """Transport over standard input and output."""

    type: Required[Annotated[Literal["stdio"], "Marks the stdio transport.", Always()]]
    url: Annotated[str, "Ignored for stdio.", Unchecked()]
    headers: Annotated[list[KeyValueInput], "Ignored for stdio.", Unchecked()]
    variables: Annotated[dict[str, Input], "Ignored for stdio.", Unchecked()]


@go_type("model.Transport")
class HttpTransport(TypedDict, total=False):
    """HTTP transport of a package."""

    type: Required[Annotated[Literal["streamable-http", "sse"], "Protocol of the transport.", Always()]]
    url: Required[Annotated[str, "URL of the server. {name} in it stands for an argument or a variable.", URL]]
    headers: Annotated[list[KeyValueInput], "Headers to send."]
    variables: Annotated[dict[str, Input], "Ignored in a package.", Unchecked()]


@go_type("model.Transport")
class RemoteTransport(TypedDict, total=False):
    """HTTP transport of a remote server."""

    type: Required[Annotated[Literal["streamable-http", "sse"], "Protocol of the transport.", Always()]]
    url: Required[Annotated[str, "URL of the server. {name} in it stands for a variable.", URL]]
    headers: Annotated[list[KeyValueInput], "Headers to send."]
    variables: Annotated[dict[str, Input], "Variables that {name} in the URL stands for."]


PackageTransport = Annotated[StdioTransport | HttpTransport, Tagged("type")]


@go_type("model.Package")
class Package(TypedDict, total=False):
    """A package that contains the server."""

    registryType: Required[Annotated[str, "npm, pypi, oci, nuget or mcpb; the service runs oci only.", Always()]]
    registryBaseUrl: Annotated[str, "URL of the package registry.", Format("uri")]
    identifier: Required[Annotated[str, "Name of the package, image reference or URL.", Always()]]
    version: Annotated[str, "Exact version; ranges are refused.", MinLength(1), Forbidden("latest")]
    fileSha256: Annotated[str, "SHA-256 of the file.", Pattern(r"^[a-f0-9]{64}$")]
    runtimeHint: Annotated[str, "Command that runs the package: npx, uvx, docker, dnx."]
    transport: Required[Annotated[PackageTransport, "Transport of the server.", Always()]]
    runtimeArguments: Annotated[list[Argument], "Arguments of the command that runs the package."]
    packageArguments: Annotated[list[Argument], "Arguments of the server itself."]
    environmentVariables: Annotated[list[KeyValueInput], "Environment variables that the server reads."]


@go_type("model.Repository")
class Repository(TypedDict, total=False):
    """The source repository of a server."""

    url: Required[Annotated[str, "URL of the repository.", Format("uri")]]
    source: Required[Annotated[str, "Host of the repository: github, gitlab."]]
    id: Annotated[str, "Id at the host, which survives renaming."]
    subfolder: Annotated[str, "Folder inside the repository."]


IconSize = Annotated[str, "WIDTHxHEIGHT, or any.", Pattern(r"^(\d+x\d+|any)$")]


@go_type("model.Icon")
class Icon(TypedDict, total=False):
    """An icon of a server."""

    src: Required[Annotated[str, "URL of the image, https.", Format("uri"), MaxLength(255), Always()]]
    mimeType: Annotated[
        Literal["image/png", "image/jpeg", "image/jpg", "image/svg+xml", "image/webp"],
        "Type of the image.",
        Go(pointer=True),
    ]
    sizes: Annotated[list[IconSize], "Sizes that the icon suits."]
    theme: Annotated[Literal["light", "dark"], "Background that the icon suits.", Go(pointer=True)]


@go_type("registry.EnvVar")
class ExtensionEnvVar(TypedDict, total=False):
    """An environment variable in a publisher extension. No field is required."""

    name: Annotated[str, "Name of the variable.", ENV_NAME, Always()]
    description: Annotated[str, "Purpose of the variable.", Always()]
    required: Annotated[bool, "Whether a value is required.", Always()]
    default: Annotated[str, "Value to use if the user gives none."]
    secret: Annotated[bool, "Whether the value is secret."]


@go_type("registry.Metadata")
class ExtensionMetadata(TypedDict, total=False):
    """Popularity of a server, and the cluster resource that runs it."""

    stars: Annotated[float, "Number of stars of the repository.", Minimum(0), Go(type="int")]
    last_updated: Annotated[str, "Time at which the metadata was collected.", Format("date-time")]
    kubernetes: Annotated[KubernetesMetadata, "Resource in a cluster that runs the server."]


class ToolDefinition(TypedDict, total=False):
    """A complete tool definition. The published schema checks only these fields."""

    name: Required[Annotated[str, "Name of the tool."]]
    description: Annotated[str, "What the tool does."]
    inputSchema: Annotated[dict[str, Any], "JSON Schema of the parameters."]
    annotations: Annotated[dict[str, Any], "Annotations of the tool's behavior."]


ToolArguments = TypedDict(
    "ToolArguments",
    {
        "$defs": Annotated[dict[str, Any], "Schemas that others refer to."],
        "type": Annotated[str, "Always object.", Always()],
        "properties": Annotated[dict[str, Any], "Schemas of the parameters.", Always()],
        "required": Annotated[list[str], "Required parameters."],
        "additionalProperties": Annotated[Any, "Whether other parameters are allowed."],
        "definitions": Annotated[dict[str, Any], "Older spelling of $defs."],
    },
    total=False,
)
ToolArguments.__doc__ = "The JSON Schema of a tool's parameters or result, as ToolHive stores it."


class ToolAnnotations(TypedDict, total=False):
    """Annotations of a tool's behavior, as ToolHive stores them."""

    title: Annotated[str, "Display name."]
    readOnlyHint: Annotated[bool, "Whether the tool changes nothing.", Go(pointer=True)]
    destructiveHint: Annotated[bool, "Whether the tool may destroy data.", Go(pointer=True)]
    idempotentHint: Annotated[bool, "Whether repeated calls change nothing more.", Go(pointer=True)]
    openWorldHint: Annotated[bool, "Whether the tool reaches external systems.", Go(pointer=True)]


class ToolIcon(TypedDict, total=False):
    """An icon of a tool, as ToolHive stores it."""

    src: Annotated[str, "URL of the image.", Always()]
    mimeType: Annotated[str, "Type of the image."]
    sizes: Annotated[list[str], "Sizes that the icon suits."]


class ToolExecution(TypedDict, total=False):
    """Execution settings of a tool, as ToolHive stores them."""

    taskSupport: Annotated[str, "Whether the tool may or must run as a task."]


@go_type("mcp.Tool")
class StoredTool(TypedDict, total=False):
    """A complete tool definition, as ToolHive stores it. ``records/shape.py`` encodes it."""

    _meta: Annotated[dict[str, Any], "Extensions."]
    name: Annotated[str, "Name of the tool.", Always()]
    description: Annotated[str, "What the tool does."]
    inputSchema: Annotated[ToolArguments, "JSON Schema of the parameters.", Go(pointer=False)]
    outputSchema: Annotated[ToolArguments, "JSON Schema of the result.", Go(pointer=False)]
    annotations: Annotated[ToolAnnotations, "Annotations of the tool's behavior.", Go(pointer=False)]
    defer_loading: Annotated[bool, "Whether the tool is loaded only when needed."]
    icons: Annotated[list[ToolIcon], "Icons to show."]
    execution: Annotated[ToolExecution, "How the tool runs."]


@go_type("registry.ServerExtensions")
class ServerExtension(TypedDict, total=False):
    """A publisher's extension about one package or remote server."""

    status: Required[
        Annotated[Literal["active", "deprecated", "Active", "Deprecated"], "Whether to use the server.", Always()]
    ]
    tier: Annotated[Literal["Official", "Community"], "Who maintains the server."]
    tools: Annotated[list[ToolName], "Names of the server's tools.", ListSet()]
    tags: Annotated[list[Tag], "Tags for searching.", ListSet()]
    overview: Annotated[str, "A longer description in Markdown."]
    metadata: Annotated[ExtensionMetadata, "Popularity, and the place in a cluster."]
    custom_metadata: Annotated[dict[str, Any], "Additional metadata of any form."]
    permissions: Annotated[ExtensionPermissions, "Mounts and network access of the container."]
    args: Annotated[list[str], "Arguments of the container if the user gives none."]
    provenance: Annotated[Provenance, "Provenance of the image."]
    docker_tags: Annotated[list[str], "Existing tags of the image.", ListSet()]
    proxy_port: Annotated[int, "Port of the proxy on the host.", Minimum(1), Maximum(65535)]
    oauth_config: Annotated[OAuthConfig, "Authentication to the remote server."]
    env_vars: Annotated[
        list[Annotated[ExtensionEnvVar, Go(pointer=True)]], "Environment variables that configure the client."
    ]
    tool_definitions: Annotated[list[Annotated[ToolDefinition, Go(type="mcp.Tool")]], "Complete tool definitions."]


PublisherExtensions = TypedDict(
    "PublisherExtensions",
    {"io.github.stacklok": Annotated[dict[str, ServerExtension], "Extensions by image reference or URL."]},
    total=False,
)
PublisherExtensions.__doc__ = "Extensions in ``_meta``, by publisher. Those of other publishers may be any object."
PublisherExtensions.__extra__ = dict[str, Any]  # type: ignore[attr-defined] # an attribute for the generator

ServerMeta = TypedDict(
    "ServerMeta",
    {
        "io.modelcontextprotocol.registry/publisher-provided": Annotated[
            PublisherExtensions, "Extensions of the publisher, by reverse-DNS name.", Go(type="map[string]interface {}")
        ]
    },
    total=False,
)
ServerMeta.__doc__ = "Extensions of a record."

ServerRecord = TypedDict(
    "ServerRecord",
    {
        "$schema": Annotated[str, "URL of the schema.", Format("uri"), Always()],
        "name": Required[
            Annotated[
                str,
                "Reverse-DNS name: namespace/name.",
                MinLength(3),
                MaxLength(200),
                Pattern(r"^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$"),
                Always(),
            ]
        ],
        "description": Required[Annotated[str, "What the server does.", MinLength(1), MaxLength(100), Always()]],
        "title": Annotated[str, "Display name.", MinLength(1), MaxLength(100)],
        "repository": Annotated[Repository, "Source repository."],
        "version": Required[Annotated[str, "Version of the server.", MaxLength(255), Always()]],
        "websiteUrl": Annotated[str, "URL of the home page.", Format("uri")],
        "icons": Annotated[list[Icon], "Icons to show."],
        "packages": Annotated[list[Package], "Packages that contain the server."],
        "remotes": Annotated[list[RemoteTransport], "Remote endpoints of the server."],
        "_meta": Annotated[ServerMeta, "Extensions."],
    },
    total=False,
)
ServerRecord.__doc__ = "A server in the catalog: ``server.json``."
ServerRecord.__go_type__ = "v0.ServerJSON"  # type: ignore[attr-defined] # an attribute for the generator


@go_type("registry.UpstreamGroup")
class UpstreamGroup(TypedDict, total=False):
    """A named group of servers. The management API drops groups when it loads the file."""

    name: Required[Annotated[str, "Name of the group.", Always()]]
    description: Required[Annotated[str, "Purpose of the group.", Always()]]
    servers: Required[Annotated[list[ServerRecord], "The servers.", Always()]]


@go_type("registry.UpstreamData")
class UpstreamData(TypedDict, total=False):
    """Content of an upstream registry file."""

    servers: Required[Annotated[list[ServerRecord], "Servers.", Always()]]
    groups: Annotated[list[UpstreamGroup], "Servers that belong together."]
    skills: Annotated[list[RegistrySkill], "Skills."]


@go_type("registry.UpstreamMeta")
class UpstreamMeta(TypedDict, total=False):
    """Metadata of the registry file."""

    last_updated: Required[Annotated[str, "Time of creation.", Format("date-time"), Always()]]


UpstreamRegistry = TypedDict(
    "UpstreamRegistry",
    {
        "$schema": Annotated[str, "URL of the schema.", Format("uri"), Always()],
        "version": Required[Annotated[str, "Version of the format.", Pattern(r"^\d+\.\d+\.\d+$"), Always()]],
        "meta": Required[Annotated[UpstreamMeta, "Metadata of the registry file.", Always()]],
        "data": Required[Annotated[UpstreamData, "Servers, groups and skills.", Always()]],
    },
    total=False,
)
UpstreamRegistry.__doc__ = "A registry file in the upstream format."
UpstreamRegistry.__go_type__ = "registry.UpstreamRegistry"  # type: ignore[attr-defined] # an attribute for the generator


@go_type("v1.paginationV01Metadata")
class Pagination(TypedDict, total=False):
    """Position of a page within a list."""

    total: Required[Annotated[int, "Number of items after filtering.", Always()]]
    page: Required[Annotated[int, "Number of the page, from 1.", Always()]]
    limit: Required[Annotated[int, "Maximum number of items per page.", Always()]]


@go_type("v1.serversV01Response")
class ServerRecordList(TypedDict, total=False):
    """One page of the catalog's servers."""

    servers: Required[Annotated[list[ServerRecord], "The servers of the page.", Always()]]
    metadata: Required[Annotated[Pagination, "Position of the page.", Always()]]


@go_type("v1.skillsV01Response")
class RegistrySkillList(TypedDict, total=False):
    """One page of the catalog's skills."""

    skills: Required[Annotated[list[RegistrySkill], "The skills of the page.", Always()]]
    metadata: Required[Annotated[Pagination, "Position of the page.", Always()]]
