"""The page of a resource of a project: its place, its references in both directions, and its findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..diagnostics import file_path
from ..diagnostics.span import InputError
from ..diagnostics.suggestion import several

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .graph import Graph, GraphNode

_MOST_PAGES: Final = 20
"""Maximum number of resources that a page shows. A file may declare many."""

_MOST_NEAR: Final = 3
"""Maximum number of resources of a kind that a message lists."""


def may_name_resource(what: str) -> bool:
    """Return whether ``what`` has the form of a resource's name or of a file, so the project is worth a check."""
    return "/" in what or what == what.lower() or what.endswith((".yaml", ".yml", ".json"))


def resource_page(graph: Graph, what: str, unknown: InputError) -> str:
    """Return the page of the resources that ``what`` names.

    Args:
        what: A name, ``KIND/NAME``, ``KIND/NAMESPACE/NAME``, or the path of a file with resources.
        unknown: Says that ``what`` is no rule, kind or field.

    Raises:
        InputError: ``what`` names no resource either. The message of ``unknown`` is followed by similar resources.
    """
    nodes = [node for node in graph.nodes if node.file and what.lower() in _names(node)]
    if not nodes:
        path = file_path.normpath(what)
        nodes = [node for node in graph.nodes if node.file == path]
    if not nodes:
        near = ", ".join(_near_resources(graph, what))
        raise InputError(f"{unknown}; the project has {near}" if near else str(unknown))
    pages = ["\n".join(_lines(graph, node)) for node in nodes[:_MOST_PAGES]]
    if len(nodes) > _MOST_PAGES:
        pages.append(f"and {len(nodes) - _MOST_PAGES} more resources")
    return "\n\n".join(pages) + "\n"


def _near_resources(graph: Graph, what: str) -> list[str]:
    kind, _, name = what.lower().rpartition("/")
    nodes = [node for node in graph.nodes if node.file and kind in ("", node.kind.lower())]
    names = {node.name.lower(): f"{node.kind}/{node.name}" for node in nodes}
    near = [names[other] for other in several(name, names)]
    return near or (list(names.values())[:_MOST_NEAR] if kind else [])


def _names(node: GraphNode) -> set[str]:
    parts = (node.name, f"{node.kind}/{node.name}", f"{node.kind}/{node.namespace}/{node.name}")
    return {part.lower() for part in parts}


def _lines(graph: Graph, node: GraphNode) -> Iterator[str]:
    nodes = {each.id: each for each in graph.nodes}
    place = f" of cluster {node.cluster}" if node.cluster else ""
    yield f"{node.kind}/{node.name} in namespace {node.namespace}{place} ({node.file}:{node.line})"
    targets = [(edge.field, nodes[edge.target], edge.problem) for edge in graph.edges if edge.source == node.id]
    sources = [(edge.field, nodes[edge.source], edge.problem) for edge in graph.edges if edge.target == node.id]
    for title, edges in (("Refers to:", targets), ("Referred to by:", sources)):
        if edges:
            yield from ("", title)
            for field, other, problem in edges:
                file = f" ({other.file}:{other.line})" if other.file else ""
                yield f"  {other.kind}/{other.name}{file}, {field}{f': {problem}' if problem else ''}"
    yield from ("", "Findings:" if node.findings else "Findings: none")
    for finding in node.findings:
        yield f"  {finding.span.file}:{finding.span.line}: {finding.severity}[{finding.rule}] {finding.message}"
