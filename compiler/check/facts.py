"""The facts of one file, found without a look at any other: read, recognised, admitted.

Facts are all that the rest of a check needs of a file. They may come from the text itself, from another process or
from the cache; the text is then opened again where a place in it is asked for (`serialize.py`).
"""

from __future__ import annotations

from codecs import BOM_UTF8
from typing import TYPE_CHECKING, NamedTuple

from ..admission.admit import admit_document, is_object
from ..diagnostics.budget import OF_FILE, Budget
from ..diagnostics.plain import mapping
from ..diagnostics.version import RELEASE
from ..project import input_kind, kustomize
from ..project.kustomize import DeliveryObjects
from ..reading.bound import MAX_FINDINGS
from ..reading.document import Document, count_documents, read_documents
from ..reading.excerpt import decode
from ..toolhive.profile import TOOLHIVE, Profile
from ..workspace.index import SECRET_MAKERS
from ..workspace.other_kind import VMCP_FILE, other_object
from ..workspace.resource import Resource
from ..workspace.workspace import CORE_KINDS
from . import dialect
from .relevance import droppable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..admission.reference import SchemaOf
    from ..diagnostics.finding import Finding
    from ..project.input_kind import InputKind
    from ..project.kustomization import Kustomization
    from ..reading.suppression_comment import Ignore


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
        others: The objects of other programs that lints look at; likewise.
        records: Other documents of ours, each with the name of its input kind.
        delivery: What the file says about how the project is delivered.
        skills: The folders of skills that its records name.
        ignores: What its comments suppress.
    """

    file: str
    findings: Sequence[Finding] = ()
    documents: int = 0
    resources: Sequence[Resource] = ()
    others: Sequence[Resource] = ()
    records: Sequence[tuple[str, Document]] = ()
    delivery: DeliveryObjects = DeliveryObjects()
    skills: frozenset[str] = frozenset()
    ignores: Sequence[Ignore] = ()
    judgment: Judgment = Judgment()
    stored: Stored = Stored()

    @property
    def is_judged(self) -> bool:
        """Whether another release may find something else in it: it holds objects of ours, or patches of them."""
        patched = any(not one.is_plain or one.patched for one in self.delivery.kustomizations)
        return self.has_own or patched or bool(self.findings or self.delivery.controllers)

    @property
    def has_own(self) -> bool:
        """Whether it holds objects of our kinds."""
        return any(one.kind not in CORE_KINDS for one in self.resources)


class _Contents(NamedTuple):
    """The findings and objects of a file, to which one document after the other adds; attributes as of `Facts`."""

    documents: Sequence[Document]
    findings: list[Finding]
    resources: list[Resource]
    others: list[Resource]
    records: list[tuple[str, Document]]
    delivery: list[DeliveryObjects]
    skills: set[str]


class _Text(NamedTuple):
    """The text of a file, and how it is read.

    Attributes:
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
        file: The name of the file, as findings print it.
        profile: The names that the operator goes by.
        forced: The input kind that the text is taken for, whatever it looks like.
        reference: The schemas by which the libraries jsonschema and cel-python decide, where they do.
        named: Whether the file was named itself, and did not merely turn up in a folder.
    """
    source = _Text(text, file, profile, reference, Budget(OF_FILE))
    if forced is not None:
        return _forced_facts(source, forced)
    if b"#@" in text:
        from .unread import count_ytt_templates

        templates = count_ytt_templates(text, file, profile)
        if templates is not None:
            return Facts(file=file, delivery=DeliveryObjects(templates=templates))
    documents, findings, count, template_lines = _read(source, named=named)
    contents = _contents(source, documents, findings)
    pins = kustomize.read_pins(contents.documents, text, profile)
    return Facts(
        file=file,
        # Of most files nearly all are empty, and an empty tuple takes no memory of its own.
        findings=tuple(contents.findings),
        documents=count,
        resources=tuple(contents.resources),
        others=tuple(contents.others),
        records=tuple(contents.records),
        delivery=kustomize.join_objects(contents.delivery, pins, template_lines),
        skills=frozenset(contents.skills),
        ignores=tuple(_ignores(text, file, template_lines)),
        judgment=_judgment(source, contents.documents, contents.records, contents.findings),
    )


def read_values(text: bytes, file: str, product: str) -> Facts | None:
    """Return the facts of a file that can only hold values of the operator's chart, or ``None`` if it has none.

    A file that cannot be read is not reported, because other programs may fill it in first.
    """
    documents, refused = read_documents(text, file)
    objects = [] if refused else [other_object(document, product) for document in documents]
    values = tuple([other for other in objects if other is not None])
    return Facts(file=file, others=values) if values else None


def _forced_facts(source: _Text, kind: InputKind) -> Facts:
    """Return the facts of a text that is taken for a record of one kind."""
    documents, findings, count = dialect.read_as(source.text, source.file, kind, source.budget)
    records = [(kind.name, document) for document in documents]
    return Facts(
        file=source.file,
        findings=tuple(findings),
        documents=count,
        records=tuple(records),
        ignores=tuple(_ignores(source.text, source.file, ())) if kind.form == "document" else (),
        judgment=_judgment(source, documents, records, findings),
    )


def _judgment(
    source: _Text, documents: Sequence[Document], records: Sequence[tuple[str, Document]], findings: Sequence[Finding]
) -> Judgment:
    """Return which release has judged a file, and where the file needs a newer one; arguments as of `line_of_newer`."""
    profile = source.profile
    later = (profile.is_later(element.data) for document in documents for element in document.elements())
    if profile.release is not None or not (findings or records or profile.crds is not None or any(later)):
        return Judgment(profile.installed_release)
    from .newer import line_of_newer

    return Judgment(profile.installed_release, line_of_newer(documents, records, findings, profile))


def _read(source: _Text, *, named: bool) -> tuple[list[Document], Sequence[Finding], int, Sequence[tuple[int, int]]]:
    """Return the documents of a text, why others cannot be read, the number of both, and the lines of templates."""
    text, file = source.text, source.file
    dropped: list[bool] = []

    def drops(texts: Sequence[str]) -> Sequence[bool]:
        dropped.extend(droppable(texts, file, source.profile))
        return dropped

    documents, read = read_documents(text, file, budget=source.budget, drops=drops)
    count = count_documents(documents, read) + sum(dropped)
    if not read:
        return documents, read, count, ()
    if not documents and (first := dialect.read_lenient_record(text, file, None)) is not None:
        return [first[0]], first[1], count, ()
    from .unread import sort_out

    unread = sort_out(decode(text), file, read, source.profile, named=named)
    return documents, unread.findings, count - len(unread.documents), unread.templates


def _contents(source: _Text, documents: Sequence[Document], refused: Sequence[Finding]) -> _Contents:
    """Return what the documents of a file hold, and their findings after those of the reader, ``refused``."""
    generated: Sequence[Kustomization] = ()
    if b"ResourceSet" in source.text:
        from .expansion import expand_resource_sets

        documents, generated, beyond = expand_resource_sets(documents, source.budget)
        refused = [*refused, *beyond]
    contents = _Contents(documents, [*refused], [], [], [], [DeliveryObjects(tuple(generated))], set())
    findings, profile = contents.findings, source.profile
    for document in documents:
        delivery = kustomize.read_objects(document, source.file, source.text, source.budget)
        if delivery is not None:
            contents.delivery.append(delivery)
            _admit_values(source, document, contents)
            if (other := other_object(document, profile.product)) is not None:
                contents.others.append(other)
                if other.kind == "Kustomization":
                    findings += _misstated_health_checks(document, profile)
            for above in kustomize.patch_holders(document.data):
                from .patch import written_out

                findings += written_out(document, profile, above)
            if source.budget.refused:
                from .expansion import report_refusal

                findings.append(report_refusal(source.budget, document))
        elif is_object(document.data, profile):
            if (beginning := document.odd_beginning()) is not None:
                findings.append(dialect.report_beginning(document, *beginning))
            _admit_elements(source, document, contents)
        else:
            contents.skills.update(input_kind.recorded_skills(document.data))
            if (kind := input_kind.recognize(document.data)) is None:
                if (other := other_object(document, profile.product)) is not None:
                    contents.others.append(other)
            else:
                record, found = dialect.read_in_dialect(document, kind, source.text)
                findings += [one for one in found if one not in refused]
                contents.records.append((kind.name, dialect.as_its_program_reads(record, kind)))
                if kind.name == "vmcp" and b".svc" in source.text:
                    contents.others.append(
                        Resource(record, record.data, VMCP_FILE, source.file, None, stated_references=())
                    )
    if source.text.startswith(BOM_UTF8):
        findings += dialect.report_byte_order_mark(contents.records)
    return contents


def _admit_elements(source: _Text, document: Document, contents: _Contents) -> None:
    """Add the object that a document holds, or those that it lists, to the contents of its file."""
    for element in document.elements():
        if not isinstance(element.data, dict):
            from ..admission.identity import no_object

            contents.findings.extend(no_object(document, element, source.profile))
            continue
        _admit_values(source, element, contents)
        most = max(1, MAX_FINDINGS - len(contents.findings))
        resource, found = admit_document(element, profile=source.profile, reference=source.reference, most=most)
        contents.findings.extend(found)
        if resource is not None:
            contents.resources.append(resource)
        elif (other := other_object(element, source.profile.product)) is not None:
            contents.others.append(other)
        elif str(element.data.get("kind")) in SECRET_MAKERS:
            from ..project.generated_secret import generated_secrets

            contents.resources.extend(generated_secrets(element))


def _admit_values(source: _Text, document: Document, contents: _Contents) -> None:
    """Add the objects that the values of a Helm release hold to the contents of its file."""
    if (
        mapping(document.data).get("kind") in ("Application", "HelmRelease")
        and source.profile.api_group.encode() in source.text
    ):
        from ..project.value_object import value_objects

        for element in value_objects(document, source.profile.api_group):
            _admit_elements(source, element, contents)


def _misstated_health_checks(document: Document, profile: Profile) -> Iterator[Finding]:
    """Yield what keeps a Kustomization of Flux from finding the kinds for which it waits."""
    from ..admission.identity import identity_findings, subject_of
    from ..diagnostics.fault_to_finding import restaged
    from ..workspace.other_kind import health_checks

    subject = subject_of(document.data, "")
    for path, check in health_checks(document.data).items():
        if check.get("apiVersion"):
            for finding in identity_findings(document.part(path, check), profile, ""):
                yield restaged(finding, "lint")._replace(subject=subject)


def _ignores(text: bytes, file: str, templates: Sequence[tuple[int, int]]) -> Sequence[Ignore]:
    """Return what comments suppress, but for those in templates: what they are about shows once that is rendered."""
    if b"mcpcfg:" not in text:
        return ()
    from ..reading.suppression_comment import ignores

    found = ignores(text.decode("utf-8", "replace"), file)
    return [one for one in found if not any(first <= one.span.line <= last for first, last in templates)]
