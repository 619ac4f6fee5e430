"""The way of the data, in order, and nothing else: files → documents → resources → workspace → findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..diagnostics.timing import stage
from ..intake.gather import files_of, load_parts, order_of, texts_of
from ..project.options import Options
from .join import Loaded, Piece, join
from .judged import judge_loaded, settled

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping, Sequence

    from ..diagnostics.finding import Finding
    from ..intake.gather import Known
    from ..intake.memory import Keeper
    from ..intake.stored import Plain
    from ..project.discovery import Project
    from ..workspace.workspace import Workspace
    from .judged import Judged, Words


__all__ = ["Loaded", "Options", "Report", "Told", "check", "load", "tell"]


_WARM = 4
"""Where more than one file of so many has changed all are read: several processes do that sooner."""


class Report(NamedTuple):
    """The outcome of a check.

    Attributes:
        findings: Sorted by place.
        loaded: What was read.
        workspace: The resources with what they refer to.
        nothing: Whether there was nothing to check.
    """

    findings: Sequence[Finding]
    loaded: Loaded
    workspace: Workspace
    nothing: bool


class Told(NamedTuple):
    """The outcome of a check in words.

    Attributes:
        files: What is told of each file of which something is, sorted by file.
        judged: What was read, and what rules said about it.
        nothing: Whether there was nothing to check.
    """

    files: Mapping[str, Plain]
    judged: Judged
    nothing: bool


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
        judged = _judged(project, options, keeper)
    else:
        judged = judge_loaded(load(project, options, known or ()), project, options)
    loaded = judged.loaded
    findings = settled(judged, project, options, project.reported)
    return Report(findings, loaded, judged.workspace, not (findings or _has_own(loaded, project.reported)))


def tell(
    project: Project,
    options: Options,
    words: Words,
    *,
    keeper: Keeper | None = None,
    before: Callable[[], Mapping[str, Plain] | None] | None = None,
) -> Told:
    """Check as `check` does, and put into words what is found: in all processes, or only what is new, where possible.

    Args:
        project: The files.
        options: How they are read.
        words: Puts findings into words.
        keeper: What knows of the check before.
        before: Gives what was told of files then, where that is known.
    """
    judged = _judged(project, options, keeper, words)
    loaded, reported, touched = judged.loaded, project.reported, judged.touched
    if judged.told is not None:
        told = judged.told
    else:
        known = before() if before is not None and touched is not None and reported is None else None
        findings = settled(judged, project, options, reported if known is None else touched)
        with stage("words"):
            told = words(findings, loaded.texts)
        if known and touched is not None:
            told = {**{file: said for file, said in known.items() if file not in touched}, **told}
    files = {file: told[file] for file in sorted(told)}
    return Told(files, judged, not (files or _has_own(loaded, reported)))


def _judged(project: Project, options: Options, keeper: Keeper | None, words: Words | None = None) -> Judged:
    """Judge in one process or several, with what is known from last time."""
    judged = None
    if keeper is not None and _WARM * (len(project.files) - len(keeper.unchanged)) <= len(project.files):
        from . import warm

        judged = warm.judge(project, options, keeper)
    if judged is None:
        from . import cold

        judged = cold.judge(project, options, words, keep=keeper is not None)
    if keeper is not None and judged.kept is not None:
        with stage("write the cache"):
            keeper.save(judged.kept)
    return judged


def _has_own(loaded: Loaded, reported: Container[str] | None) -> bool:
    """Return whether the files that are reported on hold anything to check."""
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
