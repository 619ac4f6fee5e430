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
from ..diagnostics.version import RELEASE
from ..project import input_kind, kustomize
from ..project.kustomize import DeliveryObjects
from ..reading.bound import MAX_FINDINGS
from ..reading.document import (
    Document,
    count_documents,
    decode,
    empty_document,
    read_documents,
    whole_document,
)
from ..toolhive.profile import TOOLHIVE, Profile
from ..workspace.index import SECRET_MAKERS
from ..workspace.resource import UNKNOWN_NAMESPACE, Resource
from ..workspace.workspace import CORE_KINDS
from .dialect import (
    as_its_program_reads,
    read_in_dialect,
    read_lenient_record,
    report_beginning,
    report_byte_order_mark,
)
from .expansion import expand_resource_sets, report_refusal
from .newer import line_of_newer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..admission.reference import SchemaOf
    from ..diagnostics.finding import Finding
    from ..diagnostics.span import Path
    from ..project.input_kind import InputKind
    from ..reading.document import Place
    from ..reading.suppression_comment import Ignore

UNSTATED = ""
"""The namespace of a finding's subject whose document states none: what it is depends on other files."""


class Judgment(NamedTuple):
    """The release of the operator that judged a file, and whether another one should.

    Attributes:
        release: The installed release, whose schemas and rules judged the file.
        newer: The line of the first document that the default release refuses and the newest one takes: the newest one
            then judges a project that states no release. ``None`` also if the file was first judged by a stated one.
    """

    release: str = RELEASE
    newer: int | None = None


class Stored(NamedTuple):
    """What the cache needs of a file.

    Attributes:
        digest: The digest of its text, if the facts are kept.
        packed: What `serialize.pack` returned, if the facts come from there.
    """

    digest: bytes = b""
    packed: bytes = b""


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
        delivery: What the file says about how the project is delivered.
        skills: The folders of skills that its records name.
        ignores: What its comments suppress.
    """

    file: str
    findings: Sequence[Finding] = ()
    documents: int = 0
    resources: Sequence[Resource] = ()
    records: Sequence[tuple[str, Document]] = ()
    delivery: DeliveryObjects = DeliveryObjects()
    skills: frozenset[str] = frozenset()
    ignores: Sequence[Ignore] = ()
    judgment: Judgment = Judgment()
    stored: Stored = Stored()

    @property
    def is_judged(self) -> bool:
        """Whether another release may find something else in it: it holds objects of ours, or patches."""
        return self.has_own or bool(self.findings or self.delivery.kustomizations or self.delivery.controllers)

    @property
    def has_own(self) -> bool:
        """Whether it holds objects of our kinds."""
        return any(one.kind not in CORE_KINDS for one in self.resources)


class _Contents(NamedTuple):
    """The findings and objects of a file, to which one document after the other adds; attributes as of `Facts`."""

    findings: list[Finding]
    resources: list[Resource]
    records: list[tuple[str, Document]]
    delivery: list[DeliveryObjects]
    skills: set[str]


class _Text(NamedTuple):
    """The text of a file, and how it is read.

    Attributes:
        text: The bytes of the file.
        file: The name of the file, as findings print it.
        profile: The API group, the labels and the other names of the operator's edition, and its release.
        reference: The schemas for jsonschema and cel-python; ``None`` unless these libraries judge the file.
        budget: The amount that aliases, ResourceSets and ApplicationSets of the file may expand to.
    """

    text: bytes
    file: str
    profile: Profile
    reference: SchemaOf | None
    budget: Budget


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
    source = _Text(text, file, profile, reference, Budget(OF_FILE))
    if forced is not None:
        return _forced_facts(source, forced)
    if b"#@" in text and (template := _ytt_facts(source)) is not None:
        return template
    documents, unread, count, templates = _read(source, named=named)
    documents, generated, refused = expand_resource_sets(documents, text, source.budget)
    contents = _contents(source, documents, [*unread, *refused])
    return Facts(
        file=file,
        # Of most files nearly all are empty, and an empty tuple takes no memory of its own.
        findings=tuple(contents.findings),
        documents=count,
        resources=tuple(contents.resources),
        records=tuple(contents.records),
        delivery=kustomize.join_objects(
            generated, contents.delivery, kustomize.read_pins(documents, text, profile), templates
        ),
        skills=frozenset(contents.skills),
        ignores=tuple(_ignores(text, file, templates)),
        judgment=Judgment(
            profile.installed_release, line_of_newer(documents, contents.records, contents.findings, profile)
        ),
    )


def _forced_facts(source: _Text, kind: InputKind) -> Facts:
    """Return the facts of a text that is taken for a record of one kind."""
    text, file = source.text, source.file
    if kind.form == "text":
        return Facts(file=file, documents=1, records=((kind.name, whole_document(text, file)),))
    documents, read = read_documents(text, file, dialect=kind.dialect, budget=source.budget)
    count = count_documents(documents, read)
    if read and not documents and (first := read_lenient_record(text, file, kind)) is not None:
        documents, read = [first[0]], first[1]
    records = [(kind.name, as_its_program_reads(document, kind)) for document in documents]
    findings = [*read, *_report_mark(text, records)]
    if not documents and not read:
        records = [(kind.name, empty_document(text, file))]
    return Facts(
        file=file,
        findings=tuple(findings),
        documents=count,
        records=tuple(records),
        ignores=tuple(_ignores(text, file, ())),
        judgment=Judgment(
            source.profile.installed_release, line_of_newer(documents, records, findings, source.profile)
        ),
    )


def _read(source: _Text, *, named: bool) -> tuple[list[Document], Sequence[Finding], int, Sequence[tuple[int, int]]]:
    """Return the documents of a text, why others cannot be read, the number of both, and the lines of templates."""
    text, file = source.text, source.file
    documents, read = read_documents(text, file, budget=source.budget)
    count = count_documents(documents, read)
    if not read:
        return documents, read, count, ()
    if not documents and (first := read_lenient_record(text, file, None)) is not None:
        return [first[0]], first[1], count, ()
    from .unread import sort_out

    unread = sort_out(decode(text), file, read, source.profile, named=named)
    return documents, unread.findings, count - len(unread.documents), unread.templates


def _contents(source: _Text, documents: Sequence[Document], refused: list[Finding]) -> _Contents:
    """Return the findings, resources, records and delivery objects of the documents of a file.

    Args:
        source: The text of the file.
        documents: The documents of the file that can be read.
        refused: The findings of the reader.
    """
    contents = _Contents([*refused], [], [], [], set())
    findings, profile = contents.findings, source.profile
    for document in documents:
        delivery = kustomize.read_objects(document, source.file, source.text, source.budget)
        if delivery is not None:
            contents.delivery.append(delivery)
            for above in kustomize.patched_parts(document.data):
                from .patch import written_out

                findings += written_out(document, profile, above)
            findings += report_refusal(source.budget, document)
        elif is_object(document.data, profile):
            findings += report_beginning(document)
            _admit_elements(source, document, contents)
        else:
            contents.skills.update(input_kind.recorded_skills(document.data))
            if (kind := input_kind.recognise(document.data)) is not None:
                record, found = read_in_dialect(document, kind, source.text)
                findings += [one for one in found if one not in refused]
                contents.records.append((kind.name, as_its_program_reads(record, kind)))
    findings += _report_mark(source.text, contents.records)
    return contents


def _admit_elements(source: _Text, document: Document, contents: _Contents) -> None:
    """Add the object that a document holds, or those that it lists, to the contents of its file."""
    for element in document.elements():
        if not isinstance(element.data, dict):
            from ..admission.identity import no_object

            contents.findings.extend(no_object(document, element, source.profile))
            continue
        most = max(1, MAX_FINDINGS - len(contents.findings))
        resource, found = admit_document(element, profile=source.profile, reference=source.reference, most=most)
        contents.findings.extend(found)
        if resource is not None:
            contents.resources.append(resource)
        elif str(element.data.get("kind")) in SECRET_MAKERS:
            contents.resources.extend(_made_secrets(element))


def _report_mark(text: bytes, records: Sequence[tuple[str, Document]]) -> Iterable[Finding]:
    return report_byte_order_mark(records) if text.startswith(BOM_UTF8) else ()


def _ytt_facts(source: _Text) -> Facts | None:
    """Return the facts of a template of ytt, counted if it hints at a kind or record; ``None`` for other files."""
    from ..reading.template import is_of_ytt
    from .unread import has_hint

    whole = decode(source.text)
    if not is_of_ytt(whole):
        return None
    return Facts(
        file=source.file, delivery=DeliveryObjects(templates=int(has_hint(whole, source.file, source.profile)))
    )


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
