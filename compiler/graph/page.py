"""The graph of a project as one HTML page, without network access and with only its own small script."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ..diagnostics.shown import in_json, sanitized
from . import workflow_picture
from .layout import HEIGHT, WIDTH, layout
from .text import style_of

if TYPE_CHECKING:
    from .graph import Edge, Graph, GraphNode

LONGEST_NAME = 24
"""Number of characters of a name that fit into the width of a box."""
LONGEST_PLACE = 32
"""Number of characters of a file and line that fit into the width of a box, in the smaller font."""
LONGEST_STEP = 17
"""Number of characters of a step's name that fit into the width of its box."""

LEGEND = {
    "accepted": "nothing refuses it",
    "refused": "the API server, the operator or the process refuses it",
    "missing": "referred to, and declared nowhere",
    "elsewhere": "referred to, and taken to exist in the cluster",
}


def render(graph: Graph, title: str) -> str:
    """Return the HTML page of a graph, with the layout and the details of each node."""
    from jinja2 import Environment, PackageLoader

    environment = Environment(
        loader=PackageLoader("mcpcfg.templates", ""),
        autoescape=True,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["shortened"] = shortened
    placed = layout(graph)
    pictures = [
        {"id": f"flow-{number}-{place}", "picture": workflow_picture.picture(workflow)}
        for number, box in enumerate(placed.boxes)
        for place, workflow in enumerate(box.node.workflows)
    ]
    return environment.get_template("graph.html.j2").render(
        title=sanitized(title),
        layout=placed,
        box={"width": WIDTH, "height": HEIGHT, "longest": LONGEST_NAME},
        step_box={"width": workflow_picture.WIDTH, "height": workflow_picture.HEIGHT, "longest": LONGEST_STEP},
        style_of=style_of,
        worst_of=_worst,
        place_of=_place,
        counts=_counts(graph),
        legend=LEGEND,
        pictures=pictures,
        details=_embedded(_all_details(graph)),
    )


def shortened(text: str, most: int) -> str:
    """Return a text cut to ``most`` characters. Its middle is left out, because related names differ at their ends."""
    if len(text) <= most:
        return text
    # The start gets three fifths of the room, slightly more than the end.
    head = (most - 1) * 3 // 5
    return f"{text[:head]}…{text[len(text) - (most - 1 - head) :]}"


def _place(node: GraphNode) -> str:
    if not node.file:
        return "declared nowhere" if node.verdict == "missing" else ""
    place = f"{node.file}:{node.line}"
    return place if len(place) <= LONGEST_PLACE else f"…{place[1 - LONGEST_PLACE :]}"


def _counts(graph: Graph) -> dict[str, int]:
    counts = dict.fromkeys(LEGEND, 0)
    for node in graph.nodes:
        counts[style_of(node)] += 1
    return {style: count for style, count in counts.items() if count}


def _worst(node: GraphNode) -> str:
    present = {finding.severity for finding in node.findings}
    return next((severity for severity in ("error", "warning", "info") if severity in present), "")


def _all_details(graph: Graph) -> dict[str, Any]:
    refers: dict[str, list[Edge]] = {}
    referred: dict[str, list[Edge]] = {}
    for edge in graph.edges:
        refers.setdefault(edge.source, []).append(edge)
        referred.setdefault(edge.target, []).append(edge)
    return {
        node.id: _details(number, node, refers.get(node.id, []), referred.get(node.id, []))
        for number, node in enumerate(graph.nodes)
    }


def _details(number: int, node: GraphNode, refers: list[Edge], referred: list[Edge]) -> dict[str, Any]:
    return {
        "kind": node.kind,
        "namespace": node.namespace,
        "cluster": node.cluster,
        "name": node.name,
        "verdict": node.verdict,
        "style": style_of(node),
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
        "refers": [{"field": edge.field, "to": edge.target, "problem": edge.problem or ""} for edge in refers],
        "referred": [{"field": edge.field, "from": edge.source} for edge in referred],
        "workflows": [
            {"name": workflow.name, "picture": f"flow-{number}-{place}"}
            for place, workflow in enumerate(node.workflows)
        ],
    }


def _embedded(data: Any) -> str:
    """Return data as JSON with HTML characters escaped, so the text cannot end the enclosing script element."""
    text = in_json(json.dumps(data, ensure_ascii=False, sort_keys=True))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
