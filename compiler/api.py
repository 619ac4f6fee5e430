"""The Python interface of mcpcfg. Its functions do not print, end the process or write files."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

from .check.full import Report
from .check.full import check as check_project
from .diagnostics import file_path
from .diagnostics.named_tuple import NamedTuple
from .project import suppression
from .project.discovery import STANDARD_INPUT, discover, project_of_texts, with_texts
from .project.settings import Options, namespace_fault
from .report.format import FORMATS
from .toolhive.release import NEWEST_MODELLED, READ_UNTIL, holds, level_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .diagnostics.finding import Finding, Fix, Rule, Severity
    from .emit.build import Build
    from .emit.target import Artifact, Target
    from .project.settings import Threshold
    from .report.format import Format
    from .toolhive.machine import Machine
    from .toolhive.operator import OperatorSettings
    from .workspace.resource import Resource

FilePath: TypeAlias = "str | os.PathLike[str]"


class Artifacts(NamedTuple):
    """The output compiled from a report's resources for a target, and the reasons for what is missing.

    Attributes:
        target: The target of the compilation.
        files: The compiled output, in order.
        findings: The findings of the report, and a finding for each object that collides with another, or that
            Kubernetes refuses. Fields of later releases are errors here.
        left_out: Sentences that say why resources without errors are not compiled, such as because of placeholders.
        remarks: Sentences about limits of the output, such as patches of an overlay that were not applied.
        complete: True if everything was compiled.
        stopped: True if errors kept everything from being compiled.
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
        """All files as a single text, as ``mcpcfg build`` prints them."""
        from .emit.target import stream

        return stream(self.target, self.files)


def check(
    *paths: FilePath,
    files: Mapping[str, str | bytes] | None = None,
    config: FilePath | None = None,
    options: Options = Options(),  # noqa: B008 - a tuple, which nothing changes
) -> Report:
    """Check files, texts or both as a project. Faults in the files become findings, never exceptions.

    Args:
        paths: Files and folders, as for ``mcpcfg check``. Default: the current folder, if ``files`` is missing too.
        files: Texts in memory by name. Each replaces the file of that name, or is an additional file. Without paths,
            only the texts are checked.
        config: The configuration file. Default: the nearest one to the first path, or none for texts alone.
        options: Options for reading the files.

    Returns:
        The report. The same files, texts and options always give the same report.

    Raises:
        InputError: A path cannot be read, or the configuration is invalid.
        ValueError: A name cannot be the name of a file, or an option has an invalid value.
    """
    _refuse_wrong(options)
    named = [_name(path) for path in paths]
    texts = {
        file_path.normpath(_name(name)): text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        for name, text in (files or {}).items()
    }
    settings_file = None if config is None else os.fspath(config)
    if named or files is None:
        project = discover(tuple(named), settings_file=settings_file, release=options.release, crds=options.crds)
        project, places = with_texts(project, texts)
    else:
        project, places = (
            project_of_texts(texts, settings_file=settings_file, release=options.release, crds=options.crds),
            {name: name for name in texts},
        )
    first = next(iter([*named, *texts]), None)
    buffers = {places[name]: text for name, text in texts.items()}
    options = options._replace(first=first, buffers={**options.buffers, **buffers})
    return check_project(project, with_schemas(options))


def with_schemas(options: Options) -> Options:
    """Return the options with the schemas that the reference engine decides by, if the options ask for it."""
    if not options.reference_engine:
        return options
    from .generate.explain.schema_place import schema_of

    return options._replace(schema_of=schema_of)


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
    """Compile the resources of a report to what the operator would write.

    Values that the operator draws at random are ``<random>``. Paths are unique within a project and cluster. If each
    file is a project, or the project has several clusters, paths may repeat.

    Args:
        report: A result of `check`.
        target: The target of the compilation.
        operator: Settings from the operator's environment. Default: those of the configuration.
        machine: The machine that workload requests would run on. Default: one with the default settings.
        standalone: True to leave out owner references, so the output can be applied without an operator.
        keep_going: True to compile the remaining resources if some have errors.
        generation: ``metadata.generation`` of every resource, which RunConfigs of releases from 0.24.1 on contain.
        cluster: The cluster to compile for, if the project has several. Default: all clusters.

    Returns:
        The compiled files. There are none if a resource has errors, unless ``keep_going`` is set.

    Raises:
        ValueError: The target or cluster does not exist.
    """
    from ..validators.rules.refused_object import refusals
    from .check.compilable import altered, compilable, refusing_later
    from .emit.build import Build
    from .emit.target import TARGETS, artifacts

    if target not in TARGETS:
        raise ValueError(f"there is no target {target!r}, only {', '.join(TARGETS)}")
    report = refusing_later(report)
    selection = compilable(report, wanted=_cluster_resources(report, cluster) if cluster is not None else None)
    nothing = Artifacts(target, (), tuple(report.findings), selection.left_out, (), complete=False, stopped=True)
    if selection.has_errors and not keep_going:
        return nothing
    reported = report.project.reported
    good = [resource for resource in selection.resources if reported is None or resource.document.file in reported]
    surroundings = Build(report.workspace, operator or report.project.settings.operator, generation)
    # The rules have validated every object with values that are not plain, so there are hardly any faults left.
    compiled, faulty = artifacts(target, surroundings, good, standalone=standalone, refusals=refusals)
    workloads, missing = _workloads(report, surroundings, machine) if target == "runconfig" else ([], [])
    compiled += workloads
    nothing = nothing._replace(findings=(*report.findings, *faulty), left_out=(*selection.left_out, *missing))
    if faulty and not keep_going:
        return nothing
    unwritten = [] if compiled else _uncompiled(good, target)
    remarks = (*altered(report, good), *_recording_remarks(report, good, target), *unwritten)
    is_complete = not (selection.has_errors or faulty or missing)
    return nothing._replace(files=tuple(compiled), remarks=remarks, complete=is_complete, stopped=False)


def _cluster_resources(report: Report, cluster: str) -> frozenset[Resource]:
    clusters = report.workspace.clusters()
    members = frozenset(resource for resource, names in clusters.items() if cluster in names)
    if not members:
        names_of_clusters = ", ".join(sorted({name for names in clusters.values() for name in names}))
        what = f"only {names_of_clusters}" if names_of_clusters else "the files are for one"
        raise ValueError(f"there is no cluster {cluster!r}, {what}")
    return members


def _recording_remarks(report: Report, compiled: list[Resource], target: Target) -> Iterator[str]:
    """Yield a sentence for each release whose compiled output was never compared with a running operator."""
    from .emit.unrecorded import missing_parts, recorded_releases, unrecorded_changes

    for release, changes in unrecorded_changes(report.workspace, compiled, target).items():
        others = " and ".join(recorded_releases(target))
        affected = f"; affected: {', '.join(changes)}" if changes else ""
        is_read = holds(None, READ_UNTIL, release)
        source = "derived from the operator's source" if is_read else "written from documentation, not from the source"
        yield (
            f"the {target} output for release {release} is {source}; only that for {others}"
            f" was compared with a running operator{affected}"
        )
        if level_of(release) == "documented":
            yield (
                f"release {release} is known in part: the output is that of {NEWEST_MODELLED} with the changes that are"
                " documented, and may lack others"
            )
        for missing in missing_parts(report.workspace, compiled, target, release):
            yield f"release {release}: {missing}"


def _uncompiled(resources: list[Resource], target: Target) -> list[str]:
    kinds = ", ".join(sorted({resource.kind for resource in resources}))
    return [f"nothing to write for --target {target}; these kinds compile to nothing there: {kinds}"] if kinds else []


def render(
    report: Report,
    format: Format = "text",  # noqa: A002 - what it is
    *,
    severity: Severity | None = None,
    fail_on: Threshold | None = None,
    colour: bool = False,
    width: int | None = None,
) -> str:
    """Return the findings of a report in a format of ``mcpcfg check --format``.

    Findings that the same change fixes are merged. Formats that support it show how findings can be fixed.

    Args:
        report: A result of `check`.
        format: The output format.
        severity: The lowest severity to show. Default: that of the configuration, or else warnings for text and
            everything for other formats.
        fail_on: The lowest severity that makes a check fail, which is always shown. Default: that of the configuration.
        colour: True to color text with escape sequences of a terminal.
        width: The number of columns that text is wrapped to.

    Raises:
        ValueError: The format does not exist.
    """
    if format not in FORMATS:
        raise ValueError(f"there is no format {format!r}, only {', '.join(FORMATS)}")
    module = import_module(f"mcpcfg.compiler.report.{format}")
    loaded, settings = report.loaded, report.project.settings
    threshold = fail_on or settings.fail_on
    shown = suppression.least_severity(format, severity or settings.severity, threshold)
    gathered = suppression.merge_by_change(report.findings)
    counts = suppression.counts(gathered)
    findings = suppression.at_least(gathered, shown)
    choice = report.project.release
    if format == "text":
        lines = module.source_line(loaded.texts)
        text: str = module.render(findings, lines, all_findings=report.findings, color=colour, width=width)
    elif format == "json":
        numbers = loaded.files, loaded.documents, loaded.templates
        text = module.render(findings, counts, numbers, choice, _fixes(report))
    elif format == "sarif":
        from .diagnostics.version import VERSION

        reported = {finding.rule for finding in findings}
        respelt = {id_: rule.respelt(settings.profile.spell) for id_, rule in rules().items() if id_ in reported}
        text = module.render(findings, respelt, VERSION, _fixes(report), choice)
    elif format == "junit":
        text = module.render(findings, loaded.texts, lambda finding: suppression.fails([finding], threshold), choice)
    elif format == "markdown":
        text = module.render(findings, summary(report, shown), failed=suppression.reaches(counts, threshold))
    elif format == "gitlab":
        text = module.render(findings, choice, next(iter(loaded.texts), None))
    else:
        text = module.render(findings, choice)
    return text


def _fixes(report: Report) -> Mapping[tuple[object, ...], Fix]:
    if not report.findings:
        return {}
    from .fix.fixable import fixes

    return fixes(report)


def rules() -> dict[str, Rule]:
    """Return every rule by id, sorted. ``str(rule.page)`` is the text that ``mcpcfg explain`` prints."""
    from ..validators.registry import all_rules

    return dict(all_rules())


def summary(report: Report, shown: Severity) -> str:
    """Return the lines with counts and the release that judged. ``shown`` is the lowest severity that is shown."""
    from .report import text

    loaded, counts = report.loaded, suppression.counts(suppression.merge_by_change(report.findings))
    files, documents, templates = loaded.files, loaded.documents, loaded.templates
    return text.summary(counts, files, documents, templates, least=shown, release=report.project.release)


def _refuse_wrong(options: Options) -> None:
    """Check the options that the command line checks while it parses them."""
    if options.read_as not in {None, "resource"}:
        from .project.input_kind import kind_named

        if kind_named(str(options.read_as)) is None:
            raise ValueError(f"there is no kind of input {options.read_as!r}")
    if options.namespace is not None:
        fault = namespace_fault(options.namespace)
        if fault is not None:
            raise ValueError(fault)


def _name(path: FilePath) -> str:
    name = os.fspath(path)
    if name in {"", STANDARD_INPUT}:
        raise ValueError(f"no file can be called {name!r}: texts are given by `files`")
    return name


def _workloads(report: Report, build: Build, machine: Machine | None) -> tuple[list[Artifact], list[str]]:
    """Return the run configurations of workload requests, and why others are left out: files or values are missing."""
    if "workload" not in report.loaded.records:
        return [], []
    from .diagnostics.shown import sanitized
    from .emit.target import Artifact
    from .records.workload_target import compiled_workloads
    from .toolhive.machine import Machine

    machine = machine or Machine(usage_metrics=build.operator.usage_metrics, profile=report.project.settings.profile)
    compiled: list[Artifact] = []
    missing: list[str] = []
    for records in report.loaded.records_apart():
        texts, left_out = compiled_workloads(records, machine, files=report.project.reported)
        missing += [sanitized(f"{file} is not compiled: {reason}") for file, reason in left_out]
        compiled += [Artifact(path, text, file=records["workload"][0].file) for path, text in texts.items()]
    return compiled, missing
