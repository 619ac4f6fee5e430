"""Permission profiles: mounts and network access of a container."""

from __future__ import annotations

from typing import Annotated, TypedDict

from .declare import Format, ListSet, Maximum, Minimum, Pattern, Unchecked, go_type

MountPath = Annotated[str, "An absolute path.", Pattern(r"^(/[^/\x00]+)+/?$")]
AllowedHost = Annotated[str, "A host name, or a domain with a leading dot.", Format("allowed-host")]
AllowedPort = Annotated[int, "A port.", Minimum(1), Maximum(65535)]


@go_type("permissions.InboundNetworkPermissions")
class InboundPermissions(TypedDict, total=False):
    """Inbound network access of the container."""

    allow_host: Annotated[list[str], "Hosts that may connect to the container."]


@go_type("permissions.OutboundNetworkPermissions")
class OutboundPermissions(TypedDict, total=False):
    """Outbound network access of the container. It is enforced only if the network is isolated."""

    insecure_allow_all: Annotated[bool, "Whether all connections are allowed. The lists have no effect then."]
    allow_host: Annotated[list[str], "Allowed hosts; a leading dot allows a domain and its subdomains."]
    allow_port: Annotated[list[int], "Allowed ports."]


@go_type("permissions.NetworkPermissions")
class NetworkPermissions(TypedDict, total=False):
    """Network permissions of the container."""

    mode: Annotated[str, "Network mode of the container engine: bridge, host, none, or the name of a network."]
    outbound: Annotated[OutboundPermissions, "Outbound connections."]
    inbound: Annotated[InboundPermissions, "Inbound connections."]


@go_type("permissions.Profile")
class PermissionProfile(TypedDict, total=False):
    """Permissions of a container: mounts and network access. Loading a profile decodes it without further checks."""

    name: Annotated[str, "Name of the profile."]
    read: Annotated[list[str], "Read-only mounts: a path, host:container or scheme://resource:container."]
    write: Annotated[list[str], "Writable mounts, in the same forms as read."]
    network: Annotated[NetworkPermissions, "Network permissions."]
    privileged: Annotated[bool, "Whether the container runs privileged, with all rights on the host."]


@go_type("permissions.OutboundNetworkPermissions")
class RegistryOutbound(TypedDict, total=False):
    """Outbound network access of a registry entry's container."""

    insecure_allow_all: Annotated[bool, "Whether all connections are allowed. The lists have no effect then."]
    allow_host: Annotated[
        list[AllowedHost], "Allowed hosts; a leading dot allows a domain and its subdomains.", ListSet()
    ]
    allow_port: Annotated[list[AllowedPort], "Allowed ports.", ListSet()]


@go_type("permissions.NetworkPermissions")
class RegistryNetwork(TypedDict, total=False):
    """Network permissions of a registry entry's container."""

    mode: Annotated[str, "Network mode of the container engine.", Unchecked()]
    outbound: Annotated[RegistryOutbound, "Outbound connections."]
    inbound: Annotated[InboundPermissions, "Inbound connections.", Unchecked()]


@go_type("permissions.Profile")
class RegistryPermissions(TypedDict, total=False):
    """Permissions that a registry entry requests."""

    name: Annotated[str, "Name of the profile.", Unchecked()]
    read: Annotated[list[MountPath], "Read-only mount paths.", ListSet()]
    write: Annotated[list[MountPath], "Writable mount paths.", ListSet()]
    network: Annotated[RegistryNetwork, "Network permissions."]
    privileged: Annotated[bool, "Whether the container runs privileged, with all rights on the host."]


@go_type("permissions.Profile")
class ExtensionPermissions(TypedDict, total=False):
    """Permissions in a publisher extension. The schema also checks the name, unlike in a registry entry."""

    name: Annotated[str, "Name of the profile."]
    read: Annotated[list[MountPath], "Read-only mount paths.", ListSet()]
    write: Annotated[list[MountPath], "Writable mount paths.", ListSet()]
    network: Annotated[RegistryNetwork, "Network permissions."]
    privileged: Annotated[bool, "Whether the container runs privileged, with all rights on the host."]
