"""The project as a picture: its resources, what refers to what, and how each fares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..diagnostics.finding import STAGES
from ..diagnostics.shown import sanitized as fit
from ..workspace.cluster import clusters

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..diagnostics.finding import Finding, Subject
    from ..workspace.reference import Reference
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace

LAYERS: tuple[frozenset[str], ...] = (
    frozenset({"VirtualMCPServer"}),
    frozenset({"MCPGroup", "VirtualMCPCompositeToolDefinition", "EmbeddingServer", "MCPRegistry"}),
    frozenset({"MCPServer", "MCPRemoteProxy", "MCPServerEntry"}),
    frozenset({"MCPOIDCConfig", "MCPExternalAuthConfig", "MCPTelemetryConfig", "MCPToolConfig"}),
    frozenset({"Secret", "ConfigMap", "ServiceAccount", "Namespace"}),
)
"""Kinds from what clients reach to what everything rests on."""


class Step(NamedTuple):
    """One step of a composite tool."""

    id: str
    type: str
    tool: str
    depends_on: tuple[str, ...]


class WorkflowPicture(NamedTuple):
    """A composite tool of a resource."""

    name: str
    steps: tuple[Step, ...]


class Node(NamedTuple):
    """One resource, or one that is referred to and missing.

    Attributes:
        id: ``Kind/namespace/name``, with `` of CLUSTER`` where there are several.
        kind: Its kind.
        namespace: As it is printed.
        name: Its name.
        layer: Index into ``LAYERS``.
        verdict: The first stage that refuses it, else ``accepted``; ``missing`` where nothing declares it.
        file: Where it is declared, empty for a missing one.
        line: Of its name.
        findings: Those about it.
        workflows: Its composite tools.
        cluster: By which Flux or Argo CD apply it, where the project is for several.
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
    """One reference; ``problem`` is why it leads nowhere, ``None`` where it resolves."""

    source: str
    target: str
    field: str
    problem: str | None


class Graph(NamedTuple):
    """Nodes by layer, namespace, kind and name; edges by source, field and target."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def graph(workspace: Workspace, findings: Iterable[Finding], *, all_kinds: bool = False) -> Graph:
    """Draw a workspace.

    Args:
        workspace: The resolved resources.
        findings: All those about them.
        all_kinds: Whether Secrets, ConfigMaps and ServiceAccounts that nothing refers to are drawn too.
    """
    drawing = _Drawing(workspace, findings)
    for resource in workspace.resources:
        if all_kinds or _layer(resource.kind) < len(LAYERS) - 1:
            drawing.put(resource)
    edges: set[Edge] = set()
    for resource in workspace.resources:
        if drawing.id(resource) in drawing.nodes and resource.admitted:
            for reference in workspace.references(resource):
                edges.add(drawing.edge(reference))
    ordered = sorted(drawing.nodes.values(), key=lambda node: (node.layer, node.namespace, node.kind, node.name))
    return Graph(
        tuple(map(_fit, ordered)),
        tuple(map(_fit, sorted(edges, key=lambda edge: (edge.source, edge.field, edge.target)))),
    )


def _fit(value: Any) -> Any:
    """Return a node or an edge with all its texts as they may be shown."""
    if isinstance(value, str):
        return fit(value)
    if isinstance(value, tuple):
        parts = map(_fit, value)
        return type(value)._make(parts) if hasattr(value, "_make") else tuple(parts)
    return value


def _layer(kind: str) -> int:
    return next((i for i, kinds in enumerate(LAYERS) if kind in kinds), len(LAYERS) - 1)


class _Drawing:
    """A graph that is being drawn.

    Attributes:
        nodes: What is drawn, by id.
    """

    def __init__(self, workspace: Workspace, findings: Iterable[Finding]) -> None:
        self._is_isolated = workspace.world.layout.is_isolated
        self._clusters = clusters(workspace)
        self.nodes: dict[str, Node] = {}
        self._findings: dict[tuple[Subject, str, str], list[Finding]] = {}
        for finding in findings:
            if finding.subject is not None:
                self._findings.setdefault((finding.subject, finding.way, finding.span.file), []).append(finding)

    def id(self, resource: Resource) -> str:
        """Return what identifies a resource."""
        file, cluster = resource.document.file, self._clusters.get(resource, "")
        return self._named(resource.kind, resource.printed_namespace, resource.name, file, cluster)

    def _named(self, kind: str, namespace: str, name: str, file: str, cluster: str) -> str:
        """Return an id; what is in an isolated file, or for another cluster, is distinct from its namesakes."""
        own = f"{kind}/{namespace}/{name}"
        if self._is_isolated(file):
            return f"{own} in {file}"
        return f"{own} of {cluster}" if cluster else own

    def put(self, resource: Resource) -> str:
        """Draw a resource that is not drawn yet, and what is found of it; return its id."""
        own = self.id(resource)
        found = self._of(resource)
        if own not in self.nodes:
            cluster = self._clusters.get(resource, "")
            self.nodes[own] = _node(own, resource, found)._replace(cluster=cluster)
        elif more := [one for one in found if one not in self.nodes[own].findings]:
            all_found = (*self.nodes[own].findings, *more)
            self.nodes[own] = self.nodes[own]._replace(findings=all_found, verdict=verdict(all_found))
        return own

    def _of(self, resource: Resource) -> list[Finding]:
        """Return the findings about a resource; what the API server refuses of it is reported of no copy alone."""
        subject, file = resource.subject, resource.document.file
        found = self._findings.get((subject, resource.way, file), [])
        if not resource.way:
            return found
        of_any = self._findings.get((subject, "", file), [])
        return found + [one for one in of_any if one.stage != "admission" or not resource.admitted]

    def edge(self, reference: Reference) -> Edge:
        """Return an edge, and draw what it leads to."""
        source = reference.source
        if reference.target is not None:
            target = self.put(reference.target)
        else:
            namespace, cluster = source.printed_namespace, self._clusters.get(source, "")
            target = self._named(reference.kind, namespace, reference.name, source.document.file, cluster)
            state = "missing" if reference.problem is not None else "elsewhere"
            layer = _layer(reference.kind)
            missing = Node(target, reference.kind, namespace, reference.name, layer, state, "", 0, (), (), cluster)
            self.nodes.setdefault(target, missing)
        field = ".".join(str(step) for step in reference.path if step not in ("spec", "name"))
        return Edge(self.id(source), target, field, reference.problem)


def _node(own: str, resource: Resource, findings: Iterable[Finding]) -> Node:
    span = resource.at(("metadata", "name"))
    return Node(
        id=own,
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
    """Return the first stage that has an error, ``accepted`` where none has."""
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


def _step(step: dict[str, Any]) -> Step:
    inner = step.get("step")
    tool = step.get("tool") or (inner.get("tool") if isinstance(inner, dict) else None) or ""
    depends = step.get("dependsOn")
    on = tuple(str(item) for item in depends) if isinstance(depends, list) else ()
    return Step(str(step.get("id", "")), str(step.get("type") or "tool"), str(tool), on)
