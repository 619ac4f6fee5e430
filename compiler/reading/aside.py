"""Notes that explain a fault at other places of the text."""

from __future__ import annotations

from typing import NamedTuple


class Aside(NamedTuple):
    """Another place in the same excerpt that explains a fault, in code points from the start of the excerpt."""

    message: str
    start: int
    end: int
