"""Where the nodes of a graph are drawn, and along which ways its edges lead.

Each namespace of each cluster is a section with a frame of its own, as references never cross them; sections stand in
rows. In a section nodes stand in a column for each layer, or in several where one would become too high. An edge that
crosses columns gets a way point in each, which takes room of its own, so that it does not run behind boxes; edges to
one node share them. Columns are ordered by the mean of their neighbours, then every item is drawn to the height of its
neighbours as far as the others let it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .graph import Edge, Graph, Node

WIDTH, HEIGHT = 236, 58  # three lines; the longest kind fits
COLUMN_GAP, ROW_GAP = 78, 18
THIN = 10
MARGIN = 32
HEADING = 34
ROW = HEIGHT + ROW_GAP
PAD = 20  # between a frame and what is in it
BREADTH = 1.6  # of a picture, to its height
FEWEST_ROWS = 10
ORDER_ROUNDS, HEIGHT_ROUNDS = 8, 6

Item: TypeAlias = "str | tuple[str, int]"
"""A node's id; or a way point: the id of the node that edges lead to, and the column."""


class Box(NamedTuple):
    """Where a node is drawn: its upper left corner."""

    node: Node
    x: int
    y: int


class Route(NamedTuple):
    """An edge and the path that is drawn for it, in SVG's words."""

    edge: Edge
    path: str


class Frame(NamedTuple):
    """The frame of a section, and what it is called."""

    title: str
    x: int
    y: int
    width: int
    height: int


class Layout(NamedTuple):
    """A graph, laid out."""

    boxes: tuple[Box, ...]
    routes: tuple[Route, ...]
    frames: tuple[Frame, ...]
    width: int
    height: int


class _Section(NamedTuple):
    """What is drawn of one namespace, from its own upper left corner on."""

    cluster: str
    title: str
    boxes: tuple[Box, ...]
    ways: Mapping[Edge, tuple[tuple[int, int, int], ...]]
    width: int
    height: int


def layout(graph: Graph) -> Layout:
    """Place the nodes and edges of a graph; the same graph yields the same picture."""
    parts: dict[tuple[str, str], list[Node]] = {}
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
        edge: _path([(near + x, far + x, middle + y) for near, far, middle in way])
        for section, (x, y) in zip(sections, corners, strict=True)
        for edge, way in section.ways.items()
    }
    for edge in graph.edges:
        if edge.source != edge.target and edge not in routes:
            routes[edge] = _path([_ends(boxes[edge.source]), _ends(boxes[edge.target])])
    return Layout(
        tuple(boxes[node.id] for node in graph.nodes),
        tuple(Route(edge, routes[edge]) for edge in graph.edges if edge in routes),
        frames,
        max((frame.x + frame.width for frame in frames), default=0) + MARGIN,
        max((frame.y + frame.height for frame in frames), default=0) + MARGIN,
    )


def _ends(box: Box) -> tuple[int, int, int]:
    return box.x, box.x + WIDTH, box.y + HEIGHT // 2


def _rows(sections: Sequence[_Section]) -> tuple[list[tuple[int, int]], tuple[Frame, ...]]:
    """Return the corner of the content of each section, and the frames: a cluster begins a row of its own."""
    area = sum((one.width + MARGIN) * (one.height + MARGIN + HEADING) for one in sections)
    widest = max(math.isqrt(int(area * BREADTH)), max((one.width for one in sections), default=0))
    corners: list[tuple[int, int]] = []
    frames: list[Frame] = []
    x, y, below, cluster = MARGIN, MARGIN, MARGIN, sections[0].cluster if sections else ""
    for one in sections:
        if x > MARGIN and (x + one.width > widest or one.cluster != cluster):
            x, y = MARGIN, below
        cluster = one.cluster
        frames.append(Frame(one.title, x, y, one.width, one.height + HEADING))
        corners.append((x, y + HEADING))
        below = max(below, y + one.height + HEADING + MARGIN)
        x += one.width + MARGIN
    return corners, tuple(frames)


def _columns(nodes: Sequence[Node]) -> dict[str, int]:
    """Return the column of each node: those of one layer share one, or several where it would become too high."""
    rows = max(FEWEST_ROWS, math.isqrt(int(len(nodes) * (WIDTH + COLUMN_GAP) / ROW / BREADTH)) + 1)
    by_layer: dict[int, list[Node]] = {}
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


def _section(part: tuple[str, str], nodes: Sequence[Node], edges: Sequence[Edge]) -> _Section:
    column_of = _columns(nodes)
    ways = {edge: _way(edge, column_of) for edge in edges}
    columns: list[list[Item]] = [[] for _ in range(max(column_of.values()) + 1)]
    for node in nodes:
        columns[column_of[node.id]].append(node.id)
    for point in dict.fromkeys(item for way in ways.values() for item in way if not isinstance(item, str)):
        columns[point[1]].append(point)
    neighbours = _neighbours(list(ways.values()))
    _order(columns, neighbours)
    heights = _heights(columns, neighbours)
    top = min(heights.values(), default=0.0)
    y_of = {item: PAD + round(height - top) for item, height in heights.items()}
    x_of = [PAD + place * (WIDTH + COLUMN_GAP) for place in range(len(columns))]

    def ends(item: Item) -> tuple[int, int, int]:
        x = x_of[column_of[item] if isinstance(item, str) else item[1]]
        return x, x + WIDTH, y_of[item] + _size(item) // 2

    cluster, namespace = part
    return _Section(
        cluster,
        f"{cluster} · {namespace}" if cluster else namespace,
        tuple(Box(node, x_of[column_of[node.id]], y_of[node.id]) for node in nodes),
        {edge: tuple(map(ends, ways[edge])) for edge in edges},
        x_of[-1] + WIDTH + PAD,
        max(y_of[node.id] for node in nodes) + HEIGHT + PAD,
    )


def _way(edge: Edge, column_of: Mapping[str, int]) -> tuple[Item, ...]:
    """Return what an edge passes, from its source to its target."""
    start, end = column_of[edge.source], column_of[edge.target]
    step = 1 if end >= start else -1
    between = range(start + step, end, step)
    return (edge.source, *((edge.target, column) for column in between), edge.target)


def _neighbours(ways: Sequence[tuple[Item, ...]]) -> dict[Item, list[Item]]:
    found: dict[Item, dict[Item, None]] = defaultdict(dict)
    for way in ways:
        for one, other in pairwise(way):
            found[one][other] = None
            found[other][one] = None
    return {item: list(others) for item, others in found.items()}


def _order(columns: list[list[Item]], neighbours: Mapping[Item, Sequence[Item]]) -> None:
    """Sort every column by the mean place of its items' neighbours, to and fro."""
    rank = {item: float(place) for column in columns for place, item in enumerate(column)}
    for turn in range(ORDER_ROUNDS):
        for column in columns if turn % 2 == 0 else reversed(columns):
            wish = {item: _mean([rank[other] for other in neighbours.get(item, ())], rank[item]) for item in column}
            # The key decides between equal wishes: the same graph yields the same picture.
            column.sort(key=lambda item: (wish[item], _key(item)))
            rank |= {item: float(place) for place, item in enumerate(column)}


def _key(item: Item) -> tuple[str, int]:
    return (item, -1) if isinstance(item, str) else item


def _mean(values: list[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _heights(columns: list[list[Item]], neighbours: Mapping[Item, Sequence[Item]]) -> dict[Item, float]:
    """Return the upper edge of every item: as near to its neighbours' heights as its column allows."""
    heights: dict[Item, float] = {}
    for column in columns:
        offsets = _offsets(column)
        heights |= {item: offset - offsets[-1] / 2 for item, offset in zip(column, offsets, strict=True)}
    for turn in range(HEIGHT_ROUNDS):
        for column in columns if turn % 2 == 0 else reversed(columns):
            wishes = [
                _mean([_middle(other, heights) for other in neighbours.get(item, ())], _middle(item, heights))
                - _size(item) / 2
                for item in column
            ]
            heights |= zip(column, _spread(wishes, _offsets(column)), strict=True)
    return heights


def _size(item: Item) -> int:
    return HEIGHT if isinstance(item, str) else THIN


def _middle(item: Item, heights: Mapping[Item, float]) -> float:
    return heights[item] + _size(item) / 2


def _offsets(column: list[Item]) -> list[float]:
    """Return the upper edge of each item where they stand as close as they may."""
    offsets, at = [], 0.0
    for item in column:
        offsets.append(at)
        at += _size(item) + ROW_GAP
    return offsets


def _spread(wishes: list[float], offsets: list[float]) -> list[float]:
    """Return heights as near to the wishes as keeping the order and the distances allows (least squares)."""
    # Pool adjacent violators: neighbours whose means are out of order become one block.
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
    """Draw an edge: out at the side that faces the target, level through the columns between, in at the other side.

    Args:
        points: What it passes: left edge, right edge and middle of each, from the source to the target.
    """
    (left, right, middle), (target, _, end) = points[0], points[-1]
    if left == target:
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
