"""The way of the data, in order, and nothing else: files → documents → resources → workspace → findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mcpcfg.compiler.intake.gather import files_of, load_parts, order_of, texts_of
from mcpcfg.compiler.intake.options import Options
from mcpcfg.compiler.intake.stored import LateFindings

from .join import Loaded, Piece, join, told_once
from .judged import judge_loaded, within
from .progress import stage

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Mapping, Sequence

    from mcpcfg.compiler.intake.gather import Known
    from mcpcfg.compiler.intake.memory import Keeper

    from .finding import Finding
    from .judged import Judged
    from .project.discovery import Project
    from .reading.silence import Ignore
    from .workspace import Workspace


__all__ = ["Loaded", "News", "Options", "Report", "check", "load"]


_WARM = 4
"""Where more than one file of so many has changed all are read: several processes do that sooner."""


class News(NamedTuple):
    """What is told otherwise than last time.

    Attributes:
        files: The files about which that may be so, also those that are gone; of others the same is told.
        findings: In these files, sorted by place.
    """

    files: Collection[str]
    findings: Sequence[Finding]


class Report(NamedTuple):
    """The outcome of a check.

    Attributes:
        findings: Sorted by place.
        loaded: What was read.
        workspace: The resources with what they refer to.
        nothing: Whether there was nothing to check.
        news: What is told otherwise than last time, where that is known.
    """

    findings: Sequence[Finding]
    loaded: Loaded
    workspace: Workspace
    nothing: bool
    news: News | None = None


def check(
    project: Project,
    options: Options,
    *,
    findings_alone: bool = False,
    known: Sequence[Known] | None = None,
    keeper: Keeper | None = None,
) -> Report:
    """Read, admit, resolve and judge the files of a call.

    Args:
        project: The files.
        options: How they are read.
        findings_alone: Whether the findings are all that is asked for: the report may hold resources that would have to
            be read again.
        known: Facts of files that need not be read.
        keeper: What knows of the check before, where findings alone are asked for.
    """
    if findings_alone:
        return _check_findings(project, options, keeper)
    return _report(judge_loaded(load(project, options, known or ()), project, options), project, options)


def _check_findings(project: Project, options: Options, keeper: Keeper | None) -> Report:
    """Check in one process or several, with what is known from last time."""
    judged = None
    if keeper is not None and _WARM * (len(project.files) - len(keeper.unchanged)) <= len(project.files):
        from . import warm

        judged = warm.judge(project, options, keeper)
    if judged is None:
        from . import cold

        judged = cold.judge(project, options, keep=keeper is not None)
    report = _report(judged, project, options)
    if keeper is not None and judged.kept is not None:
        with stage("write the cache"):
            keeper.save(judged.kept)
    return report


def _report(judged: Judged, project: Project, options: Options) -> Report:
    """Put together what was found, and settle what is told of it."""
    loaded, workspace, touched = judged.loaded, judged.workspace, judged.touched
    if touched is None or project.reported is not None:
        findings = _settled(judged, project, options, project.reported)
        return Report(findings, loaded, workspace, not (findings or _has_own(loaded, project.reported)))
    news = News(touched, _settled(judged, project, options, touched))
    everything = LateFindings(lambda: _settled(judged, project, options))
    return Report(everything, loaded, workspace, not (_has_own(loaded, None) or everything), news)


def _settled(judged: Judged, project: Project, options: Options, files: Collection[str] | None = None) -> list[Finding]:
    """Give what is told, of all files or of some: what is told of one is settled without a look at others."""
    from . import verdict

    loaded = judged.loaded
    findings = [*within(loaded.findings, files), *told_once(list(judged.findings(files)), loaded)]
    ignores: Mapping[str, Sequence[Ignore]] = loaded.ignores
    if files is not None:
        ignores = {file: found for file, found in ignores.items() if file in files}
    with stage("records"):
        findings += _record_findings(loaded, project, options)
    with stage("settle"):
        return verdict.settle(findings, ignores, project)


def _has_own(loaded: Loaded, reported: Container[str] | None) -> bool:
    """Tell whether the files that are reported on hold anything to check."""
    if reported is None:
        return bool(loaded.resources or loaded.records)
    own = {document.file for found in loaded.records.values() for document in found}
    return any(file in reported for file in (*own, *loaded.resources.files))


def load(project: Project, options: Options, known: Sequence[Known] = ()) -> Loaded:
    """Read and admit the files of a call, but for those of which all is known."""
    texts = texts_of(project, options)
    with stage("read and admit files"):
        parts = load_parts(project, options, texts, known)
    with stage("join"):
        order = order_of(files_of(project, options)) if known else None
        return join([Piece(part) for part in parts], texts, project, options, order)


def _record_findings(loaded: Loaded, project: Project, options: Options) -> list[Finding]:
    if not loaded.records:
        return []
    from . import input_kind
    from .surroundings import Surroundings

    findings: list[Finding] = []
    around = Surroundings(options.closed, project.settings.secrets_provider)
    for kind in input_kind.KINDS:
        documents = loaded.records.get(kind.name)
        if documents:
            check_record = input_kind.checker(kind)
            for document in documents:
                findings.extend(check_record(document, loaded.records, around))
    return findings
