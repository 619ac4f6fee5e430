"""The namespace that entries of ``transformers`` in a kustomization set.

Source: ``builtins/NamespaceTransformer.go`` and ``target/kusttarget.go`` of kustomize's API, v0.20.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..diagnostics import file_path
from ..diagnostics.plain import mapping
from ..reading.document import Place, read_documents
from .kustomization import ANY, Kustomization

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..diagnostics.budget import Budget
    from ..reading.document import Document

_MOST_DEEP: Final = 32
"""Folders in folders of transformers. The namespace that deeper ones set is unknown."""


def is_transformer(data: Any) -> bool:
    """Return whether a document configures a transformer that is a part of kustomize."""
    return isinstance(data, dict) and data.get("apiVersion") == "builtin" and isinstance(data.get("kind"), str)


def read_transformer(path: str, document: Document) -> Kustomization:
    """Return what stands for a transformer of kustomize, under the path that `Kustomization.transformers` has."""
    namespace = mapping(document.data.get("metadata")).get("namespace")
    if document.data["kind"] != "NamespaceTransformer" or not isinstance(namespace, str) or not namespace:
        return Kustomization(path, None, frozenset(), is_transformer=True)
    is_unset_only = document.data.get("unsetOnly") is True
    return Kustomization(
        path,
        None if is_unset_only else namespace,
        frozenset(),
        is_plain=True,
        default_namespace=namespace if is_unset_only else None,
        place=Place(document, ("metadata", "namespace")),
        is_transformer=True,
    )


def read_inline(path: str, text: str, document: Document) -> list[Kustomization]:
    """Return what stands for the transformers that a kustomization writes out in one entry; empty if unreadable."""
    documents, findings = read_documents(text, document.file)
    if findings or not all(is_transformer(one.data) for one in documents):
        return []
    return [read_transformer(path, one)._replace(place=Place(document, ("transformers",))) for one in documents]


class Transformers:
    """The transformers of a project, by the path under which kustomizations list them."""

    def __init__(
        self, known: Mapping[str, Kustomization], kustomizations: Iterable[Kustomization], budget: Budget
    ) -> None:
        """Collect the transformers.

        Args:
            known: The kustomizations of the project by their folders.
            kustomizations: The same, with what stands for transformers among them.
            budget: The budget of the project, which the transformers of each kustomization are spent from.
        """
        self._known = known
        self._budget = budget
        self._by_path: dict[str, list[Kustomization]] = {}
        for one in kustomizations:
            if one.is_transformer:
                self._by_path.setdefault(file_path.normpath(one.folder), []).append(one)

    def applied_to(self, one: Kustomization) -> Kustomization:
        """Return a kustomization with the namespace that its transformers set, unknown if one cannot be read.

        Kustomize runs them in order, after it has set the namespace that the kustomization states.
        """
        for step in (step for path in one.transformers for step in self._steps(path)):
            default = step.default_namespace if not (one.namespace or one.default_namespace) else None
            one = one._replace(
                namespace=step.namespace or one.namespace,
                default_namespace=default or one.default_namespace,
                place=step.place if step.namespace or default else one.place,
                is_plain=one.is_plain and step.is_plain,
            )
        return one

    def _steps(self, path: str, depth: int = 0) -> Iterator[Kustomization]:
        """Yield the transformers in a file, or in the folder of a kustomization."""
        inside = self._by_path.get(path, ())
        folder = self._known.get(path) if depth < _MOST_DEEP else None
        listed = folder.listed if folder is not None else ()
        # Folders that list the same two folders each have 2^32 ways through 32 levels.
        if not self._budget.grants(path, steps=1 + len(inside) + len(listed)):
            yield _UNREAD
        elif inside:
            yield from inside
        elif folder is not None:
            for below in sorted(listed):
                yield from self._steps(below, depth + 1)
        else:
            yield _UNREAD


_UNREAD: Final = Kustomization("", ANY, frozenset())
