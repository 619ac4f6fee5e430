"""What explains a fault of the text beside the place where it is told."""

from __future__ import annotations

from typing import NamedTuple


class Aside(NamedTuple):
    """Another place of the same excerpt that explains a fault."""

    message: str
    start: int
    end: int
