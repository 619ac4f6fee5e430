"""Lay out a graph: positions of nodes, and routes of edges.

Each namespace of each cluster is a section with a frame, because references never cross namespaces. Sections are placed
in rows. In a section, each layer is a column, or several columns if a single column would be too high. An edge that
crosses columns gets a waypoint in each, which takes up space, so the edge does not run behind boxes. Edges to the same
node share waypoints. Columns are sorted by the mean position of neighbors; then each item moves as close to the height
of its neighbors as the others allow.
"""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from ..diagnostics.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .graph import Edge, Graph, GraphNode

WIDTH, HEIGHT = 260, 64
"""The size of a box in pixels. It has space for three lines of text and the name of the longest kind."""
COLUMN_GAP, ROW_GAP = 78, 14
"""Pixels between columns, where edges bend, and between the boxes of a column."""
THIN = 10
"""Height in pixels of the gap through which an edge crosses a column."""
MARGIN = 32
"""Pixels around frames."""
HEADING = 34
"""Height in pixels of the line above a section's content, which has space for the title of its frame."""
ROW = HEIGHT + ROW_GAP
PAD = 20
"""Pixels between a frame and its content."""
BREADTH = 1.6
"""Desired ratio of the picture's width to its height, which suits a wide screen."""
FEWEST_ROWS = 10
"""A column has space for at least this many nodes, so the layers of small graphs are not split."""
ORDER_ROUNDS, HEIGHT_ROUNDS = 8, 6
"""Numbers of rounds that sort columns and move items. More rounds hardly move the boxes."""

Item: TypeAlias = "str | tuple[str, int]"
"""The id of a node, or a waypoint: the id of the edge's target, and the column."""


class Box(NamedTuple):
    """A node and the position of its upper left corner, in pixels."""

    node: GraphNode
    x: int
    y: int


class EdgeRoute(NamedTuple):
    """An edge and the data of its SVG path."""

    edge: Edge
    path: str


class Frame(NamedTuple):
    """The frame of a section, in pixels, and its title."""

    title: str
    x: int
    y: int
    width: int
    height: int


class GraphLayout(NamedTuple):
    """The boxes, edges and frames of a graph with their positions, and the size of the picture, in pixels."""

    boxes: tuple[Box, ...]
    routes: tuple[EdgeRoute, ...]
    frames: tuple[Frame, ...]
    width: int
    height: int


class _LayoutSection(NamedTuple):
    """A laid out namespace, with positions relative to its own upper left corner.

    Attributes:
        points_of_edge: Left edge, right edge and vertical middle of each item that an edge passes, by edge.
    """

    cluster: str
    title: str
    boxes: tuple[Box, ...]
    points_of_edge: Mapping[Edge, tuple[tuple[int, int, int], ...]]
    width: int
    height: int


def layout(graph: Graph) -> GraphLayout:
    """Return the layout of a graph, which is always the same for the same graph."""
    parts: dict[tuple[str, str], list[GraphNode]] = {}
    for node in graph.nodes:
        parts.setdefault((node.cluster, node.namespace), []).append(node)
    part_of = {node.id: part for part, nodes in parts.items() for node in nodes}
    edges: dict[tuple[str, str], list[Edge]] = {part: [] for part in parts}
    for edge in graph.edges:
        if edge.source != edge.target and part_of[edge.source] == part_of[edge.target]:
            edges[part_of[edge.source]].append(edge)
    sections = [_section(part, parts[part], edges[part]) for part in sorted(parts)]
    corners, frames = _rows(sections)
    boxes = {
        box.node.id: box._replace(x=box.x + x, y=box.y + y)
        for section, (x, y) in zip(sections, corners, strict=True)
        for box in section.boxes
    }
    routes = {
        edge: _path([(near + x, far + x, middle + y) for near, far, middle in items])
        for section, (x, y) in zip(sections, corners, strict=True)
        for edge, items in section.points_of_edge.items()
    }
    for edge in graph.edges:
        if edge.source != edge.target and edge not in routes:
            routes[edge] = _path([_edges_of_box(boxes[edge.source]), _edges_of_box(boxes[edge.target])])
    return GraphLayout(
        tuple(boxes[node.id] for node in graph.nodes),
        tuple(EdgeRoute(edge, routes[edge]) for edge in graph.edges if edge in routes),
        frames,
        max((frame.x + frame.width for frame in frames), default=0) + MARGIN,
        max((frame.y + frame.height for frame in frames), default=0) + MARGIN,
    )


def _edges_of_box(box: Box) -> tuple[int, int, int]:
    return box.x, box.x + WIDTH, box.y + HEIGHT // 2


def _rows(sections: Sequence[_LayoutSection]) -> tuple[list[tuple[int, int]], tuple[Frame, ...]]:
    """Return the upper left corner of each section's content, and the frames. Each cluster starts a new row."""
    area = sum((section.width + MARGIN) * (section.height + MARGIN + HEADING) for section in sections)
    widest = max(math.isqrt(int(area * BREADTH)), max((section.width for section in sections), default=0))
    corners: list[tuple[int, int]] = []
    frames: list[Frame] = []
    x, y, below, cluster = MARGIN, MARGIN, MARGIN, sections[0].cluster if sections else ""
    for section in sections:
        if x > MARGIN and (x + section.width > widest or section.cluster != cluster):
            x, y = MARGIN, below
        cluster = section.cluster
        frames.append(Frame(section.title, x, y, section.width, section.height + HEADING))
        corners.append((x, y + HEADING))
        below = max(below, y + section.height + HEADING + MARGIN)
        x += section.width + MARGIN
    return corners, tuple(frames)


def _columns(nodes: Sequence[GraphNode]) -> dict[str, int]:
    """Return the column of each node by its id. A layer has one column, or several if one would be too high."""
    rows = max(FEWEST_ROWS, math.isqrt(int(len(nodes) * (WIDTH + COLUMN_GAP) / ROW / BREADTH)) + 1)
    by_layer: dict[int, list[GraphNode]] = {}
    for node in nodes:
        by_layer.setdefault(node.layer, []).append(node)
    column_of: dict[str, int] = {}
    first = 0
    for layer in sorted(by_layer):
        of_layer = by_layer[layer]
        count = -(-len(of_layer) // rows)
        even = -(-len(of_layer) // count)
        column_of |= {node.id: first + place // even for place, node in enumerate(of_layer)}
        first += count
    return column_of


def _section(part: tuple[str, str], nodes: Sequence[GraphNode], edges: Sequence[Edge]) -> _LayoutSection:
    column_of = _columns(nodes)
    items_of = {edge: _edge_items(edge, column_of) for edge in edges}
    columns: list[list[Item]] = [[] for _ in range(max(column_of.values()) + 1)]
    for node in nodes:
        columns[column_of[node.id]].append(node.id)
    for point in dict.fromkeys(item for items in items_of.values() for item in items if not isinstance(item, str)):
        columns[point[1]].append(point)
    neighbors = _neighbors(list(items_of.values()))
    _order(columns, neighbors)
    heights = _heights(columns, neighbors)
    top = min(heights.values(), default=0.0)
    y_of = {item: PAD + round(height - top) for item, height in heights.items()}
    x_of = [PAD + place * (WIDTH + COLUMN_GAP) for place in range(len(columns))]

    def ends(item: Item) -> tuple[int, int, int]:
        x = x_of[column_of[item] if isinstance(item, str) else item[1]]
        return x, x + WIDTH, y_of[item] + _item_height(item) // 2

    cluster, namespace = part
    return _LayoutSection(
        cluster,
        f"{cluster} · {namespace}" if cluster else namespace,
        tuple(Box(node, x_of[column_of[node.id]], y_of[node.id]) for node in nodes),
        {edge: tuple(map(ends, items_of[edge])) for edge in edges},
        x_of[-1] + WIDTH + PAD,
        max(y_of[node.id] for node in nodes) + HEIGHT + PAD,
    )


def _edge_items(edge: Edge, column_of: Mapping[str, int]) -> tuple[Item, ...]:
    """Return the source of an edge, its waypoint in each column that it crosses, and its target."""
    start, end = column_of[edge.source], column_of[edge.target]
    step = 1 if end >= start else -1
    between = range(start + step, end, step)
    return (edge.source, *((edge.target, column) for column in between), edge.target)


def _neighbors(item_chains: Sequence[tuple[Item, ...]]) -> dict[Item, list[Item]]:
    neighbor_sets: dict[Item, dict[Item, None]] = defaultdict(dict)
    for chain in item_chains:
        for left, right in pairwise(chain):
            neighbor_sets[left][right] = None
            neighbor_sets[right][left] = None
    return {item: list(others) for item, others in neighbor_sets.items()}


def _order(columns: list[list[Item]], neighbors: Mapping[Item, Sequence[Item]]) -> None:
    rank = {item: float(place) for column in columns for place, item in enumerate(column)}
    for turn in range(ORDER_ROUNDS):
        for column in columns if turn % 2 == 0 else reversed(columns):
            wish = {item: _mean([rank[other] for other in neighbors.get(item, ())], rank[item]) for item in column}
            # The key breaks ties, so the layout is deterministic.
            column.sort(key=lambda item: (wish[item], _key(item)))
            rank |= {item: float(place) for place, item in enumerate(column)}


def _key(item: Item) -> tuple[str, int]:
    return (item, -1) if isinstance(item, str) else item


def _mean(values: list[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _heights(columns: list[list[Item]], neighbors: Mapping[Item, Sequence[Item]]) -> dict[Item, float]:
    """Return the upper edge of every item, as close to the heights of its neighbors as the column allows."""
    heights: dict[Item, float] = {}
    for column in columns:
        offsets = _offsets(column)
        heights |= {item: offset - offsets[-1] / 2 for item, offset in zip(column, offsets, strict=True)}
    for turn in range(HEIGHT_ROUNDS):
        for column in columns if turn % 2 == 0 else reversed(columns):
            wishes = [
                _mean([_middle(other, heights) for other in neighbors.get(item, ())], _middle(item, heights))
                - _item_height(item) / 2
                for item in column
            ]
            heights |= zip(column, _nearest_positions(wishes, _offsets(column)), strict=True)
    return heights


def _item_height(item: Item) -> int:
    return HEIGHT if isinstance(item, str) else THIN


def _middle(item: Item, heights: Mapping[Item, float]) -> float:
    return heights[item] + _item_height(item) / 2


def _offsets(column: list[Item]) -> list[float]:
    offsets, at = [], 0.0
    for item in column:
        offsets.append(at)
        at += _item_height(item) + ROW_GAP
    return offsets


def _nearest_positions(wishes: list[float], offsets: list[float]) -> list[float]:
    """Return the positions closest to ``wishes`` by least squares, in the same order and at least ``offsets`` apart."""
    # Pool adjacent violators: neighbors whose means are out of order become one block.
    blocks: list[tuple[float, int]] = []
    for wish, offset in zip(wishes, offsets, strict=True):
        total, count = wish - offset, 1
        while blocks and blocks[-1][0] / blocks[-1][1] > total / count:
            before, number = blocks.pop()
            total, count = total + before, count + number
        blocks.append((total, count))
    level = [total / count for total, count in blocks for _ in range(count)]
    return [height + offset for height, offset in zip(level, offsets, strict=True)]


def _path(points: Sequence[tuple[int, int, int]]) -> str:
    """Return the SVG path of an edge, which leaves each item on the side of the next item.

    Args:
        points: Left edge, right edge and vertical middle of each item that the edge passes, from source to target.
    """
    (left, right, middle), (target, _, end) = points[0], points[-1]
    if left == target:
        # An edge within a column is an arc to the right of the boxes.
        # Its control points are 60 pixels away, less than COLUMN_GAP, so it stays out of the next column.
        return f"M{right},{middle} C{right + 60},{middle} {right + 60},{end} {right},{end}"
    forward = target > left
    x = right if forward else left
    path = f"M{x},{middle}"
    for place, (left, right, end) in enumerate(points[1:], start=1):
        near, far = (left, right) if forward else (right, left)
        bend = (x + near) // 2
        path += f" C{bend},{middle} {bend},{end} {near},{end}"
        if place < len(points) - 1:
            path += f" H{far}"
        x, middle = far, end
    return path
