"""Documents that kubectl, Go's encoding/json and the programs that take records read otherwise than the API server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.span import Span
from ..project import input_kind
from ..reading.document import read_documents, read_first_json, with_written_numbers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..diagnostics.finding import Finding
    from ..project.input_kind import InputKind
    from ..reading.document import Document


def report_beginning(document: Document) -> Iterator[Finding]:
    """Report what kubectl and kustomize refuse where they cut a file into documents, and YAML allows.

    Source: k8s.io/apimachinery v0.35, ``YAMLReader``; sigs.k8s.io/kustomize/kyaml, ``splitDocuments``.
    """
    found = document.odd_beginning()
    if found is None:
        return
    from ..reading.rules import YAML_SYNTAX

    place, what = found
    if what == "directive":
        message, hint = "a directive begins the document, which kubectl does not read", "leave the line out"
    elif what == "line":
        message = "a line of the text begins with ---, which kubectl treats as the end of the document"
        hint = "indent the line"
    else:
        message = "more than a comment follows ---, which kubectl then does not take as a document separator"
        hint = "begin the document on the next line"
    yield YAML_SYNTAX.finding(place, message, document=document.index, hint=hint)


def report_byte_order_mark(records: Sequence[tuple[str, Document]]) -> Iterator[Finding]:
    """Report the byte order mark before a record whose programs read JSON alone: Go's encoding/json takes none."""
    for name, document in records:
        kind = input_kind.named(name)
        if kind is not None and input_kind.is_read_plainly(kind, document.file):
            from ..reading.rules import JSON_SYNTAX

            message = "a byte order mark precedes the JSON, and the programs that read the file refuse it"
            place = Span(document.file, 1, 1, 1, 1)
            hint = "save the file as UTF-8 without a byte order mark"
            yield JSON_SYNTAX.finding(place, message, document=document.index, hint=hint)


def read_lenient_record(text: bytes, file: str, forced: InputKind | None) -> tuple[Document, list[Finding]] | None:
    """Return a JSON record that its program reads although the API server would not, and the findings about it.

    The reader of run configurations ignores what follows the first JSON value; the others refuse it.
    """
    from ..reading.rules import DUPLICATE_KEY

    first = read_first_json(text, file)
    if first is None:
        return None
    kind = forced or input_kind.recognise(first[0].data)
    if kind is None or not input_kind.is_read_plainly(kind, file):
        return None
    # Go's encoding/json takes the last of two equal keys; other faults make the text no JSON.
    is_whole = all(finding.rule == DUPLICATE_KEY.id for finding in first[1])
    return first if is_whole or kind.name == "runconfig" else None


def as_its_program_reads(document: Document, kind: InputKind) -> Document:
    """Return a record with its numbers as the programs of its kind read them."""
    return with_written_numbers(document) if input_kind.is_read_plainly(kind, document.file) else document


def read_in_dialect(document: Document, kind: InputKind, text: bytes) -> tuple[Document, list[Finding]]:
    """Return a record as its program reads it, and the findings of that reading.

    Only the data shows which program that is, so a document is read by the dialect of Kubernetes first.
    """
    if document.dialect == kind.dialect:
        return document, []
    documents, findings = read_documents(text, document.file, dialect=kind.dialect)
    record = next((other for other in documents if other.index == document.index), document)
    return record, [finding for finding in findings if finding.document == document.index]
