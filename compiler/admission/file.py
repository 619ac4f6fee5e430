"""A file of our own against its model: the configuration of a project."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..diagnostics.finding import Subject
from ..toolhive.profile import TOOLHIVE
from .table import FILES, checks_of

if TYPE_CHECKING:
    from ..diagnostics.finding import Finding
    from ..reading.document import Document
    from .fault import Violation


def admit_file(name: str, document: Document) -> tuple[list[Finding], Any]:
    """Check a file by the model that its schema, ``name``, is generated from.

    Placeholders are texts like others here: nothing fills them in.

    Returns:
        What is wrong; and the data as it counts: what is null is not stated.
    """
    faults: list[Violation] = []
    data = checks_of(TOOLHIVE).checks.check(FILES[name])(document.data, faults)
    if not faults:
        return [], data
    from .explain import explain

    for fault in faults:
        fault.sort = fault.unless or fault.sort
    return explain(document, Subject(name, "", ""), faults, TOOLHIVE), data
