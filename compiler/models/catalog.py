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

    description: Annotated[str, "What it is for."]
    isRequired: Annotated[bool, "Whether it has to be given."]
    format: Annotated[InputFormat, "How it is written."]
    value: Annotated[str, "A value that users cannot change; {names} in it stand for variables."]
    isSecret: Annotated[bool, "Whether it is kept secret."]
    default: Annotated[str, "The value where none is given."]
    placeholder: Annotated[str, "An example to show."]
    choices: Annotated[list[str], "The values that it may have."]


@go_type("model.KeyValueInput")
class KeyValueInput(TypedDict, total=False):
    """An environment variable or a header."""

    description: Annotated[str, "What it is for."]
    isRequired: Annotated[bool, "Whether it has to be given."]
    format: Annotated[InputFormat, "How it is written."]
    value: Annotated[str, "A value that users cannot change; {names} in it stand for variables."]
    isSecret: Annotated[bool, "Whether it is kept secret."]
    default: Annotated[str, "The value where none is given."]
    placeholder: Annotated[str, "An example to show."]
    choices: Annotated[list[str], "The values that it may have."]
    variables: Annotated[dict[str, Input], "What the {names} in the value stand for."]
    name: Required[Annotated[str, "Name of the variable or header.", Always()]]


@any_of("valueHint", "value")
@go_type("model.Argument")
class PositionalArgument(TypedDict, total=False):
    """An argument that stands for itself."""

    description: Annotated[str, "What it is for."]
    isRequired: Annotated[bool, "Whether it has to be given."]
    format: Annotated[InputFormat, "How it is written."]
    value: Annotated[str, "A value that users cannot change; {names} in it stand for variables."]
    isSecret: Annotated[bool, "Whether it is kept secret."]
    default: Annotated[str, "The value where none is given."]
    placeholder: Annotated[str, "An example to show."]
    choices: Annotated[list[str], "The values that it may have."]
    variables: Annotated[dict[str, Input], "What the {names} in the value stand for."]
    type: Required[Annotated[Literal["positional"], "Says that it is positional.", Always()]]
    name: Annotated[str, "Not looked at in a positional argument.", Unchecked()]
    valueHint: Annotated[str, "Name of the value, for URL templates."]
    isRepeated: Annotated[bool, "Whether it may be given several times."]


@go_type("model.Argument")
class NamedArgument(TypedDict, total=False):
    """A flag with its value."""

    description: Annotated[str, "What it is for."]
    isRequired: Annotated[bool, "Whether it has to be given."]
    format: Annotated[InputFormat, "How it is written."]
    value: Annotated[str, "A value that users cannot change; {names} in it stand for variables."]
    isSecret: Annotated[bool, "Whether it is kept secret."]
    default: Annotated[str, "The value where none is given."]
    placeholder: Annotated[str, "An example to show."]
    choices: Annotated[list[str], "The values that it may have."]
    variables: Annotated[dict[str, Input], "What the {names} in the value stand for."]
    type: Required[Annotated[Literal["named"], "Says that it is named.", Always()]]
    name: Required[Annotated[str, "The flag, with its dashes."]]
    valueHint: Annotated[str, "Not looked at in a named argument.", Unchecked()]
    isRepeated: Annotated[bool, "Whether it may be given several times."]


Argument = Annotated[PositionalArgument | NamedArgument, Tagged("type")]


@go_type("model.Transport")
class StdioTransport(TypedDict, total=False):
    """Talked to over standard input and output."""

    type: Required[Annotated[Literal["stdio"], "Says that it is stdio.", Always()]]
    url: Annotated[str, "Has no meaning here.", Unchecked()]
    headers: Annotated[list[KeyValueInput], "Have no meaning here.", Unchecked()]
    variables: Annotated[dict[str, Input], "Have no meaning here.", Unchecked()]


@go_type("model.Transport")
class HttpTransport(TypedDict, total=False):
    """Talked to over HTTP, in a package."""

    type: Required[Annotated[Literal["streamable-http", "sse"], "Which protocol.", Always()]]
    url: Required[Annotated[str, "URL, which may hold {names} of arguments and variables.", URL]]
    headers: Annotated[list[KeyValueInput], "Headers to send."]
    variables: Annotated[dict[str, Input], "Have no meaning in a package.", Unchecked()]


@go_type("model.Transport")
class RemoteTransport(TypedDict, total=False):
    """Talked to over HTTP, elsewhere."""

    type: Required[Annotated[Literal["streamable-http", "sse"], "Which protocol.", Always()]]
    url: Required[Annotated[str, "URL, which may hold {names} of the variables.", URL]]
    headers: Annotated[list[KeyValueInput], "Headers to send."]
    variables: Annotated[dict[str, Input], "What the {names} in the URL stand for."]


PackageTransport = Annotated[StdioTransport | HttpTransport, Tagged("type")]


@go_type("model.Package")
class Package(TypedDict, total=False):
    """One way to get the server."""

    registryType: Required[Annotated[str, "npm, pypi, oci, nuget or mcpb; the service runs oci only.", Always()]]
    registryBaseUrl: Annotated[str, "Where the package registry is.", Format("uri")]
    identifier: Required[Annotated[str, "Name of the package, image reference or URL.", Always()]]
    version: Annotated[str, "Its version, and no range.", MinLength(1), Forbidden("latest")]
    fileSha256: Annotated[str, "SHA-256 of the file.", Pattern(r"^[a-f0-9]{64}$")]
    runtimeHint: Annotated[str, "What runs it: npx, uvx, docker, dnx."]
    transport: Required[Annotated[PackageTransport, "How it is talked to.", Always()]]
    runtimeArguments: Annotated[list[Argument], "Arguments of what runs it."]
    packageArguments: Annotated[list[Argument], "Arguments of the server itself."]
    environmentVariables: Annotated[list[KeyValueInput], "Environment variables that it reads."]


@go_type("model.Repository")
class Repository(TypedDict, total=False):
    """Where the source is."""

    url: Required[Annotated[str, "URL of the repository.", Format("uri")]]
    source: Required[Annotated[str, "Who hosts it: github, gitlab."]]
    id: Annotated[str, "Identity at the host, which survives renaming."]
    subfolder: Annotated[str, "Where in the repository."]


IconSize = Annotated[str, "Width x height, or any.", Pattern(r"^(\d+x\d+|any)$")]


@go_type("model.Icon")
class Icon(TypedDict, total=False):
    """An icon to show."""

    src: Required[Annotated[str, "URL of the image, https.", Format("uri"), MaxLength(255), Always()]]
    mimeType: Annotated[
        Literal["image/png", "image/jpeg", "image/jpg", "image/svg+xml", "image/webp"],
        "Type of the image.",
        Go(pointer=True),
    ]
    sizes: Annotated[list[IconSize], "Sizes that it is good for."]
    theme: Annotated[Literal["light", "dark"], "The background that it is made for.", Go(pointer=True)]


@go_type("registry.EnvVar")
class ExtensionEnvVar(TypedDict, total=False):
    """An environment variable in a publisher extension, where nothing is required."""

    name: Annotated[str, "Name of the variable.", ENV_NAME, Always()]
    description: Annotated[str, "What it is for.", Always()]
    required: Annotated[bool, "Whether it has to be given.", Always()]
    default: Annotated[str, "Its value where none is given."]
    secret: Annotated[bool, "Whether the value is kept as a secret."]


@go_type("registry.Metadata")
class ExtensionMetadata(TypedDict, total=False):
    """A server's popularity, and where it runs."""

    stars: Annotated[float, "Stars of its repository.", Minimum(0), Go(type="int")]
    last_updated: Annotated[str, "When this was looked up.", Format("date-time")]
    kubernetes: Annotated[KubernetesMetadata, "Where it runs in a cluster."]


class ToolDefinition(TypedDict, total=False):
    """A tool in full, as the server lists it: what its published schema checks."""

    name: Required[Annotated[str, "Name of the tool."]]
    description: Annotated[str, "What it does."]
    inputSchema: Annotated[dict[str, Any], "JSON Schema of its parameters."]
    annotations: Annotated[dict[str, Any], "What is known of its behaviour."]


ToolArguments = TypedDict(
    "ToolArguments",
    {
        "$defs": Annotated[dict[str, Any], "Schemas that others refer to."],
        "type": Annotated[str, "Always object.", Always()],
        "properties": Annotated[dict[str, Any], "Schemas of the parameters.", Always()],
        "required": Annotated[list[str], "Parameters that have to be given."],
        "additionalProperties": Annotated[Any, "Whether there may be others."],
        "definitions": Annotated[dict[str, Any], "Older spelling of $defs."],
    },
    total=False,
)
ToolArguments.__doc__ = "JSON Schema of the parameters or the result of a tool, as the program holds it."


class ToolAnnotations(TypedDict, total=False):
    """Annotations of a tool's behaviour, as the program holds them."""

    title: Annotated[str, "Name to show."]
    readOnlyHint: Annotated[bool, "It changes nothing.", Go(pointer=True)]
    destructiveHint: Annotated[bool, "It may destroy.", Go(pointer=True)]
    idempotentHint: Annotated[bool, "Calling it again changes nothing more.", Go(pointer=True)]
    openWorldHint: Annotated[bool, "It reaches out.", Go(pointer=True)]


class ToolIcon(TypedDict, total=False):
    """An icon of a tool, as the program holds it."""

    src: Annotated[str, "URL of the image.", Always()]
    mimeType: Annotated[str, "Type of the image."]
    sizes: Annotated[list[str], "Sizes that it is good for."]


class ToolExecution(TypedDict, total=False):
    """How a tool runs, as the program holds it."""

    taskSupport: Annotated[str, "Whether it runs as a task."]


@go_type("mcp.Tool")
class HeldTool(TypedDict, total=False):
    """A tool in full, as the program holds it. It writes it in its own way: see ``records.shape``."""

    _meta: Annotated[dict[str, Any], "Extensions."]
    name: Annotated[str, "Name of the tool.", Always()]
    description: Annotated[str, "What it does."]
    inputSchema: Annotated[ToolArguments, "JSON Schema of its parameters.", Go(pointer=False)]
    outputSchema: Annotated[ToolArguments, "JSON Schema of its result.", Go(pointer=False)]
    annotations: Annotated[ToolAnnotations, "What is known of its behaviour.", Go(pointer=False)]
    defer_loading: Annotated[bool, "Whether it is loaded when it is needed."]
    icons: Annotated[list[ToolIcon], "Icons to show."]
    execution: Annotated[ToolExecution, "How it runs."]


@go_type("registry.ServerExtensions")
class ServerExtension(TypedDict, total=False):
    """A publisher's extension about one package or remote server."""

    status: Required[
        Annotated[Literal["active", "deprecated", "Active", "Deprecated"], "Whether it should be used.", Always()]
    ]
    tier: Annotated[Literal["Official", "Community"], "Who stands behind it."]
    tools: Annotated[list[ToolName], "Names of its tools.", ListSet()]
    tags: Annotated[list[Tag], "Tags to find it by.", ListSet()]
    overview: Annotated[str, "A longer description in Markdown."]
    metadata: Annotated[ExtensionMetadata, "What is known of its popularity."]
    custom_metadata: Annotated[dict[str, Any], "Anything else."]
    permissions: Annotated[ExtensionPermissions, "What a container may mount and reach."]
    args: Annotated[list[str], "Arguments of a container where the user gives none."]
    provenance: Annotated[Provenance, "Where an image comes from."]
    docker_tags: Annotated[list[str], "Tags of an image that exist.", ListSet()]
    proxy_port: Annotated[int, "Port of the proxy on the host.", Minimum(1), Maximum(65535)]
    oauth_config: Annotated[OAuthConfig, "How to authenticate to a remote server."]
    env_vars: Annotated[
        list[Annotated[ExtensionEnvVar, Go(pointer=True)]], "Variables that configure the client of a remote server."
    ]
    tool_definitions: Annotated[list[Annotated[ToolDefinition, Go(type="mcp.Tool")]], "Its tools in full."]


PublisherExtensions = TypedDict(
    "PublisherExtensions",
    {"io.github.stacklok": Annotated[dict[str, ServerExtension], "By image reference or URL."]},
    total=False,
)
PublisherExtensions.__doc__ = "The publisher-provided part of a record's ``_meta``; other names hold any object."
PublisherExtensions.__extra__ = dict[str, Any]  # type: ignore[attr-defined] # what the generator reads of it

ServerMeta = TypedDict(
    "ServerMeta",
    {
        "io.modelcontextprotocol.registry/publisher-provided": Annotated[
            PublisherExtensions,
            "What the publisher adds, by reverse-DNS name.",
            Go(type="map[string]interface {}"),
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
                "Reverse-DNS name: a namespace, one slash, a name.",
                MinLength(3),
                MaxLength(200),
                Pattern(r"^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$"),
                Always(),
            ]
        ],
        "description": Required[Annotated[str, "What it does.", MinLength(1), MaxLength(100), Always()]],
        "title": Annotated[str, "Name to show.", MinLength(1), MaxLength(100)],
        "repository": Annotated[Repository, "Where the source is."],
        "version": Required[Annotated[str, "Version of the server.", MaxLength(255), Always()]],
        "websiteUrl": Annotated[str, "Its home page.", Format("uri")],
        "icons": Annotated[list[Icon], "Icons to show."],
        "packages": Annotated[list[Package], "Ways to get it."],
        "remotes": Annotated[list[RemoteTransport], "Where it runs elsewhere."],
        "_meta": Annotated[ServerMeta, "Extensions."],
    },
    total=False,
)
ServerRecord.__doc__ = "A server in the catalog: ``server.json``."
ServerRecord.__go_type__ = "v0.ServerJSON"  # type: ignore[attr-defined] # what the generator reads of it


@go_type("registry.UpstreamGroup")
class UpstreamGroup(TypedDict, total=False):
    """Servers that belong together. The service drops groups when it loads the file."""

    name: Required[Annotated[str, "Name of the group.", Always()]]
    description: Required[Annotated[str, "What it is for.", Always()]]
    servers: Required[Annotated[list[ServerRecord], "The servers.", Always()]]


@go_type("registry.UpstreamData")
class UpstreamData(TypedDict, total=False):
    """What an upstream registry file holds."""

    servers: Required[Annotated[list[ServerRecord], "Servers.", Always()]]
    groups: Annotated[list[UpstreamGroup], "Servers that belong together."]
    skills: Annotated[list[RegistrySkill], "Skills."]


@go_type("registry.UpstreamMeta")
class UpstreamMeta(TypedDict, total=False):
    """Metadata of the file."""

    last_updated: Required[Annotated[str, "When it was made.", Format("date-time"), Always()]]


UpstreamRegistry = TypedDict(
    "UpstreamRegistry",
    {
        "$schema": Annotated[str, "URL of the schema.", Format("uri"), Always()],
        "version": Required[Annotated[str, "Version of the format.", Pattern(r"^\d+\.\d+\.\d+$"), Always()]],
        "meta": Required[Annotated[UpstreamMeta, "What is known of the file.", Always()]],
        "data": Required[Annotated[UpstreamData, "What it holds.", Always()]],
    },
    total=False,
)
UpstreamRegistry.__doc__ = "A registry file in the upstream format."
UpstreamRegistry.__go_type__ = "registry.UpstreamRegistry"  # type: ignore[attr-defined] # what the generator reads of it


@go_type("v1.paginationV01Metadata")
class Pagination(TypedDict, total=False):
    """Which part of a list an answer holds."""

    total: Required[Annotated[int, "How many there are after filtering.", Always()]]
    page: Required[Annotated[int, "Which page, from 1.", Always()]]
    limit: Required[Annotated[int, "How many on a page.", Always()]]


@go_type("v1.serversV01Response")
class ServerRecordList(TypedDict, total=False):
    """One page of the catalog's servers."""

    servers: Required[Annotated[list[ServerRecord], "The servers of the page.", Always()]]
    metadata: Required[Annotated[Pagination, "Which page it is.", Always()]]


@go_type("v1.skillsV01Response")
class RegistrySkillList(TypedDict, total=False):
    """One page of the catalog's skills."""

    skills: Required[Annotated[list[RegistrySkill], "The skills of the page.", Always()]]
    metadata: Required[Annotated[Pagination, "Which page it is.", Always()]]
