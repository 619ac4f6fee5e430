"""Permission profiles: what a container may mount and reach."""

from __future__ import annotations

from typing import Annotated, TypedDict

from .declare import Format, ListSet, Maximum, Minimum, Pattern, Unchecked, go_type

MountPath = Annotated[str, "An absolute path.", Pattern(r"^(/[^/\x00]+)+/?$")]
AllowedHost = Annotated[str, "A host name, or a leading dot and a domain.", Format("allowed-host")]
AllowedPort = Annotated[int, "A port.", Minimum(1), Maximum(65535)]


@go_type("permissions.InboundNetworkPermissions")
class InboundPermissions(TypedDict, total=False):
    """Who may reach the container."""

    allow_host: Annotated[list[str], "Hosts that may connect."]


@go_type("permissions.OutboundNetworkPermissions")
class OutboundPermissions(TypedDict, total=False):
    """What the container may reach; enforced only where the network is isolated."""

    insecure_allow_all: Annotated[bool, "Whether everything may be reached; the lists are moot then."]
    allow_host: Annotated[list[str], "Hosts that may be reached; a leading dot stands for a domain and below."]
    allow_port: Annotated[list[int], "Ports that may be reached."]


@go_type("permissions.NetworkPermissions")
class NetworkPermissions(TypedDict, total=False):
    """What the container may do on the network."""

    mode: Annotated[str, "Network mode of the container engine: bridge, host, none, or the name of a network."]
    outbound: Annotated[OutboundPermissions, "What may be reached."]
    inbound: Annotated[InboundPermissions, "Who may connect."]


@go_type("permissions.Profile")
class PermissionProfile(TypedDict, total=False):
    """What a container may mount and reach. Loading a profile decodes it and checks no more."""

    name: Annotated[str, "Name of the profile."]
    read: Annotated[list[str], "Mounts to read from: a path, host:container or scheme://resource:container."]
    write: Annotated[list[str], "Mounts to write to, in the same forms."]
    network: Annotated[NetworkPermissions, "What is allowed on the network."]
    privileged: Annotated[bool, "Whether the container has all rights on the host."]


@go_type("permissions.OutboundNetworkPermissions")
class RegistryOutbound(TypedDict, total=False):
    """What the container of a registry entry may reach."""

    insecure_allow_all: Annotated[bool, "Whether everything may be reached; the lists are moot then."]
    allow_host: Annotated[
        list[AllowedHost],
        "Hosts that may be reached; a leading dot stands for a domain and below.",
        ListSet(),
    ]
    allow_port: Annotated[list[AllowedPort], "Ports that may be reached.", ListSet()]


@go_type("permissions.NetworkPermissions")
class RegistryNetwork(TypedDict, total=False):
    """What the container of a registry entry may do on the network."""

    mode: Annotated[str, "Network mode of the container engine.", Unchecked()]
    outbound: Annotated[RegistryOutbound, "What may be reached."]
    inbound: Annotated[InboundPermissions, "Who may connect.", Unchecked()]


@go_type("permissions.Profile")
class RegistryPermissions(TypedDict, total=False):
    """The permissions that a registry entry asks for."""

    name: Annotated[str, "Name of the profile.", Unchecked()]
    read: Annotated[list[MountPath], "Paths to read from.", ListSet()]
    write: Annotated[list[MountPath], "Paths to write to.", ListSet()]
    network: Annotated[RegistryNetwork, "What is allowed on the network."]
    privileged: Annotated[bool, "Whether the container has all rights on the host."]


@go_type("permissions.Profile")
class ExtensionPermissions(TypedDict, total=False):
    """The permissions in a publisher extension: as in a registry entry, and its name is checked too."""

    name: Annotated[str, "Name of the profile."]
    read: Annotated[list[MountPath], "Paths to read from.", ListSet()]
    write: Annotated[list[MountPath], "Paths to write to.", ListSet()]
    network: Annotated[RegistryNetwork, "What is allowed on the network."]
    privileged: Annotated[bool, "Whether the container has all rights on the host."]
