"""ResourceSets become their objects, and a budget that is too small for a file or a project becomes a finding."""

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
    """Return documents with each ResourceSet replaced by its objects, what else it may make, and findings.

    A template that cannot be worked out may make any object of its kind: a kustomization that generates it stands for
    that.
    """
    found: list[Document] = []
    unknown: set[str] = set()
    findings: list[Finding] = []
    for document in documents:
        if resource_set.is_resource_set(document.data):
            made = resource_set.expand_resource_set(document, budget)
            found += made.objects
            unknown |= made.unknown
            if budget.refused:
                findings.append(report_refusal(budget, document))
        else:
            found.append(document)
    return found, [kustomization.unknown_objects(documents[0].file, unknown)] if unknown else [], findings


def report_refusal(budget: Budget, document: Document) -> Finding:
    """Return the finding that a document expands to more than the budget of its file has left."""
    refused = budget.take_refusal()
    message = f"the file expands to more than {refused}, so the rest of this {document.data['kind']} is not checked"
    hint = "split the file, or give fewer or shorter values"
    return BEYOND_BOUNDS.finding(document.span(("kind",)), message, document=document.index, hint=hint)
