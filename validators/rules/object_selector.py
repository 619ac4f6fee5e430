"""Rules about objects of other programs that select pods or Services of the operator: monitors, policies and Services.

The labels and ports are those of the compiled objects, so overrides of pod templates count. Pods of other programs may
have any label. A selector is only judged if one of its labels is particular to the operator's objects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ...compiler.diagnostics.plain import listed, mapping
from ...compiler.diagnostics.shown import shown
from ...compiler.workspace.selection import METRICS_PATH, MONITORS, SELECTING, SERVICE_MONITORS, selections
from ..rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ...compiler.emit.made_service import MadeServices
    from ...compiler.workspace.selection import Selection
    from ..rule import Finding, Path, ProjectRule, Resource, Rule, Workspace

NO_PORT = rule("SVC004 selected-pod-without-port", "An object names a port that no pod it selects has", stage="lint")
NO_POD = rule("SVC005 selector-of-no-pod", "A selector has nearly the labels of the operator's objects", stage="lint")
OTHER_NAMESPACE = rule(
    "SVC006 selector-of-other-namespace", "A selector leaves out the namespace of what it is for", stage="lint"
)
NO_METRICS = rule("SVC007 monitor-without-metrics", "A monitor selects what serves no metrics", stage="lint")

_NAMES: Final = ("app.kubernetes.io/name", "app", "app.kubernetes.io/component")
"""Labels whose values are particular to the operator if they contain a name of its kinds."""
_PARTICULAR: Final = ("mcpserver", "mcpremoteproxy", "mcpregistry", "embeddingserver", "embedding-server")
_PROXIES: Final = ("MCPServer", "MCPRemoteProxy", "VirtualMCPServer")
"""Kinds whose pods serve metrics if their telemetry says so."""
_OPEN: Final = frozenset({9464, 8443})
"""Container ports on which later releases listen without declaring them: metrics, and the TLS listener."""


class _Made(NamedTuple):
    """A pod or Service that the operator creates.

    Attributes:
        resource: The resource that it is created for.
        labels: The labels of the pod or Service.
        ports: The names and numbers of the ports.
    """

    resource: Resource
    labels: Mapping[str, str]
    ports: Sequence[Any]


def find_lost_selectors(workspace: Workspace) -> Iterator[Finding]:
    """Yield a finding for each fault of a selector that is about pods or Services of the operator.

    If the object has copies, every copy must have the fault.
    """
    from ...compiler.emit.made_service import MadeServices

    sources = [other for other in workspace.context.others if other.kind in SELECTING]
    services = workspace.once(MadeServices)
    copies: dict[tuple[str, int, Path], list[Resource]] = {}
    for source in sources:
        copies.setdefault(source.declared_at, []).append(source)
    for alike in copies.values():
        if alike[0].document.file in workspace.context.unapplied:
            continue
        findings_of_copies: list[dict[Path | None, Finding]] = []
        for source in alike:
            found = [
                each for selection in selections(source) for each in _faults(source, selection, services, workspace)
            ]
            findings_of_copies.append({each.path: each for each in found})
        yield from (
            each for path, each in findings_of_copies[0].items() if all(path in other for other in findings_of_copies)
        )


def _faults(source: Resource, selection: Selection, services: MadeServices, workspace: Workspace) -> Iterator[Finding]:
    makers = list(services.makers(None, source))
    made = [each for maker in makers for each in _made(source, maker, services)]
    matched = [each for each in made if selection.matches(each.labels)]
    if not any(_is_particular(label, value, matched or made) for label, value in selection.labels.items()):
        return
    if not matched:
        if all(map(services.objects_of, makers)) and workspace.context.complete:
            yield from _near_labels(source, selection, made, workspace)
        return
    inside = [each for each in matched if _is_inside(each.resource.namespace, selection.namespaces)]
    if _is_unsure(source, matched, workspace):
        return
    if not inside:
        if all(map(services.objects_of, makers)) and workspace.context.complete:
            yield _misplaced(source, selection, matched)
        return
    ports = list(_missing_ports(source, selection, inside)) if source.kind not in SERVICE_MONITORS else []
    yield from ports
    if source.kind in MONITORS and not ports:
        yield from _unserved(source, selection, inside, workspace)


def _made(source: Resource, maker: Resource, services: MadeServices) -> Iterator[_Made]:
    for compiled in services.objects_of(maker):
        if source.kind in SERVICE_MONITORS:
            if compiled["kind"] == "Service":
                ports = [port.get("name") for port in compiled["spec"]["ports"]]
                yield _Made(maker, mapping(compiled["metadata"].get("labels")), ports)
        elif compiled["kind"] in ("Deployment", "StatefulSet"):
            template = compiled["spec"]["template"]
            containers = [mapping(each) for each in listed(mapping(template.get("spec")).get("containers"))]
            stated = [mapping(port) for container in containers for port in listed(container.get("ports"))]
            ports = [port[field] for port in stated for field in ("name", "containerPort") if field in port]
            yield _Made(maker, mapping(mapping(template.get("metadata")).get("labels")), ports)


def _is_particular(label: str, value: str, made: Iterable[_Made]) -> bool:
    """Return whether only objects of the operator have such a label: one of the product, or a name of its kinds."""
    if any(label.partition("-")[0] == each.resource.profile.product for each in made):
        return True
    return label in _NAMES and value.replace("-", "").endswith(tuple(name.replace("-", "") for name in _PARTICULAR))


def _is_inside(namespace: str | None, namespaces: Sequence[str | None]) -> bool:
    return namespace is None or None in namespaces or namespace in namespaces


def _is_unsure(source: Resource, made: Iterable[_Made], workspace: Workspace) -> bool:
    """Return whether an overlay may change the object or what it selects, or nothing applies the latter."""
    files = [source.document.file, *(each.resource.document.file for each in made)]
    return workspace.context.may_alter(files) or all(file in workspace.context.unapplied for file in files[1:])


def _misplaced(source: Resource, selection: Selection, matched: Sequence[_Made]) -> Finding:
    first = matched[0].resource
    path = selection.namespaces_path or selection.path
    message = f"this selects nothing, because {first.kind} {shown(first.name)} is in namespace {shown(first.namespace)}"
    hint = f"select namespace {shown(first.namespace)}"
    if selection.namespaces_path is None and source.kind in MONITORS:
        hint += ", under namespaceSelector.matchNames"
    elif selection.namespaces_path is None:
        hint = f"move it to namespace {shown(first.namespace)}"
    return _finding(OTHER_NAMESPACE, source, path, message, hint, first)


def _missing_ports(source: Resource, selection: Selection, inside: Sequence[_Made]) -> Iterator[Finding]:
    """Yield a finding for each port that no selected pod has. Pods without declared ports may listen on any number."""
    ports = [port for each in inside for port in each.ports]
    is_by_number = source.kind in ("NetworkPolicy", "Service") or not ports
    for path, port in selection.ports:
        is_open = isinstance(port, int) and (port in _OPEN or not all(each.ports for each in inside))
        if port in ports or is_open or not ports:
            continue
        names = [each for each in ports if isinstance(each, str)]
        numbers = [each for each in ports if isinstance(each, int)]
        wanted = numbers[0] if isinstance(port, int) and is_by_number else names[0] if names else numbers[0]
        wanted = numbers[0] if path[-1] == "portNumber" else wanted
        first = inside[0].resource
        message = f"no pod that this selects has a port {'of the name ' if isinstance(port, str) else ''}{shown(port)}"
        called = f", called {names[0]}" if names and wanted not in names else ""
        finding = _finding(NO_PORT, source, path, message, f"write {shown(wanted)}{called}", first)
        yield finding._replace(meant=(port, wanted)) if isinstance(wanted, type(port)) else finding


def _near_labels(
    source: Resource, selection: Selection, made: Sequence[_Made], workspace: Workspace
) -> Iterator[Finding]:
    """Yield a finding for the label that keeps a selector from selecting anything, if one correction is likely.

    All other labels must be those of one object, and the rest or the corrected label must be particular to it.
    """
    from ...compiler.diagnostics.suggestion import is_slip

    if source.kind in SERVICE_MONITORS:
        return  # SVC002 reports these
    for label, value in selection.labels.items():
        rest = {other: wanted for other, wanted in selection.labels.items() if other != label}
        near: dict[tuple[str, str], _Made] = {}
        for each in made:
            if not (rest.items() <= each.labels.items() and _is_inside(each.resource.namespace, selection.namespaces)):
                continue
            names = [label] if label in each.labels else [name for name in each.labels if is_slip(label, name)]
            for name in names:
                is_near = is_slip(value, each.labels[name]) or value in _confusable(each.labels[name])
                if is_near and (name, each.labels[name]) != (label, value):
                    near[name, each.labels[name]] = each
        if len(near) != 1:
            continue
        ((name, meant), target) = next(iter(near.items()))
        is_sure = any(_is_particular(other, wanted, [target]) for other, wanted in rest.items())
        if (is_sure or _is_particular(label, value, [target])) and not _is_unsure(source, [target], workspace):
            path = (*selection.labels_path, label)
            message = f"nothing that the operator creates has the label {shown(f'{label}: {value}')}"
            hint = f'did you mean "{meant}"?' if name == label else f'did you mean "{name}: {meant}"?'
            finding = _finding(NO_POD, source, path, message, hint, target.resource)
            yield finding._replace(meant=(value, meant)) if name == label else finding
            return


def _confusable(name: str) -> frozenset[str]:
    """Return wrong names that users often write for a pod's label: those of its Services."""
    return frozenset({f"mcp-{name}", f"mcp-{name}-proxy", f"{name}-proxy", f"vmcp-{name}", f"mcp-{name}-remote-proxy"})


def _unserved(
    source: Resource, selection: Selection, inside: Sequence[_Made], workspace: Workspace
) -> Iterator[Finding]:
    """Yield a finding if nothing that a monitor selects serves metrics where it asks for them."""
    makers = list(dict.fromkeys(each.resource for each in inside))
    if any(maker.kind not in _PROXIES for maker in makers):
        return
    reasons = [_silence(maker, workspace) for maker in makers]
    known = [reason for reason in reasons if reason is not None]
    if len(known) == len(reasons):
        message, hint = known[0]
        yield _finding(NO_METRICS, source, selection.path, message, hint, makers[0])
        return
    for path, value in selection.paths:
        if value.rstrip("/") != METRICS_PATH:
            message = f"the proxy serves no metrics at {shown(value)}"
            yield _finding(NO_METRICS, source, path, message, f"write {METRICS_PATH}, or remove path", makers[0])


def _silence(maker: Resource[Any], workspace: Workspace) -> tuple[str, str] | None:
    """Return why a workload serves no metrics on its port, with a hint, or ``None`` if it may serve them."""
    from ...compiler.emit import telemetry

    name = f"{maker.kind} {shown(maker.name)}"
    if maker.spec.get("telemetry") is not None:
        return None
    if not maker.spec.get("telemetryConfigRef"):
        return f"{name} has no telemetry, so it serves no metrics", "set its telemetryConfigRef"
    config = telemetry.config(workspace, maker)
    if config is None:
        return None
    prometheus = mapping(config.spec.get("prometheus"))
    owner = f"{config.kind} {shown(config.name)}"
    if prometheus.get("enabled") in (None, False):
        return f"{name} serves no metrics, because prometheus is not enabled in {owner}", "set prometheus.enabled there"
    if prometheus.get("metricsOnTransportPort") is False:
        message = f"{name} serves its metrics on port 9464 only, because of metricsOnTransportPort in {owner}"
        return (
            message,
            "scrape port 9464 of the pods by relabeling __address__, because no port of the pod has its name",
        )
    return None


def _finding(rule: Rule, source: Resource, path: Path, message: str, hint: str, target: Resource) -> Finding:
    note = target.note(f'{target.kind} "{target.name}" is here')
    return source.finding(rule, path, message, hint=hint, notes=(note,))


PROJECT_RULES: tuple[ProjectRule, ...] = (find_lost_selectors,)
