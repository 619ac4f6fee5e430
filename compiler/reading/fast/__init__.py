"""The fast path: texts in which each line is complete on its own, as nearly all configuration is written.

`compiler/reading/excerpt.py` alone takes it. Data and places are those of the exact reader, which
`tests/unit/reading/test_line.py` compares; whatever is written in another way, a fault of the text included, is left to
it. Without this folder and the two calls there everything is read exactly and found alike, only slower.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .data import read_lines
from .line import Unusual

if TYPE_CHECKING:
    from ..scalar import Dialect
    from .place import Places


def read(text: str, dialect: Dialect) -> list[Any] | None:
    """Return the data of the document in ``text`` in a list, empty without one; ``None``: read it exactly."""
    try:
        return read_lines(text, dialect)
    except Unusual:
        return None


def places_of(text: str, dialect: Dialect) -> Places:
    """Return what finds places in a text that `read` took and that is not empty."""
    from .place import Places  # most documents have no finding, and need no places

    return Places(text, dialect)
