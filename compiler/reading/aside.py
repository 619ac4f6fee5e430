"""Notes that explain a fault at other places of the text."""

from __future__ import annotations

from typing import NamedTuple


class Aside(NamedTuple):
    """Another place in the same excerpt that explains a fault."""

    message: str
    start: int
    end: int
