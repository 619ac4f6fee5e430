"""Where the nodes of a graph are drawn, and along which ways its edges lead.

Nodes stand in a column for each layer. An edge that crosses columns gets a way point in each, which takes room of its
own, so that it does not run behind boxes; edges to one node share them. Columns are ordered by the mean of their
neighbours, then every item is drawn to the height of its neighbours as far as the others let it.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .graph import Edge, Graph, Node

WIDTH, HEIGHT = 212, 46
COLUMN_GAP, ROW_GAP = 78, 18
THIN = 10
MARGIN = 32
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


class Layout(NamedTuple):
    """A graph, laid out."""

    boxes: tuple[Box, ...]
    routes: tuple[Route, ...]
    width: int
    height: int


def layout(graph: Graph) -> Layout:
    """Place the nodes and edges of a graph; the same graph yields the same picture."""
    layers = {layer: place for place, layer in enumerate(sorted({node.layer for node in graph.nodes}))}
    column_of = {node.id: layers[node.layer] for node in graph.nodes}
    edges = [edge for edge in graph.edges if edge.source != edge.target]
    ways = {edge: _way(edge, column_of) for edge in edges}
    columns: list[list[Item]] = [[] for _ in layers]
    for node in graph.nodes:
        columns[column_of[node.id]].append(node.id)
    for point in dict.fromkeys(item for way in ways.values() for item in way if not isinstance(item, str)):
        columns[point[1]].append(point)
    neighbours = _neighbours(list(ways.values()))
    _order(columns, neighbours)
    heights = _heights(columns, neighbours)
    top = min(heights.values(), default=0.0)
    y_of = {item: MARGIN + round(height - top) for item, height in heights.items()}
    x_of = [MARGIN + place * (WIDTH + COLUMN_GAP) for place in range(len(columns))]
    boxes = tuple(Box(node, x_of[column_of[node.id]], y_of[node.id]) for node in graph.nodes)
    routes = tuple(Route(edge, _path(ways[edge], column_of, x_of, y_of)) for edge in edges)
    return Layout(
        boxes,
        routes,
        (x_of[-1] + WIDTH if x_of else 0) + MARGIN,
        max((box.y for box in boxes), default=0) + HEIGHT + MARGIN,
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


def _path(way: tuple[Item, ...], column_of: Mapping[str, int], x_of: Sequence[int], y_of: Mapping[Item, int]) -> str:
    """Draw an edge: out at the side that faces the target, level through the columns between, in at the other side."""
    columns = [column_of[item] if isinstance(item, str) else item[1] for item in way]
    middles = [y_of[item] + _size(item) // 2 for item in way]
    if columns[0] == columns[-1]:
        x = x_of[columns[0]] + WIDTH
        return f"M{x},{middles[0]} C{x + 60},{middles[0]} {x + 60},{middles[-1]} {x},{middles[-1]}"
    forward = columns[-1] > columns[0]
    x = x_of[columns[0]] + (WIDTH if forward else 0)
    path = f"M{x},{middles[0]}"
    for place in range(1, len(way)):
        near = x_of[columns[place]] + (0 if forward else WIDTH)
        bend = (x + near) // 2
        path += f" C{bend},{middles[place - 1]} {bend},{middles[place]} {near},{middles[place]}"
        if place < len(way) - 1:
            x = x_of[columns[place]] + (WIDTH if forward else 0)
            path += f" H{x}"
    return path
