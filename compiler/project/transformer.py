"""Compute the namespaces that a kustomization sets with the transformers in its ``transformers``.

Source: ``builtins/NamespaceTransformer.go`` and ``target/kusttarget.go`` of kustomize's API, v0.20.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..diagnostics import file_path
from ..diagnostics.plain import listed, mapping
from ..reading.document import Place, read_documents
from .kustomization import ANY, Kustomization

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..diagnostics.budget import Budget
    from ..reading.document import Document

_TARGET_FIELD: Final = "spec/targetNamespace"
"""The namespace that a Flux Kustomization gives to resources, in the form of fields in transformers."""
_MOST_DEEP: Final = 32
"""Maximum depth of folders of transformers, which are read recursively.

The namespace that deeper ones set is unknown.
"""


def is_transformer(data: Any) -> bool:
    """Return whether a document configures a built-in transformer of kustomize."""
    return isinstance(data, dict) and data.get("apiVersion") == "builtin" and isinstance(data.get("kind"), str)


def read_transformer(path: str, document: Document) -> Kustomization:
    """Return a kustomization that stands for a built-in transformer.

    Only a ``NamespaceTransformer`` with a namespace is understood; others may do anything. It may also set the
    ``targetNamespace`` of Flux Kustomizations.
    """
    namespace = mapping(document.data.get("metadata")).get("namespace")
    if document.data["kind"] != "NamespaceTransformer" or not isinstance(namespace, str) or not namespace:
        return Kustomization(path, None, frozenset(), is_transformer=True)
    is_unset_only = document.data.get("unsetOnly") is True
    fields = [mapping(field).get("path") for field in listed(document.data.get("fieldSpecs"))]
    return Kustomization(
        path,
        None if is_unset_only else namespace,
        frozenset(),
        is_plain=True,
        default_namespace=namespace if is_unset_only else None,
        place=Place(document, ("metadata", "namespace")),
        retargets=_TARGET_FIELD in fields,
        is_transformer=True,
    )


def read_inline(path: str, text: str, document: Document) -> list[Kustomization]:
    """Return kustomizations that stand for the transformers in one entry of ``transformers``; empty if unreadable.

    Args:
        text: YAML text of the entry, with one or more transformers.
    """
    documents, findings = read_documents(text, document.file)
    if findings or not all(is_transformer(inner.data) for inner in documents):
        return []
    return [
        read_transformer(path, transformer)._replace(place=Place(document, ("transformers",)))
        for transformer in documents
    ]


class Transformers:
    """The transformers of a project by path."""

    def __init__(
        self, links: Mapping[str, Kustomization], kustomizations: Iterable[Kustomization], budget: Budget
    ) -> None:
        """Index the transformers by path.

        Args:
            links: Kustomizations of the project by folder.
            kustomizations: The same kustomizations and those that stand for transformers.
            budget: Budget of the project. The transformers of each kustomization are spent from it.
        """
        self._links = links
        self._budget = budget
        self._by_path: dict[str, list[Kustomization]] = {}
        for link in kustomizations:
            if link.is_transformer:
                self._by_path.setdefault(file_path.normpath(link.folder), []).append(link)

    def applied_to(self, link: Kustomization) -> Kustomization:
        """Return the kustomization ``link`` with the namespace that its transformers set.

        The namespace is unknown if a transformer cannot be read. Kustomize runs transformers in order, after it has set
        the namespace that the kustomization states.
        """
        for step in (step for path in link.transformers for step in self._steps(path)):
            default = step.default_namespace if not (link.namespace or link.default_namespace) else None
            link = link._replace(
                namespace=step.namespace or link.namespace,
                default_namespace=default or link.default_namespace,
                place=step.place if step.namespace or default else link.place,
                is_plain=link.is_plain and step.is_plain,
                retargets=link.retargets or step.retargets,
            )
        return link

    def _steps(self, path: str, depth: int = 0) -> Iterator[Kustomization]:
        """Yield the transformers at a path: in a file, or in all files that the kustomization of a folder lists.

        For a path that was not read, is too deep or exceeds the budget, yield ``_UNREAD``, a transformer with unknown
        effect.
        """
        transformers_in_file = self._by_path.get(path, ())
        folder = self._links.get(path) if depth < _MOST_DEEP else None
        entries = folder.listed if folder is not None else ()
        # Two folders of which each lists two folders, and so on, have 2^32 paths through 32 levels.
        if not self._budget.grants(path, steps=1 + len(transformers_in_file) + len(entries)):
            yield _UNREAD
        elif transformers_in_file:
            yield from transformers_in_file
        elif folder is not None:
            for inner in sorted(entries):
                yield from (_renamed(step, folder) for step in self._steps(inner, depth + 1))
        else:
            yield _UNREAD


def _renamed(step: Kustomization, folder: Kustomization) -> Kustomization:
    """Return a transformer after the kustomization that lists it has set its namespace, which is what it sets."""
    if not folder.namespace or not step.is_plain:
        return step
    return step._replace(
        namespace=step.namespace and folder.namespace,
        default_namespace=step.default_namespace and folder.namespace,
        place=folder.place,
    )


_UNREAD: Final = Kustomization("", ANY, frozenset())
