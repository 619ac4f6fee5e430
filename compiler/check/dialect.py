"""Read documents with the rules of the programs that use them: kubectl, Go's encoding/json, readers of records."""

from __future__ import annotations

from codecs import BOM_UTF8
from typing import TYPE_CHECKING

from ..diagnostics.span import Span
from ..project import input_kind
from ..reading.document import (
    count_documents,
    empty_document,
    read_documents,
    read_first_json,
    whole_document,
    with_written_numbers,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..diagnostics.budget import Budget
    from ..diagnostics.finding import Finding
    from ..project.input_kind import InputKind
    from ..reading.document import Document


def report_beginning(document: Document, place: Span, what: str) -> Finding:
    """Return the finding about an unusual beginning of a document, which YAML allows but kubectl and kustomize do not.

    Args:
        document: The document with the unusual beginning.
        place: The span of the beginning.
        what: The kind of beginning: ``directive``, ``line`` or text after ``---``, as `Document.odd_beginning` returns
            it.

    Source: k8s.io/apimachinery v0.35, ``YAMLReader``; sigs.k8s.io/kustomize/kyaml, ``splitDocuments``.
    """
    from ..reading.problem import YAML_SYNTAX

    if what == "directive":
        message, hint = "a directive begins the document, which kubectl does not read", "leave the line out"
    elif what == "line":
        message = "a line of the text begins with ---, which kubectl treats as the end of the document"
        hint = "indent the line"
    else:
        message = "more than a comment follows ---, which kubectl then does not take as a document separator"
        hint = "begin the document on the next line"
    return YAML_SYNTAX.finding(place, message, document=document.index, hint=hint)


def report_byte_order_mark(text: bytes, records: Sequence[tuple[str, Document]]) -> Iterator[Finding]:
    """Yield a finding for each JSON record of a text that begins with a byte order mark, which Go refuses."""
    for name, document in records if text.startswith(BOM_UTF8) else ():
        kind = input_kind.kind_named(name)
        if kind is not None and input_kind.uses_encoding_json(kind, document.file):
            from ..reading.json_text import JSON_SYNTAX

            message = "a byte order mark precedes the JSON, and the programs that read the file refuse it"
            place = Span(document.file, 1, 1, 1, 1)
            hint = "save the file as UTF-8 without a byte order mark"
            yield JSON_SYNTAX.finding(place, message, document=document.index, hint=hint)


def read_lenient_record(text: bytes, file: str, forced: InputKind | None) -> tuple[Document, list[Finding]] | None:
    """Return a JSON record that breaks the rules of the API server but not of its program, with findings, or ``None``.

    Go's encoding/json accepts duplicate keys. The reader of run configurations also ignores what follows the first JSON
    value; other readers refuse that.
    """
    from ..reading.data import DUPLICATE_KEY

    first = read_first_json(text, file)
    if first is None:
        return None
    kind = forced or input_kind.recognize(first[0].data)
    if kind is None or not input_kind.uses_encoding_json(kind, file):
        return None
    # Go's encoding/json uses the last of two equal keys. Any other fault means that something follows the first value.
    is_whole = all(finding.rule == DUPLICATE_KEY.id for finding in first[1])
    return first if is_whole or kind.name == "runconfig" else None


def read_as(text: bytes, file: str, kind: InputKind, budget: Budget) -> tuple[list[Document], list[Finding], int]:
    """Return the documents of a text that is read as records of one kind, the findings, and the number of documents.

    An empty text is an empty record. The number includes documents that cannot be read.
    """
    if kind.form == "text":
        return [whole_document(text, file)], [], 1
    documents, findings = read_documents(text, file, dialect=kind.dialect, budget=budget)
    count = count_documents(documents, findings)
    if findings and not documents and (first := read_lenient_record(text, file, kind)) is not None:
        documents, findings = [first[0]], first[1]
    records = [as_its_program_reads(document, kind) for document in documents]
    findings = [*findings, *report_byte_order_mark(text, [(kind.name, record) for record in records])]
    return records if documents or findings else [empty_document(text, file)], findings, count


def as_its_program_reads(document: Document, kind: InputKind) -> Document:
    """Return a record with its numbers as written if its programs use Go's encoding/json; else the same document."""
    return with_written_numbers(document) if input_kind.uses_encoding_json(kind, document.file) else document


def read_in_dialect(document: Document, kind: InputKind, text: bytes) -> tuple[Document, list[Finding]]:
    """Parse a record again in the dialect of its program; return the new document and the findings of the reader.

    The document was already read in the dialect of Kubernetes, because only its data shows which program uses it.
    """
    if document.dialect == kind.dialect:
        return as_its_program_reads(document, kind), []
    documents, findings = read_documents(text, document.file, dialect=kind.dialect)
    record = next((other for other in documents if other.index == document.index), document)
    return as_its_program_reads(record, kind), [finding for finding in findings if finding.document == document.index]
