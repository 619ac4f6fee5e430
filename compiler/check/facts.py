"""Collect the facts of a file: read it, recognize its documents and admit its resources, without any other file.

The rest of a check needs nothing else of a file. Facts come from the text, from another process or from the cache. If
they do not come from the text, it is opened again only to look up a position in it (`serialize.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..admission.admit import admit_document, is_object
from ..diagnostics.budget import OF_FILE, Budget
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.plain import mapping
from ..project import input_kind, kustomize
from ..project.kustomize import DeliveryObjects
from ..reading.bound import MAX_FINDINGS
from ..reading.document import Document, count_documents, read_documents
from ..reading.excerpt import decode
from ..toolhive.profile import TOOLHIVE, Profile
from ..toolhive.release import NEWEST_MODELLED
from ..workspace.index import SECRET_MAKERS
from ..workspace.other_kind import VMCP_FILE, other_object
from ..workspace.resource import Resource
from ..workspace.workspace import CORE_KINDS
from . import dialect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..admission.reference import SchemaOf
    from ..diagnostics.finding import Finding
    from ..project.input_kind import InputKind
    from ..project.kustomization import Kustomization
    from ..reading.suppression_comment import Ignore


class Facts(NamedTuple):
    """The facts of one file.

    Attributes:
        file: The path in findings.
        findings: The findings of the reader and of admission. If a document states no namespace, the namespace of the
            subject is ``UNSTATED``.
        documents: The number of non-empty documents.
        resources: Objects of the operator and of kinds that references name. Defaults of the schema are applied. The
            namespace is the one in the document; the default namespace is not filled in yet.
        others: Objects of other programs that lints read, with a namespace like ``resources``.
        records: Other documents that mcpcfg checks, each with the name of its input kind.
        delivery: Statements of the file about the delivery of the project to clusters.
        skills: The folders of skills that records of the file name.
        ignores: The rules that comments suppress, with their lines.
        release: The release of the operator that the file was checked for.
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
    release: str = NEWEST_MODELLED

    @property
    def depends_on_release(self) -> bool:
        """True if another release may judge the file differently.

        This is assumed if the file has objects of the operator, patches, findings, or objects of Flux or Argo CD that
        may contain such objects or patches.
        """
        patched = any(
            not kustomization.is_plain or kustomization.patched for kustomization in self.delivery.kustomizations
        )
        is_judged = any(delivery.is_judged for delivery in self.delivery.controllers)
        return self.has_operator_objects or patched or is_judged or bool(self.findings)

    @property
    def has_operator_objects(self) -> bool:
        """True if the file has objects of the operator."""
        return any(resource.kind not in CORE_KINDS for resource in self.resources)


class _Contents(NamedTuple):
    """The findings and objects of a file while its documents are read. The attributes are those of `Facts`."""

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
        reference: The schemas for jsonschema and cel-python; ``None`` unless these libraries judge the file.
        budget: Limit on the characters, objects and steps that expanding aliases, ResourceSets and ApplicationSets of
            the file may use.
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
    """Return the facts of a file.

    Args:
        file: The path in findings.
        forced: The input kind of the text; default: it is recognized.
        reference: The schemas for jsonschema and cel-python, if these libraries judge the file.
        named: True if the call names the file, false if the file was found in a folder.
    """
    source = _Text(text, file, profile, reference, Budget(OF_FILE))
    if forced is not None:
        return _forced_facts(source, forced)
    if b"#@" in text:
        # Before parsing: templates of ytt are valid YAML whose comments change the data.
        from .unread import count_ytt_templates

        templates = count_ytt_templates(text, file, profile)
        if templates is not None:
            return Facts(file=file, delivery=DeliveryObjects(templates=templates))
    documents, findings, count, template_lines = _read(source, named=named)
    contents = _contents(source, documents, findings)
    return Facts(
        file=file,
        # Most of these are empty, and all empty tuples are one object, which saves memory.
        findings=tuple(contents.findings),
        documents=count,
        resources=tuple(contents.resources),
        others=tuple(contents.others),
        records=tuple(contents.records),
        delivery=kustomize.join_objects([*contents.delivery, DeliveryObjects(templates=len(template_lines))]),
        skills=frozenset(contents.skills),
        ignores=tuple(_ignores(text, file, template_lines)),
        release=profile.installed_release,
    )


def read_values(text: bytes, file: str, product: str) -> Facts | None:
    """Return the facts of a file that can only contain values of the operator's chart, or ``None`` if it contains none.

    Faults of the text are not reported, because another program may fill in the file first.
    """
    documents, faults = read_documents(text, file)
    objects = [] if faults else [other_object(document, product) for document in documents]
    values = tuple([other for other in objects if other is not None])
    return Facts(file=file, others=values) if values else None


def _forced_facts(source: _Text, kind: InputKind) -> Facts:
    documents, findings, count = dialect.read_as(source.text, source.file, kind, source.budget)
    records = [(kind.name, document) for document in documents]
    return Facts(
        file=source.file,
        findings=tuple(findings),
        documents=count,
        records=tuple(records),
        ignores=tuple(_ignores(source.text, source.file, ())) if kind.form == "document" else (),
        release=source.profile.installed_release,
    )


def _read(source: _Text, *, named: bool) -> tuple[list[Document], Sequence[Finding], int, Sequence[tuple[int, int]]]:
    """Return the documents of a text, findings about unreadable ones, the number of documents, and the template lines.

    The template lines are pairs of a first and a last line. The number counts unreadable documents, and documents of
    other programs, which are not parsed. It does not count templates.

    Args:
        named: True if the call names the file, see `sort_unread`.
    """
    text, file = source.text, source.file
    dropped: list[bool] = []

    def drops(texts: Sequence[str]) -> Sequence[bool]:
        # A document that names the product is never dropped, and most files with objects of the operator have no other.
        if all(source.profile.product in text for text in texts):
            dropped.extend([False] * len(texts))
        else:
            from .relevance import droppable

            dropped.extend(droppable(texts, file, source.profile))
        return dropped

    documents, read = read_documents(text, file, budget=source.budget, drops=drops)
    count = count_documents(documents, read) + sum(dropped)
    if not read:
        return documents, read, count, ()
    if not documents and (first := dialect.read_lenient_record(text, file, None)) is not None:
        return [first[0]], first[1], count, ()
    from .unread import sort_unread

    unread = sort_unread(decode(text), file, read, source.profile, named=named)
    return documents, unread.findings, count - len(unread.documents), unread.templates


def _contents(source: _Text, documents: Sequence[Document], refused: Sequence[Finding]) -> _Contents:
    """Return the contents of the documents of a file. ``refused`` are the findings of the reader, which come first."""
    generating: Sequence[Kustomization] = ()
    # The bytes are searched first, here and below: few files need these modules, and importing them takes time.
    if b"ResourceSet" in source.text and any(mapping(item.data).get("kind") == "ResourceSet" for item in documents):
        from .expansion import expand_resource_sets

        documents, generating, expansion_findings = expand_resource_sets(documents, source.budget)
        refused = [*refused, *expansion_findings]
    profile = source.profile
    pins = kustomize.read_pins(documents, source.text, profile)
    contents = _Contents(documents, [*refused], [], [], [], [DeliveryObjects(tuple(generating), pins=pins)], set())
    findings = contents.findings
    for document in documents:
        delivery = kustomize.read_objects(document, source.text, source.budget)
        if delivery is not None:
            contents.delivery.append(delivery)
            _admit_values(source, document, contents)
            if (other := other_object(document, profile.product)) is not None:
                contents.others.append(other)
                if other.kind == "Kustomization":
                    from ..admission.identity import misstated_health_checks

                    findings += misstated_health_checks(document, profile)
            for above in kustomize.patch_holders(document.data):
                from .patch_fault import inline_patch_findings

                findings += inline_patch_findings(document, profile, above)
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
                # A record may be read by other YAML rules than the document that it was recognized in.
                record, record_findings = dialect.read_in_dialect(document, kind, source.text)
                findings += [finding for finding in record_findings if finding not in refused]
                contents.records.append((kind.name, record))
                if kind.name == "vmcp" and b".svc" in source.text:
                    contents.others.append(
                        Resource(record, record.data, VMCP_FILE, source.file, None, stated_references=())
                    )
    if contents.records:
        findings += dialect.report_byte_order_mark(source.text, contents.records)
    return contents


def _admit_elements(source: _Text, document: Document, contents: _Contents) -> None:
    for element in document.elements():
        if not isinstance(element.data, dict):
            from ..admission.identity import no_object

            contents.findings.extend(no_object(document, element, source.profile))
            continue
        _admit_values(source, element, contents)
        most = max(1, MAX_FINDINGS - len(contents.findings))
        resource, element_findings = admit_document(
            element, profile=source.profile, reference=source.reference, most=most
        )
        contents.findings.extend(element_findings)
        if resource is not None:
            contents.resources.append(resource)
        elif (other := other_object(element, source.profile.product)) is not None:
            contents.others.append(other)
        # Not an object of the operator: a controller makes Secrets of it, and references may resolve to these.
        elif str(element.data.get("kind")) in SECRET_MAKERS:
            from ..project.generated_secret import generated_secrets

            contents.resources.extend(generated_secrets(element))


def _admit_values(source: _Text, document: Document, contents: _Contents) -> None:
    if (
        mapping(document.data).get("kind") in ("Application", "HelmRelease")
        and source.profile.api_group.encode() in source.text
    ):
        from ..project.value_object import value_objects

        for element in value_objects(document, source.profile.api_group):
            _admit_elements(source, element, contents)


def _ignores(text: bytes, file: str, templates: Sequence[tuple[int, int]]) -> Sequence[Ignore]:
    """Return the rules that comments suppress, with their lines. Comments in templates do not count."""
    if b"mcpcfg:" not in text:
        return ()
    from ..reading.suppression_comment import ignores

    all_ignores = ignores(text.decode("utf-8", "replace"), file)
    return [ignore for ignore in all_ignores if not any(first <= ignore.span.line <= last for first, last in templates)]
