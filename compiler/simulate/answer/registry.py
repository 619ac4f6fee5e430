"""Load the registry of a document, for ``search`` and other commands that query registries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...records.document_check import loaded_registry
from .subject import QuestionError

if TYPE_CHECKING:
    from ...reading.document import Document
    from ...records.registry.file import LoadedRegistry

_KEYS: Final = frozenset({"data", "groups", "last_updated", "remote_servers", "servers", "version"})
"""Top-level keys of registries in both formats, in lowercase. A registry has at least one of them."""


def registry(document: Document) -> LoadedRegistry:
    """Return the registry in a document, as the service loads it.

    Raises:
        QuestionError: The document is not a registry, or the service cannot decode it.
    """
    if isinstance(document.data, dict) and _KEYS.isdisjoint(str(key).lower() for key in document.data):
        raise QuestionError(f"{document.file} is not a registry: it has neither servers nor data")
    loaded = loaded_registry(document)
    if loaded is None:
        raise QuestionError(f"{document.file} cannot be decoded as a registry; mcpcfg check --as registry reports why")
    return loaded
