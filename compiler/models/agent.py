"""The arguments of the tools of ``mcpcfg mcp``."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Required, TypeAlias, TypedDict

from .declare import Default, Maximum, MaxItems, MaxLength, MaxProperties, Minimum, MinLength, Pattern

Path: TypeAlias = Annotated[str, MinLength(1), MaxLength(4096)]
Paths: TypeAlias = Annotated[
    list[Path],
    "Files and folders below the root of the server, relative to it. They are read as one project. Without paths and"
    " without files, the whole root is read.",
    MaxItems(1000),
]
Files: TypeAlias = Annotated[
    dict[str, str],
    "Texts by file name, such as a draft that is not written yet. A text replaces the file of its name, or is one more"
    " file. Without paths, the texts are all there is.",
    MaxProperties(1000),
]
Release: TypeAlias = Annotated[
    str,
    "Release of the operator that judges, such as 0.44.0. By default the release that the project installs.",
    Pattern(r"^v?[0-9]+\.[0-9]+(\.[0-9]+)?$"),
    MaxLength(40),
]
Closed: TypeAlias = Annotated[
    bool, "Whether the files are all there is: a Secret or ConfigMap that none declares is then an error."
]
Namespace: TypeAlias = Annotated[str, "Namespace of documents that set none.", MinLength(1), MaxLength(63)]
Name: TypeAlias = Annotated[str, MinLength(1), MaxLength(400)]


class CheckArguments(TypedDict, total=False):
    """The files to check, as paths, as texts or as both."""

    paths: Paths
    files: Files
    release: Release
    closed: Closed
    namespace: Namespace
    severity: Annotated[Literal["error", "warning", "info"], "Lowest severity to show; all are counted."]
    kind: Annotated[
        str, "Kind of the first path or file, if its content does not show it, such as skill.", MaxLength(40)
    ]


class ExplainArguments(TypedDict, total=False):
    """The rule, kind, file format or field to explain."""

    what: Required[
        Annotated[
            Name,
            "A rule by id or name (REF004), a kind or file format (MCPServer, runconfig), a field"
            " (MCPServer.spec.rateLimiting), or a resource or file of the project (MCPServer/fetch).",
        ]
    ]


class FixArguments(TypedDict, total=False):
    """The files to fix."""

    paths: Paths
    files: Files
    release: Release
    unsafe: Annotated[bool, "Whether to include fixes that a person has to review."]
    write: Annotated[bool, "Whether to write the files. The server must have been started with --write."]


class BuildArguments(TypedDict, total=False):
    """The resources to compile, and the target."""

    paths: Paths
    files: Files
    release: Release
    target: Required[
        Annotated[
            Literal["kubernetes", "backend", "runconfig", "vmcp", "status"],
            "kubernetes: the objects that the operator creates; backend: those of the proxy runner; runconfig: the"
            " RunConfig of each server; vmcp: the files of virtual servers; status: the final statuses.",
        ]
    ]
    cluster: Annotated[Name, "Cluster to compile for, if the project has several."]
    keepGoing: Annotated[bool, "Whether to compile the rest if some resources have errors."]
    standalone: Annotated[bool, "Whether to leave out owner references, to apply without an operator."]


class DiffArguments(TypedDict, total=False):
    """The two states of a project to compare. Give old and new, against, or files."""

    old: Annotated[Path, "Folder or file of the old state, below the root."]
    new: Annotated[Path, "Folder or file of the new state, below the root; by default the whole root."]
    against: Annotated[
        str, "Git revision of the old state, such as HEAD, instead of old.", Pattern(r"^[^-]"), MaxLength(200)
    ]
    files: Annotated[
        dict[str, str],
        "Texts by file name. In the new state, each replaces the file of that name or adds it. If neither old nor"
        " against is given, the old state is the new state before these texts are applied.",
        MaxProperties(1000),
    ]


class GraphArguments(TypedDict, total=False):
    """The resources to draw."""

    paths: Paths
    files: Files
    release: Release
    allKinds: Annotated[bool, "Whether to draw Secrets and ConfigMaps that nothing refers to."]


class SimulateArguments(TypedDict, total=False):
    """A question about a resource. Fields that belong to other subjects are refused."""

    subject: Required[
        Annotated[
            Literal["tools", "workflow", "authz", "role", "rate-limit"],
            "tools: what clients of a virtual server see; workflow: a run of a composite tool; authz: whether a request"
            " passes; role: the role of a user; rate-limit: what the limits let through.",
        ]
    ]
    name: Required[Annotated[Name, "Name of the resource, also as Kind/name, or a file below the root."]]
    paths: Annotated[list[Path], "Files and folders of the project; by default the whole root.", MaxItems(1000)]
    namespace: Namespace
    backendTools: Annotated[dict[str, Any], "For tools: names of tools by backend, or answers of tools/list."]
    tool: Annotated[Name, "For workflow: name of the composite tool, if there are several."]
    params: Annotated[dict[str, Any], "For workflow: arguments of the composite tool."]
    results: Annotated[dict[str, Any], "For workflow: the answer of each tool: {text}, {output} or {error}."]
    answers: Annotated[dict[str, Any], "For workflow: the user's answer to each elicitation step: {action, content}."]
    claims: Annotated[dict[str, Any], "For authz and role: claims of the user's token, such as sub."]
    action: Annotated[
        Literal["call_tool", "get_prompt", "read_resource", "list_tools", "list_prompts", "list_resources"],
        "For authz: the request.",
        Default("call_tool"),
    ]
    resource: Annotated[Name, "For authz: name of the tool or prompt, or URI of the resource."]
    arguments: Annotated[dict[str, Any], "For authz: arguments of the tool call."]
    users: Annotated[int, "For rate-limit: number of users that send requests.", Minimum(1), Maximum(1_000_000)]


class SearchRegistryArguments(TypedDict, total=False):
    """A search in a registry file, in either format."""

    file: Required[Annotated[Path, "Registry file below the root."]]
    query: Annotated[str, "Text that the name or the description must contain.", MaxLength(400)]
    page: Annotated[int, "Number of the page.", Minimum(1), Default(1)]
    limit: Annotated[int, "Number of servers on a page.", Minimum(1), Maximum(100), Default(20)]
