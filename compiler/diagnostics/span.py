"""Places in source texts, and paths in documents. Imports nothing of this package."""

from __future__ import annotations

from typing import TypeAlias

from .named_tuple import NamedTuple

Path: TypeAlias = tuple[str | int, ...]
"""Keys and list indices from the document's root: ``("spec", "secrets", 0, "name")``."""


class Span(NamedTuple):
    """A range in a file. Lines and columns are 1-based and count Unicode code points; the end is exclusive.

    Attributes:
        file: Path of the file as the user wrote it; files in a folder begin with the folder as the user wrote it.
        line: Line of the first character.
        column: Column of the first character.
        end_line: Line of the position after the last character.
        end_column: Column of the position after the last character.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


class InputError(Exception):
    """A named file or option cannot be used. The command line reports it with exit status 2."""


def pointer(path: Path) -> str:
    """Return ``path`` as a JSON Pointer (RFC 6901). The pointer of the root is an empty string."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)
