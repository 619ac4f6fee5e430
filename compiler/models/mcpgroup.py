"""MCPGroup: backends that belong together."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from .declare import Default, Int32, ListSet
from .status import Conditions, ObservedGeneration


class MCPGroupSpec(TypedDict, total=False):
    """The description of a group. Its members refer to the group."""

    description: Annotated[str, "What the group is for."]


class MCPGroupStatus(TypedDict, total=False):
    """The last observed state of the group."""

    observedGeneration: ObservedGeneration
    phase: Annotated[
        Literal["Ready", "Pending", "Failed"],
        "Pending at first, Ready once the members are listed, Failed if listing them fails.",
        Default("Pending"),
    ]
    servers: Annotated[list[str], "Names of the MCPServers.", ListSet()]
    serverCount: Annotated[Int32, "Number of MCPServers."]
    remoteProxies: Annotated[list[str], "Names of the MCPRemoteProxies.", ListSet()]
    remoteProxyCount: Annotated[Int32, "Number of MCPRemoteProxies."]
    entries: Annotated[list[str], "Names of the MCPServerEntries.", ListSet()]
    entryCount: Annotated[Int32, "Number of MCPServerEntries."]
    conditions: Conditions
