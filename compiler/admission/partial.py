"""Check parts of objects, such as patches: their fields and values are checked, but missing fields are allowed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..diagnostics.finding import Subject
from .identity import subject_of
from .table import checks_of
from .violation import Sort, Violation

if TYPE_CHECKING:
    from ..diagnostics.finding import Finding
    from ..reading.document import Document
    from ..toolhive.profile import Profile

_SORTS_OF_PARTS: Final = frozenset(
    {
        *(Sort.UNKNOWN, Sort.TYPE, Sort.ENUM, Sort.PATTERN, Sort.FORMAT, Sort.WIDTH, Sort.PLACEHOLDER, Sort.RENAMED),
        *(Sort.TOO_SMALL, Sort.TOO_LARGE, Sort.TOO_SHORT, Sort.TOO_LONG),
    }
)
"""Sorts of faults that the rest of the object cannot fix.

The length of lists and CEL rules are left out, because they concern the whole object after the merge.
"""
_DIRECTIVE: Final = "$"
"""First character of keys that are directives of a merge patch: ``$patch``, ``$setElementOrder/…``."""


def partial_findings(document: Document, kind: str, profile: Profile, *, namespace: str) -> list[Finding]:
    """Return the findings about a part of an object. Missing fields and directives of patches are not reported.

    Args:
        document: The part, such as a patch.
        namespace: The namespace that findings print if the part states none.
    """
    if not isinstance(document.data, dict):
        return []
    faults: list[Violation] = []
    profile_checks = checks_of(profile)
    profile_checks.checks.check(profile_checks.table.kinds[kind])(document.data, faults)
    faults = [fault for fault in faults if fault.sort in _SORTS_OF_PARTS and not _is_directive(fault)]
    if not faults:
        return []
    from .explain import explain

    _, stated, name = subject_of(document.data, namespace)
    return explain(document, Subject(kind, stated, name), faults, profile)


def _is_directive(fault: Violation) -> bool:
    return any(isinstance(step, str) and step.startswith(_DIRECTIVE) for step in fault.path)
