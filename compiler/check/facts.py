"""The facts of one file, found without a look at any other: read, recognised, admitted.

Facts are all that the rest of a check needs of a file. They may come from the text itself, from another process or
from the cache; the text is then opened again where a place in it is asked for (`serialize.py`).
"""

from __future__ import annotations

from codecs import BOM_UTF8
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ..admission.admit import admit, is_object
from ..diagnostics.budget import OF_FILE, Budget
from ..diagnostics.placeholder import is_placeholder
from ..diagnostics.plain import value_at
from ..diagnostics.span import Span
from ..diagnostics.version import RELEASE
from ..project import input_kind, kustomize
from ..reading.bound import MAX_FINDINGS
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
from ..workspace.index import SECRET_MAKERS
from ..workspace.resource import UNKNOWN_NAMESPACE, Resource
from ..workspace.workspace import CORE_KINDS
from .expansion import expand_resource_sets, report_refusal
from .newer import line_of_newer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..admission.reference import SchemaOf
    from ..diagnostics.finding import Finding
    from ..diagnostics.span import Path
    from ..project.delivery import Delivery
    from ..project.input_kind import InputKind
    from ..project.kustomization import Kustomization
    from ..project.pin import Pin
    from ..reading.document import Place
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
        deliveries: What it has controllers of Flux and Argo CD apply.
        ignores: What its comments suppress.
        newer: The line of the first document that the default release refuses and the newest one takes: the newest one
            then judges a project that states no release. ``None`` also if the file was first judged by a stated one.
        release: The installed release by which its objects were judged.
        pins: The releases of the operator that it has installed.
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
    deliveries: Sequence[Delivery] = ()
    ignores: Sequence[Ignore] = ()
    newer: int | None = None
    release: str = RELEASE
    pins: Sequence[Pin] = ()
    templates: int = 0
    skills: frozenset[str] = frozenset()
    digest: bytes = b""
    packed: bytes = b""

    @property
    def is_judged(self) -> bool:
        """Whether another release may find something else in it: it holds objects of ours, or patches."""
        return self.has_own or bool(self.findings or self.kustomizations or self.deliveries)

    @property
    def has_own(self) -> bool:
        """Whether it holds objects of our kinds."""
        return any(one.kind not in CORE_KINDS for one in self.resources)


def read_facts(
    text: bytes,
    file: str,
    *,
    profile: Profile = TOOLHIVE,
    forced: InputKind | None = None,
    reference: SchemaOf | None = None,
    named: bool = True,
) -> Facts:
    """Read, recognise and admit a text.

    Args:
        text: The content of the file.
        file: Its name.
        profile: The names that the operator goes by.
        forced: The input kind that the text is taken for, whatever it looks like.
        reference: The schemas by which the libraries jsonschema and cel-python decide, where they do.
        named: Whether the file was named itself, and did not merely turn up in a folder.
    """
    if forced is not None and forced.form == "text":
        return Facts(file, [], 1, records=[(forced.name, whole_document(text, file))])
    if forced is None and b"#@" in text and (filled := _of_ytt(text, file, profile)) is not None:
        return filled
    budget = Budget(OF_FILE)
    documents, read = read_documents(text, file, dialect=forced.dialect if forced else "kubernetes", budget=budget)
    count = count_documents(documents, read)
    templates: list[tuple[int, int]] = []
    if read and not documents and (first := _record_as_go_reads_it(text, file, forced)) is not None:
        documents, read = [first[0]], first[1]
    elif read and forced is None:
        from .unread import sort_out

        read, templates, of_templates = sort_out(decode(text), file, read, profile, named=named)
        count -= len(of_templates)
    resources: list[Resource] = []
    records: list[tuple[str, Document]] = []
    deliveries: list[Delivery] = []
    skills: frozenset[str] = frozenset()
    documents, kustomizations, refused = (
        expand_resource_sets(documents, text, budget) if forced is None else (documents, [], [])
    )
    findings = [*read, *refused]
    for document in documents:
        if forced is not None:
            records.append((forced.name, as_its_program_reads(document, forced)))
        elif (applied := kustomize.applied(document, file, text, budget)) is not None:
            kustomizations += applied[0]
            deliveries += applied[1]
            findings += [*_of_patches(document, profile), *report_refusal(budget, document)]
        elif is_object(document.data, profile):
            findings += _odd_beginning(document)
            for element in document.elements():
                if not isinstance(element.data, dict):
                    findings += _no_object(document, element, profile)
                    continue
                resource, found = admit_document(
                    element, profile=profile, reference=reference, most=max(1, MAX_FINDINGS - len(findings))
                )
                findings += found
                if resource is not None:
                    resources.append(resource)
                elif str(element.data.get("kind")) in SECRET_MAKERS:
                    resources += _made_secrets(element)
        else:
            skills |= input_kind.recorded_skills(document.data)
            if (kind := input_kind.recognise(document.data)) is not None:
                own, found = _in_its_dialect(document, kind, text)
                findings += [one for one in found if one not in read]
                records.append((kind.name, as_its_program_reads(own, kind)))
    findings += _marks(text, records)
    if forced is not None and not documents and not read:
        records.append((forced.name, empty_document(text, file)))
    return Facts(
        file,
        # Of most files nearly all are empty, and an empty tuple takes no memory of its own.
        tuple(findings),
        count,
        tuple(resources),
        tuple(records),
        tuple(kustomizations),
        tuple(deliveries),
        tuple(_ignores(text, file, templates)),
        line_of_newer(documents, records, findings, profile),
        profile.installed_release,
        _pins(documents, text, profile) if forced is None else (),
        len(templates),
        skills,
    )


def _of_ytt(text: bytes, file: str, profile: Profile) -> Facts | None:
    """Return the facts of a file that ytt fills in: that it is a template, where it may be of ours."""
    from ..reading.template import is_of_ytt
    from .unread import has_hint

    whole = decode(text)
    return Facts(file, (), 0, templates=int(has_hint(whole, file, profile))) if is_of_ytt(whole) else None


def _pins(documents: Sequence[Document], text: bytes, profile: Profile) -> Sequence[Pin]:
    """Return the releases of the operator that a file has installed."""
    product = profile.product.encode()
    is_definition = b"CustomResourceDefinition" in text and profile.api_group.encode() in text
    is_repository = b"/" + product in text and (b"GitRepository" in text or b"/charts/operator" in text)
    is_named = product + b"-operator" in text or product + b"/operator" in text
    if not (is_definition or is_repository or is_named):
        return ()
    from ..project.pin import read

    return list(read(documents, profile))


def _of_patches(document: Document, profile: Profile) -> Iterator[Finding]:
    """Yield what is wrong with patches that are written out in a kustomization, or in an object of Flux or Argo CD."""
    from ..project.kustomization import PATCHES

    data = document.data
    for above in kustomize.delivery_parts(data) if kustomize.is_delivery(data) else ((),):
        holder = value_at(data, above)
        if isinstance(holder, dict) and not holder.keys().isdisjoint(PATCHES):
            from .patch import written_out

            yield from written_out(document, profile, above)


def _no_object(document: Document, element: Document, profile: Profile) -> list[Finding]:
    from ..admission.identity import no_object

    return [*no_object(document, element, profile)]


def _odd_beginning(document: Document) -> Iterator[Finding]:
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


def _marks(text: bytes, records: Sequence[tuple[str, Document]]) -> Iterator[Finding]:
    """Report the byte order mark before a record whose programs read JSON alone: Go's encoding/json takes none."""
    if not text.startswith(BOM_UTF8):
        return
    for name, document in records:
        kind = input_kind.named(name)
        if kind is not None and input_kind.is_read_plainly(kind, document.file):
            from ..reading.rules import JSON_SYNTAX

            message = "a byte order mark precedes the JSON, and the programs that read the file refuse it"
            place = Span(document.file, 1, 1, 1, 1)
            hint = "save the file as UTF-8 without a byte order mark"
            yield JSON_SYNTAX.finding(place, message, document=document.index, hint=hint)


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
    document: Document,
    origins: Mapping[Path, Place] = MappingProxyType({}),
    *,
    profile: Profile = TOOLHIVE,
    reference: SchemaOf | None = None,
    most: int = MAX_FINDINGS,
) -> tuple[Resource | None, list[Finding]]:
    """Admit one document; the resource is ``None`` where it is of another program, or has no name to be known by.

    Args:
        document: An object, already taken out of its ``List``.
        origins: Where values come from that the document does not state, by their paths.
        profile: The names that the operator goes by.
        reference: The schemas by which the libraries decide, where they do.
        most: How many of its faults are put into words.
    """
    outcome = admit(document, profile=profile, namespace=UNSTATED, reference=reference, most=most)
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
        # Where a placeholder stands it is unknown, as if nothing were stated.
        stated if isinstance(stated, str) and stated and not is_placeholder(stated) else None,
        admitted=outcome.admitted,
        has_unknown_values=outcome.has_unknown_values,
        renamed=outcome.renamed,
        doubts=outcome.doubts,
        # The API server stores it, and the operator cannot read it.
        refused=next((one.rule for one in reversed(outcome.findings) if one.stage == "operator"), None),
        origins=origins,
    )
    return resource, outcome.findings


def _made_secrets(document: Document) -> Iterator[Resource]:
    """Yield the Secrets that a controller makes of a document of its own, with the keys that it is known to write."""
    from ..project.made_secret import made_of

    metadata = document.data.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    for one in made_of(document.data):
        data = one.data(metadata)
        yield Resource(document, data, "Secret", one.name, data["metadata"].get("namespace"))


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
