"""Rules about routes and URLs that name Services or ports which the operator does not create."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.plain import mapping
from ...compiler.diagnostics.shown import shown
from ..rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...compiler.emit.made_service import MadeService, MadeServices
    from ...compiler.workspace.service_use import Monitoring, ServiceUse
    from ..rule import Finding, Path, ProjectRule, Resource, Rule, Workspace

WRONG_PORT = rule(
    "SVC001 route-to-missing-port", "lint", "A route leads to a port that the operator's Service does not have"
)
NO_SERVICE = rule(
    "SVC002 route-to-missing-service", "lint", "A route names a Service that is nearly the one that the operator makes"
)
NO_GRANT = rule(
    "SVC003 route-without-grant", "lint", "A route leads to another namespace, and no ReferenceGrant there allows it"
)

_PREFIXES: Final = ("mcp-", "vmcp-")


def _near(name: str, namespace: str | None, source: Resource, services: MadeServices) -> MadeService | None:
    from ...compiler.diagnostics.suggestion import is_slip

    matches: list[MadeService] = []
    for maker in services.makers(namespace, source):
        first = services.services_of(maker)[:1]
        matches += [each for each in first if name in _confusable_names(maker) or is_slip(name, each.name)]
    return matches[0] if len(matches) == 1 else None


def _confusable_names(resource: Resource) -> set[str]:
    name = resource.name
    names = {f"mcp-{name}-proxy", f"mcp-{name}-remote-proxy", f"vmcp-{name}"}
    if name.startswith(_PREFIXES):
        names |= {f"{name}-proxy", f"{name}-remote-proxy"}
        names |= {name} if resource.kind == "VirtualMCPServer" else set()
    return names


def find_lost_routes(workspace: Workspace) -> Iterator[Finding]:
    """Yield a finding for each use of a Service or port that the operator does not create.

    If the resource with the use has copies, the use must be wrong in every copy.
    """
    from ...compiler.emit.made_service import MadeServices, senders
    from ...compiler.workspace.selection import SERVICE_MONITORS
    from ...compiler.workspace.service_use import service_uses

    services = workspace.once(MadeServices)
    sources = [*senders(workspace), *(other for other in workspace.context.others if other.kind in SERVICE_MONITORS)]
    copies: dict[tuple[str, int, Path], list[Resource]] = {}
    for sender in sources:
        copies.setdefault(sender.declared_at, []).append(sender)
    for alike in copies.values():
        if alike[0].document.file in workspace.context.unapplied:
            continue
        findings_of_copies: list[dict[Path | None, Finding]] = []
        for sender in alike:
            uses = service_uses(sender) if sender.kind not in SERVICE_MONITORS else ()
            lost = [each for use in uses for each in _lost(sender, use, services, workspace)]
            lost += _monitor_findings(sender, services, workspace) if sender.kind in SERVICE_MONITORS else ()
            findings_of_copies.append({each.path: each for each in lost})
        yield from (
            each for path, each in findings_of_copies[0].items() if all(path in other for other in findings_of_copies)
        )


def _lost(source: Resource, use: ServiceUse, services: MadeServices, workspace: Workspace) -> Iterator[Finding]:
    """Yield the fault in one use of a Service: a wrong name, a wrong port, or a missing ReferenceGrant."""
    from ...compiler.emit.made_service import is_declared

    namespace = use.namespace or source.namespace
    if is_declared(use.name, namespace, workspace):
        return
    fitting = services.services_named(use.name, namespace, source)
    if fitting is None:
        return
    if not fitting:
        if use.name.startswith(_PREFIXES) and not _may_be_elsewhere(use.name, namespace, workspace):
            near = _near(use.name, namespace, source, services)
            if near is not None and not _is_unsure(source, [near], workspace):
                yield _misnamed(source, use, near)
        return
    if _is_unsure(source, fitting, workspace):
        return
    if use.port is not None and not any(service.has(use.port) for service in fitting):
        yield _misdirected(source, use, fitting[0])
    elif use.namespace_path is not None and _lacks_grant(source, use.namespace, use.name, workspace):
        message = f"nothing in namespace {shown(use.namespace)} allows {source.kind} of namespace"
        message += f" {shown(source.namespace)} to use its Services"
        hint = f"declare a ReferenceGrant in namespace {shown(use.namespace)}"
        yield _finding(NO_GRANT, source, use.namespace_path, message, hint, fitting[0])


def _misnamed(source: Resource, use: ServiceUse, near: MadeService) -> Finding:
    message = f"no Service {shown(use.name)} is made or declared in that namespace"
    finding = _finding(NO_SERVICE, source, use.path, message, f'did you mean "{near.name}"?', near)
    written = use.url or use.name
    corrected = written.replace(use.name, near.name, 1)
    return finding if source.kind == "VirtualService" else finding._replace(meant=(written, corrected))


def _misdirected(source: Resource, use: ServiceUse, service: MadeService) -> Finding:
    first = service.service["spec"]["ports"][0]
    message = f"Service {shown(use.name)} has no port {shown(use.port)}"
    finding = _finding(
        WRONG_PORT,
        source,
        use.port_path or use.path,
        message,
        f"its port is {first['port']}, called {first['name']}",
        service,
    )
    if use.url:
        right_url = use.url.replace(f":{use.port}", f":{first['port']}", 1)
        return finding._replace(meant=(use.url, right_url)) if right_url != use.url else finding
    if isinstance(use.port, int):
        return finding._replace(meant=(use.port, first["port"]))
    return finding._replace(meant=(str(use.port), str(first["port"] if str(use.port).isdigit() else first["name"])))


def _finding(rule: Rule, source: Resource, path: Path, message: str, hint: str, service: MadeService) -> Finding:
    resource = service.resource
    note = resource.note(f'{resource.kind} "{resource.name}" has the Service "{service.name}"')
    finding = source.finding(rule, path, message, hint=hint, notes=(note,))
    return finding._replace(subject=None) if source.is_file else finding


def _may_be_elsewhere(name: str, namespace: str | None, workspace: Workspace) -> bool:
    from ...compiler.emit.made_service import CREATING

    context = workspace.context
    if not context.complete or context.may_have_any(frozenset(CREATING)):
        return True
    releases = (other for other in context.others if other.kind == "HelmRelease" and name.startswith(other.name))
    return any(None in (namespace, other.namespace) or other.namespace == namespace for other in releases)


def _is_unsure(source: Resource, services: Sequence[MadeService], workspace: Workspace) -> bool:
    """Return whether an overlay may change ``source`` or a Service, or the file of one of them is never applied."""
    context = workspace.context
    files = [source.document.file, *(service.resource.document.file for service in services)]
    return context.may_alter(files) or any(file in context.unapplied for file in files)


def _lacks_grant(source: Resource, namespace: str | None, name: str, workspace: Workspace) -> bool:
    from ...compiler.workspace.service_use import allows

    grants = [grant for grant in workspace.context.others if grant.kind == "ReferenceGrant"]
    if not grants or None in (source.namespace, namespace) or source.namespace == namespace:
        return False
    return not any(grant.namespace in (None, namespace) and allows(grant, source, name) for grant in grants)


def _monitor_findings(source: Resource, services: MadeServices, workspace: Workspace) -> Iterator[Finding]:
    """Yield findings for ports of a ServiceMonitor that no selected Service has. If it selects none, check its labels.

    Only ServiceMonitors that select by a label of the product are checked.
    """
    from ...compiler.workspace.service_use import monitoring

    asked = monitoring(source)
    if not any(label.startswith(source.profile.product) for label in asked.labels):
        return
    selected = [
        service for namespace in asked.namespaces for service in services.selected(asked.labels, namespace, source)
    ]
    if not selected:
        yield from _selecting_none(source, asked, services, workspace)
    if not selected or _is_unsure(source, selected, workspace):
        return
    missing = [each for each in asked.ports if not any(each[1] in service.ports for service in selected)]
    if missing and workspace.context.states(tuple(asked.labels.items()), kinds=("Service",)):
        return  # another Service of the project may have the labels
    for path, port in missing:
        name = selected[0].service["spec"]["ports"][0]["name"]
        message = f"no Service that the labels select has a port of the name {shown(port)}"
        finding = _finding(WRONG_PORT, source, path, message, f"its port is called {name}", selected[0])
        yield finding._replace(meant=(port, name))


def _selecting_none(
    source: Resource, asked: Monitoring, services: MadeServices, workspace: Workspace
) -> Iterator[Finding]:
    """Yield a finding for the label whose value keeps a ServiceMonitor from selecting a Service.

    There is only a finding if exactly one Service has all other labels and a similar value of this label.
    """
    from ...compiler.workspace.service_use import MONITORED

    makers = [maker for namespace in asked.namespaces for maker in services.makers(namespace, source)]
    if not workspace.context.complete or not all(map(services.services_of, makers)):
        return
    declared = (other for other in workspace.context.others if other.kind == "Service")
    if any(asked.labels.items() <= mapping(service.metadata.get("labels")).items() for service in declared):
        return
    for label, value in asked.labels.items():
        rest = {other: wanted for other, wanted in asked.labels.items() if other != label}
        near = [
            service
            for maker in makers
            for service in services.services_of(maker)[:1]
            if rest.items() <= service.labels.items() and _is_mistake_for(value, service.labels.get(label))
        ]
        if len(near) == 1 and not _is_unsure(source, near, workspace) and not is_placeholder(value):
            path: Path = (*MONITORED, label)
            message, meant = f"no Service has the label {shown(f'{label}: {value}')}", near[0].labels[label]
            finding = _finding(NO_SERVICE, source, path, message, f'did you mean "{meant}"?', near[0])
            yield finding._replace(meant=(value, meant))


def _is_mistake_for(value: str, other: str | None) -> bool:
    from ...compiler.diagnostics.suggestion import is_slip

    return other is not None and (is_slip(value, other) or value in {f"mcp-{other}", f"mcp-{other}-proxy"})


PROJECT_RULES: tuple[ProjectRule, ...] = (find_lost_routes,)
