"""Check the documents that are not Kubernetes resources, each by its input kind."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from ..project.input_kind import BODIES, KINDS
from ..toolhive.profile import TOOLHIVE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ..diagnostics.finding import Finding
    from ..project.input_kind import InputKind
    from ..reading.document import Document
    from ..toolhive.machine import Environment
    from ..toolhive.profile import Profile

RecordCheck: TypeAlias = "Callable[[Document, Mapping[str, Sequence[Document]], Environment], list[Finding]]"
"""Returns the findings of a document. The mapping has all records of the call by kind, for cross-references."""


def record_findings(
    records: Mapping[str, Sequence[Document]],
    *,
    closed: bool = False,
    secrets_provider: str = "",
    profile: Profile = TOOLHIVE,
) -> Iterator[Finding]:
    """Yield the findings for all records of a project.

    Args:
        records: Documents by the name of their input kind.
        closed: True if no object exists outside of the given files.
        secrets_provider: Provider that keeps the secrets; empty if it is not known.
    """
    from ..toolhive.machine import Environment

    environment = Environment(closed, secrets_provider, profile)
    for kind in KINDS:
        for document in records.get(kind.name, ()):
            yield from checker(kind)(document, records, environment)


def checker(kind: InputKind) -> RecordCheck:
    """Return the check function of an input kind, and import its module, because a call needs few of them.

    The function for a record is the one of ``compiler/records/document_check.py`` that is named after the kind.
    """
    if kind.name == "vmcp":
        from ...validators.rules.vmcp_file import check_file

        return check_file
    if kind.name == "mcpcfg":
        from ..project.settings_file import check_settings

        return check_settings
    from ..records import document_check

    if kind.name in BODIES:
        return partial(document_check.body, kind=kind.name)
    record_check: RecordCheck = getattr(document_check, kind.name.replace("-", "_"))
    return record_check
