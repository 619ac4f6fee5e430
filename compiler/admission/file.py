"""Check mcpcfg's own configuration file against its model."""

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
    """Return the findings about a configuration file of mcpcfg, and its data with defaults and without nulls.

    No tool replaces placeholders in this file, so they count as ordinary strings.

    Args:
        name: The name of the file's schema.
    """
    faults: list[Violation] = []
    data = checks_of(TOOLHIVE).checks.check(FILES[name])(document.data, faults)
    if not faults:
        return [], data
    from .explain import explain

    for fault in faults:
        fault.sort = fault.unless or fault.sort
    return explain(document, Subject(name, "", ""), faults, TOOLHIVE), data
