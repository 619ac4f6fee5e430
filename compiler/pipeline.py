"""The way of the data, in order, and nothing else: files → documents → resources → workspace → findings."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from mcpcfg.compiler.intake.gather import files_of, load_parts, order_of, texts_of
from mcpcfg.compiler.intake.options import Options
from mcpcfg.compiler.intake.stored import StoredFindings, Texts, pack_findings

from . import cold, input_kind
from .inventory import Inventory
from .join import Loaded, Piece, join, told_once
from .judged import judge_loaded
from .progress import stage
from .project.discovery import STANDARD_INPUT
from .workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from mcpcfg.compiler.intake.cache import Cache, Outcome
    from mcpcfg.compiler.intake.gather import Known
    from mcpcfg.compiler.intake.memory import Keeper

    from .finding import Finding
    from .judged import Judged
    from .project.discovery import Project


__all__ = ["Loaded", "Options", "Report", "check", "load"]


FEWEST_KEPT = 64
"""Fewer files are checked sooner than a cache is opened."""
_WARM = 4
"""Where more than one file of so many has changed all are read: several processes do that sooner."""


class Report(NamedTuple):
    """The outcome of a check.

    Attributes:
        findings: Sorted by place.
        loaded: What was read.
        workspace: The resources with what they refer to.
        nothing: Whether there was nothing to check.
        cache: Where it is kept.
    """

    findings: Sequence[Finding]
    loaded: Loaded
    workspace: Workspace
    nothing: bool
    cache: Cache | None = None


def check(
    project: Project,
    options: Options,
    *,
    keep: bool = False,
    findings_alone: bool = False,
    known: Sequence[Known] | None = None,
    keeper: Keeper | None = None,
) -> Report:
    """Read, admit, resolve and judge the files of a call.

    Args:
        project: The files.
        options: How they are read.
        keep: Whether to use the cache.
        findings_alone: Whether the findings are all that is asked for: the report may hold resources that would have to
            be read again.
        known: Facts of files that need not be read; with them there is no cache.
        keeper: What knows of the check before, in place of the cache on the disk.
    """
    if findings_alone and known is None:
        return _check_findings(project, options, keeper, keep=keep)
    return _report(judge_loaded(load(project, options, known or ()), project, options), project, options)


def _check_findings(project: Project, options: Options, keeper: Keeper | None, *, keep: bool) -> Report:
    """Check in one process or several, with what is known from last time."""
    with stage("look into the cache"):
        on_disk = _cache(project, options) if keep and keeper is None else None
    if on_disk is not None and on_disk.outcome is not None:
        return _again(on_disk, on_disk.outcome)
    cache = keeper or on_disk
    judged = None
    if cache is not None and _WARM * (len(project.files) - len(cache.unchanged)) <= len(project.files):
        from . import warm

        judged = warm.judge(project, options, cache)
    if judged is None:
        judged = cold.judge(project, options, keep=cache is not None)
    report = _report(judged, project, options)
    if cache is None or judged.kept is None:
        return report
    with stage("write the cache"):
        told = pack_findings(report.findings)
        cache.save(judged.kept, told, report.loaded.documents, nothing=report.nothing)
    return report._replace(cache=on_disk)


def _report(judged: Judged, project: Project, options: Options) -> Report:
    """Put together what was found, and settle what is told of it."""
    from . import verdict

    loaded = judged.loaded
    findings = [*loaded.findings, *told_once(list(judged.findings()), loaded)]
    with stage("records"):
        findings += _record_findings(loaded, project, options)
    with stage("settle"):
        settled = verdict.settle(findings, loaded.ignores, project)
    nothing = not (settled or _has_own(loaded, project.reported))
    return Report(settled, loaded, judged.workspace, nothing)


def _has_own(loaded: Loaded, reported: Container[str] | None) -> bool:
    """Tell whether the files that are reported on hold anything to check."""
    if reported is None:
        return bool(loaded.resources or loaded.records)
    own = {document.file for found in loaded.records.values() for document in found}
    return any(file in reported for file in (*own, *loaded.resources.files))


def _cache(project: Project, options: Options) -> Cache | None:
    """Give the cache of a call, ``None`` where the call has none."""
    settings = project.settings
    is_plain = not (options.read_as or options.reference_engine)
    if len(project.files) < FEWEST_KEPT or not is_plain or any(file.path == STANDARD_INPUT for file in project.files):
        return None
    from mcpcfg.compiler.intake.cache import Cache

    external = sorted((kind, sorted(names)) for kind, names in settings.external.items())
    basis = (settings._replace(external={}), external, options.closed, options.namespace, project.complete)
    place = (os.getcwd(), project.root if settings.file else project.asked)
    return Cache(place, basis, project.files, None if project.reported is None else sorted(project.reported))


def _again(cache: Cache, outcome: Outcome) -> Report:
    """Give the report of a call when nothing has changed since the last one."""
    cache.renew()
    texts = Texts()
    texts.add_unread(cache.ours())
    loaded = Loaded(Inventory.of(()), {}, [], texts, outcome.documents, {}, None, False, {}, (), {})
    return Report(StoredFindings(outcome.findings), loaded, Workspace(()), outcome.nothing, cache)


def load(project: Project, options: Options, known: Sequence[Known] = ()) -> Loaded:
    """Read and admit the files of a call, but for those of which all is known."""
    texts = texts_of(project, options)
    with stage("read and admit files"):
        parts = load_parts(project, options, texts, known)
    with stage("join"):
        order = order_of(files_of(project, options)) if known else None
        return join([Piece(part) for part in parts], texts, project, options, order)


def _record_findings(loaded: Loaded, project: Project, options: Options) -> list[Finding]:
    findings: list[Finding] = []
    around = input_kind.Surroundings(options.closed, project.settings.secrets_provider)
    for kind in input_kind.KINDS:
        documents = loaded.records.get(kind.name)
        if documents:
            check_record = input_kind.checker(kind)
            for document in documents:
                findings.extend(check_record(document, loaded.records, around))
    return findings
