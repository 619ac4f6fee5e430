"""A file of our own against its model: the configuration of a project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.finding import Subject
from ..toolhive.profile import TOOLHIVE
from .table import FILES, checks_of

if TYPE_CHECKING:
    from ..diagnostics.finding import Finding
    from ..reading.document import Document
    from .fault import Violation


def file_findings(name: str, document: Document) -> list[Finding]:
    """Check a file by the model that its schema, ``name``, is generated from.

    Placeholders are texts like others here: nothing fills them in.
    """
    faults: list[Violation] = []
    checks_of(TOOLHIVE).checks.check(FILES[name])(document.data, faults)
    if not faults:
        return []
    from .explain import explain

    return explain(document, Subject(name, "", ""), faults, later=False)
