"""Rules about objects of other programs that select pods or Services of the operator: monitors, policies and Services.

The labels and ports are those of the compiled objects, so overrides of pod templates count. Pods of other programs may
have any label. A selector is only judged if one of its labels is particular to the operator's objects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ...compiler.diagnostics.named_tuple import NamedTuple
from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.plain import listed, mapping
from ...compiler.diagnostics.shown import shown
from ...compiler.workspace.selection import METRICS_PATH, MONITORS, SELECTING, SERVICE_MONITORS, selections
from ..dangling import is_typing_error
from ..rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ...compiler.emit.made_service import MadeServices
    from ...compiler.workspace.selection import Selection
    from ..rule import Finding, Path, ProjectRule, Resource, Rule, Workspace

NO_PORT = rule("SVC004 selected-pod-without-port", "lint", "An object names a port that no pod it selects has")
NO_POD = rule("SVC005 selector-of-no-pod", "lint", "A selector has nearly the labels of the operator's objects")
OTHER_NAMESPACE = rule(
    "SVC006 selector-of-other-namespace", "lint", "A selector leaves out the namespace of what it is for"
)
NO_METRICS = rule("SVC007 monitor-without-metrics", "lint", "A monitor selects what serves no metrics")

_NAMES: Final = ("app.kubernetes.io/name", "app", "app.kubernetes.io/component")
"""Labels whose values are particular to the operator if they contain a name of its kinds."""
_PARTICULAR: Final = ("mcpserver", "mcpremoteproxy", "mcpregistry", "embeddingserver", "embedding-server")
_PROXIES: Final = ("MCPServer", "MCPRemoteProxy", "VirtualMCPServer")
"""Kinds whose pods serve metrics if their telemetry says so."""
_OPEN: Final = frozenset({9464, 8443, 4143, 4190, 4191, 15001, 15006, 15008, 15020, 15021, 15090})
"""Container ports that pods have without declaring them.

Later releases listen for metrics and TLS. Service meshes add containers: Linkerd listens on ports above 4100, Istio on
ports above 15000.
"""


class _Made(NamedTuple):
    """A pod or Service that the operator creates.

    Attributes:
        resource: The resource that it is created for.
        labels: The labels of the pod or Service.
        ports: The names and numbers of the ports.
        is_of_server: True if it is the pod of an MCP server, or a Service of that pod, not of the proxy.
    """

    resource: Resource
    labels: Mapping[str, str]
    ports: Sequence[Any]
    is_of_server: bool = False


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
    """Yield the faults of a selector, unless an object of another program may have the selected labels."""
    pairs = tuple([(label, value) for _, label, value in selection.stated])
    kinds = ("Service",) if source.kind in SERVICE_MONITORS else ()
    for finding in _suspicions(source, selection, services, workspace):
        if workspace.context.states(pairs, kinds=kinds):
            return
        yield finding


def _suspicions(
    source: Resource, selection: Selection, services: MadeServices, workspace: Workspace
) -> Iterator[Finding]:
    has_product = any(label.startswith(source.profile.product) for _, label, _ in selection.stated)
    if selection.direction == "ingress" and not has_product:
        return  # other programs may send requests too, so a common label says nothing
    makers = list(services.makers(None, source))
    if not _is_about_ours(selection, makers):
        return  # compiling all resources takes long, and most selectors are for other programs
    made = [each for maker in makers for each in workspace.once(_MadeObjects).of(source, maker, services)]
    matched = [each for each in made if selection.matches(each.labels)]
    if not _is_about_ours(selection, [each.resource for each in matched or made]):
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
    if source.kind in SERVICE_MONITORS:
        pods = [each for maker in {each.resource for each in inside} for each in _pods(maker, services)]
        yield from _missing_ports(source, _with_ports(selection, of_pods=True), pods)
        selection = _with_ports(selection, of_pods=False)
    ports = [] if _is_of_routes(source, selection) else list(_missing_ports(source, selection, inside))
    yield from ports
    if source.kind in MONITORS and not ports:
        yield from _unserved(source, selection, inside, workspace)


def _is_of_routes(source: Resource, selection: Selection) -> bool:
    """Return whether the rules about routes check the ports and the labels: those of Services with a product label."""
    has_product = any(label.startswith(source.profile.product) for label in selection.labels)
    return source.kind in SERVICE_MONITORS and has_product and not selection.expressions


def _with_ports(selection: Selection, *, of_pods: bool) -> Selection:
    """Return a selection with the ports of pods alone, a ServiceMonitor's ``targetPort``, or without them."""
    ports = [each for each in selection.ports if (each[0][-1] == "targetPort") is of_pods]
    return selection._replace(ports=ports)


class _MadeObjects:
    """The pods and Services of each resource, which many selectors are compared with."""

    def __init__(self, _: Workspace) -> None:
        self._made: dict[tuple[bool, Resource], list[_Made]] = {}

    def of(self, source: Resource, maker: Resource, services: MadeServices) -> list[_Made]:
        """Return what the object ``source`` may select of a resource: its pods, or its Services."""
        key = source.kind in SERVICE_MONITORS, maker
        if key not in self._made:
            self._made[key] = [*_made(source, maker, services)]
        return self._made[key]


def _made(source: Resource, maker: Resource, services: MadeServices) -> Iterator[_Made]:
    if source.kind not in SERVICE_MONITORS:
        yield from _pods(maker, services)
        return
    for compiled in services.objects_of(maker):
        if compiled["kind"] == "Service":
            ports = [port.get("name") for port in compiled["spec"]["ports"]]
            owners = [mapping(owner).get("kind") for owner in listed(compiled["metadata"].get("ownerReferences"))]
            is_of_server = maker.kind == "MCPServer" and "StatefulSet" in owners
            yield _Made(maker, mapping(compiled["metadata"].get("labels")), ports, is_of_server)


def _pods(maker: Resource, services: MadeServices) -> Iterator[_Made]:
    for compiled in services.objects_of(maker):
        if compiled["kind"] in ("Deployment", "StatefulSet"):
            template = compiled["spec"]["template"]
            containers = [mapping(each) for each in listed(mapping(template.get("spec")).get("containers"))]
            stated = [mapping(port) for container in containers for port in listed(container.get("ports"))]
            ports = [port[field] for port in stated for field in ("name", "containerPort") if field in port]
            is_of_server = maker.kind == "MCPServer" and compiled["kind"] == "StatefulSet"
            yield _Made(maker, mapping(mapping(template.get("metadata")).get("labels")), ports, is_of_server)


def _is_about_ours(selection: Selection, owners: Sequence[Resource]) -> bool:
    """Return whether only objects that the operator creates for ``owners`` can have one of the selected labels."""
    choices = [(label, [value]) for _, label, value in selection.stated]
    choices += [
        (str(each.get("key")), [str(value) for value in listed(each.get("values"))])
        for each in selection.expressions
        if each.get("operator") == "In"
    ]
    choices += [(str(each.get("key")), [""]) for each in selection.expressions if each.get("operator") == "Exists"]
    return any(values and all(_is_particular(label, value, owners) for value in values) for label, values in choices)


def _is_particular(label: str, value: str, owners: Iterable[Resource]) -> bool:
    """Return whether only objects of the operator have such a label: one of the product, or a name of its kinds."""
    if any(label.partition("-")[0] == owner.profile.product for owner in owners):
        return True
    name = value.replace("-", "").removesuffix("s")
    return label in _NAMES and name.endswith(tuple(each.replace("-", "") for each in _PARTICULAR))


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
    elif selection.direction:
        hint = f"add a namespaceSelector for namespace {shown(first.namespace)}"
    elif selection.namespaces_path is None:
        hint = f"move it to namespace {shown(first.namespace)}"
    return _finding(OTHER_NAMESPACE, source, path, message, hint, first)


def _missing_ports(source: Resource, selection: Selection, inside: Sequence[_Made]) -> Iterator[Finding]:
    """Yield a finding for each port that no selected pod has. Pods without declared ports may listen on any number."""
    ports = [port for each in inside for port in each.ports]
    if any(isinstance(port, str) and is_placeholder(port) for port in ports):
        return
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
        is_of_service = source.kind in SERVICE_MONITORS and path[-1] != "targetPort"
        selected = "Service" if is_of_service else "pod"
        of_name = "of the name " if isinstance(port, str) else ""
        message = f"no {selected} that this selects has a port {of_name}{shown(port)}"
        called = f", called {names[0]}" if names and wanted not in names else ""
        finding = _finding(NO_PORT, source, path, message, f"write {shown(wanted)}{called}", first)
        yield finding._replace(meant=(port, wanted)) if isinstance(wanted, type(port)) else finding


def _near_labels(
    source: Resource, selection: Selection, made: Sequence[_Made], workspace: Workspace
) -> Iterator[Finding]:
    """Yield a finding for the label that keeps a selector from selecting anything, if one correction is likely.

    All other labels must be those of one object, and the rest or the corrected label must be particular to it.
    """
    if _is_of_routes(source, selection):
        return
    for path, label, value in selection.stated:
        rest = selection.without(path)
        near: dict[tuple[str, str], _Made] = {}
        for each in made:
            if rest.matches(each.labels) and _is_inside(each.resource.namespace, selection.namespaces):
                near |= dict.fromkeys(_likely_labels(label, value, each), each)
        if len(near) != 1:
            continue
        ((name, meant), target) = next(iter(near.items()))
        owners = [target.resource]
        is_sure = any(_is_particular(other, wanted, owners) for _, other, wanted in rest.stated)
        if (is_sure or _is_particular(label, value, owners)) and not _is_unsure(source, [target], workspace):
            message = f"nothing that the operator creates has the label {shown(f'{label}: {value}')}"
            hint = f'did you mean "{meant}"?' if name == label else f'did you mean "{name}: {meant}"?'
            finding = _finding(NO_POD, source, path, message, hint, target.resource)
            yield finding._replace(meant=(value, meant)) if name == label else finding
            return


def _likely_labels(label: str, value: str, made: _Made) -> Iterator[tuple[str, str]]:
    """Yield the labels of a pod or Service that a selector may mean by another label."""
    from ...compiler.diagnostics.suggestion import is_slip

    names = [label] if label in made.labels else [name for name in made.labels if is_slip(label, name)]
    for name in names:
        right = made.labels[name]
        is_near = value == right or is_typing_error(value, right) or value in _confusable(right)
        if is_near and (name, right) != (label, value):
            yield name, right


def _confusable(name: str) -> frozenset[str]:
    """Return wrong names that users often write for a pod's label: those of its Services."""
    return frozenset({f"mcp-{name}", f"mcp-{name}-proxy", f"{name}-proxy", f"vmcp-{name}", f"mcp-{name}-remote-proxy"})


def _unserved(
    source: Resource, selection: Selection, inside: Sequence[_Made], workspace: Workspace
) -> Iterator[Finding]:
    """Yield a finding if nothing that a monitor selects serves metrics where it asks for them."""
    asked = {port for _, port in selection.ports}
    of_server = [each.ports for each in inside if each.is_of_server and each.ports]
    if any(
        not asked or not asked.isdisjoint(ports) or any(map(is_placeholder, map(str, ports))) for ports in of_server
    ):
        return  # the server may serve metrics of its own
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
