"""Checking what kustomize or flux makes of a project, with places in the files that people edit."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from ..admission.table import KINDS
from ..diagnostics.finding import Note
from ..diagnostics.plain import listed, value_at
from ..disk.files import FoundFile
from ..disk.renderer import output_of, output_over_copy
from ..project import kustomize, suppression
from ..project.remote import remote_of
from ..reading.document import read_documents
from ..workspace.layout import folders_above
from .full import check, read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..diagnostics.finding import Finding
    from ..diagnostics.span import Path, Span
    from ..project.discovery import Project
    from ..project.settings import Options
    from ..reading.document import Document
    from ..workspace.resource import Resource
    from .full import Report
    from .merge import Loaded

Renderer: TypeAlias = Literal["kustomize", "flux"]
_FILE: Final = "(rendered).yaml"


class _Root(NamedTuple):
    """What is rendered as one.

    Attributes:
        folder: That is rendered.
        place: The kustomization that has it rendered.
        files: Whatever of the project goes into it.
        arguments: Of the program.
        beside: What Flux takes with the folder: components, and folders below one without a kustomization.
    """

    folder: str
    place: Document
    files: frozenset[str]
    arguments: tuple[str, ...]
    beside: tuple[str, ...] = ()

    @property
    def rendered(self) -> str:
        """How the project calls what is rendered."""
        return os.path.normpath(os.path.join(self.folder, f"{self.place.index}-{_FILE}"))


def check_rendered(project: Project, options: Options, renderer: Renderer, program: str) -> tuple[Report, list[str]]:
    """Check a project with what a program renders in place of the files that go into it.

    Args:
        project: The files.
        options: How they are read.
        renderer: Which program it is.
        program: Its path.

    Returns:
        The report, whose places are those of the files of the project, and what was not rendered and why, a sentence
        each.

    Raises:
        InputError: The program fails.
    """
    sources = read(project, options)
    found = _of_flux(sources) if renderer == "flux" else _of_kustomize(sources)
    ours = {one.document.file for one in sources.resources if one.kind in KINDS}
    roots: dict[str, _Root] = {}
    remarks: list[str] = []
    buffers = dict(options.buffers)
    for root in found:
        if ours.isdisjoint(root.files):
            continue
        remote = remote_of(root.folder, root.beside)
        if remote is not None:
            remarks.append(f"{root.folder} is checked as it is written: it names {remote}, and nothing is fetched")
            continue
        if renderer == "flux":
            buffers[root.rendered] = output_over_copy(program, root.arguments, root.folder, root.files)
        else:
            buffers[root.rendered] = output_of(program, root.arguments)
        roots[root.rendered] = root
    gone = {file for root in roots.values() for file in root.files}
    files = [one for one in project.files if one.path not in gone]
    files += [FoundFile(name, is_named=True) for name in roots]
    whole = project._replace(files=tuple(sorted(files)), reported=None)
    report = check(whole, options._replace(buffers=buffers))
    places = _Places(roots, sources, report)
    findings = [places.moved(one) for one in report.findings]
    for file in {one.span.file for one in findings} - report.loaded.texts.keys():
        report.loaded.texts.add(file, None)
    ignores = {file: comments for file, comments in sources.ignores.items() if file in gone}
    settled = [
        one
        for one in suppression.settle(findings, ignores, project)
        # A comment in a base may be about another overlay, or about the base alone.
        if one.rule != suppression.UNUSED_IGNORE.id or one.span.file not in gone
    ]
    settings = report.project.settings
    return report._replace(findings=settled, project=project._replace(settings=settings)), remarks


class _Places:
    """The places in the files of a project of what was rendered of them."""

    def __init__(self, roots: dict[str, _Root], sources: Loaded, report: Report) -> None:
        self._roots = roots
        self._sources = sources
        self._in_patches = {(one.span.file, one.rule, one.message): one for one in sources.findings}
        self._rendered = {(one.document.file, one.document.index): one for one in report.loaded.resources}

    def moved(self, finding: Finding) -> Finding:
        """Return a finding at its place in the sources, or at the kustomization where it has none there."""
        root = self._roots.get(finding.span.file)
        if root is None:
            return finding._replace(notes=self._notes(finding))
        rendered = self._rendered.get((finding.span.file, finding.document or 0))
        source = None if rendered is None else self._source(root, rendered)
        place = None if rendered is None or source is None else _place(finding, rendered, source)
        notes = self._notes(finding)
        if place is not None and source is not None:
            span, path = place
            hidden = (span,) if finding.hidden else ()
            document = source.document
            path = (*document.prefix, *path)
            return finding._replace(span=span, document=document.index, path=path, notes=notes, hidden=hidden)
        asked = (self._in_patches.get((file, finding.rule, finding.message)) for file in sorted(root.files))
        patch = next((one for one in asked if one is not None), None)
        if patch is not None:
            return patch._replace(subject=finding.subject)
        if source is not None:
            notes += (source.note(f"{source.kind} {source.name!r} is declared here"),)
        first = next(iter(root.place.data), None)
        span = root.place.key_span(() if first is None else (first,))
        return finding._replace(span=span, document=root.place.index, path=None, notes=notes, hidden=())

    def _notes(self, finding: Finding) -> tuple[Note, ...]:
        """Return the notes of a finding; what was rendered is no place that can be looked up."""
        return tuple(
            [Note(text, None if span is None or span.file in self._roots else span) for text, span in finding.notes]
        )

    def _source(self, root: _Root, rendered: Resource) -> Resource | None:
        """Return what a resource was rendered of: the one of its name, else of the longest that is part of its own."""
        alike = [
            one for one in self._sources.resources if one.kind == rendered.kind and one.document.file in root.files
        ]
        same = [one for one in alike if one.name == rendered.name]
        stated = [one for one in same if one.metadata.get("namespace") in {None, rendered.namespace}]
        if same:
            return (stated or same)[0]
        return max((one for one in alike if one.name in rendered.name), key=lambda one: len(one.name), default=None)


def _place(finding: Finding, rendered: Resource, source: Resource) -> tuple[Span, Path] | None:
    """Return the place of a finding in the source; ``None`` where the source has something else there."""
    path = finding.path or ()
    there, made = source.document.data, rendered.document.data
    for step in path:
        inside = step in there if isinstance(there, dict) else isinstance(there, list) and step in range(len(there))
        if not inside:
            return None
        there = there[step]
    meant = value_at(made, path)
    is_object = isinstance(there, dict) and isinstance(meant, dict)
    # A name that an overlay extends is written in the source all the same.
    if there != meant and not is_object and path != ("metadata", "name"):
        return None
    document = rendered.document
    on_key = finding.span == document.key_span(path) != document.span(path)
    return (source.document.key_span(path) if on_key else source.document.span(path)), path


def _written(sources: Loaded) -> Iterator[tuple[str, Document]]:
    """Yield the documents of files that hold kustomizations or what applies folders."""
    for file, facts in sources.facts.items():
        if facts is not None and (facts.kustomizations or facts.deliveries):
            for document in read_documents(sources.texts[facts.file], facts.file)[0]:
                if isinstance(document.data, dict):
                    yield file, document


def _of_kustomize(sources: Loaded) -> Iterator[_Root]:
    """Yield the kustomizations that no other lists."""
    reached = _Reached(sources)
    for folder, document in reached.kustomizations.items():
        if folder not in reached.listed and document.data.get("kind") != "Component":
            yield _Root(folder, document, reached.by(folder), ("build", folder))


def _of_flux(sources: Loaded) -> Iterator[_Root]:
    """Yield the folders that Kustomizations of Flux apply; each stands in for the kustomization there."""
    reached = _Reached(sources)
    for file, document in _written(sources):
        data = document.data
        if not kustomize.is_delivery(data) or data.get("kind") != "Kustomization":
            continue
        name, namespace = (value_at(data, ("metadata", key)) for key in ("name", "namespace"))
        folder = _applied(file, value_at(data, ("spec", "path")))
        if folder is None or not isinstance(name, str):
            continue
        stated = ("--namespace", namespace) if isinstance(namespace, str) else ()
        arguments = ("build", "kustomization", name, *stated, "--path", folder, "--kustomization-file", file)
        beside = [one for one in listed(value_at(data, ("spec", "components"))) if isinstance(one, str)]
        if folder in reached.kustomizations:
            files = reached.by(folder)
        else:
            files = reached.below(folder)
            # Flux makes a kustomization of its own there, which lists those below.
            beside += sorted({os.path.relpath(os.path.dirname(file) or ".", folder) for file in files})
        files = files.union(*(reached.by(os.path.normpath(os.path.join(folder, one))) for one in beside))
        yield _Root(folder, document, files, (*arguments, "--dry-run"), tuple(beside))


def _applied(file: str, path: Any) -> str | None:
    """Return the folder that Flux applies: below the outermost folder around the file that has it."""
    if not isinstance(path, str):
        return None
    steps = os.path.dirname(os.path.normpath(file)).split(os.sep)
    around = [os.sep.join(steps[:count]) or "." for count in range(len(steps) + 1)]
    folders = (os.path.normpath(os.path.join(one, path.lstrip("/"))) for one in around)
    return next((folder for folder in folders if os.path.isdir(folder)), None)


class _Reached:
    """What kustomizations lead to.

    Attributes:
        kustomizations: By folder.
        listed: The files and folders that kustomizations list.
    """

    def __init__(self, sources: Loaded) -> None:
        self._files = [*sources.facts]
        written = [one for facts in sources.facts.values() if facts is not None for one in facts.kustomizations]
        self._by_folder = {os.path.normpath(one.folder or "."): one for one in written}
        self.listed = {path for one in written for path in one.listed}
        self.kustomizations = {
            os.path.normpath(os.path.dirname(file) or "."): document
            for file, document in _written(sources)
            if kustomize.is_kustomization(file, document.data)
        }

    def by(self, folder: str) -> frozenset[str]:
        """Return the files that the kustomization of a folder takes, and that of itself and of those that it lists."""
        waiting, seen, files = [folder], set[str](), set[str]()
        while waiting:
            here = waiting.pop()
            one = self._by_folder.get(here)
            if one is None or here in seen:
                continue
            seen.add(here)
            files |= {self.kustomizations[here].file} if here in self.kustomizations else set()
            files |= one.listed | one.patches
            waiting += one.listed
        return frozenset(files)

    def below(self, folder: str) -> frozenset[str]:
        """Return the files in a folder and below it, and of a kustomization below it what that takes."""
        inside = "" if folder == "." else f"{folder}{os.sep}"
        files = set[str]()
        for file in self._files:
            if file.startswith(inside):
                here = [one or "." for one in reversed(folders_above(file)) if f"{one}{os.sep}".startswith(inside)]
                built = next((one for one in here if one in self.kustomizations and one != folder), None)
                files |= {file} if built is None else self.by(built)
        return frozenset(files)
