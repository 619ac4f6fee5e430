"""The way of the data, in order, and nothing else: files → documents → resources → workspace → findings."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from . import files, inputs, kustomize
from .duplicate import duplicate
from .facts import Facts, read_facts, with_namespace
from .project import STANDARD_INPUT
from .reading.placeholder import is_placeholder
from .workspace import Workspace, World

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .document import Document
    from .files import FoundFile
    from .finding import Finding
    from .project import Project
    from .reading.silence import Ignore
    from .resource import Resource


class Options(NamedTuple):
    """What a call says about how to read its files.

    Attributes:
        closed: The given files are all there is.
        namespace: For documents that state none; goes before the configuration's.
        read_as: The input kind that the first path is read as.
        first: That path.
        stdin_name: How standard input is called in findings.
        reference_engine: Whether the libraries jsonschema and cel-python decide, instead of the generated code.
        stdin_text: What standard input held, where it has been read already.
    """

    closed: bool = False
    namespace: str | None = None
    read_as: str | None = None
    first: str | None = None
    stdin_name: str = "<stdin>"
    reference_engine: bool = False
    stdin_text: bytes | None = None


class Loaded(NamedTuple):
    """The input of a call, read and admitted.

    Attributes:
        resources: Kubernetes objects of our kinds and of those that references lead to.
        records: Input kind to the documents of that kind.
        findings: What the reader and admission found.
        texts: File as findings name it to its text, for source lines.
        documents: How many non-empty documents were read.
        ignores: What comments silence, by file.
    """

    resources: list[Resource]
    records: dict[str, list[Document]]
    findings: list[Finding]
    texts: Mapping[str, bytes]
    documents: int
    ignores: dict[str, Sequence[Ignore]]


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
    settled = verdict.settle(findings, loaded.ignores, project)
    return Report(settled, loaded, workspace)


def load(project: Project, options: Options) -> Loaded:
    """Read and admit the files of a call."""
    texts: dict[str, bytes] = {}
    found: list[Facts] = []
    for file in _files(project, options):
        facts = _read(file, project, options, texts)
        if facts is not None:
            found.append(facts)
    return join(found, texts, project, options)


def _files(project: Project, options: Options) -> Iterator[FoundFile]:
    """Yield the files to read. Of a folder that is read as a skill its ``SKILL.md`` stands for all that is in it."""
    folder = _first(options) if options.read_as == "skill" else None
    if folder is None or not os.path.isdir(folder):
        yield from project.files
        return
    yield files.FoundFile(os.path.normpath(f"{folder}/{inputs.SKILL_FILE}"), is_named=True)
    inside = "" if folder == "." else f"{folder.rstrip('/')}/"
    yield from (file for file in project.files if not file.path.startswith(inside) or (not inside and file.is_named))


def _first(options: Options) -> str | None:
    """Give the first path as the list of files has it."""
    return options.first if options.first in {None, "", STANDARD_INPUT} else os.path.normpath(str(options.first))


def _read(file: FoundFile, project: Project, options: Options, texts: dict[str, bytes]) -> Facts | None:
    """Give the facts of one file, ``None`` where it holds nothing of ours."""
    name = options.stdin_name if file.path == STANDARD_INPUT else file.path
    forced = inputs.named(options.read_as) if options.read_as and file.path == _first(options) else None
    kind = forced or inputs.by_name(name)
    is_skill = kind is not None and kind.name == "skill"
    if file.path == STANDARD_INPUT:
        text = files.read_stdin(name) if options.stdin_text is None else options.stdin_text
    else:
        text = files.read_file(file._replace(is_named=file.is_named and not is_skill))
    if not isinstance(text, bytes):
        if not is_skill:
            return Facts(name, [text], 0)
        text = b""  # the check of the folder says why
    if not (file.is_named or kind is not None or inputs.worth_reading(text) or kustomize.is_file_name(file.path)):
        return None
    texts[name] = text
    profile = project.settings.profile
    return read_facts(text, name, profile=profile, forced=kind, reference=options.reference_engine)


def join(found: list[Facts], texts: Mapping[str, bytes], project: Project, options: Options) -> Loaded:
    """Put the facts of all files together: namespaces from outside of the documents, and identities declared twice."""
    loaded = Loaded([], {}, [], texts, sum(facts.documents for facts in found), {})
    namespaces = kustomize.namespaces([one for facts in found for one in facts.kustomizations])
    unstated = options.namespace or project.settings.namespace or ("default" if options.closed else None)
    seen: dict[tuple[str, str | None, str], Resource] = {}
    later = False
    for facts in found:
        namespace = namespaces.get(facts.file, unstated)
        if facts.findings:
            loaded.findings.extend(with_namespace(facts.findings, namespace))
        if facts.ignores:
            loaded.ignores[facts.file] = facts.ignores
        for kind, document in facts.records:
            loaded.records.setdefault(kind, []).append(document)
        for resource in facts.resources:
            if resource.namespace is None:
                resource.namespace = namespace
            first = seen.setdefault((resource.kind, resource.namespace, resource.name), resource)
            if first is not resource and not is_placeholder(resource.name):
                loaded.findings.append(duplicate(resource, first))
                resource.admitted = False
        if facts.later is not None and not later:
            later = True
            from .admission.identity import later_version_finding

            loaded.findings.append(later_version_finding(facts.later.document, facts.later.printed_namespace))
        loaded.resources.extend(facts.resources)
    return loaded


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
