"""Read which hosts and paths routes of other programs lead to a Service, and how they rewrite the paths.

Source: the Gateway API, v1 (HTTPRoute: matches, URLRewrite); Kubernetes, networking.k8s.io/v1 (Ingress); Traefik
(IngressRoute: Host, PathPrefix and Path); Istio (VirtualService: match, rewrite).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.placeholder import is_placeholder
from ..diagnostics.plain import expanded, listed, mapping, text_at, value_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..diagnostics.span import Path
    from .resource import Resource

ROUTES: Final = ("HTTPRoute", "Ingress", "IngressRoute", "VirtualService")
"""The kinds of routes that are understood."""
_MATCHER: Final = r"(Host|PathPrefix|Path)\((`[^`]*`(?:\s*,\s*`[^`]*`)*)\)"
_REWRITING: Final = re.compile(r"rewrite|middleware|snippet|regex|transform|app-root")
_REGULAR: Final = re.compile(r"[()*\[\]^$|\\+?]")
_ALL: Final = "/"


class Leading(NamedTuple):
    """One match of a route, with the Service that it leads to.

    Attributes:
        path: The path of the mapping that names the Service.
        place: The path of the match, or of the Service if everything matches.
        hosts: The hosts of the requests; empty for any, or if they are unknown.
        hosts_place: The path of the hosts; empty if none are stated.
        prefix: The matched path.
        is_exact: True if only the path itself matches.
        is_text: True if the prefix is any text, not a number of whole segments.
        rewritten: Text that replaces the prefix, or the whole path if ``is_whole``; ``None`` if nothing does.
        is_known: False if it is unknown which paths match, or what the Service gets.
    """

    path: Path
    place: Path
    hosts: tuple[str, ...] = ()
    hosts_place: Path = ()
    prefix: str = _ALL
    is_exact: bool = False
    is_text: bool = False
    rewritten: str | None = None
    is_whole: bool = False
    is_known: bool = True

    def target(self, path: str) -> str | None:
        """Return the path that the Service gets for a request, or ``None`` if the request does not match."""
        prefix = self.prefix if self.is_text else self.prefix.rstrip("/")
        if self.is_text:
            if not path.startswith(prefix):
                return None
        elif path != prefix and (self.is_exact or not path.startswith(f"{prefix}/")):
            return None
        if self.rewritten is None:
            return path
        if self.is_whole:
            return self.rewritten
        return f"{self.rewritten if self.is_text else self.rewritten.rstrip('/')}{path[len(prefix) :]}" or _ALL


def leadings(route: Resource[Any]) -> Iterator[Leading]:
    """Yield each match of a route with each Service that it leads to. Other kinds yield nothing."""
    if route.kind == "HTTPRoute":
        yield from _gateway(route)
    elif route.kind == "Ingress":
        yield from _ingress(route)
    elif route.kind == "IngressRoute":
        yield from _traefik(route)
    elif route.kind == "VirtualService":
        yield from _istio(route)


def _gateway(route: Resource[Any]) -> Iterator[Leading]:
    hosts = _texts(value_at(route.data, ("spec", "hostnames")))
    for rule_path in expanded(route.data, ("spec", "rules", "*")):
        rule = mapping(value_at(route.data, rule_path))
        filters = [mapping(each) for each in listed(rule.get("filters"))]
        if any(each.get("type") == "RequestRedirect" for each in filters):
            continue
        rewrite = next(
            (mapping(mapping(each.get("urlRewrite")).get("path")) for each in filters if "urlRewrite" in each), {}
        )
        rewritten = rewrite.get("replaceFullPath", rewrite.get("replacePrefixMatch"))
        is_known = not any(each.get("type") == "ExtensionRef" for each in filters)
        for service in expanded(route.data, (*rule_path, "backendRefs", "*")):
            leading = Leading(
                service,
                service,
                hosts,
                ("spec", "hostnames") if hosts else (),
                rewritten=rewritten if isinstance(rewritten, str) else None,
                is_whole="replaceFullPath" in rewrite,
                is_known=is_known,
            )
            matches = expanded(route.data, (*rule_path, "matches", "*"))
            places = [(*match, "path") for match in matches]
            yield from [_matched(route, leading, place) for place in places] or [leading]


def _matched(route: Resource[Any], leading: Leading, place: Path) -> Leading:
    match = mapping(value_at(route.data, place))
    value = match.get("value", _ALL)
    is_known = isinstance(value, str) and not is_placeholder(value) and match.get("type") != "RegularExpression"
    return leading._replace(
        place=(*place, "value") if "value" in match else leading.place,
        prefix=str(value),
        is_exact=match.get("type") == "Exact",
        is_known=leading.is_known and is_known,
    )


def _ingress(route: Resource[Any]) -> Iterator[Leading]:
    annotations = mapping(route.metadata.get("annotations"))
    is_plain = not any(_REWRITING.search(str(key)) for key in annotations)
    for rule_path in expanded(route.data, ("spec", "rules", "*")):
        host = value_at(route.data, (*rule_path, "host"))
        hosts = _texts([host])
        for path in expanded(route.data, (*rule_path, "http", "paths", "*")):
            stated = mapping(value_at(route.data, path))
            value = str(stated.get("path", _ALL))
            yield Leading(
                (*path, "backend", "service"),
                (*path, "path") if "path" in stated else path,
                hosts,
                (*rule_path, "host") if hosts else (),
                value,
                stated.get("pathType") == "Exact",
                is_known=is_plain and not is_placeholder(value) and _REGULAR.search(value) is None,
            )
    yield Leading(("spec", "defaultBackend", "service"), ("spec", "defaultBackend"))


def _traefik(route: Resource[Any]) -> Iterator[Leading]:
    for path in expanded(route.data, ("spec", "routes", "*")):
        rule = mapping(value_at(route.data, path))
        match = str(rule.get("match", ""))
        found = [(name, re.findall(r"`([^`]*)`", values)) for name, values in re.findall(_MATCHER, match)]
        rest = re.sub(_MATCHER, "", match)
        is_known = re.fullmatch(r"(?:\s|&&|[()])*", rest) is not None and not rule.get("middlewares")
        hosts = _texts([host for name, values in found if name == "Host" for host in values])
        paths = [(name == "Path", value) for name, values in found if name != "Host" for value in values]
        for service in expanded(route.data, (*path, "services", "*")):
            for is_exact, value in paths or [(False, _ALL)]:
                place: Path = (*path, "match")
                yield Leading(
                    service,
                    place,
                    hosts,
                    place if hosts else (),
                    value,
                    is_exact,
                    is_known=is_known and "$" not in value,
                )


def _istio(route: Resource[Any]) -> Iterator[Leading]:
    """Yield the matches of a VirtualService. Without a gateway it is for requests within the mesh, so it has none."""
    gateways = [str(name) for name in listed(value_at(route.data, ("spec", "gateways")))]
    hosts = _texts(value_at(route.data, ("spec", "hosts")))
    for rule_path in expanded(route.data, ("spec", "http", "*")) if set(gateways) - {"mesh"} else ():
        rule = mapping(value_at(route.data, rule_path))
        rewrite = mapping(rule.get("rewrite"))
        is_known = not {"delegate", "redirect", "directResponse"} & rule.keys() and "uriRegexRewrite" not in rewrite
        for service in expanded(route.data, (*rule_path, "route", "*", "destination")):
            leading = Leading(
                service,
                service,
                hosts,
                ("spec", "hosts") if hosts else (),
                rewritten=text_at(rewrite, "uri") or None,
                is_known=is_known,
            )
            matches = [(*match, "uri") for match in expanded(route.data, (*rule_path, "match", "*"))]
            yield from [_matching_path(route, leading, place) for place in matches] or [leading]


def _matching_path(route: Resource[Any], leading: Leading, place: Path) -> Leading:
    """Return ``leading`` for the paths that the ``uri`` at ``place`` of a VirtualService matches."""
    stated = mapping(value_at(route.data, place))
    way, value = next(((key, stated[key]) for key in ("exact", "prefix", "regex") if key in stated), ("", _ALL))
    return leading._replace(
        place=(*place, way) if way else leading.place,
        prefix=str(value),
        is_exact=way == "exact",
        is_text=way == "prefix",
        is_whole=way == "exact" and leading.rewritten is not None,
        is_known=leading.is_known and way != "regex" and not is_placeholder(str(value)),
    )


def _texts(values: Any) -> tuple[str, ...]:
    return tuple(value.lower() for value in listed(values) if isinstance(value, str) and value)


def serves(hosts: Sequence[str], host: str) -> bool | None:
    """Return whether a host is one of ``hosts``, which may begin with ``*.``; ``None`` if that is unknown."""
    if any(other == host or (other.startswith("*.") and host.endswith(other[1:])) for other in hosts):
        return True
    return None if not hosts or is_placeholder(host) or any(map(is_placeholder, hosts)) or "*" in hosts else False
