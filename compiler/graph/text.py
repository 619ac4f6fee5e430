"""The graph of a project as Mermaid (for a README) and as DOT (for Graphviz)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .graph import Graph, GraphNode

STYLES = {
    "accepted": "fill:#e8f5e9,stroke:#2e7d32,color:#1b1b1b",
    "refused": "fill:#ffebee,stroke:#c62828,color:#1b1b1b",
    "missing": "fill:#fff,stroke:#c62828,color:#c62828,stroke-dasharray:4 3",
    "elsewhere": "fill:#f5f5f5,stroke:#9e9e9e,color:#616161,stroke-dasharray:4 3",
}

COLORS = {"accepted": "#2e7d32", "refused": "#c62828", "missing": "#c62828", "elsewhere": "#9e9e9e"}


def style_of(node: GraphNode) -> str:
    """Return the name of a node's style: its verdict, or ``refused`` if the verdict is a stage."""
    return node.verdict if node.verdict in STYLES else "refused"


def mermaid(graph: Graph) -> str:
    """Return the graph as a Mermaid flowchart. References that do not resolve are dotted."""
    names = {node.id: f"n{i}" for i, node in enumerate(graph.nodes)}
    label_of = _node_labels(graph)
    lines = ["flowchart LR"]
    for number, (title, nodes) in enumerate(_titled_sections(graph)):
        if title:
            lines.append(f'    subgraph s{number}["{_mermaid(title)}"]')
        for node in nodes:
            label = f"{_mermaid(node.kind)}<br/><b>{_mermaid(label_of[node.id])}</b>"
            lines.append(f'    {names[node.id]}["{label}"]:::{style_of(node)}')
        lines += ["    end"] if title else []
    for edge in graph.edges:
        arrow = "-->" if edge.problem is None else "-.->"
        label = edge.field if edge.problem is None else f"{edge.field}: {edge.problem}"
        lines.append(f'    {names[edge.source]} {arrow}|"{_mermaid(label)}"| {names[edge.target]}')
    lines += [f"    classDef {name} {style}" for name, style in STYLES.items()]
    return "\n".join(lines) + "\n"


def dot(graph: Graph) -> str:
    """Return the graph in the DOT language of Graphviz."""
    label_of = _node_labels(graph)
    lines = ["digraph mcpcfg {", "  rankdir=LR;", '  node [shape=box, style=rounded, fontname="sans-serif"];']
    for number, (title, nodes) in enumerate(_titled_sections(graph)):
        if title:
            lines.append(f'  subgraph cluster_{number} {{ label="{_dot(title)}"; color="#9e9e9e";')
        lines += [_dot_node(node, label_of[node.id]) for node in nodes]
        lines += ["  }"] if title else []
    for edge in graph.edges:
        broken = "" if edge.problem is None else ', style=dashed, color="#c62828"'
        lines.append(f'  "{_dot(edge.source)}" -> "{_dot(edge.target)}" [label="{_dot(edge.field)}"{broken}];')
    return "\n".join([*lines, "}"]) + "\n"


def _dot_node(node: GraphNode, name: str) -> str:
    style = style_of(node)
    dashed = ', style="rounded,dashed"' if style in ("missing", "elsewhere") else ""
    label = f"{_dot(node.kind)}\\n{_dot(name)}"
    return f'  "{_dot(node.id)}" [label="{label}", color="{COLORS[style]}"{dashed}];'


def _titled_sections(graph: Graph) -> list[tuple[str, list[GraphNode]]]:
    """Return a title and the nodes for each namespace of each cluster. A single section has an empty title."""
    sections: dict[tuple[str, str], list[GraphNode]] = {}
    for node in graph.nodes:
        sections.setdefault((node.cluster, node.namespace), []).append(node)
    if len(sections) < 2:
        return [("", list(graph.nodes))]
    titles = {part: " · ".join(filter(None, part)) for part in sections}
    return [(titles[part], sections[part]) for part in sorted(sections)]


def _node_labels(graph: Graph) -> dict[str, str]:
    of_name = Counter((node.kind, node.name) for node in graph.nodes)
    alike = Counter((node.kind, node.namespace, node.name) for node in graph.nodes)
    labels = {}
    for node in graph.nodes:
        name = f"{node.namespace}/{node.name}" if of_name[node.kind, node.name] > 1 else node.name
        needs_file = alike[node.kind, node.namespace, node.name] > 1 and node.file
        labels[node.id] = f"{name} in {node.file}" if needs_file else name
    return labels


def _mermaid(text: str) -> str:
    return "".join(f"#{ord(char)};" if char in '"#<>&;|`' else char for char in text)


def _dot(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
