"""Find the Services that objects refer to or send requests to, with the stated namespace and port."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.placeholder import is_placeholder
from ..diagnostics.plain import expanded, listed, mapping, value_at, walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..diagnostics.span import Path
    from .resource import Resource

_URL: Final = r"(https?)://([a-z0-9.-]{1,253})(?::([0-9]{1,5}))?(?:[/?#].*)?"
_HOST: Final = r"([a-z0-9-]+)(?:\.([a-z0-9-]+)(?:\.svc(?:\.cluster\.local\.?)?)?)?"
_HTTP: Final = 80
_HTTPS: Final = 443


class ServiceUse(NamedTuple):
    """A reference to a Service, or a URL with its host name.

    Attributes:
        namespace_path: The path of the namespace; ``None`` if it is part of a host name.
        port: The number or name of the port; ``None`` if none is stated.
        url: The URL, if the name and the port are parts of one.
    """

    path: Path
    name: str
    namespace: str | None = None
    namespace_path: Path | None = None
    port: int | str | None = None
    port_path: Path | None = None
    url: str = ""


class Monitoring(NamedTuple):
    """The labels, namespaces and ports in the selectors of a ServiceMonitor.

    Attributes:
        labels: The labels that a Service must have; empty if the selector cannot be evaluated.
        namespaces: The namespaces of the Services; ``None`` stands for an unknown namespace, or for all.
    """

    labels: Mapping[str, str]
    namespaces: Sequence[str | None]
    ports: Sequence[tuple[Path, str]]


def monitoring(source: Resource[Any]) -> Monitoring:
    """Return the labels, namespaces and ports that a ServiceMonitor selects. Ports with placeholders are left out.

    Source: the Prometheus operator, ServiceMonitor (selector, namespaceSelector, endpoints).
    """
    spec = mapping(source.data.get("spec"))
    selector, namespace_selector = mapping(spec.get("selector")), mapping(spec.get("namespaceSelector"))
    labels = {} if selector.get("matchExpressions") else mapping(selector.get("matchLabels"))
    namespaces = (
        [None]
        if namespace_selector.get("any") is True
        else listed(namespace_selector.get("matchNames")) or [source.namespace]
    )
    paths = expanded(source.data, ("spec", "endpoints", "*", "port"))
    ports = [(path, value_at(source.data, path)) for path in paths]
    known_ports = [(path, port) for path, port in ports if isinstance(port, str) and not is_placeholder(port)]
    return Monitoring({str(label): str(value) for label, value in labels.items()}, namespaces, known_ports)


def allows(grant: Resource[Any], source: Resource[Any], name: str) -> bool:
    """Return whether a ReferenceGrant allows a route to use a Service in the namespace of the grant.

    Args:
        grant: The ReferenceGrant.
        source: The route.
        name: The name of the Service.

    Source: the Gateway API, v1beta1 (ReferenceGrant: from, to).
    """
    spec = mapping(grant.data.get("spec"))
    senders = [mapping(sender) for sender in listed(spec.get("from"))]
    targets = [mapping(target) for target in listed(spec.get("to"))]
    is_sender = any(
        _may_equal(sender.get("kind"), source.kind) and _may_equal(sender.get("namespace"), source.namespace)
        for sender in senders
    )
    return is_sender and any(
        _may_equal(target.get("kind"), "Service") and _may_equal(target.get("name", name), name) for target in targets
    )


def _may_equal(value: Any, wanted: str | None) -> bool:
    return value == wanted or (isinstance(value, str) and is_placeholder(value))


class RoutePlace(NamedTuple):
    """The paths at which objects of a kind name a Service and its port.

    Attributes:
        holder: The last steps of the path of the mapping that names the Service; ``*`` stands for the index of an item.
        name: The key of the name, or of a host name, in this mapping.
        ports: The paths of the port in this mapping. The first that exists counts.
    """

    holder: tuple[str, ...]
    name: str
    ports: tuple[tuple[str, ...], ...]


_GATEWAY: Final = (
    RoutePlace(("backendRefs", "*"), "name", (("port",),)),
    RoutePlace(("requestMirror", "backendRef"), "name", (("port",),)),
)
ROUTE_PLACES: Final[dict[str, tuple[RoutePlace, ...]]] = {
    "GRPCRoute": _GATEWAY,
    "HTTPRoute": _GATEWAY,
    "Ingress": (RoutePlace(("service",), "name", (("port", "name"), ("port", "number"))),),
    "IngressRoute": (RoutePlace(("services", "*"), "name", (("port",),)),),
    "VirtualService": tuple(RoutePlace((step,), "host", (("port", "number"),)) for step in ("destination", "mirror")),
}
"""The places of Services in routes of other programs, by kind.

Source: the Gateway API, v1 (HTTPRoute, GRPCRoute); Kubernetes, networking.k8s.io/v1 (Ingress); Traefik (IngressRoute: a
port is a number or a name); Istio (VirtualService).
"""
MONITORED: Final[Path] = ("spec", "selector", "matchLabels")
"""The path of the labels in a monitor of Services."""
_ENVIRONMENTS: Final[tuple[Path, ...]] = (
    ("spec", "env"),
    ("spec", "resourceOverrides", "proxyDeployment", "env"),
    ("spec", "podTemplateSpec", "spec", "containers", "*", "env"),
)
_BACKENDS: Final[tuple[Path, ...]] = (("backends",), ("spec", "config", "backends"))


def service_uses(source: Resource[Any]) -> Iterator[ServiceUse]:
    """Yield the Services that an object uses.

    Uses with a placeholder as name, namespace or port are left out. Routes use Services by reference, other objects by
    URL.
    """
    places = ROUTE_PLACES.get(source.kind)
    for use in _url_uses(source.data) if places is None else _place_uses(source.data, places):
        use_values = (use.name, use.namespace, use.port)
        if use.name and not any(isinstance(value, str) and is_placeholder(value) for value in use_values):
            yield use


def route_place_at(kind: str, path: Path) -> tuple[RoutePlace, Path] | None:
    """Return the `RoutePlace` that a path belongs to, and the path of the mapping that names the Service, or ``None``.

    Args:
        path: The path of a name, a host or a port.
    """
    for place in ROUTE_PLACES.get(kind, ()):
        for steps in ((place.name,), *place.ports):
            holder = path[: -len(steps)]
            if path[-len(steps) :] == steps and _ends_with(holder, place.holder):
                return place, holder
    return None


def _ends_with(path: Path, steps: tuple[str, ...]) -> bool:
    last = path[-len(steps) :]
    return len(last) == len(steps) and all(
        isinstance(part, int) if step == "*" else part == step for part, step in zip(last, steps, strict=True)
    )


def _place_uses(data: Any, places: Sequence[RoutePlace]) -> Iterator[ServiceUse]:
    """Yield the Services that an object names at ``places``. References to other kinds are left out."""
    for path, reference in walk(mapping(data).get("spec"), ("spec",)):
        for place in places:
            if not (isinstance(reference, dict) and _ends_with(path, place.holder)):
                continue
            if reference.get("kind", "Service") == "Service" and not reference.get("group"):
                yield _reference_use(reference, path, place)


def _url_uses(data: Any) -> Iterator[ServiceUse]:
    yield from _url_use(value_at(data, ("spec", "remoteUrl")), ("spec", "remoteUrl"), is_sent_to=True)
    for path in (path for backends in _BACKENDS for path in expanded(data, (*backends, "*", "url"))):
        yield from _url_use(value_at(data, path), path, is_sent_to=True)
    for path in (path for env in _ENVIRONMENTS for path in expanded(data, (*env, "*", "value"))):
        yield from _url_use(value_at(data, path), path, is_sent_to=False)


def _url_use(url: Any, path: Path, *, is_sent_to: bool) -> Iterator[ServiceUse]:
    """Yield the Service that a URL names by a host name of the cluster. Other values yield nothing.

    The default port is 443 for https, otherwise 80.

    Args:
        url: The value, which may be anything.
        is_sent_to: True if the field receives requests. Otherwise, a URL without a port is left out, because it may
            only be an identifier.
    """
    match = re.fullmatch(_URL, url) if isinstance(url, str) else None
    host = re.fullmatch(_HOST, match[2]) if match is not None else None
    if match is None or host is None or not (match[3] or is_sent_to):
        return
    port = int(match[3]) if match[3] else _HTTPS if match[1] == "https" else _HTTP
    yield ServiceUse(path, host[1], host[2], None, port, path, url)


def _reference_use(reference: Any, path: Path, place: RoutePlace) -> ServiceUse:
    """Return the Service that ``reference``, a mapping at ``path``, names. The name is empty if it cannot be read."""
    name, namespace = reference.get(place.name), reference.get("namespace")
    has_namespace = isinstance(namespace, str) and bool(namespace)
    if place.name == "host":
        host = re.fullmatch(_HOST, str(name))
        name, namespace = (host[1], host[2]) if host is not None else ("", None)
    port_steps = next((steps for steps in place.ports if value_at(reference, steps) is not None), place.ports[0])
    return ServiceUse(
        (*path, place.name),
        name if isinstance(name, str) else "",
        namespace if isinstance(namespace, str) and namespace else None,
        (*path, "namespace") if has_namespace else None,
        _port(value_at(reference, port_steps)),
        (*path, *port_steps),
    )


def _port(value: Any) -> int | str | None:
    return value if isinstance(value, (int, str)) and not isinstance(value, bool) else None
