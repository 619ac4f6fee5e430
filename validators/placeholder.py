"""What a later tool fills in, of which nothing is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..compiler.diagnostics.placeholder import is_placeholder, is_placeholder_in_prose

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def has_placeholder(value: Any) -> bool:
    """Return whether a placeholder stands anywhere in ``value``; in a key and in a Go template only ``${NAME}``."""
    return any(("{{" not in text or "${" in text) and is_placeholder(text) for text in _texts(value))


def is_unfilled(tool: Any) -> bool:
    """Return whether a placeholder stands anywhere in a composite tool, or in a part of one.

    Its texts are prose and templates, where a dollar sign is common: `is_placeholder_in_prose`.
    """
    return any(is_placeholder_in_prose(text) for text in _texts(tool))


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts in ``value`` with a dollar sign, and the keys with ``${``."""
    values: list[Any] = [value]
    for item in values:  # which grows by what is within
        if isinstance(item, str):
            if "$" in item:
                yield item
        elif isinstance(item, dict):
            values += item.values()
            values += [key for key in item if "${" in key]
        elif isinstance(item, list):
            values += item


def known(texts: Iterable[str]) -> bool:
    """Return whether none of ``texts`` is filled in by a later tool."""
    return not any(is_placeholder(text) for text in texts)
