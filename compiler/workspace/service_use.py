"""Where objects name a Service to which requests are sent, with its namespace and port."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..diagnostics.placeholder import is_placeholder
from ..diagnostics.plain import listed, mapping, value_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

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
    paths = [(*path, "port") for path in _entries(("spec",), spec, "endpoints")]
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


def service_uses(source: Resource[Any]) -> Iterator[ServiceUse]:
    """Yield the places of an object that name a Service; those with a placeholder are left out."""
    read = _READERS.get(source.kind, _of_urls)
    for use in read(source.data):
        stated = (use.name, use.namespace, use.port)
        if use.name and not any(isinstance(one, str) and is_placeholder(one) for one in stated):
            yield use


def _of_gateway(data: Any) -> Iterator[ServiceUse]:
    """Source: the Gateway API, v1 (HTTPRoute and GRPCRoute: backendRefs, requestMirror)."""
    for number, rule in enumerate(listed(value_at(data, ("spec", "rules")))):
        above: Path = ("spec", "rules", number)
        places = [*_entries(above, rule, "backendRefs")]
        for path in ((), *(path[len(above) :] for path in places)):
            mirrors = _entries((*above, *path), value_at(rule, path), "filters")
            places += [(*mirror, "requestMirror", "backendRef") for mirror in mirrors]
        for path in places:
            reference = mapping(value_at(data, path))
            if reference.get("kind", "Service") == "Service" and not reference.get("group"):
                yield _use(reference, path, "port")


def _of_ingress(data: Any) -> Iterator[ServiceUse]:
    """Source: Kubernetes, networking.k8s.io/v1 (IngressBackend)."""
    places: list[Path] = [("spec", "defaultBackend", "service")]
    for rule in _entries(("spec",), value_at(data, ("spec",)), "rules"):
        http = (*rule, "http")
        places += [(*path, "backend", "service") for path in _entries(http, value_at(data, http), "paths")]
    for path in places:
        service = mapping(value_at(data, path))
        field = "name" if "name" in mapping(service.get("port")) else "number"
        yield _use(service, path, "port", field)


def _of_traefik(data: Any) -> Iterator[ServiceUse]:
    """Source: Traefik, IngressRoute (a port is a number, or the name of one)."""
    for route in _entries(("spec",), value_at(data, ("spec",)), "routes"):
        for path in _entries(route, value_at(data, route), "services"):
            service = mapping(value_at(data, path))
            if service.get("kind", "Service") == "Service":
                yield _use(service, path, "port")


def _of_istio(data: Any) -> Iterator[ServiceUse]:
    """Source: Istio, VirtualService (Destination: a host that is short, or that of a Service in the cluster)."""
    for protocol in ("http", "tcp", "tls"):
        for rule in _entries(("spec",), value_at(data, ("spec",)), protocol):
            routes = [(*path, "destination") for path in _entries(rule, value_at(data, rule), "route")]
            for path in (*routes, (*rule, "mirror")):
                destination = mapping(value_at(data, path))
                found = re.fullmatch(_HOST, str(destination.get("host", "")))
                if found is not None:
                    port = mapping(destination.get("port")).get("number")
                    yield ServiceUse((*path, "host"), found[1], found[2], None, _port(port), (*path, "port", "number"))


def _of_urls(data: Any) -> Iterator[ServiceUse]:
    """Yield the URLs to which a resource of ours sends requests: a remote server's, and those in its environment."""
    spec = mapping(data.get("spec"))
    yield from _of_url(spec.get("remoteUrl"), ("spec", "remoteUrl"), is_sent_to=True)
    for path in _entries(("spec",), spec, "env"):
        yield from _of_url(value_at(data, (*path, "value")), (*path, "value"), is_sent_to=False)


def _of_url(url: Any, path: Path, *, is_sent_to: bool) -> Iterator[ServiceUse]:
    """Yield the Service of a URL; one without a port may be a mere identity, unless requests are sent to it."""
    found = re.fullmatch(_URL, url) if isinstance(url, str) else None
    host = re.fullmatch(_HOST, found[2]) if found is not None else None
    if found is None or host is None or not (found[3] or is_sent_to):
        return
    port = int(found[3]) if found[3] else _HTTPS if found[1] == "https" else _HTTP
    yield ServiceUse(path, host[1], host[2], None, port, path, url)


def _use(reference: Any, path: Path, *port: str) -> ServiceUse:
    name, namespace = reference.get("name"), reference.get("namespace")
    has_namespace = isinstance(namespace, str) and bool(namespace)
    return ServiceUse(
        (*path, "name"),
        name if isinstance(name, str) else "",
        namespace if has_namespace else None,
        (*path, "namespace") if has_namespace else None,
        _port(value_at(reference, port)),
        (*path, *port),
    )


def _port(value: Any) -> int | str | None:
    return value if isinstance(value, (int, str)) and not isinstance(value, bool) else None


def _entries(above: Path, holder: Any, field: str) -> list[Path]:
    return [(*above, field, number) for number in range(len(listed(mapping(holder).get(field))))]


_READERS: Final[dict[str, Callable[[Any], Iterator[ServiceUse]]]] = {
    "GRPCRoute": _of_gateway,
    "HTTPRoute": _of_gateway,
    "Ingress": _of_ingress,
    "IngressRoute": _of_traefik,
    "VirtualService": _of_istio,
}
ROUTE_KINDS: Final = tuple(_READERS)
"""Kinds of other programs that send requests to Services."""
MONITOR: Final = "ServiceMonitor"
