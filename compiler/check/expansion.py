"""Expand ResourceSets to their objects, and report expansions that exceed the budget of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..project import kustomization, resource_set
from ..reading.bound import BEYOND_BOUNDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..diagnostics.budget import Budget
    from ..diagnostics.finding import Finding
    from ..project.kustomization import Kustomization
    from ..reading.document import Document


def expand_resource_sets(
    documents: Sequence[Document], budget: Budget
) -> tuple[list[Document], list[Kustomization], list[Finding]]:
    """Return the documents with ResourceSets replaced by their objects, kustomizations, and findings.

    The kustomizations stand for templates that cannot be evaluated, so they may generate objects of any name.
    """
    expanded: list[Document] = []
    unknown: set[str] = set()
    findings: list[Finding] = []
    for document in documents:
        if resource_set.is_resource_set(document.data):
            expansion = resource_set.expand_resource_set(document, budget)
            expanded += expansion.objects
            unknown |= expansion.unknown
            if budget.refused:
                findings.append(report_refusal(budget, document))
        else:
            expanded.append(document)
    return expanded, [kustomization.unknown_objects(documents[0].file, unknown)] if unknown else [], findings


def report_refusal(budget: Budget, document: Document) -> Finding:
    """Return the finding that a document expands to more than what is left of the budget of its file."""
    amount = budget.take_refusal()
    message = f"the file expands to more than {amount}, so the rest of this {document.data['kind']} is not checked"
    hint = "split the file, or give fewer or shorter values"
    return BEYOND_BOUNDS.finding(document.span(("kind",)), message, document=document.index, hint=hint)
