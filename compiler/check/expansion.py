"""ResourceSets become their objects, and a budget that is too small for a file or a project becomes a finding."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..diagnostics.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..diagnostics.budget import Budget
    from ..diagnostics.finding import Finding
    from ..project.kustomization import Kustomization
    from ..reading.document import Document
    from .facts import Facts


def expand_resource_sets(
    documents: list[Document], text: bytes, budget: Budget
) -> tuple[list[Document], list[Kustomization], list[Finding]]:
    """Return documents with each ResourceSet replaced by its objects, what else it may make, and findings.

    A template that cannot be worked out may make any object of its kind: a kustomization that generates it stands for
    that.
    """
    if b"ResourceSet" not in text:
        return documents, [], []
    from ..project import kustomization, resource_set

    found: list[Document] = []
    unknown: set[str] = set()
    findings: list[Finding] = []
    for document in documents:
        if resource_set.is_resource_set(document.data):
            made = resource_set.made_of(document, budget)
            found += made.objects
            unknown |= made.unknown
            findings += report_refusal(budget, document)
        else:
            found.append(document)
    return found, [kustomization.of_unknown(documents[0].file, unknown)] if unknown else [], findings


def report_refusal(budget: Budget, document: Document) -> Iterator[Finding]:
    """Report that a document expands to more than the budget of its file has left."""
    refused = budget.take_refusal()
    if refused:
        from ..reading.rules import BEYOND_BOUNDS

        message = f"the file expands to more than {refused}, so the rest of this {document.data['kind']} is not checked"
        hint = "split the file, or give fewer or shorter values"
        yield BEYOND_BOUNDS.finding(document.span(("kind",)), message, document=document.index, hint=hint)


def report_refusal_in_project(budget: Budget, stated: Sequence[Facts]) -> Finding:
    """Return the finding that files of a project make more of one another than its budget has.

    Args:
        budget: That of the project, which has refused something.
        stated: The facts of all files.
    """
    from ..reading.rules import BEYOND_BOUNDS

    files = {os.path.normpath(facts.file): facts.file for facts in stated}
    files |= {os.path.normpath(one.folder or "."): facts.file for facts in stated for one in facts.kustomizations}
    at = os.path.normpath(budget.refused_at)
    file = files.get(at) or files.get(at.rpartition("#")[0]) or at
    message = (
        f"the files of the project expand to more than {budget.take_refusal()} here, so namespaces and values that come"
        " from kustomizations, Flux or Argo CD are not all known"
    )
    hint = "apply this file in fewer ways, or check its folder alone"
    return BEYOND_BOUNDS.finding(Span(file, 1, 1, 1, 1), message, hint=hint)
