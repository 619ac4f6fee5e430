"""Backends of a virtual server in inline mode, made from the members of its group."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ..toolhive.constants import CA_BUNDLE_PATH, CA_KEY
from .address import proxy_url
from .vmcpauth import usable_strategy

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from ..models.mcpremoteproxy import MCPRemoteProxySpec
    from ..models.mcpserver import MCPServerSpec
    from ..models.mcpserverentry import MCPServerEntrySpec
    from ..models.spec import MemberSpec, ProxySpec
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace
    from .build import Object

SYSTEM_PREFIXES = ("kubectl.kubernetes.io/", "kubernetes.io/", "deployment.kubernetes.io/", "k8s.io/")
"""Prefixes of annotations that the operator does not copy into the metadata of a backend."""
WORKLOAD_TYPES = {"MCPServer": "mcp_server", "MCPRemoteProxy": "remote_proxy", "MCPServerEntry": "server_entry"}
"""``workload_type`` in the metadata of a backend, by the kind of its member."""


def backends(
    workspace: Workspace, group: str, members: list[Resource[MemberSpec]], *, with_hashes: bool
) -> list[Object]:
    """Return the backends of a group, sorted by name.

    Args:
        with_hashes: True to add the annotations with hashes of shared configurations.
    """
    unsorted = [
        _backend(member) | {"metadata": _metadata(workspace, group, member, with_hashes=with_hashes)}
        for member in members
    ]
    return sorted(unsorted, key=lambda backend: backend["name"].encode())


def backend_members(
    workspace: Workspace, members: Sequence[Resource[MemberSpec]], strategies: Mapping[str, Object | None]
) -> list[Resource[MemberSpec]]:
    """Return the members that become backends. From v0.34.0 on, members whose strategy is ``None`` are left out."""
    return [
        member
        for member in members
        if can_be_backend(workspace, member)
        and (strategies.get(member.name, True) is not None or member.is_judged(until="0.34.0"))
    ]


def can_be_backend(workspace: Workspace, member: Resource) -> bool:
    """Return whether a member can become a backend: it is accepted, its auth is usable and its CA bundle exists."""
    if workspace.is_refused(member):
        return False
    reference = workspace.reference(member, "spec", "externalAuthConfigRef", "name")
    if reference is not None:
        config = reference.target if reference.problem is None else None
        if config is None or usable_strategy(workspace, cast("Resource[MCPExternalAuthConfigSpec]", config)) is None:
            return False
    ca = workspace.reference(member, "spec", "caBundleRef", "configMapRef", "name")
    return ca is None or ca.problem is None


def ca_config_map(entry: Resource[MCPServerEntrySpec]) -> tuple[str, str] | None:
    """Return the name and key of the ConfigMap with an entry's CA bundle, or ``None``."""
    ref = (entry.spec.get("caBundleRef") or {}).get("configMapRef")
    return (ref["name"], ref.get("key") or CA_KEY) if ref else None


def ca_folder(entry: Resource[MCPServerEntrySpec]) -> str:
    """Return the folder in which the process finds the CA bundle of an entry."""
    return f"{entry.profile.spell(CA_BUNDLE_PATH)}/{entry.name}"


def phase(member: Resource[MemberSpec]) -> str:
    """Return the phase of an accepted member once all its pods are ready."""
    if member.kind == "MCPServerEntry":
        return "Valid"
    return (
        "Stopped" if member.kind == "MCPServer" and cast("MCPServerSpec", member.spec).get("replicas") == 0 else "Ready"
    )


def _backend(member: Resource[MemberSpec]) -> Object:
    spec = member.spec
    entry, proxy = cast("Resource[MCPServerEntrySpec]", member), cast("Resource[ProxySpec]", member)
    transport: str = spec.get("transport", "")
    if member.kind == "MCPServer":
        transport = cast("MCPServerSpec", spec).get("proxyMode") or transport
    backend: Object = {
        "name": member.name,
        "url": entry.spec.get("remoteUrl", "") if member.kind == "MCPServerEntry" else proxy_url(proxy),
        "transport": transport,
    }
    if member.kind == "MCPServerEntry":
        ca = ca_config_map(entry)
        if ca is not None:
            backend["caBundlePath"] = f"{ca_folder(entry)}/{ca[1]}"
    return backend


def _metadata(workspace: Workspace, group: str, member: Resource[MemberSpec], *, with_hashes: bool) -> dict[str, str]:
    annotations = member.metadata.get("annotations") or {}
    if with_hashes:
        from .confighash import hash_annotations

        annotations = annotations | hash_annotations(workspace, member)
    fields = {key: value for key, value in annotations.items() if not key.startswith(SYSTEM_PREFIXES)}
    fields |= {
        "tool_type": "mcp",
        "workload_type": WORKLOAD_TYPES[member.kind],
        "workload_status": phase(member),
        "namespace": member.printed_namespace,
        "group": group,
    }
    if member.kind != "MCPServer":
        fields["remote_url"] = cast("MCPRemoteProxySpec | MCPServerEntrySpec", member.spec).get("remoteUrl", "")
    return fields
