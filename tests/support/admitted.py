"""Resources of files that are written in a test, read and admitted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpcfg.compiler.admission.admit import admit_document
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.toolhive.profile import TOOLHIVE, profile_of_release

if TYPE_CHECKING:
    from mcpcfg.compiler.workspace.resource import Resource


def resources(files: dict[str, str], release: str | None = None) -> list[Resource]:
    """Return the resources of files, in order; each file has its text."""
    profile = TOOLHIVE if release is None else profile_of_release(TOOLHIVE, release)
    documents = [document for file, text in files.items() for document in read_documents(text, file)[0]]
    found = [one for one, _ in (admit_document(document, profile=profile) for document in documents) if one is not None]
    for one in found:
        object.__setattr__(one, "profile", profile)
    return found


def only(text: str, release: str | None = None) -> Resource:
    """Return the one resource of a text."""
    (found,) = resources({"all.yaml": text}, release)
    return found
