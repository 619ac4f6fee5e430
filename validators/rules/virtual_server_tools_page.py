"""Rules of which tools a virtual server shows, and of names that match nothing."""

from __future__ import annotations

from ..page import rule

PIPELINE = "the tool aggregator of the vMCP process, v0.21.0."

EXPOSED = rule(
    "VMC211",
    "unlisted-member-exposed",
    "Some members of the group are restricted, and others show all their tools.",
    flagged="`aggregation.tools` with at least one entry that filters or hides tools, where a member of the group has"
    " no entry. `excludeAllTools` hides everything, and is not flagged.",
    why="`tools` is no list of what is allowed: a member without an entry shows every tool it has, and a server that"
    " joins the group later does too.",
    example="tools:\n- workload: github\n  filter: [search_code]\n# the group has a member kubernetes too",
    cure="add an entry for every member: with a `filter`, with `excludeAll: true`, or an empty one to say that all its"
    " tools are meant to be seen.",
    source=PIPELINE,
    stage="lint",
)
UNKNOWN_WORKLOAD = rule(
    "VMC212",
    "unknown-workload",
    "A setting is for a backend that the group does not have.",
    flagged="`aggregation.tools[].workload`, `conflictResolutionConfig.priorityOrder[]` and the keys of"
    " `outgoingAuth.backends` and `operational.timeouts.perWorkload` that name no member of the group, where all"
    " members are known.",
    why="the setting counts for nobody. A filter that is spelled wrong filters nothing.",
    example="tools:\n- workload: gihub\n  filter: [search_code]",
    cure="correct the name: it is that of the MCPServer, MCPRemoteProxy or MCPServerEntry.",
    source=PIPELINE,
    stage="lint",
)
SHADOWED = rule(
    "VMC210",
    "shadowed-tool-config",
    "A part of a tool configuration does not count, because the virtual server has its own.",
    flagged="in `aggregation.tools`, a `toolConfigRef` beside a `filter`, where the MCPToolConfig has a `toolsFilter`;"
    " and beside an entry of `overrides` for a tool that the MCPToolConfig overrides too.",
    why="the two are not joined: the filter of the entry replaces that of the MCPToolConfig, which then hides nothing"
    " here, and the entry's override of a tool replaces the other one as a whole.",
    example="tools:\n- workload: github\n  toolConfigRef: {name: read-only}  # has a toolsFilter\n  filter: [search]",
    cure="keep the filter in one of the two places.",
    source="the conversion of a VirtualMCPServer in the operator, v0.21.0.",
    stage="lint",
)
OLD_NAME = rule(
    "VMC213",
    "filter-by-old-name",
    "A filter lists the old name of a renamed tool.",
    flagged="a name in `filter` that an entry of `overrides` renames, where the new name is not in the filter.",
    why="tools are renamed first and filtered then, though the field's documentation says otherwise: the tool is"
    " hidden.",
    example="- workload: github\n  filter: [search]\n  overrides: {search: {name: find_code}}",
    cure="list the new name.",
    source=PIPELINE,
    stage="lint",
)
PREFIX = rule(
    "VMC214",
    "unusable-prefix",
    "A prefix gives names of tools that clients refuse or cannot tell apart.",
    flagged="a `prefixFormat` without `{workload}`, or with other characters than letters, digits, `_` and `-` beside"
    " it. `{workload}` is the only placeholder.",
    why="clients and models take names of letters, digits, underscores and hyphens; of two tools that end up with one"
    " name one is dropped, and which is not certain.",
    example='conflictResolutionConfig: {prefixFormat: "{workload}."}',
    cure='use `"{workload}_"`.',
    source=PIPELINE,
    stage="lint",
)
NOTHING_SHOWN = rule(
    "VMC215",
    "no-tools-shown",
    "A virtual server shows no tools at all.",
    flagged="`aggregation.excludeAllTools` in a virtual server without composite tools.",
    why="hidden tools can be called by composite tools only, and there are none: clients see an empty list.",
    example="aggregation: {excludeAllTools: true}",
    cure="add composite tools, or hide the tools of single backends.",
    source=PIPELINE,
    stage="lint",
)
EMPTY_GROUP = rule(
    "VMC216",
    "empty-group",
    "The group of a virtual server has no members.",
    flagged="a VirtualMCPServer whose group no MCPServer, MCPRemoteProxy or MCPServerEntry names, where all files are"
    " known.",
    why="it starts, and has nothing to serve until a member comes.",
    example="groupRef: {name: team}  # and no server says groupRef: {name: team}",
    cure="set `spec.groupRef` of the servers.",
    source="how the operator and the vMCP process find the members of a group, v0.21.0.",
    stage="lint",
)
SSE = rule(
    "VMC217",
    "sse-backend",
    "A server that speaks sse is taken for one that speaks streamable-http.",
    flagged="a member of the group of kind MCPServer with `transport: sse` and without `proxyMode: sse`.",
    why="a virtual server goes by `proxyMode`, which is streamable-http where nothing is said, while the address of the"
    " server is that of sse: the backend fails every health check, and nothing refuses it.",
    example="kind: MCPServer\nspec: {transport: sse, groupRef: {name: team}}",
    cure="add `proxyMode: sse`, or let the server speak streamable-http.",
    source="how the operator and the vMCP process find the members of a group, v0.21.0.",
    stage="lint",
)
UNROUTABLE = rule(
    "VMC218",
    "unroutable-composite-tool",
    "A composite tool calls a tool that no member of the group can have.",
    flagged="a step whose `tool` is `workload.tool` with a workload that is no member, or, where names are prefixed,"
    " one that neither names a member nor begins with the prefix of one; only where all members are known. For a"
    " definition it is told at the reference.",
    why="a composite tool with a step that cannot be routed is not offered to clients, and nothing says why.",
    example="steps:\n- {id: fetch, tool: web.fetch}  # no member is called web",
    cure="write the name of a member before the dot.",
    source="the composite tools of the vMCP process, v0.21.0.",
    stage="lint",
)
UNORDERED = rule(
    "VMC219",
    "member-without-priority",
    "A member of the group is missing from the order of priority.",
    flagged="a `priorityOrder` that leaves out members of the group.",
    why="of tools with one name that of the strongest listed backend is kept, and those of backends that are not listed"
    " are dropped.",
    example="conflictResolution: priority\nconflictResolutionConfig: {priorityOrder: [github]}",
    cure="list all members.",
    source=PIPELINE,
    stage="lint",
    severity="info",
)
RULES = (
    EXPOSED,
    UNKNOWN_WORKLOAD,
    SHADOWED,
    OLD_NAME,
    PREFIX,
    NOTHING_SHOWN,
    EMPTY_GROUP,
    SSE,
    UNROUTABLE,
    UNORDERED,
)
