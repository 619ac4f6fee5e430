"""Where objects name a Service to which requests are sent, with its namespace and port."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

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
    """One place that names a Service.

    Attributes:
        path: The path of the text that holds the name.
        name: The name of the Service.
        namespace: The namespace that the place states, if it states one.
        namespace_path: The path of that namespace, where it is a value of its own.
        port: The number or the name of the port; ``None`` if the place states none.
        port_path: The path of the port.
        url: The text around name and port, if they stand in a URL.
    """

    path: Path
    name: str
    namespace: str | None = None
    namespace_path: Path | None = None
    port: int | str | None = None
    port_path: Path | None = None
    url: str = ""


class Monitoring(NamedTuple):
    """What a ServiceMonitor asks for.

    Attributes:
        labels: The labels by which it selects Services; none if it selects them otherwise.
        namespaces: The namespaces in which it does; ``None`` for one that is unknown, or for all.
        ports: The names of the ports that it asks for, with their paths.
    """

    labels: Mapping[str, str]
    namespaces: Sequence[str | None]
    ports: Sequence[tuple[Path, str]]


def monitoring(source: Resource[Any]) -> Monitoring:
    """Return what a ServiceMonitor asks for.

    Source: the Prometheus operator, ServiceMonitor (selector, namespaceSelector, endpoints).
    """
    spec = mapping(source.data.get("spec"))
    selector, where = mapping(spec.get("selector")), mapping(spec.get("namespaceSelector"))
    labels = {} if selector.get("matchExpressions") else mapping(selector.get("matchLabels"))
    namespaces = [None] if where.get("any") is True else listed(where.get("matchNames")) or [source.namespace]
    paths = expanded(source.data, ("spec", "endpoints", "*", "port"))
    ports = [(path, value_at(source.data, path)) for path in paths]
    stated = [(path, port) for path, port in ports if isinstance(port, str) and not is_placeholder(port)]
    return Monitoring({str(label): str(value) for label, value in labels.items()}, namespaces, stated)


def allows(grant: Resource[Any], source: Resource[Any], name: str) -> bool:
    """Return whether a ReferenceGrant lets a route use the Service of a name in its namespace.

    Source: the Gateway API, v1beta1 (ReferenceGrant: from, to).
    """
    spec = mapping(grant.data.get("spec"))
    senders = [mapping(sender) for sender in listed(spec.get("from"))]
    targets = [mapping(target) for target in listed(spec.get("to"))]
    is_sender = any(
        _may_be(sender.get("kind"), source.kind) and _may_be(sender.get("namespace"), source.namespace)
        for sender in senders
    )
    return is_sender and any(
        _may_be(target.get("kind"), "Service") and _may_be(target.get("name", name), name) for target in targets
    )


def _may_be(value: Any, wanted: str | None) -> bool:
    """Return whether a text is the one that is wanted, or unknown."""
    return value == wanted or (isinstance(value, str) and is_placeholder(value))


class RoutePlace(NamedTuple):
    """Where objects of a kind name a Service; paths begin at what refers to it.

    Attributes:
        holder: The last steps of the path of what refers to it; ``*`` stands for the number of an entry.
        name: The key of the name, or of the host in the cluster.
        ports: The paths of the port; the first that is stated counts.
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
"""Kinds of other programs that send requests to Services.

Source: the Gateway API, v1 (HTTPRoute, GRPCRoute); Kubernetes, networking.k8s.io/v1 (Ingress); Traefik (IngressRoute: a
port is a number, or the name of one); Istio (VirtualService).
"""
MONITOR: Final = "ServiceMonitor"
MONITORED: Final[Path] = ("spec", "selector", "matchLabels")
"""The path of the labels that select the Services of a ServiceMonitor."""
_ENVIRONMENTS: Final[tuple[Path, ...]] = (
    ("spec", "env"),
    ("spec", "resourceOverrides", "proxyDeployment", "env"),
    ("spec", "podTemplateSpec", "spec", "containers", "*", "env"),
)
_BACKENDS: Final[tuple[Path, ...]] = (("backends",), ("spec", "config", "backends"))


def service_uses(source: Resource[Any]) -> Iterator[ServiceUse]:
    """Yield the places of an object that name a Service; those with a placeholder are left out."""
    places = ROUTE_PLACES.get(source.kind)
    for use in _url_uses(source.data) if places is None else _place_uses(source.data, places):
        stated = (use.name, use.namespace, use.port)
        if use.name and not any(isinstance(one, str) and is_placeholder(one) for one in stated):
            yield use


def place_at(kind: str, path: Path) -> tuple[RoutePlace, Path] | None:
    """Return the place of a route of some kind in which a path lies, and the path of what refers to the Service."""
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
    for path, reference in walk(mapping(data).get("spec"), ("spec",)):
        for place in places:
            if not (isinstance(reference, dict) and _ends_with(path, place.holder)):
                continue
            if reference.get("kind", "Service") == "Service" and not reference.get("group"):
                yield _use(reference, path, place)


def _url_uses(data: Any) -> Iterator[ServiceUse]:
    """Yield the Services in URLs of remote servers, of backends and of environment variables."""
    yield from _url_use(value_at(data, ("spec", "remoteUrl")), ("spec", "remoteUrl"), is_sent_to=True)
    for path in (each for above in _BACKENDS for each in expanded(data, (*above, "*", "url"))):
        yield from _url_use(value_at(data, path), path, is_sent_to=True)
    for path in (each for above in _ENVIRONMENTS for each in expanded(data, (*above, "*", "value"))):
        yield from _url_use(value_at(data, path), path, is_sent_to=False)


def _url_use(url: Any, path: Path, *, is_sent_to: bool) -> Iterator[ServiceUse]:
    """Yield the Service of a URL; one without a port may be a mere identity, unless requests are sent to it."""
    found = re.fullmatch(_URL, url) if isinstance(url, str) else None
    host = re.fullmatch(_HOST, found[2]) if found is not None else None
    if found is None or host is None or not (found[3] or is_sent_to):
        return
    port = int(found[3]) if found[3] else _HTTPS if found[1] == "https" else _HTTP
    yield ServiceUse(path, host[1], host[2], None, port, path, url)


def _use(reference: Any, path: Path, place: RoutePlace) -> ServiceUse:
    name, namespace = reference.get(place.name), reference.get("namespace")
    has_namespace = isinstance(namespace, str) and bool(namespace)
    if place.name == "host":
        host = re.fullmatch(_HOST, str(name))
        name, namespace = (host[1], host[2]) if host is not None else ("", None)
    port = next((steps for steps in place.ports if value_at(reference, steps) is not None), place.ports[0])
    return ServiceUse(
        (*path, place.name),
        name if isinstance(name, str) else "",
        namespace if isinstance(namespace, str) and namespace else None,
        (*path, "namespace") if has_namespace else None,
        _port(value_at(reference, port)),
        (*path, *port),
    )


def _port(value: Any) -> int | str | None:
    return value if isinstance(value, (int, str)) and not isinstance(value, bool) else None
