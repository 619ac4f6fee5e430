"""A project's graph as one self-contained HTML page: no network, nothing run but its own small script."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from .graph_text import style_of

if TYPE_CHECKING:
    from mcpcfg.compiler.graph import Graph, Node, WorkflowPicture

WIDTH, HEIGHT = 210, 46
COLUMN, ROW = 330, 64
MARGIN = 40
ROUNDS = 6


class Box(NamedTuple):
    """Where a node is drawn."""

    node: Node
    x: int
    y: int
    style: str


def render(graph: Graph, title: str) -> str:
    """Write the page."""
    from jinja2 import Environment, PackageLoader

    environment = Environment(loader=PackageLoader("mcpcfg.templates", ""), autoescape=True, keep_trailing_newline=True)
    boxes = layout(graph)
    places = {box.node.id: box for box in boxes}
    edges = [
        {"path": _curve(places[edge.source], places[edge.target]), "edge": edge}
        for edge in graph.edges
        if edge.source != edge.target
    ]
    return environment.get_template("graph.html.j2").render(
        title=title,
        boxes=boxes,
        edges=edges,
        width=max((box.x for box in boxes), default=0) + WIDTH + MARGIN,
        height=max((box.y for box in boxes), default=0) + HEIGHT + MARGIN,
        box_width=WIDTH,
        box_height=HEIGHT,
        counts=_counts(graph),
        details=_embedded({box.node.id: _details(box.node, graph) for box in boxes}),
    )


def layout(graph: Graph) -> list[Box]:
    """Place nodes in a column for each layer, ordered so that references cross little: by the mean of neighbours."""
    columns: dict[int, list[Node]] = {}
    for node in graph.nodes:
        columns.setdefault(node.layer, []).append(node)
    neighbours: dict[str, list[str]] = {}
    for edge in graph.edges:
        neighbours.setdefault(edge.source, []).append(edge.target)
        neighbours.setdefault(edge.target, []).append(edge.source)
    rank = {node.id: float(i) for nodes in columns.values() for i, node in enumerate(nodes)}
    for turn in range(ROUNDS):
        for layer in sorted(columns, reverse=bool(turn % 2)):
            wish = {
                node.id: _mean([rank[n] for n in neighbours.get(node.id, ())], rank[node.id]) for node in columns[layer]
            }
            columns[layer].sort(key=lambda node: (wish[node.id], node.id))
            rank |= {node.id: float(i) for i, node in enumerate(columns[layer])}
    tallest = max(map(len, columns.values()), default=0)
    return [
        Box(
            node, MARGIN + place * COLUMN, MARGIN + i * ROW + (tallest - len(columns[layer])) * ROW // 2, style_of(node)
        )
        for place, layer in enumerate(sorted(columns))
        for i, node in enumerate(columns[layer])
    ]


def _mean(values: list[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _curve(source: Box, target: Box) -> str:
    """Give the path from box to box: out at the side that faces the other."""
    left, right = (source, target) if source.x <= target.x else (target, source)
    if left.x == right.x:
        x, bend = left.x + WIDTH, left.x + WIDTH + 50
        y1, y2 = source.y + HEIGHT // 2, target.y + HEIGHT // 2
        return f"M{x},{y1} C{bend},{y1} {bend},{y2} {x},{y2}"
    start = source.x + (WIDTH if source is left else 0)
    end = target.x + (WIDTH if target is left else 0)
    middle = (start + end) // 2
    y1, y2 = source.y + HEIGHT // 2, target.y + HEIGHT // 2
    return f"M{start},{y1} C{middle},{y1} {middle},{y2} {end},{y2}"


def _counts(graph: Graph) -> dict[str, int]:
    counts: dict[str, int] = {}
    for node in graph.nodes:
        style = style_of(node)
        counts[style] = counts.get(style, 0) + 1
    return counts


def _details(node: Node, graph: Graph) -> dict[str, Any]:
    return {
        "kind": node.kind,
        "namespace": node.namespace,
        "name": node.name,
        "verdict": node.verdict,
        "place": f"{node.file}:{node.line}" if node.file else "",
        "findings": [
            {
                "severity": finding.severity,
                "rule": f"{finding.rule} {finding.name} ({finding.stage})",
                "message": finding.message,
                "hint": finding.hint or "",
                "place": f"{finding.span.file}:{finding.span.line}:{finding.span.column}",
            }
            for finding in node.findings
        ],
        "refers": [
            {"field": e.field, "to": e.target, "problem": e.problem or ""} for e in graph.edges if e.source == node.id
        ],
        "referred": [{"field": e.field, "from": e.source} for e in graph.edges if e.target == node.id],
        "workflows": [_workflow(workflow) for workflow in node.workflows],
    }


def _workflow(workflow: WorkflowPicture) -> dict[str, Any]:
    """Give a workflow's steps with the level at which each runs; a cycle ends at the number of steps."""
    known = {step.id: step for step in workflow.steps}
    level = dict.fromkeys(known, 0)
    for _ in known:
        for step in workflow.steps:
            below = [level[other] + 1 for other in step.depends_on if other in known]
            level[step.id] = min(max([0, *below]), len(known))
    return {
        "name": workflow.name,
        "steps": [
            {"id": s.id, "type": s.type, "tool": s.tool, "after": list(s.depends_on), "level": level[s.id]}
            for s in workflow.steps
        ],
    }


def _embedded(data: Any) -> str:
    """Write data so that it cannot end the script element that holds it."""
    text = json.dumps(data, ensure_ascii=False, sort_keys=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
