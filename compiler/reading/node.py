"""What stands in a text: nodes, where each begins and ends, and what a path leads to."""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple, TypeAlias

WHITE_SPACE: Final = " \t\r\n\x85\u2028\u2029"
"""What YAML takes for space and ends of lines; other characters that Python takes for space are part of a value."""

Dialect: TypeAlias = Literal["kubernetes", "vmcp"]
"""Who reads: Kubernetes by the rules of yaml.v2, or the vMCP process by those of yaml.v3."""

Kind: TypeAlias = Literal["scalar", "sequence", "mapping", "alias"]


class Node:
    """A value of the text, or an alias to one.

    Attributes:
        kind: What it is.
        value: The text of a scalar, the items of a sequence, the pairs of a mapping, the node that an alias means.
        tag: Its tag in full, ``!`` for the bare one, ``None`` where none is written.
        plain: The scalar is neither quoted nor a block.
        implicit: Whether the parser takes a scalar for a plain one: its meaning follows from its text.
        flow: It stands inside brackets or braces, or is itself a collection in them.
        entries: The pairs of a mapping by the name of their key, once a place in it was asked for.
        start: Where it begins, in code points from the start of the excerpt; with its tag and anchor.
        end: Where it ends, exclusive. A block collection has no end of its own: see `extent`.
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
    """What stands at a path, or at the longest part of it that is there.

    Attributes:
        value: The value; an alias where one stands there.
        key: Its key, or the value itself for an item of a list and for the root.
        is_whole: The whole path is there.
    """

    value: Node
    key: Node
    is_whole: bool

    def extent(self, text: str, *, of_key: bool = False) -> tuple[int, int]:
        """Return the stretch of ``text`` that the value takes, or its key where that is asked for and there is one."""
        return extent(self.key if of_key and self.is_whole else self.value, text)


def extent(node: Node, text: str) -> tuple[int, int]:
    """Return the stretch of ``text`` that ``node`` takes, without blank lines and comments after it."""
    last = node
    while last.kind in {"sequence", "mapping"} and not last.flow and last.value:
        last = last.value[-1] if last.kind == "sequence" else last.value[-1][1]
    end = last.end
    if last.kind == "scalar" and not last.plain and end > last.start and text[end - 1 : end] not in {'"', "'"}:
        end = last.start + len(text[last.start : end].rstrip(WHITE_SPACE))
    return node.start, max(node.start, end)
