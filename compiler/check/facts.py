"""The facts of one file, found without a look at any other: read, recognised, admitted.

Facts are all that the rest of a check needs of a file. They may come from the text itself, from another process or
from the cache; the text is then opened again where a place in it is asked for (`serialize.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..admission.admit import admit, is_later, is_object
from ..project import input_kind, kustomize
from ..reading.document import (
    Document,
    count_documents,
    decode,
    empty_document,
    read_documents,
    read_first_json,
    whole_document,
    with_written_numbers,
)
from ..toolhive.profile import TOOLHIVE, Profile
from ..workspace.resource import UNKNOWN_NAMESPACE, Resource
from ..workspace.workspace import CORE_KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..diagnostics.finding import Finding
    from ..project.input_kind import InputKind
    from ..project.kustomization import Kustomization
    from ..reading.suppression_comment import Ignore

UNSTATED = ""
"""The namespace of a finding's subject whose document states none: what it is depends on other files."""


class Facts(NamedTuple):
    """The facts of one file.

    Attributes:
        file: As findings print it.
        findings: Of the reader and of admission. Where the document states no namespace, that of the subject is
            ``UNSTATED``.
        documents: How many non-empty documents were read.
        resources: Kubernetes objects of our kinds and of those that references lead to; their ``namespace`` is what
            the document states.
        records: Other documents of ours, each with the name of its input kind.
        kustomizations: The file as a kustomization.
        ignores: What its comments suppress.
        later: The first resource of a version that only later operators serve.
        templates: How many templates it holds, which were not read.
        skills: The folders of skills that its records name.
        digest: Of its text, where the facts are kept.
        packed: What `serialize.pack` returned of it, where it comes from there.
    """

    file: str
    findings: Sequence[Finding]
    documents: int
    resources: Sequence[Resource] = ()
    records: Sequence[tuple[str, Document]] = ()
    kustomizations: Sequence[Kustomization] = ()
    ignores: Sequence[Ignore] = ()
    later: Resource | None = None
    templates: int = 0
    skills: frozenset[str] = frozenset()
    digest: bytes = b""
    packed: bytes = b""


def read_facts(
    text: bytes,
    file: str,
    *,
    profile: Profile = TOOLHIVE,
    forced: InputKind | None = None,
    reference: bool = False,
    named: bool = True,
) -> Facts:
    """Read, recognise and admit a text.

    Args:
        text: The content of the file.
        file: Its name.
        profile: The names that the operator goes by.
        forced: The input kind that the text is taken for, whatever it looks like.
        reference: Whether the libraries jsonschema and cel-python decide.
        named: Whether the file was named itself, and did not merely turn up in a folder.
    """
    if forced is not None and forced.form == "text":
        return Facts(file, [], 1, records=[(forced.name, whole_document(text, file))])
    documents, read = read_documents(text, file, dialect=forced.dialect if forced else "kubernetes")
    count, templates = count_documents(documents, read), list[tuple[int, int]]()
    if read and not documents and (first := _record_as_go_reads_it(text, file, forced)) is not None:
        documents, read = [first[0]], first[1]
    elif read and forced is None:
        from .unread import sort_out

        read, templates, of_templates = sort_out(decode(text), file, read, profile, named=named)
        count -= len(of_templates)
    findings = [*read]
    resources: list[Resource] = []
    records: list[tuple[str, Document]] = []
    kustomizations: list[Kustomization] = []
    skills: frozenset[str] = frozenset()
    for document in documents:
        if forced is not None:
            records.append((forced.name, as_its_program_reads(document, forced)))
        elif kustomize.is_kustomization(file, document.data):
            from ..project import kustomization

            kustomizations.append(kustomization.read(file, document.data))
        elif is_object(document.data, profile):
            for element in document.elements():
                resource, found = admit_document(element, profile=profile, reference=reference)
                findings += found
                if resource is not None:
                    resources.append(resource)
        else:
            skills |= input_kind.recorded_skills(document.data)
            if (kind := input_kind.recognise(document.data)) is not None:
                own, found = _in_its_dialect(document, kind, text)
                findings += [one for one in found if one not in read]
                records.append((kind.name, as_its_program_reads(own, kind)))
    if forced is not None and not documents and not read:
        records.append((forced.name, empty_document(text, file)))
    later = next((one for one in resources if is_later(one.data, profile)), None)
    ignores = _ignores(text, file, templates)
    return Facts(file, findings, count, resources, records, kustomizations, ignores, later, len(templates), skills)


def _record_as_go_reads_it(text: bytes, file: str, forced: InputKind | None) -> tuple[Document, list[Finding]] | None:
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


def _in_its_dialect(document: Document, kind: InputKind, text: bytes) -> tuple[Document, list[Finding]]:
    """Return a document as the program that it is for reads it: which that is shows only once it was read."""
    if document.dialect == kind.dialect:
        return document, []
    found, findings = read_documents(text, document.file, dialect=kind.dialect)
    own = next((one for one in found if one.index == document.index), document)
    return own, [one for one in findings if one.document == document.index]


def admit_document(
    document: Document, *, profile: Profile = TOOLHIVE, reference: bool = False
) -> tuple[Resource | None, list[Finding]]:
    """Admit one document; the resource is ``None`` where it is of another program, or has no name to be known by.

    Args:
        document: An object, already taken out of its ``List``.
        profile: The names that the operator goes by.
        reference: Whether the libraries decide.
    """
    outcome = admit(document, profile=profile, namespace=UNSTATED, reference=reference)
    data = document.data
    kind = outcome.kind
    if kind is None and data.get("apiVersion") == "v1":
        kind = next((core for core in CORE_KINDS if core == data.get("kind")), None)
    metadata = data.get("metadata")
    name = metadata.get("name") if isinstance(metadata, dict) else None
    if kind is None or not isinstance(name, str):
        return None, outcome.findings
    stated = metadata.get("namespace") if isinstance(metadata, dict) else None
    resource = Resource(
        document,
        outcome.data,
        kind,
        name,
        stated if isinstance(stated, str) and stated else None,
        admitted=outcome.admitted,
        has_unknown_values=outcome.has_unknown_values,
        renamed=outcome.renamed,
        doubts=outcome.doubts,
        # The API server stores it, and the operator cannot read it.
        refused=next((one.rule for one in reversed(outcome.findings) if one.stage == "operator"), None),
    )
    return resource, outcome.findings


def with_namespace(findings: Sequence[Finding], namespace: str | None) -> Sequence[Finding]:
    """Return findings whose subjects have the namespace that documents of the file get where they state none."""
    if not any(one.subject is not None and one.subject.namespace == UNSTATED for one in findings):
        return findings
    return [
        one._replace(subject=one.subject._replace(namespace=namespace or UNKNOWN_NAMESPACE))
        if one.subject is not None and one.subject.namespace == UNSTATED
        else one
        for one in findings
    ]


def _ignores(text: bytes, file: str, templates: Sequence[tuple[int, int]]) -> Sequence[Ignore]:
    """Return what comments suppress, but for those in templates: what they are about shows once that is rendered."""
    if b"mcpcfg:" not in text:
        return ()
    from ..reading.suppression_comment import ignores

    found = ignores(text.decode("utf-8", "replace"), file)
    return [one for one in found if not any(first <= one.span.line <= last for first, last in templates)]
