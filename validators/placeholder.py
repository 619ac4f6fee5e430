"""What a later tool fills in, of which nothing is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..compiler.diagnostics.placeholder import is_placeholder

if TYPE_CHECKING:
    from collections.abc import Iterable


def has_placeholder(value: Any) -> bool:
    """Return whether a placeholder stands anywhere in ``value``.

    In a Go template ``$name`` is a variable, and as a key it is a word of JSON Schema: there only ``${NAME}`` counts.
    """
    if isinstance(value, str) and "$" not in value:
        return False
    values: list[Any] = [value]
    for item in values:  # which grows by what is within
        if isinstance(item, str):
            if "$" in item and ("{{" not in item or "${" in item) and is_placeholder(item):
                return True
        elif isinstance(item, dict):
            values += item.values()
            values += [key for key in item if "${" in key]
        elif isinstance(item, list):
            values += item
    return False


def known(texts: Iterable[str]) -> bool:
    """Return whether none of ``texts`` is filled in by a later tool."""
    return not any(is_placeholder(text) for text in texts)
