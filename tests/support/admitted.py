"""Resources of files that are written in a test, read and admitted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpcfg.compiler.admission.admit import admit_document
from mcpcfg.compiler.reading.document import read_documents

if TYPE_CHECKING:
    from mcpcfg.compiler.workspace.resource import Resource


def resources(files: dict[str, str]) -> list[Resource]:
    """Return the resources of files, in order; each file has its text."""
    documents = [document for file, text in files.items() for document in read_documents(text, file)[0]]
    return [one for one, _ in map(admit_document, documents) if one is not None]


def only(text: str) -> Resource:
    """Return the one resource of a text."""
    (found,) = resources({"all.yaml": text})
    return found
