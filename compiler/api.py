"""The Python interface: what ``import mcpcfg`` shows. Nothing here prints, ends the process or writes a file."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from .check.full import Report
from .check.full import check as check_project
from .diagnostics.version import RELEASE
from .project import suppression
from .project.discovery import STANDARD_INPUT, discover, of_texts, with_texts
from .project.settings import Options, namespace_fault, release_choice
from .report.format import FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .diagnostics.finding import Finding, Rule, Severity
    from .emit.build import Build
    from .emit.target import Artifact, Target
    from .project.settings import Threshold
    from .report.format import Format
    from .toolhive.machine import Machine
    from .toolhive.operator import OperatorSettings
    from .workspace.resource import Resource

FilePath: TypeAlias = "str | os.PathLike[str]"


class Artifacts(NamedTuple):
    """What a report's resources compile to for one target, and why some of them do not.

    Attributes:
        target: What was compiled for.
        files: The compiled output, in its order.
        findings: Those of the report, where a field of a later release is an error now, then one for each object that
            collides with one before it, or that Kubernetes refuses.
        left_out: Why resources are not compiled that nothing refuses, a sentence each: they hold placeholders, for one.
        remarks: What the output does not show, a sentence each: the patches of an overlay, for one.
        complete: Whether everything was compiled.
        stopped: Whether errors kept everything from being compiled.
    """

    target: Target
    files: tuple[Artifact, ...]
    findings: tuple[Finding, ...]
    left_out: tuple[str, ...]
    remarks: tuple[str, ...]
    complete: bool
    stopped: bool

    @property
    def text(self) -> str:
        """All files one after another, as ``mcpcfg build`` prints them."""
        from .emit.compilation import stream

        return stream(self.target, self.files)


def check(
    *paths: FilePath,
    files: Mapping[str, str | bytes] | None = None,
    config: FilePath | None = None,
    options: Options = Options(),  # noqa: B008 - a tuple, which nothing changes
) -> Report:
    """Check files, texts or both as one project. What is wrong with them is among the findings, never raised.

    Args:
        paths: Files and folders, as ``mcpcfg check`` takes them; the current folder where there are neither paths nor
            ``files``.
        files: Texts in memory by name. Each counts in place of the file of that name, or as one more file, whether
            there is such a file or not. Without paths they are all there is to check.
        config: The configuration file. Else the nearest one of the first path counts, and none for texts alone.
        options: How files are read.

    Returns:
        The report. The same files, texts and options lead to the same one.

    Raises:
        InputError: A path cannot be read, or the configuration is not valid.
        ValueError: No file can be called so, or an option has no such value.
    """
    _refuse_wrong(options)
    named = [_name(path) for path in paths]
    texts = {
        os.path.normpath(_name(name)): text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        for name, text in (files or {}).items()
    }
    settings_file = None if config is None else os.fspath(config)
    if named or files is None:
        project = discover(tuple(named), settings_file=settings_file, release=options.release, crds=options.crds)
        project, places = with_texts(project, texts)
    else:
        project, places = (
            of_texts(texts, settings_file=settings_file, release=options.release, crds=options.crds),
            {name: name for name in texts},
        )
    first = next(iter([*named, *texts]), None)
    buffers = {places[name]: text for name, text in texts.items()}
    return check_project(project, options._replace(first=first, buffers={**options.buffers, **buffers}))


def build(  # noqa: PLR0913 - all of a call
    report: Report,
    target: Target,
    *,
    operator: OperatorSettings | None = None,
    machine: Machine | None = None,
    standalone: bool = False,
    keep_going: bool = False,
    generation: int = 1,
    cluster: str | None = None,
) -> Artifacts:
    """Compile what a report was made of, to what the operator would write.

    What the operator draws at random stands as ``<random>``. Paths are unique within one project and one cluster:
    where each file is a project of its own, or the project is for several clusters, several may have the same.

    Args:
        report: Of `check`.
        target: What to compile to.
        operator: What the operator reads from its environment; that of the configuration where it is left out.
        machine: The machine that workload requests would run on.
        standalone: Whether owner references are left out, for applying without an operator.
        keep_going: Whether the rest is compiled where some resources have errors.
        generation: ``metadata.generation`` of every resource: the RunConfigs of releases from 0.24.1 on hold it.
        cluster: The one of several clusters that is compiled; all where it is left out.

    Returns:
        The compiled files, none where a resource has errors; and why.

    Raises:
        ValueError: There is no such target, or no such cluster.
    """
    from .check.compilable import altered, compilable, refusing_later
    from .emit.build import Build
    from .emit.compilation import artifacts
    from .emit.target import OBJECT_STEPS, TARGETS

    if target not in TARGETS:
        raise ValueError(f"there is no target {target!r}, only {', '.join(TARGETS)}")
    report = refusing_later(report)
    found = compilable(report, wanted=_of_cluster(report, cluster) if cluster is not None else None)
    nothing = Artifacts(target, (), tuple(report.findings), found.left_out, (), complete=False, stopped=True)
    if found.has_errors and not keep_going:
        return nothing
    reported = report.project.reported
    good = [one for one in found.resources if reported is None or one.document.file in reported]
    surroundings = Build(report.workspace, operator or report.project.settings.operator, generation)
    made, faulty = artifacts(target, surroundings, good, standalone=standalone)
    if target in OBJECT_STEPS:
        made, refused = _taken(made, surroundings)
        faulty += refused
    workloads, missing = _workloads(report, surroundings, machine) if target == "runconfig" else ([], [])
    made += workloads
    nothing = nothing._replace(findings=(*report.findings, *faulty), left_out=(*found.left_out, *missing))
    if faulty and not keep_going:
        return nothing
    unwritten = [] if made else _uncompiled(good, target)
    remarks = (*altered(report, good), *_not_vouched_for(report, good, target), *unwritten)
    is_complete = not (found.has_errors or faulty or missing)
    return nothing._replace(files=tuple(made), remarks=remarks, complete=is_complete, stopped=False)


def _of_cluster(report: Report, cluster: str) -> frozenset[Resource]:
    from .workspace.cluster import clusters_of_each

    own = clusters_of_each(report.workspace)
    found = frozenset(one for one, names in own.items() if cluster in names)
    if not found:
        known = ", ".join(sorted({name for names in own.values() for name in names}))
        what = f"only {known}" if known else "the files are for one"
        raise ValueError(f"there is no cluster {cluster!r}, {what}")
    return found


def _not_vouched_for(report: Report, compiled: list[Resource], target: Target) -> Iterator[str]:
    """Yield what is not sure of what is compiled, for each release that was not recorded."""
    if all(resource.release == RELEASE for resource in compiled):
        return
    from .emit.change import recorded_of, unrecorded_changes

    for release, changes in unrecorded_changes(report.workspace, compiled, target).items():
        others = " and ".join(recorded_of(target))
        why = f"target {target} of release {release} was not compared with an operator, as that of {others} was"
        named = f": when these changes came is known from its source alone: {', '.join(changes)}" if changes else ""
        yield f"{why}{named}"


def _uncompiled(resources: list[Resource], target: Target) -> list[str]:
    """Return the sentence that resources compile to nothing for a target, if there are resources."""
    kinds = ", ".join(sorted({resource.kind for resource in resources}))
    return [f"nothing to write for --target {target}; these kinds compile to nothing there: {kinds}"] if kinds else []


def _taken(made: list[Artifact], build: Build) -> tuple[list[Artifact], list[Finding]]:
    """Return the compiled objects that Kubernetes takes, and a finding for each fault of the others.

    The rules have looked at every object of which anything is not plain, so that there are hardly any others.
    """
    from ..validators.rules.refused_object import refusals

    taken: list[Artifact] = []
    findings: list[Finding] = []
    for one in made:
        assert one.source is not None, "only workload requests are no resources"
        assert one.compiled is not None, "it is an object"
        refused = list(refusals(build, one.source, (one.compiled,)))
        findings += refused
        taken += () if refused else (one,)
    return taken, findings


def render(
    report: Report,
    format: Format = "text",  # noqa: A002 - what it is
    *,
    severity: Severity | None = None,
    fail_on: Threshold | None = None,
    colour: bool = False,
    width: int | None = None,
) -> str:
    """Write the findings of a report in a format of ``mcpcfg check --format``.

    Findings that one change fixes are one. Formats that have a place for it state how findings can be fixed.

    Args:
        report: Of `check`.
        format: How they are written.
        severity: The least severity that is shown; else that of the configuration, else warnings in text, and all.
        fail_on: The severity from which on a check has failed, always shown; else that of the configuration.
        colour: Whether text is in colour, by the escapes of a terminal.
        width: Columns that text is folded for.

    Raises:
        ValueError: There is no such format.
    """
    if format not in FORMATS:
        raise ValueError(f"there is no format {format!r}, only {', '.join(FORMATS)}")
    module = import_module(f"mcpcfg.compiler.report.{format}")
    loaded, settings = report.loaded, report.project.settings
    threshold = fail_on or settings.fail_on
    shown = suppression.least(format, severity or settings.severity, threshold)
    gathered = suppression.gathered(report.findings)
    counts = suppression.counts(gathered)
    findings = suppression.at_least(gathered, shown)
    choice = release_choice(settings)
    if format == "text":
        lines = module.source_line(loaded.texts)
        text: str = module.render(findings, lines, all_findings=report.findings, color=colour, width=width)
    elif format == "json":
        text = module.render(findings, counts, loaded.files, loaded.documents, loaded.templates, choice)
    elif format == "sarif":
        from .diagnostics.version import VERSION
        from .fix.of_finding import fixes

        respelt = {id_: one.respelt(settings.profile.spell) for id_, one in rules().items()}
        text = module.render(findings, respelt, VERSION, fixes(report) if findings else {}, choice)
    elif format == "junit":
        text = module.render(findings, loaded.texts, lambda finding: suppression.fails([finding], threshold), choice)
    elif format == "markdown":
        text = module.render(findings, summary(report, shown), failed=suppression.reaches(counts, threshold))
    elif format == "gitlab":
        text = module.render(findings, choice, next(iter(loaded.texts), None))
    else:
        text = module.render(findings, choice)
    return text


def rules() -> dict[str, Rule]:
    """Return every rule by its id, sorted; ``str(rule.page)`` is what ``mcpcfg explain`` prints about it."""
    from ..validators.registry import all_rules

    return all_rules()


def summary(report: Report, shown: Severity) -> str:
    """Return the lines that count what was found and checked, and say which release judged.

    ``shown`` is the least severity that is shown.
    """
    from .report import text

    loaded, counts = report.loaded, suppression.counts(suppression.gathered(report.findings))
    choice = release_choice(report.project.settings)
    return text.summary(counts, loaded.files, loaded.documents, loaded.templates, least=shown, release=choice)


def _refuse_wrong(options: Options) -> None:
    """Check the options that the command line checks where it reads them.

    Raises:
        ValueError: One has no such value.
    """
    if options.read_as not in {None, "resource"}:
        from .project.input_kind import named

        if named(str(options.read_as)) is None:
            raise ValueError(f"there is no kind of input {options.read_as!r}")
    if options.namespace is not None:
        fault = namespace_fault(options.namespace)
        if fault is not None:
            raise ValueError(fault)


def _name(path: FilePath) -> str:
    """Return a path, or the name of a text, as findings print it."""
    name = os.fspath(path)
    if name in {"", STANDARD_INPUT}:
        raise ValueError(f"no file can be called {name!r}: texts are given by `files`")
    return name


def _workloads(report: Report, build: Build, machine: Machine | None) -> tuple[list[Artifact], list[str]]:
    """Compile the workload requests of a report; return with them why some are left out for want of a file."""
    if "workload" not in report.loaded.records:
        return [], []
    from .diagnostics.shown import sanitized
    from .emit.target import Artifact
    from .records.workload_target import compiled_workloads
    from .toolhive.machine import Machine

    machine = machine or Machine(usage_metrics=build.operator.usage_metrics, profile=report.project.settings.profile)
    made: list[Artifact] = []
    missing: list[str] = []
    for records in report.loaded.records_apart():
        texts, left_out = compiled_workloads(records, machine, files=report.project.reported)
        missing += [sanitized(f"{file} is not compiled: {reason}") for file, reason in left_out]
        made += [Artifact(path, text, file=records["workload"][0].file) for path, text in texts.items()]
    return made, missing
