"""Rules of which tools a virtual server shows, and of names that match nothing."""

from __future__ import annotations

from mcpcfg.compiler.finding import rule

PIPELINE = "The tool aggregator of the vMCP process, v0.21.0."

EXPOSED = rule(
    "VMC211",
    "unlisted-member-exposed",
    "Some members of the group are restricted, and others show all their tools",
    stage="lint",
    checks="`aggregation.tools` with at least one entry that filters or hides tools, where a member of the group has"
    " no entry. `excludeAllTools` hides everything, and is not reported.",
    why="`tools` is not a list of what is allowed: a member without an entry shows every tool it has, and a server"
    " that joins the group later does too.",
    example="""
        tools:
        - workload: github
          filter: [search_code]
        # the group has a member kubernetes too
        """,
    fix="Add an entry for every member: with a `filter`, with `excludeAll: true`, or an empty one to say that all its"
    " tools are meant to be seen.",
    source=PIPELINE,
)
UNKNOWN_WORKLOAD = rule(
    "VMC212",
    "unknown-workload",
    "A setting is for a backend that the group does not have",
    stage="lint",
    checks="`aggregation.tools[].workload`, `conflictResolutionConfig.priorityOrder[]` and the keys of"
    " `outgoingAuth.backends` and `operational.timeouts.perWorkload` that name no member of the group, where all"
    " members are known.",
    why="The setting has no effect. A filter that is spelled wrong filters nothing.",
    example="""
        tools:
        - workload: gihub
          filter: [search_code]
        """,
    fix="Correct the name: it is that of the MCPServer, MCPRemoteProxy or MCPServerEntry.",
    source=PIPELINE,
)
SHADOWED = rule(
    "VMC210",
    "shadowed-tool-config",
    "A part of a tool configuration does not count, because the virtual server has its own",
    stage="lint",
    checks="In `aggregation.tools`, a `toolConfigRef` beside a `filter`, where the MCPToolConfig has a `toolsFilter`;"
    " and beside an entry of `overrides` for a tool that the MCPToolConfig overrides too.",
    why="The two are not joined: the filter of the entry replaces that of the MCPToolConfig, which then hides nothing"
    " here, and the entry's override of a tool replaces the other one as a whole.",
    example="""
        tools:
        - workload: github
          toolConfigRef: {name: read-only}  # has a toolsFilter
          filter: [search]
        """,
    fix="Keep the filter in one of the two places.",
    source="The conversion of a VirtualMCPServer in the operator, v0.21.0.",
)
OLD_NAME = rule(
    "VMC213",
    "filter-by-old-name",
    "A filter lists the old name of a renamed tool",
    stage="lint",
    checks="A name in `filter` that an entry of `overrides` renames, where the new name is not in the filter.",
    why="Tools are renamed first and filtered then, though the field's documentation says otherwise: the tool is"
    " hidden.",
    example="""
        - workload: github
          filter: [search]
          overrides: {search: {name: find_code}}
        """,
    fix="List the new name.",
    source=PIPELINE,
)
PREFIX = rule(
    "VMC214",
    "unusable-prefix",
    "A prefix gives names of tools that clients refuse or cannot tell apart",
    stage="lint",
    checks="A `prefixFormat` without `{workload}`, or with other characters than letters, digits, `_` and `-` beside"
    " it. `{workload}` is the only placeholder.",
    why="Clients and models take names of letters, digits, underscores and hyphens; of two tools that end up with one"
    " name one is dropped, and which is not certain.",
    example='conflictResolutionConfig: {prefixFormat: "{workload}."}',
    fix='Use `"{workload}_"`.',
    source=PIPELINE,
)
NOTHING_SHOWN = rule(
    "VMC215",
    "no-tools-shown",
    "A virtual server shows no tools at all",
    stage="lint",
    checks="`aggregation.excludeAllTools` in a virtual server without composite tools.",
    why="Hidden tools can be called by composite tools only, and there are none: clients see an empty list.",
    example="aggregation: {excludeAllTools: true}",
    fix="Add composite tools, or hide the tools of single backends.",
    source=PIPELINE,
)
EMPTY_GROUP = rule(
    "VMC216",
    "empty-group",
    "The group of a virtual server has no members",
    stage="lint",
    checks="A VirtualMCPServer whose group no MCPServer, MCPRemoteProxy or MCPServerEntry names, where all files are"
    " known.",
    why="It starts, and has nothing to serve until a member comes.",
    example="groupRef: {name: team}  # and no server says groupRef: {name: team}",
    fix="Set `spec.groupRef` of the servers.",
    source="How the operator and the vMCP process find the members of a group, v0.21.0.",
)
SSE = rule(
    "VMC217",
    "sse-backend",
    "A server that speaks sse is taken for one that speaks streamable-http",
    stage="lint",
    checks="A member of the group of kind MCPServer with `transport: sse` and without `proxyMode: sse`.",
    why="A virtual server goes by `proxyMode`, which is streamable-http where nothing is said, while the address of"
    " the server is that of sse: the backend fails every health check, and nothing refuses it.",
    example="""
        kind: MCPServer
        spec: {transport: sse, groupRef: {name: team}}
        """,
    fix="Add `proxyMode: sse`, or let the server speak streamable-http.",
    source="How the operator and the vMCP process find the members of a group, v0.21.0.",
)
UNROUTABLE = rule(
    "VMC218",
    "unroutable-composite-tool",
    "A composite tool calls a tool that no member of the group can have",
    stage="lint",
    checks="A step whose `tool` is `workload.tool` with a workload that is not a member, or, where names are prefixed,"
    " one that neither names a member nor begins with the prefix of one; only where all members are known. For a"
    " definition it is reported at the reference.",
    why="A composite tool with a step that cannot be routed is not offered to clients, and nothing says why.",
    example="""
        steps:
        - {id: fetch, tool: web.fetch}  # no member is called web
        """,
    fix="Write the name of a member before the dot.",
    source="The composite tools of the vMCP process, v0.21.0.",
)
UNORDERED = rule(
    "VMC219",
    "member-without-priority",
    "A member of the group is missing from the order of priority",
    stage="lint",
    severity="info",
    checks="A `priorityOrder` that leaves out members of the group.",
    why="Of tools with one name that of the strongest listed backend is kept, and those of backends that are not"
    " listed are dropped.",
    example="""
        conflictResolution: priority
        conflictResolutionConfig: {priorityOrder: [github]}
        """,
    fix="List all members.",
    source=PIPELINE,
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
