"""Client applications in requests and responses of the management API."""

from __future__ import annotations

from typing import Annotated, Required, TypedDict

from .declare import Always, go_type


@go_type("v1.createClientRequest")
class ClientRegistration(TypedDict, total=False):
    """A registered client application, in requests and responses."""

    name: Required[Annotated[str, "Type of the client application.", Always()]]
    groups: Annotated[list[str], "Groups that the client application is registered for."]


@go_type("v1.bulkClientRequest")
class ClientSelection(TypedDict, total=False):
    """Several client applications to register."""

    names: Required[Annotated[list[str], "Types of the client applications.", Always()]]
    groups: Annotated[list[str], "Groups that they are registered for."]


@go_type("client.ClientAppStatus")
class ClientStatus(TypedDict, total=False):
    """The status of a client application."""

    client_type: Required[Annotated[str, "Type of the client application.", Always()]]
    installed: Required[Annotated[bool, "Whether the client's settings folder exists.", Always()]]
    registered: Required[Annotated[bool, "Whether the client is registered.", Always()]]
    supports_skills: Required[Annotated[bool, "Whether skills can be installed for the client.", Always()]]


@go_type("v1.clientStatusResponse")
class ClientStatusList(TypedDict, total=False):
    """The status of every client application."""

    clients: Required[Annotated[list[ClientStatus], "One summary for each.", Always()]]
