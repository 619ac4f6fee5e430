"""MCPServerEntry: a remote server that virtual servers find in a group. Nothing is deployed for it."""

from __future__ import annotations

from typing import Annotated, Literal, Required, TypedDict

from .declare import Default
from .reference import CABundleSource, ExternalAuthConfigRef, MCPGroupRef
from .remote import AllowPrivateEndpoint, HeaderForwardConfig, RemoteUrl
from .status import Conditions, ObservedGeneration


class MCPServerEntrySpec(TypedDict, total=False):
    """A remote server that virtual servers use as a backend."""

    remoteUrl: Required[Annotated[RemoteUrl, "Address of the server."]]
    allowPrivateEndpoint: AllowPrivateEndpoint
    transport: Required[Annotated[Literal["sse", "streamable-http"], "MCP transport of the server."]]
    groupRef: Required[Annotated[MCPGroupRef, "Group that the server belongs to."]]
    externalAuthConfigRef: Annotated[ExternalAuthConfigRef, "Authentication to the server."]
    headerForward: Annotated[HeaderForwardConfig, "Headers to add to requests."]
    caBundleRef: Annotated[CABundleSource, "CA bundle of the server."]


class MCPServerEntryStatus(TypedDict, total=False):
    """The last observed state of the entry."""

    observedGeneration: ObservedGeneration
    phase: Annotated[
        Literal["Valid", "Pending", "Failed"],
        "Pending at first, Valid if all checks passed, Failed if a referenced object is missing or"
        " remoteUrl is not allowed.",
        Default("Pending"),
    ]
    conditions: Conditions
