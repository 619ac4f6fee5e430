"""Nodes of a YAML or JSON text with their extents, and the locations of paths."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from ..diagnostics.named_tuple import NamedTuple

WHITE_SPACE: Final = " \t\r\n\x85\u2028\u2029"
"""The white space of YAML. Other characters that Python takes for space are part of a value."""

Dialect: TypeAlias = Literal["kubernetes", "vmcp"]
"""The reader to imitate: Kubernetes with the rules of yaml.v2, or the vMCP process with those of yaml.v3."""

Kind: TypeAlias = Literal["scalar", "sequence", "mapping", "alias"]


class Node:
    """A scalar, sequence, mapping or alias in the text.

    Attributes:
        value: The text of a scalar, the items of a sequence, the pairs of a mapping, or the node that an alias refers
            to.
        tag: The full tag, ``!`` for the short one, or ``None`` without a tag.
        plain: True for a scalar that is neither quoted nor a block.
        implicit: True if the parser derives the meaning of a scalar from its text.
        flow: True for a node in brackets or braces, including the collection itself.
        entries: The pairs of a mapping by the name of their key; ``None`` until a place in the mapping is needed.
        start: The start in code points from the start of the excerpt, including tag and anchor.
        end: The end, exclusive. A block collection has no end of its own: see `extent`.
    """

    __slots__ = ("end", "entries", "flow", "implicit", "kind", "plain", "start", "tag", "value")

    def __init__(self, kind: Kind, start: int, end: int, value: Any, tag: str | None = None) -> None:
        self.kind: Kind = kind
        self.start = start
        self.end = end
        self.value = value
        self.tag = tag
        self.plain = False
        self.implicit = False
        self.flow = False
        self.entries: dict[str, tuple[Node, Node]] | None = None


class Location(NamedTuple):
    """The nodes at a path, or at its longest existing part.

    Attributes:
        value: The node of the value, which may be an alias.
        key: The node of the key; for list items and the root, the same as ``value``.
        is_whole: True if the whole path exists.
    """

    value: Node
    key: Node
    is_whole: bool

    def extent(self, text: str, *, of_key: bool = False) -> tuple[int, int]:
        """Return the extent of the value in ``text``, or of its key if requested and present."""
        return extent(self.key if of_key and self.is_whole else self.value, text)


def extent(node: Node, text: str) -> tuple[int, int]:
    """Return the extent of a node in ``text``, without blank lines and comments after it."""
    last = node
    while last.kind in {"sequence", "mapping"} and not last.flow and last.value:
        last = last.value[-1] if last.kind == "sequence" else last.value[-1][1]
    end = last.end
    if last.kind == "scalar" and not last.plain and end > last.start and text[end - 1 : end] not in {'"', "'"}:
        end = last.start + len(text[last.start : end].rstrip(WHITE_SPACE))
    return node.start, max(node.start, end)
