"""What programs other than the API server read differently: kubectl, encoding/json of Go, and programs for records."""

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
    """Return a record in JSON whose programs are not as strict as the API server, and what that one would refuse in it.

    Only of a run configuration nothing is read beyond the first value.
    """
    from ..reading.rules import DUPLICATE_KEY

    first = read_first_json(text, file)
    if first is None:
        return None
    kind = forced or input_kind.recognise(first[0].data)
    if kind is None or not input_kind.is_read_plainly(kind, file):
        return None
    # Go's encoding/json takes the last of two equal keys; other faults make the text no JSON.
    is_whole = all(one.rule == DUPLICATE_KEY.id for one in first[1])
    return first if is_whole or kind.name == "runconfig" else None


def as_its_program_reads(document: Document, kind: InputKind) -> Document:
    """Return a record with its numbers as the programs of its kind read them."""
    return with_written_numbers(document) if input_kind.is_read_plainly(kind, document.file) else document


def read_in_dialect(document: Document, kind: InputKind, text: bytes) -> tuple[Document, list[Finding]]:
    """Return a document as the program that it is for reads it: which that is shows only once it was read."""
    if document.dialect == kind.dialect:
        return document, []
    found, findings = read_documents(text, document.file, dialect=kind.dialect)
    own = next((one for one in found if one.index == document.index), document)
    return own, [one for one in findings if one.document == document.index]
