"""What in a file only a later release than the default one takes: without a stated release, the newest then judges.

It is a fact of the file, found when the default release judges it, and kept with the other facts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..admission.admit import is_object
from ..admission.later import place_of_newer
from ..project.input_kind import record_findings
from ..toolhive.profile import profile_of_release
from ..toolhive.release import NEWEST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..diagnostics.finding import Finding
    from ..reading.document import Document
    from ..toolhive.profile import Profile

_OF_THE_OPERATOR: Final = frozenset({"runconfig", "vmcp"})
"""Records that the operator writes for the programs of its release."""


def line_of_newer(
    documents: Sequence[Document],
    records: Sequence[tuple[str, Document]],
    findings: Sequence[Finding],
    profile: Profile,
) -> int | None:
    """Return the line of the first object or record that only a later release than the default one takes.

    Args:
        documents: All documents of the file.
        records: Those of them that are records, with their kinds.
        findings: What the default release refuses of the objects.
        profile: The names that the operator goes by; it states no release.
    """
    faulty = {finding.document for finding in findings}
    for document in documents:
        # CRDs that are given take what the default release refuses, without a finding.
        is_doubtful = document.index in faulty or profile.crds is not None
        for element in document.elements() if is_object(document.data, profile) else ():
            if type(element.data) is dict and (is_doubtful or profile.is_later(element.data)):
                place = place_of_newer(element, profile)
                if place is not None:
                    return place.line
    of_operator = (one for one in records if one[0] in _OF_THE_OPERATOR)
    return next((line for line in (_line_in_record(*one, profile) for one in of_operator) if line is not None), None)


def _line_in_record(name: str, document: Document, profile: Profile) -> int | None:
    """Return the line of the first fault of a record that the newest release does not have."""
    refused = _errors(name, document, profile)
    if not refused:
        return None
    remaining = {
        (finding.rule, finding.path) for finding in _errors(name, document, profile_of_release(profile, NEWEST))
    }
    taken = (finding.span.line for finding in refused if (finding.rule, finding.path) not in remaining)
    return next(taken, None)


def _errors(name: str, document: Document, profile: Profile) -> list[Finding]:
    findings = record_findings({name: [document]}, profile=profile)
    return [finding for finding in findings if finding.severity == "error"]
