"""The release that a file was checked for, and whether it needs a newer one.

If a project states no release, the default release judges it first. If it then refuses a document that the newest one
accepts, the newest one judges the project.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..admission.admit import is_object
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.version import RELEASE
from ..toolhive.profile import profile_of_release
from ..toolhive.release import NEWEST
from .record import record_findings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..diagnostics.finding import Finding
    from ..reading.document import Document
    from ..toolhive.profile import Profile

_WRITTEN_BY_OPERATOR: Final = frozenset({"runconfig", "vmcp"})
"""Kinds of records that the operator writes for programs of the same release."""


class Judgment(NamedTuple):
    """The release of the operator that a file was checked for, and whether it needs a newer one.

    Attributes:
        release: The release whose schemas and rules applied to the file.
        newer: The line of the first object that the default release refuses and the newest one accepts, or ``None``. If
            a project states no release, the newest one then judges it. It is also ``None`` if a stated release judged
            the file first.
    """

    release: str = RELEASE
    newer: int | None = None


def judgment_of(
    documents: Sequence[Document],
    records: Sequence[tuple[str, Document]],
    findings: Sequence[Finding],
    profile: Profile,
) -> Judgment:
    """Return the release that a file was checked for, and the line that needs a newer one.

    Args:
        records: The records among them, with their kinds.
    """
    later = (profile.is_later(element.data) for document in documents for element in document.elements())
    if profile.release is not None or not (findings or records or profile.crds is not None or any(later)):
        return Judgment(profile.installed_release)
    return Judgment(profile.installed_release, _line_of_newer(documents, records, findings, profile))


def _line_of_newer(
    documents: Sequence[Document],
    records: Sequence[tuple[str, Document]],
    findings: Sequence[Finding],
    profile: Profile,
) -> int | None:
    """Return the line of the first object or record that the newest release accepts and the default release does not.

    The result is ``None`` if there is no such object or record. The arguments are those of `judgment_of`.
    """
    from ..admission.later import place_of_newer

    faulty = {finding.document for finding in findings}
    for document in documents:
        # CRDs that the call gives may accept what the default release refuses, so there is no finding.
        is_doubtful = document.index in faulty or profile.crds is not None
        for element in document.elements() if is_object(document.data, profile) else ():
            if type(element.data) is dict and (is_doubtful or profile.is_later(element.data)):
                place = place_of_newer(element, profile)
                if place is not None:
                    return place.line
    operator_records = (record for record in records if record[0] in _WRITTEN_BY_OPERATOR)
    return next(
        (line for line in (_line_in_record(*record, profile) for record in operator_records) if line is not None), None
    )


def _line_in_record(name: str, document: Document, profile: Profile) -> int | None:
    refused = _errors(name, document, profile)
    if not refused:
        return None
    remaining = {
        (finding.rule, finding.path) for finding in _errors(name, document, profile_of_release(profile, NEWEST))
    }
    accepted_lines = (finding.span.line for finding in refused if (finding.rule, finding.path) not in remaining)
    return next(accepted_lines, None)


def _errors(name: str, document: Document, profile: Profile) -> list[Finding]:
    findings = record_findings({name: [document]}, profile=profile)
    return [finding for finding in findings if finding.severity == "error"]
