"""Format values for the messages of records."""

from __future__ import annotations


def quoted(values: list[str] | tuple[str, ...], *, last: str = "or") -> str:
    """Return a list of strings for a message: ``"a", "b" or "c"``."""
    marked = [f'"{value}"' for value in values]
    if len(marked) < 2:
        return "".join(marked)
    return f"{', '.join(marked[:-1])} {last} {marked[-1]}"
