"""Rules about routes to workloads with an embedded authorization server, which must lead users to their login."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from ...compiler.admission.table import KINDS
from ...compiler.diagnostics.named_tuple import NamedTuple
from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.plain import mapping, value_at
from ...compiler.diagnostics.shown import shown
from ...compiler.toolhive.release import CALLBACK_BOUND_SINCE
from ...compiler.workspace.route import ROUTES, Leading, leadings, serves
from ...compiler.workspace.service_use import service_uses
from ..rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ...compiler.emit.made_service import MadeServices
    from ..rule import Finding, Path, ProjectRule, Resource, Rule, Workspace

NO_LOGIN = rule(
    "SVC010 route-without-login", "lint", "The routes to an authorization server leave out paths that a login needs"
)
OTHER_HOST = rule(
    "SVC011 route-of-another-host",
    "lint",
    "The routes to an authorization server have another host than its issuer or its callback",
)
_NOT_ROUTING: Final = frozenset({"Certificate", "DNSEndpoint", "Gateway", "Namespace", "Secret"})
"""Kinds of other programs whose objects contain a host without routing it to a Service."""
_CALLBACK: Final = "/oauth/callback"
_DISCOVERY: Final = "/.well-known/oauth-authorization-server"


class _Use(NamedTuple):
    """A route to a workload with an authorization server, and one match of the route."""

    route: Resource[Any]
    leading: Leading


class _Need(NamedTuple):
    """An address that a login needs.

    Attributes:
        field: The field that states it.
        outer: The path of requests to the route.
        inner: The path at which the server answers.
    """

    field: str
    host: str
    outer: str
    inner: str


def find_lost_logins(workspace: Workspace) -> Iterator[Finding]:
    """Yield a finding for each workload whose routes do not lead to the login of its authorization server.

    All routes to a workload count together. Nothing is reported about a workload with a route that is not understood.
    """
    from ...compiler.emit.authserver import of_workload
    from ...compiler.emit.made_service import MadeServices

    services = workspace.once(MadeServices)
    reported: set[tuple[object, ...]] = set()
    uses: dict[Resource, list[_Use] | None] = {}
    for source in workspace.context.others:
        if source.document.file not in workspace.context.unapplied:
            _add_uses(source, services, uses)
    for workload, routes in uses.items():
        server = of_workload(workspace, workload)
        if not server or not routes or _is_unsure(workload, routes, workspace):
            continue
        for finding in _faults(workload, server, routes, workspace):
            place = (finding.span, finding.message)
            if place not in reported:
                reported.add(place)
                yield finding


def _add_uses(source: Resource, services: MadeServices, uses: dict[Resource, list[_Use] | None]) -> None:
    """Add the matches of a route to the workloads that they lead to; ``None`` for a route that is not understood."""
    by_path: dict[Path, list[Leading]] = {}
    for leading in leadings(source) if source.kind in ROUTES else ():
        by_path.setdefault(leading.path, []).append(leading)
    for use in service_uses(source):
        for service in services.services_named(use.name, use.namespace or source.namespace, source) or ():
            matches = by_path.get(use.path[:-1])
            known = uses.setdefault(service.resource, [])
            if matches is None:
                uses[service.resource] = None
            elif known is not None:
                known += [_Use(source, match) for match in matches]


def _is_unsure(workload: Resource, routes: Sequence[_Use], workspace: Workspace) -> bool:
    context = workspace.context
    files = {workload.document.file, *(use.route.document.file for use in routes)}
    return not context.complete or context.may_alter(files)


def _faults(
    workload: Resource, server: Mapping[str, Any], routes: Sequence[_Use], workspace: Workspace
) -> Iterator[Finding]:
    """Yield a finding for each host that no route has, or else for the first path that no route leads to the server.

    A host that an object of another kind names, such as the configuration of a tunnel, may be routed there.
    """
    lost: set[str] = set()
    reached: list[tuple[_Need, list[_Use]]] = []
    for need in _needs(server, is_bound=workload.is_judged(since=CALLBACK_BOUND_SINCE)):
        uses = [use for use in routes if serves(use.leading.hosts, need.host) is not False]
        reached.append((need, uses))
        if not uses and need.host not in lost:
            if workspace.context.names(need.host, besides=_NOT_ROUTING.union(KINDS, ROUTES)):
                return
            lost.add(need.host)
            use, hosts = routes[0], ", ".join(routes[0].leading.hosts)
            message = (
                f"no route has the host {shown(need.host)} in {need.field} of {workload.kind} {shown(workload.name)}"
            )
            hint = f"add a route for {need.host}, or write the host of the route: {hosts}"
            yield _finding(OTHER_HOST, use, use.leading.hosts_place or use.leading.place, message, hint, workload)
    for need, uses in reached if not lost else ():
        targets = [target for use in uses if (target := use.leading.target(need.outer)) is not None]
        if not all(use.leading.is_known for use in uses) or need.inner in targets:
            continue
        if targets:
            message = (
                f"{shown(need.outer)} reaches the server as {shown(targets[0])}, but it answers at {shown(need.inner)}"
            )
            hint = "rewrite the path in the route" if targets[0] == need.outer else "rewrite other paths only"
        else:
            message = f"no route leads {shown(need.outer)} to the authorization server, so nobody can log in"
            hint = f"lead {need.outer.removesuffix(need.inner)}/oauth and /.well-known there too"
        yield _finding(NO_LOGIN, uses[0], uses[0].leading.place, message, hint, workload)
        return


def _needs(server: Mapping[str, Any], *, is_bound: bool) -> Iterator[_Need]:
    """Yield the addresses at which users and clients reach an authorization server. Hosts of the cluster are left out.

    Args:
        server: The configuration of the server.
        is_bound: True if the callback must have the host of the login, so another rule reports another host (EAS016).
    """
    login = "authorizationEndpointBaseUrl" if server.get("authorizationEndpointBaseUrl") else "issuer"
    needs = [("issuer", server.get("issuer"), inner) for inner in ("/oauth/token", _DISCOVERY)]
    needs.append((login, server.get(login), "/oauth/authorize"))
    for provider in server.get("upstreamProviders") or ():
        for block in ("oidcConfig", "oauth2Config"):
            address = mapping(mapping(provider).get(block)).get("redirectUri")
            if isinstance(address, str) and address.endswith(_CALLBACK):
                needs.append(("redirectUri", address.removesuffix(_CALLBACK), _CALLBACK))
    for field, address, inner in needs:
        base = _split(address)
        if base is None or _is_inside(base[0]):
            continue
        if is_bound and field == "redirectUri" and base[0] != (_split(server.get(login)) or base)[0]:
            continue
        host, path = base
        if inner == _DISCOVERY:  # RFC 8414 puts the path of the issuer behind the well-known one.
            yield _Need(field, host, f"{_DISCOVERY}{path}", f"{_DISCOVERY}{path}")
        else:
            yield _Need(field, host, f"{path}{inner}", inner)


def _is_inside(host: str) -> bool:
    """Return whether only programs in the cluster, or on one machine, know a host."""
    return "." not in host or host.endswith((".svc", ".cluster.local", ".localhost")) or host.startswith("127.")


def _split(address: Any) -> tuple[str, str] | None:
    """Return the host and the path of a URL, or ``None`` if they are unknown. A variable in the host stays as it is."""
    if not isinstance(address, str):
        return None
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    host, path = parts.netloc.rpartition("@")[2].partition(":")[0], parts.path.rstrip("/")
    return None if not host or is_placeholder(path) else (host if is_placeholder(host) else host.lower(), path)


def _finding(rule: Rule, use: _Use, place: Path, message: str, hint: str, workload: Resource) -> Finding:
    notes = (workload.note(f'{workload.kind} "{workload.name}" is here'),)
    path = place if value_at(use.route.data, place) is not None else use.leading.path
    return use.route.finding(rule, path, message, hint=hint, notes=notes)


PROJECT_RULES: tuple[ProjectRule, ...] = (find_lost_logins,)
