"""Name places and types in messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..diagnostics.span import Path

TYPES = {
    "object": "a mapping",
    "map": "a mapping",
    "list": "a list",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "int-or-string": "a whole number or a string",
}
"""The types of the table, as messages name them."""


def dotted(path: Path) -> str:
    """Return a path in the notation of messages: ``spec.env[2].name``."""
    out = ""
    for step in path:
        if isinstance(step, int):
            out += f"[{step}]"
        elif step.replace("-", "").replace("_", "").isalnum():
            out += f".{step}" if out else step
        else:
            out += f'["{step}"]'
    return out


def holder(path: Path, kind: str) -> str:
    """Return the name of the object at ``path`` for messages.

    The root is named by its kind, without an API group. A kind in lower case is the schema of a configuration file,
    whose root is called "the file".
    """
    return dotted(path) or (f"the {kind.partition('.')[0]}" if kind[:1].isupper() else "the file")
