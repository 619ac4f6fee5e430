"""A text is read up to its bounds."""

from __future__ import annotations

from mcpcfg.compiler.reading.bound import MAX_DOCUMENTS
from mcpcfg.compiler.reading.document import read_documents


def test_a_file_of_too_many_documents_is_refused_at_its_start() -> None:
    text = "a: 1\n---\n" * (MAX_DOCUMENTS + 1)
    documents, (finding,) = read_documents(text, "a.yaml")
    assert documents == []
    assert (finding.span.line, finding.span.column) == (1, 1)
    assert finding.message == f"the file contains more than {MAX_DOCUMENTS:,} documents"
