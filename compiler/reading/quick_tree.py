"""The quick way to places: the tree is made in C, and only what lies on the way to a place is turned into ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yaml.nodes import MappingNode, ScalarNode

from .bound import MAX_DEPTH, MAX_NODES
from .meaning import Unusual
from .node import LazyNode, Node
from .parser import NodeParser, YAMLError
from .quick import is_unusual
from .scalar import NULLS

if TYPE_CHECKING:
    from yaml.nodes import Node as ParsedNode


def compose_quickly(text: str) -> list[Node]:
    """Get the root node of each document of ``text`` that is not empty, with places: a tenth of the exact way's time.

    Raises:
        Unusual: The exact way has to compose the text.
    """
    if is_unusual(text) or len(text) > MAX_NODES:
        raise Unusual
    roots: list[Node] = []
    try:
        parser = NodeParser(text)
        while parser.check_node():
            root = _placed(parser.get_node(), flow=False, depth=1)
            if not (root.kind == "scalar" and root.plain and root.value in NULLS):
                roots.append(root)
    except (YAMLError, UnicodeError, StopIteration):
        raise Unusual from None
    return roots


def _placed(node: ParsedNode, *, flow: bool, depth: int) -> Node:
    """Turn a node of the C parser into one of the exact way; ``flow`` tells whether it stands in brackets.

    What a collection holds is turned when it is asked for: a place lies on one path, and most of the tree is beside it.
    """
    if depth > MAX_DEPTH:
        raise Unusual
    start, end = node.start_mark.index, node.end_mark.index
    if node.__class__ is ScalarNode:
        made = Node("scalar", start, end, node.value)
        made.plain = made.implicit = not node.style
        made.flow = flow
        return made
    inside = bool(getattr(node, "flow_style", False))
    content = node.value
    if node.__class__ is MappingNode:
        made = LazyNode(
            "mapping",
            start,
            end,
            lambda: [
                (_placed(key, flow=inside, depth=depth + 1), _placed(value, flow=inside, depth=depth + 1))
                for key, value in content
            ],
        )
    else:
        made = LazyNode(
            "sequence", start, end, lambda: [_placed(item, flow=inside, depth=depth + 1) for item in content]
        )
    made.flow = inside
    return made
