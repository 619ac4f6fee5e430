"""Parts of objects, as patches state them: what is there is checked, and nothing that is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..diagnostics.finding import Subject
from .fault import Sort, Violation
from .identity import subject_of
from .table import checks_of

if TYPE_CHECKING:
    from ..diagnostics.finding import Finding
    from ..reading.document import Document
    from ..toolhive.profile import Profile

_OF_PARTS: Final = frozenset(
    {
        *(Sort.UNKNOWN, Sort.TYPE, Sort.ENUM, Sort.PATTERN, Sort.FORMAT, Sort.WIDTH, Sort.PLACEHOLDER, Sort.RENAMED),
        *(Sort.TOO_SMALL, Sort.TOO_LARGE, Sort.TOO_SHORT, Sort.TOO_LONG),
    }
)
"""Faults that no other part of the object can fix. Lists are joined with what is there, rules see the whole."""
_DIRECTIVE: Final = "$"
"""Keys that begin so are for the merge: ``$patch``, ``$setElementOrder/…``."""


def partial_findings(document: Document, kind: str, profile: Profile, *, namespace: str) -> list[Finding]:
    """Return what the API server would refuse of a part of an object, wherever the rest comes from.

    Args:
        document: The part.
        kind: One of our kinds.
        profile: The names that the operator goes by.
        namespace: How findings print a namespace that the part does not state.
    """
    if not isinstance(document.data, dict):
        return []
    faults: list[Violation] = []
    known = checks_of(profile)
    known.checks.check(known.table.kinds[kind])(document.data, faults)
    faults = [fault for fault in faults if fault.sort in _OF_PARTS and not _is_directive(fault)]
    if not faults:
        return []
    from .explain import explain

    _, stated, name = subject_of(document.data, namespace)
    return explain(document, Subject(kind, stated, name), faults, profile)


def _is_directive(fault: Violation) -> bool:
    return any(isinstance(step, str) and step.startswith(_DIRECTIVE) for step in fault.path)
