"""Recognize placeholders, whose values are unknown because later tools replace them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..compiler.diagnostics.placeholder import is_placeholder, is_placeholder_in_prose

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def has_placeholder(value: Any) -> bool:
    """Return whether ``value``, or any string inside it, contains a placeholder.

    In keys and in Go templates, only ``${NAME}`` is a placeholder.
    """
    return any(("{{" not in text or "${" in text) and is_placeholder(text) for text in _texts(value))


def is_unfilled(tool: Any) -> bool:
    """Return whether a composite tool, or a value inside it, contains a placeholder.

    Composite tools consist of prose and templates, in which dollar signs are common. Therefore
    `is_placeholder_in_prose` decides.
    """
    return any(is_placeholder_in_prose(text) for text in _texts(tool))


def _texts(value: Any) -> Iterator[str]:
    values: list[Any] = [value]
    for item in values:  # the list grows by the values inside each item
        if isinstance(item, str):
            if "$" in item:
                yield item
        elif isinstance(item, dict):
            values += item.values()
            values += [key for key in item if "${" in key]
        elif isinstance(item, list):
            values += item


def are_certain(texts: Iterable[str]) -> bool:
    """Return whether none of the texts is a placeholder."""
    return not any(is_placeholder(text) for text in texts)
