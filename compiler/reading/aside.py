"""Notes at other places of a text that help to explain a fault."""

from __future__ import annotations

from ..diagnostics.named_tuple import NamedTuple


class Aside(NamedTuple):
    """A note for a fault: a message, and the ``start`` and ``end`` of its place in code points of the excerpt."""

    message: str
    start: int
    end: int
