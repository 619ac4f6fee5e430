"""The way of the data, in order, and nothing else: files → documents → resources → workspace → findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from . import files, inputs, kustomize
from .admission.admit import admit, is_later, is_object
from .document import Document, count_documents, read_documents
from .duplicate import duplicate
from .profile import TOOLHIVE, Profile
from .project import STANDARD_INPUT
from .reading.placeholder import is_placeholder
from .resource import UNKNOWN_NAMESPACE, Resource
from .workspace import CORE_KINDS, Workspace, World

if TYPE_CHECKING:
    from .finding import Finding
    from .project import Project


class Options(NamedTuple):
    """What a call says about how to read its files.

    Attributes:
        closed: The given files are all there is.
        namespace: For documents that state none; goes before the configuration's.
        read_as: The input kind that the first path is read as.
        first: That path.
        stdin_name: How standard input is called in findings.
        reference_engine: Whether the libraries jsonschema and cel-python decide, instead of the generated code.
    """

    closed: bool = False
    namespace: str | None = None
    read_as: str | None = None
    first: str | None = None
    stdin_name: str = "<stdin>"
    reference_engine: bool = False


class Loaded(NamedTuple):
    """The input of a call, read and admitted.

    Attributes:
        resources: Kubernetes objects of our kinds and of those that references lead to.
        records: Input kind to the documents of that kind.
        findings: What the reader and admission found.
        texts: File as findings name it to its text, for source lines.
        documents: How many non-empty documents were read.
    """

    resources: list[Resource]
    records: dict[str, list[Document]]
    findings: list[Finding]
    texts: dict[str, bytes]
    documents: int


class Report(NamedTuple):
    """The outcome of a check: findings sorted by place."""

    findings: list[Finding]
    loaded: Loaded
    workspace: Workspace


def check(project: Project, options: Options) -> Report:
    """Read, admit, resolve and judge the files of a call."""
    from mcpcfg.validators import engine

    from . import verdict

    loaded = load(project, options)
    workspace = Workspace(loaded.resources, _world(project, options))
    findings = loaded.findings + engine.run(workspace) + _record_findings(loaded, options)
    settled = verdict.settle(findings, loaded.texts, project)
    return Report(settled, loaded, workspace)


def load(project: Project, options: Options) -> Loaded:
    """Read and admit the files of a call."""
    loaded = Loaded([], {}, [], {}, 0)
    documents: list[Document] = []
    kustomizations: list[kustomize.Kustomization] = []
    count = 0
    for file in project.files:
        name = options.stdin_name if file.path == STANDARD_INPUT else file.path
        text = files.read_stdin(name) if file.path == STANDARD_INPUT else files.read_file(file)
        if not isinstance(text, bytes):
            loaded.findings.append(text)
            continue
        if not (file.is_named or inputs.worth_reading(text)):
            continue
        forced = inputs.named(options.read_as) if options.read_as and file.path == options.first else None
        found, findings = read_documents(text, name, dialect=forced.dialect if forced else "kubernetes")
        loaded.texts[name] = text
        loaded.findings.extend(findings)
        count += count_documents(found, findings)
        for document in found:
            if forced is not None:
                loaded.records.setdefault(forced.name, []).append(document)
            elif kustomize.is_kustomization(name, document.data):
                kustomizations.append(kustomize.read(name, document.data))
            elif is_object(document.data, project.settings.profile):
                documents.extend(document.elements())
            else:
                kind = inputs.recognise(document.data)
                if kind is not None:
                    loaded.records.setdefault(kind.name, []).append(document)
    _admit_all(documents, kustomize.namespaces(kustomizations), project, options, loaded)
    return loaded._replace(documents=count)


def _admit_all(
    documents: list[Document], namespaces: dict[str, str], project: Project, options: Options, loaded: Loaded
) -> None:
    unstated = options.namespace or project.settings.namespace or ("default" if options.closed else None)
    seen: dict[tuple[str, str | None, str], Resource] = {}
    later = False
    for document in documents:
        namespace = namespaces.get(document.file, unstated)
        resource, findings = admit_document(
            document, namespace, profile=project.settings.profile, reference=options.reference_engine
        )
        loaded.findings.extend(findings)
        if resource is None:
            continue
        if not later and is_later(resource.data, project.settings.profile):
            from .admission.identity import later_version_finding

            later = True
            loaded.findings.append(later_version_finding(document, resource.printed_namespace))
        first = seen.setdefault((resource.kind, resource.namespace, resource.name), resource)
        if first is not resource and not is_placeholder(resource.name):
            loaded.findings.append(duplicate(resource, first))
            resource.admitted = False
        loaded.resources.append(resource)


def admit_document(
    document: Document, namespace: str | None, *, profile: Profile = TOOLHIVE, reference: bool = False
) -> tuple[Resource | None, list[Finding]]:
    """Admit one document; the resource is ``None`` where it is of another program, or has no name to be known by.

    Args:
        document: An object, already taken out of its ``List``.
        namespace: Of a document that states none; ``None`` where nothing says it.
        profile: The names that the operator goes by.
        reference: Whether the libraries decide.
    """
    outcome = admit(document, profile=profile, namespace=namespace or UNKNOWN_NAMESPACE, reference=reference)
    kind = outcome.kind
    if kind is None and document.data.get("apiVersion") == "v1" and document.data.get("kind") in CORE_KINDS:
        kind = document.data["kind"]
    metadata = document.data.get("metadata")
    name = metadata.get("name") if isinstance(metadata, dict) else None
    if kind is None or not isinstance(name, str):
        return None, outcome.findings
    stated = metadata.get("namespace") if isinstance(metadata, dict) else None
    resource = Resource(
        document,
        outcome.data,
        kind,
        name,
        stated if isinstance(stated, str) and stated else namespace,
        admitted=outcome.admitted,
        has_unknown_values=outcome.has_unknown_values,
        renamed=outcome.renamed,
    )
    return resource, outcome.findings


def _world(project: Project, options: Options) -> World:
    return World(closed=options.closed, external=project.settings.external, complete=project.complete)


def _record_findings(loaded: Loaded, options: Options) -> list[Finding]:
    findings: list[Finding] = []
    for kind in inputs.KINDS:
        documents = loaded.records.get(kind.name)
        if documents:
            check_record = inputs.checker(kind)
            for document in documents:
                findings.extend(check_record(document, loaded.records, closed=options.closed))
    return findings
