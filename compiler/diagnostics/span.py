"""A source text and places in it. Imports nothing of ours."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""Keys and list indices from the document's root: ``("spec", "secrets", 0, "name")``."""


class Span(NamedTuple):
    """A stretch of one file. Lines and columns count from 1, in Unicode code points; the end is exclusive.

    Attributes:
        file: As it was named, or below the folder that was named.
        line: Of its first character.
        column: Of its first character.
        end_line: Of the place after it.
        end_column: Of the place after it.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


class InputError(Exception):
    """A file that was named cannot be read: the environment's fault, reported with exit status 2."""


def pointer(path: Path) -> str:
    """Write ``path`` as a JSON Pointer (RFC 6901); the root is the empty string."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)
