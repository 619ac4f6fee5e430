"""Notes that explain a fault of the text at other places than its own."""

from __future__ import annotations

from typing import NamedTuple


class Aside(NamedTuple):
    """Another place of the same excerpt that explains a fault."""

    message: str
    start: int
    end: int
