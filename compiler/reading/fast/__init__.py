"""The fast path: texts in which each line says something of its own, as nearly all configuration is written.

`Lines` is the way in, and `compiler/reading/excerpt.py` alone takes it. What it reads has the data and the places that
the exact reader has (`tests/unit/reading/test_line.py` compares the two); whatever is written in another way, a fault
of the text included, it leaves to the exact reader. Without this folder and its import there everything is read exactly
and found alike, at about twice the time of a check.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .data import read_lines
from .line import Unusual

if TYPE_CHECKING:
    from mcpcfg.compiler.reading.node import Location
    from mcpcfg.compiler.reading.scalar import Dialect
    from mcpcfg.compiler.source import Path

    from .place import LinePlaces


class Lines:
    """A text of one document, read line by line as far as that is possible."""

    __slots__ = ("_places", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._places: LinePlaces | None = None

    def data(self, dialect: Dialect) -> list[Any] | None:
        """Return the data of the document in a list, empty where it says nothing; ``None`` to read it exactly."""
        try:
            return read_lines(self._text, dialect)
        except Unusual:
            return None

    def locate(self, path: Path) -> Location | None:
        """Find what stands at ``path``, or at the part of it that is there; ``None`` to look for it exactly.

        Only for a text that `data` was read of. Nodes have an extent, and a text where they are scalars.
        """
        try:
            if self._places is None:
                from .place import LinePlaces  # most documents have no finding, and need no places

                self._places = LinePlaces(self._text)
            return self._places.locate(path)
        except Unusual:
            return None
