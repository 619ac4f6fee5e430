"""The Services that the operator and the proxy runner create, and the routes and URLs that name them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from weakref import proxy

from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.placeholder import PLACEHOLDER_ERRORS, is_placeholder
from ..diagnostics.plain import mapping
from ..toolhive.operator import OperatorSettings
from ..workspace.other_kind import VMCP_FILE
from ..workspace.service_use import ROUTE_PLACES, service_uses
from .build import Build
from .service import SERVICES
from .target import compiled_objects

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..workspace.resource import Resource
    from ..workspace.service_use import ServiceUse
    from ..workspace.workspace import Workspace
    from .build import Object

CREATING: Final = ("MCPServer", "MCPRemoteProxy", "VirtualMCPServer", "MCPRegistry", "EmbeddingServer")
"""Kinds for whose resources a Service is created."""
_SENDING: Final = ("MCPServer", "MCPRemoteProxy", "MCPServerEntry", "VirtualMCPServer")
"""Kinds of the operator whose resources send requests."""


def ports_of(service: Object) -> list[Any]:
    """Return the numbers and names of the ports of a Service."""
    return [port[field] for port in service["spec"]["ports"] for field in ("port", "name") if field in port]


class MadeService(NamedTuple):
    """A Service that the operator or the proxy runner creates for a resource."""

    resource: Resource
    service: Object

    @property
    def ports(self) -> list[Any]:
        """The numbers and names of the ports of the Service."""
        return ports_of(self.service)

    @property
    def labels(self) -> Mapping[str, str]:
        """The labels of the Service."""
        return mapping(self.service["metadata"].get("labels"))

    @property
    def name(self) -> str:
        """The name of the Service."""
        return str(self.service["metadata"]["name"])

    def has(self, port: int | str) -> bool:
        """Return whether the Service has a port with this number or name. The number may be written as a string."""
        return port in self.ports or (isinstance(port, str) and port.isdigit() and int(port) in self.ports)


class MadeServices:
    """The objects that are created for the resources of a workspace. A resource is compiled when it is needed.

    `Workspace.once` keeps them, so that several rules do not compile a resource again.
    """

    def __init__(self, workspace: Workspace) -> None:
        # The workspace keeps these objects. If they kept it too, its texts would stay until garbage is collected.
        self._workspace: Workspace = proxy(workspace)
        read: Iterable[Resource] = (maker for kind in CREATING for maker in workspace.read_of_kind(kind))
        self._makers = [maker for maker in read if not is_placeholder(maker.name)]
        self._made: dict[Resource, list[MadeService]] = {}
        self._objects: dict[Resource, list[Object]] = {}

    def makers(self, namespace: str | None, source: Resource | None) -> Iterator[Resource]:
        """Yield the resources that may have Services in ``namespace``.

        Resources that are known to be in another cluster than ``source`` are left out. ``None`` as ``namespace`` or
        ``source`` excludes no resource.
        """
        for maker in self._makers:
            is_there = None in (namespace, maker.namespace) or maker.namespace == namespace
            if is_there and (source is None or not self._workspace.in_different_clusters(maker, source)):
                yield maker

    def services_named(self, name: str, namespace: str | None, source: Resource | None) -> list[MadeService] | None:
        """Return the Services with this name that ``source`` may reach.

        The result is ``None`` if a resource that may have this Service is refused or depends on an unknown value.
        """
        makers = [maker for maker in self.makers(namespace, source) if maker.name in name]
        if not all(map(self.services_of, makers)):
            return None
        return [service for maker in makers for service in self.services_of(maker) if service.name == name]

    def selected(self, labels: Mapping[str, str], namespace: str | None, source: Resource) -> list[MadeService]:
        """Return the Services in a namespace that have all of ``labels``."""
        return [
            service
            for maker in self.makers(namespace, source)
            for service in self.services_of(maker)
            if labels.items() <= service.labels.items()
        ]

    def services_of(self, resource: Resource) -> list[MadeService]:
        """Return the Services of a resource; empty if it is refused, or if they depend on an unknown value."""
        if resource not in self._made:
            services = (made for made in self._services(resource) if made["kind"] == "Service")
            self._made[resource] = [MadeService(resource, service) for service in services]
        return self._made[resource]

    def objects_of(self, resource: Resource) -> list[Object]:
        """Return the objects of a resource; empty if it is refused, or if they depend on an unknown value."""
        if resource not in self._objects:
            self._objects[resource] = self._compiled(resource)
        return self._objects[resource]

    def _services(self, resource: Resource) -> list[Object]:
        """Return the Services of a resource, and for some kinds its other objects too."""
        compile_services = SERVICES.get(resource.kind)
        if compile_services is None or resource in self._objects:
            return self.objects_of(resource)
        if not self._is_known(resource):
            return []
        try:
            return compile_services(self._workspace, resource)
        except PLACEHOLDER_ERRORS:
            return []  # as in `_compiled`

    def _is_known(self, resource: Resource) -> bool:
        is_known = resource.admitted and resource.profile.is_modelled and not resource.has_unknown_values
        return is_known and not self._workspace.is_refused(resource)

    def _compiled(self, resource: Resource) -> list[Object]:
        if not self._is_known(resource):
            return []
        build = Build(self._workspace, OperatorSettings())
        try:
            steps = (compiled_objects(target, build, [resource]) for target in ("kubernetes", "backend"))
            return [compiled for step in steps for _, compiled in step]
        except PLACEHOLDER_ERRORS:
            return []  # an unknown value was compiled


def senders(workspace: Workspace) -> list[Resource]:
    """Return the objects that may name Services: routes, vMCP files, and resources that send requests."""
    routes = [other for other in workspace.context.others if other.kind in ROUTE_PLACES or other.kind == VMCP_FILE]
    return [*routes, *(sender for kind in _SENDING for sender in workspace.of_kind(kind))]


def is_declared(name: str, namespace: str | None, workspace: Workspace) -> bool:
    """Return whether the files declare a Service with this name in the namespace. An unknown namespace matches any."""
    services = (other for other in workspace.context.others if other.kind == "Service" and other.name == name)
    return any(None in (namespace, service.namespace) or service.namespace == namespace for service in services)


def undeclared_uses(workspace: Workspace) -> Iterator[tuple[Resource, ServiceUse, str | None]]:
    """Yield the sender, the use and the namespace for each use of a Service that the files do not declare.

    The namespace of the Service is ``None`` if it is not known.
    """
    for source in senders(workspace):
        for use in service_uses(source):
            namespace = use.namespace or source.namespace
            if not is_declared(use.name, namespace, workspace):
                yield source, use, namespace


def routes(workspace: Workspace) -> Iterator[tuple[Resource, ServiceUse, MadeService]]:
    """Yield the sender, the use and the Service for each use of a Service that is created for a resource.

    If several Services match, the first is yielded. The use may name a port that the Service does not have.
    """
    services = workspace.once(MadeServices)
    for source, use, namespace in undeclared_uses(workspace):
        yield from (
            (source, use, service) for service in (services.services_named(use.name, namespace, source) or ())[:1]
        )
