"""The graph of a project: its resources, their references, and their verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from ..diagnostics.finding import STAGES
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.shown import sanitized as fit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..diagnostics.finding import Finding, Subject
    from ..diagnostics.span import Path
    from ..workspace.reference import Reference
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace

LAYERS: tuple[frozenset[str], ...] = (
    frozenset({"GRPCRoute", "HTTPRoute", "Ingress", "IngressRoute", "VirtualService", "VMCPConfig"}),
    frozenset({"VirtualMCPServer"}),
    frozenset({"MCPGroup", "VirtualMCPCompositeToolDefinition", "EmbeddingServer", "MCPRegistry"}),
    frozenset({"MCPServer", "MCPRemoteProxy", "MCPServerEntry"}),
    frozenset({"MCPOIDCConfig", "MCPExternalAuthConfig", "MCPTelemetryConfig", "MCPToolConfig"}),
    frozenset({"Secret", "ConfigMap", "ServiceAccount", "Namespace"}),
)
"""Kinds in layers, from the kinds that clients reach to the kinds that other kinds depend on."""
Route: TypeAlias = "tuple[Resource[Any], Path, Resource[Any], str | None]"
"""A sender, the path of an address in the sender, the resource at the address, and a problem (``None`` without one)."""


class ToolStep(NamedTuple):
    """A step of a composite tool.

    Attributes:
        tool: Name of the called tool; empty for an elicitation.
        depends_on: Ids of the steps that must end first.
    """

    id: str
    type: str
    tool: str
    depends_on: tuple[str, ...]


class WorkflowPicture(NamedTuple):
    """A composite tool of a resource, with the steps that a drawing shows."""

    name: str
    steps: tuple[ToolStep, ...]


class GraphNode(NamedTuple):
    """A resource, or a missing target of a reference.

    Attributes:
        id: ``Kind/namespace/name``, followed by ``in FILE`` for an isolated file, or by ``of CLUSTER`` if the project
            has several clusters.
        layer: Index into ``LAYERS``.
        verdict: The first stage that refuses the resource, or ``accepted``. For a target that no file declares,
            ``missing``, or ``elsewhere`` if it is assumed to exist in the cluster.
        file: File that declares the resource; empty if none does.
        line: Line of the resource's name, from 1; 0 if no file declares it.
        workflows: Composite tools of the resource.
        cluster: Cluster that Flux or Argo CD applies the resource to; empty if there is only one.
    """

    id: str
    kind: str
    namespace: str
    name: str
    layer: int
    verdict: str
    file: str
    line: int
    findings: tuple[Finding, ...]
    workflows: tuple[WorkflowPicture, ...]
    cluster: str = ""


class Edge(NamedTuple):
    """A reference between two nodes.

    Attributes:
        source: Id of the node that refers.
        target: Id of the node that is referred to.
        field: Path of the reference in the source, without ``spec`` and ``name``.
        problem: Reason why the reference does not resolve, or ``None``.
    """

    source: str
    target: str
    field: str
    problem: str | None


class Graph(NamedTuple):
    """The resources of a project and their references.

    Nodes are sorted by layer, namespace, kind and name; edges are sorted by source, field and target.
    """

    nodes: tuple[GraphNode, ...]
    edges: tuple[Edge, ...]


def graph(
    workspace: Workspace, findings: Iterable[Finding], *, routes: Iterable[Route] = (), all_kinds: bool = False
) -> Graph:
    """Return the graph of a workspace.

    Args:
        routes: Addresses of Services of the resources in other objects, such as Ingresses.
        all_kinds: True to include Secrets, ConfigMaps and ServiceAccounts without references to them.
    """
    drawing = _GraphBuilder(workspace, findings)
    for resource in workspace.resources:
        if all_kinds or _layer(resource.kind) < len(LAYERS) - 1:
            drawing.add_node(resource)
    edges: set[Edge] = set()
    for resource in workspace.resources:
        if drawing.id(resource) in drawing.nodes and resource.admitted:
            for reference in workspace.references(resource):
                edges.add(drawing.edge(reference))
    for source, path, target, problem in routes:
        edges.add(Edge(drawing.add_node(source), drawing.add_node(target), _field(path), problem))
    ordered = sorted(drawing.nodes.values(), key=lambda node: (node.layer, node.namespace, node.kind, node.name))
    return Graph(
        tuple(map(_sanitize, ordered)),
        tuple(map(_sanitize, sorted(edges, key=lambda edge: (edge.source, edge.field, edge.target)))),
    )


def _sanitize(value: Any) -> Any:
    if isinstance(value, str):
        return fit(value)
    if isinstance(value, tuple):
        parts = map(_sanitize, value)
        return type(value)._make(parts) if hasattr(value, "_make") else tuple(parts)
    return value


def _layer(kind: str) -> int:
    return next((i for i, kinds in enumerate(LAYERS) if kind in kinds), len(LAYERS) - 1)


class _GraphBuilder:
    """Collects the nodes of a graph, and makes its edges.

    Attributes:
        nodes: The nodes so far, by id.
    """

    def __init__(self, workspace: Workspace, findings: Iterable[Finding]) -> None:
        self._is_isolated = workspace.context.layout.is_isolated
        self._clusters = _cluster_labels(workspace)
        self.nodes: dict[str, GraphNode] = {}
        self._findings: dict[tuple[Subject, str, str], list[Finding]] = {}
        for finding in findings:
            if finding.subject is not None:
                self._findings.setdefault((finding.subject, finding.copy_id, finding.span.file), []).append(finding)

    def id(self, resource: Resource) -> str:
        file, cluster = resource.document.file, self._clusters.get(resource, "")
        return self._node_id(resource.kind, resource.printed_namespace, resource.name, file, cluster)

    def _node_id(self, kind: str, namespace: str, name: str, file: str, cluster: str) -> str:
        name_id = f"{kind}/{namespace}/{name}"
        if self._is_isolated(file):
            return f"{name_id} in {file}"
        return f"{name_id} of {cluster}" if cluster else name_id

    def add_node(self, resource: Resource) -> str:
        """Add a node for the resource, or add its findings to its existing node. Return the id of the node."""
        node_id = self.id(resource)
        findings = self._findings_of(resource)
        if node_id not in self.nodes:
            cluster = self._clusters.get(resource, "")
            self.nodes[node_id] = _node(node_id, resource, findings)._replace(cluster=cluster)
        elif more := [finding for finding in findings if finding not in self.nodes[node_id].findings]:
            all_found = (*self.nodes[node_id].findings, *more)
            self.nodes[node_id] = self.nodes[node_id]._replace(findings=all_found, verdict=verdict(all_found))
        return node_id

    def _findings_of(self, resource: Resource) -> list[Finding]:
        """Return the findings about a resource.

        For a copy, they include findings that name no copy, except admission findings if the copy is admitted.
        """
        subject, file = resource.subject, resource.document.file
        findings = self._findings.get((subject, resource.copy_id, file), [])
        if not resource.copy_id:
            return findings
        of_any = self._findings.get((subject, "", file), [])
        return findings + [finding for finding in of_any if finding.stage != "admission" or not resource.admitted]

    def edge(self, reference: Reference) -> Edge:
        """Return the edge of a reference. Add a node for the target if there is none yet."""
        source = reference.source
        if reference.target is not None:
            target = self.add_node(reference.target)
        else:
            namespace, cluster = source.printed_namespace, self._clusters.get(source, "")
            target = self._node_id(reference.kind, namespace, reference.name, source.document.file, cluster)
            state = "missing" if reference.problem is not None else "elsewhere"
            layer = _layer(reference.kind)
            missing = GraphNode(target, reference.kind, namespace, reference.name, layer, state, "", 0, (), (), cluster)
            self.nodes.setdefault(target, missing)
        return Edge(self.id(source), target, _field(reference.path), reference.problem)


def _field(path: Path) -> str:
    return ".".join(str(step) for step in path if step not in ("spec", "name"))


def _node(node_id: str, resource: Resource, findings: Iterable[Finding]) -> GraphNode:
    span = resource.at(("metadata", "name"))
    return GraphNode(
        id=node_id,
        kind=resource.kind,
        namespace=resource.printed_namespace,
        name=resource.name,
        layer=_layer(resource.kind),
        verdict=verdict(findings),
        file=span.file,
        line=span.line,
        findings=tuple(findings),
        workflows=tuple(_workflows(resource)),
    )


def verdict(findings: Iterable[Finding]) -> str:
    """Return the first stage that reports an error, or ``accepted``. Errors of lint do not count."""
    stages = {finding.stage for finding in findings if finding.severity == "error" and finding.stage != "lint"}
    return next((stage for stage in STAGES if stage in stages), "accepted")


def _workflows(resource: Resource[Any]) -> Iterator[WorkflowPicture]:
    if resource.kind == "VirtualMCPCompositeToolDefinition":
        tools: list[Any] = [resource.spec]
    else:
        config = resource.spec.get("config")
        given = config.get("compositeTools") if isinstance(config, dict) else None
        tools = given if isinstance(given, list) else []
    for tool in tools:
        if isinstance(tool, dict) and isinstance(tool.get("steps"), list):
            steps = tuple(_step(step) for step in tool["steps"] if isinstance(step, dict))
            yield WorkflowPicture(str(tool.get("name", "")), steps)


def _step(step: dict[str, Any]) -> ToolStep:
    inner = step.get("step")
    tool = step.get("tool") or (inner.get("tool") if isinstance(inner, dict) else None) or ""
    depends = step.get("dependsOn")
    on = tuple(str(item) for item in depends) if isinstance(depends, list) else ()
    return ToolStep(str(step.get("id", "")), str(step.get("type") or "tool"), str(tool), on)


def _cluster_labels(workspace: Workspace) -> Mapping[Resource, str]:
    """Return the clusters of each resource as a text, separated by commas; empty if the project has one cluster.

    Copies of a resource with the same data are labeled with all of their clusters.
    """
    names_by_resource = workspace.clusters()
    labels: dict[Resource, str] = {}
    for group in _group_equal_copies(workspace.resources) if names_by_resource else ():
        names = sorted({name for resource in group for name in names_by_resource[resource]})
        labels |= dict.fromkeys(group, ", ".join(names))
    return labels


def _group_equal_copies(resources: Iterable[Resource]) -> list[list[Resource]]:
    groups_by_declaration: dict[tuple[object, ...], list[list[Resource]]] = {}
    for resource in resources:
        key = (*resource.identity, resource.document.file, resource.document.index, resource.document.prefix)
        groups = groups_by_declaration.setdefault(key, [])
        equal_group = next((group for group in groups if group[0].data == resource.data), None)
        if equal_group is None:
            groups.append([resource])
        else:
            equal_group.append(resource)
    return [group for groups in groups_by_declaration.values() for group in groups]
