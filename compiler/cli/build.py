"""``mcpcfg build``: compile resources to what the operator would write."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import click

from .. import RELEASE
from ..check.full import check
from ..diagnostics.shown import line
from ..disk import output_folder
from ..emit.build import Build
from ..emit.compilation import artifacts, stream
from ..emit.target import TARGETS
from ..project import suppression
from .call import find_project, write
from .complete import FOLDER
from .environment_option import machine_options, operator_options
from .option import input_options, report_options
from .output import printed, write_files
from .output_path import apart
from .unfilled import unknown_beneath

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ..check.full import Loaded, Report
    from ..diagnostics.finding import Finding, Subject
    from ..emit.target import Artifact
    from ..project.discovery import Project
    from ..workspace.resource import Resource
    from .environment_option import MachineCall, OperatorCall
    from .option import InputCall, ReportCall
    from .unfilled import Unknown

_MOST_FOLDERS: Final = 3
"""Folders that one message names at most."""


@click.command("build")
@input_options
@report_options
@operator_options
@machine_options
@click.option("--target", "-t", "targets", multiple=True, required=True, type=click.Choice(TARGETS), help="Repeatable.")
@click.option(
    "--output-dir", "-o", type=FOLDER, metavar="DIR", help="Write one file for each compiled object into DIR."
)
@click.option(
    "--check",
    "check_dir",
    type=FOLDER,
    metavar="DIR",
    help="Write nothing; exit 1 where DIR is not what would be written.",
)
@click.option("--keep-going", is_flag=True, help="Compile the rest where some resources have errors.")
@click.option("--standalone", is_flag=True, help="Leave owner references out: for applying without an operator.")
@click.option(
    "--generate-secrets", is_flag=True, help="Draw what the operator draws at random; what the folder has stays."
)
def command(call: InputCall, report: ReportCall, operator: OperatorCall, machine: MachineCall, **given: Any) -> int:
    """Compile resources, offline, to what the operator would write.

    Findings go to standard error, artifacts alone to standard output or into the folder.
    """
    targets: tuple[str, ...] = given["targets"]
    folder = given["output_dir"] or given["check_dir"]
    if folder is None and len(targets) > 1:
        raise click.UsageError("several targets go into a folder: give --output-dir DIR")
    found = find_project(call.paths, settings_file=call.config)
    outcome = refusing_later(check(found, call.options))
    good, has_errors = without_errors(outcome)
    if found.reported is not None:
        good = [resource for resource in good if resource.document.file in found.reported]
    build = Build(outcome.workspace, operator.over(found.settings.operator))
    made: dict[str, list[Artifact]] = {}
    collisions: list[Finding] = []
    if given["keep_going"] or not has_errors:
        for target in targets:
            made[target], clashes = artifacts(target, build, good, standalone=given["standalone"])
            collisions += clashes
        if "runconfig" in made and "workload" in outcome.loaded.records:
            compiled, is_whole = _workloads(outcome, found, machine, usage_metrics=build.operator.usage_metrics)
            made["runconfig"] += compiled
            has_errors = has_errors or not is_whole
    findings = [*outcome.findings, *collisions]
    report = report.over(found.settings).for_stream(sys.stderr)
    reported = outcome._replace(findings=findings)
    write_files(reported, report, found)
    write(printed(reported, report, found), to_stderr=True)
    # Which of two objects of one name wins depends on the order in which they are applied.
    if collisions and not given["keep_going"]:
        made = {}
    status = 1 if has_errors or collisions or suppression.fails(findings, report.threshold) else 0
    if not made:
        click.echo(
            "mcpcfg: nothing was compiled: fix the errors above, or compile the rest with --keep-going", err=True
        )
        return 1
    report_altered(outcome, good)
    _report_empty(made, good)
    if folder is not None:
        made = {target: apart(kept, outcome.loaded.layout, found) for target, kept in made.items()}
    made = _with_secrets(made, folder, generate=given["generate_secrets"])
    if folder is None:
        sys.stdout.write(stream(targets[0], made[targets[0]]))
        return status
    return max(status, _to_folder(folder, made, check=given["check_dir"] is not None))


def _workloads(
    outcome: Report, found: Project, call: MachineCall, *, usage_metrics: bool
) -> tuple[list[Artifact], bool]:
    """Compile the workload requests; return also whether none was left out for want of a file."""
    from ..emit.target import Artifact
    from ..records.workload.compile import Machine
    from ..records.workload_target import compiled_workloads

    given = {name: value for name, value in call._asdict().items() if value is not None}
    machine = Machine(**given, usage_metrics=usage_metrics)
    made: list[Artifact] = []
    is_whole = True
    for records in outcome.loaded.records_apart():
        texts, left_out = compiled_workloads(records, machine, files=found.reported)
        for file, reason in left_out:
            click.echo(line(f"mcpcfg: {file} is not compiled: {reason}"), err=True)
        made += [Artifact(path, text, file=records["workload"][0].file) for path, text in texts.items()]
        is_whole = is_whole and not left_out
    return made, is_whole


def refusing_later(outcome: Report) -> Report:
    """Return the outcome with errors where a check warns that a later release takes what ours does not.

    What is compiled would lack it: a server without the authorization that its file asks for.
    """
    hint = f"mcpcfg compiles what release {RELEASE} of the operator makes of a resource"
    findings = [
        one._replace(severity="error", hint=hint) if (one.stage, one.severity) == ("admission", "warning") else one
        for one in outcome.findings
    ]
    return outcome._replace(findings=findings)


def without_errors(outcome: Report, displayed: Callable[[str], str] = str) -> tuple[list[Resource], bool]:
    """Return the resources that can be compiled, and whether any has an error of a stage that refuses.

    What the operator refuses is never compiled, also where the configuration takes the error back: the compile steps
    rely on what the rules have seen. What holds placeholders where values decide, or leans on such a resource or on one
    that is elsewhere, is left out and reported; ``displayed`` returns the name by which messages call a file.
    """
    errors = [finding for finding in outcome.findings if finding.severity == "error" and finding.stage != "lint"]
    refused = {(subject, finding.span.file) for finding in errors for subject in _subjects(finding, outcome.loaded)}
    sound = [
        resource
        for resource in outcome.loaded.resources
        if resource.admitted
        and not outcome.workspace.is_refused(resource)
        and (resource.subject, resource.document.file) not in refused
    ]
    good: list[Resource] = []
    for resource in sound:
        unknown = unknown_beneath(resource, outcome.workspace)
        if unknown is None:
            good.append(resource)
            continue
        message = f"mcpcfg: {displayed(resource.document.file)}: {_why_not_compiled(resource, unknown)}"
        click.echo(line(message), err=True)
    unsure = _report_unsure(outcome, displayed)
    return good, bool(refused or len(good) < len(sound) or unsure)


def _subjects(finding: Finding, loaded: Loaded) -> Iterator[Subject | None]:
    """Yield the resource that a finding is about, and its copies in other namespaces that it was found of as well."""
    subject = finding.subject
    yield subject
    if subject is not None and loaded.found_in:
        from ..project.overlay import occurrence

        for namespace in loaded.found_in.get(occurrence(finding), ()):
            yield subject._replace(namespace=namespace)


def _report_unsure(outcome: Report, displayed: Callable[[str], str]) -> bool:
    """Report copies that the operator refuses as they are written, and an overlay may fix; return whether any is."""
    loaded = outcome.loaded
    reported = {(key[3], namespace) for key, found in loaded.found_in.items() for namespace in found}
    unsure = False
    for resource in loaded.resources if loaded.copied else ():
        file = resource.document.file
        identity = (resource.kind, resource.name, file, resource.document.index)
        is_reported = identity not in loaded.copied or (identity, resource.namespace) in reported
        if resource.admitted and outcome.workspace.is_refused(resource) and not is_reported:
            named = f"{resource.kind} {resource.name!r} is not compiled for namespace {resource.printed_namespace}"
            why = "as it is written the operator refuses it there, and what its overlay makes of it is not known"
            remedy = "pipe what kustomize renders to mcpcfg build -"
            click.echo(line(f"mcpcfg: {displayed(file)}: {named}: {why}; {remedy}"), err=True)
            unsure = True
    return unsure


def report_altered(outcome: Report, compiled: Iterable[Resource], displayed: Callable[[str], str] = str) -> None:
    """Report which kustomizations have patches, names or components that what is compiled does not show."""
    made = outcome.loaded.made
    folders = made.altering(resource.document.file for resource in compiled) if made is not None else []
    if folders:
        named = ", ".join(displayed(folder) for folder in folders[:_MOST_FOLDERS])
        more = f" and {len(folders) - _MOST_FOLDERS} more" if len(folders) > _MOST_FOLDERS else ""
        what = "what it lists" if len(folders) == 1 else "what they list"
        message = (
            f"mcpcfg: {what} is compiled as it is written, without patches, components and other names: "
            f"{named}{more}; pipe what kustomize renders to mcpcfg build -"
        )
        click.echo(line(message), err=True)


def _why_not_compiled(resource: Resource, unknown: Unknown) -> str:
    named = f"{resource.kind} {resource.name!r}"
    if unknown.resource is not resource:
        named += f" leans on {unknown.resource.kind} {unknown.resource.name!r}, which"
    if unknown.resource.doubts:
        return f"{named} has fields of a later release than {RELEASE}, which is compiled for, and is left out"
    if unknown.missing is None:
        remedy = "fill them in first (envsubst, flux build) and pipe the result to mcpcfg build -"
        return f"{named} holds placeholders and is not compiled; {remedy}"
    missing = f"{unknown.missing.kind} {unknown.missing.name!r}"
    if unknown.missing.target is not None:
        return (
            f"{named} leans on {missing}, which is declared without data, and is not compiled; state what it will hold"
        )
    return f"{named} leans on {missing}, which is in no file, and is not compiled; name the file that declares it too"


def _report_empty(made: dict[str, list[Artifact]], good: list[Resource]) -> None:
    """Report why a target is empty though there are resources."""
    kinds = ", ".join(sorted({resource.kind for resource in good}))
    for target, kept in made.items():
        if not kept and good:
            click.echo(
                f"mcpcfg: nothing to write for --target {target}; these kinds compile to nothing there: {kinds}",
                err=True,
            )


def _with_secrets(made: dict[str, list[Artifact]], folder: str | None, *, generate: bool) -> dict[str, list[Artifact]]:
    """Draw random values where that is asked for; else warn that placeholders stand for them."""
    from ..emit import secret_value

    drawn = [artifact for kept in made.values() for artifact in kept if secret_value.has_placeholder(artifact)]
    if not drawn:
        return made
    if not generate:
        for artifact in drawn:
            message = (
                f"mcpcfg: warning: {artifact.path} holds the placeholder <random> where the operator draws a value"
            )
            click.echo(line(f"{message}; --generate-secrets draws one"), err=True)
        return made
    return {
        target: secret_value.filled(kept, partial(_present, folder, f"{target}/" if len(made) > 1 else ""))
        for target, kept in made.items()
    }


def _present(folder: str | None, prefix: str, path: str) -> dict[str, Any] | None:
    """Return the object that an earlier call wrote."""
    from ..reading.document import read_documents

    text = None if folder is None else output_folder.content(folder, prefix + path)
    documents = read_documents(text, path)[0] if text is not None else []
    return documents[0].data if documents and isinstance(documents[0].data, dict) else None


def _to_folder(folder: str, made: dict[str, list[Artifact]], *, check: bool) -> int:
    several = len(made) > 1
    files = {
        f"{target}/{artifact.path}" if several else artifact.path: artifact.text
        for target, kept in made.items()
        for artifact in kept
    }
    if check:
        different = output_folder.differences(folder, files)
        for one in different:
            click.echo(line(one))
        return 1 if different else 0
    written, removed = output_folder.write(folder, files)
    message = f"{len(files)} file{'s' * (len(files) != 1)} in {folder}: {len(written)} written, {len(removed)} removed"
    click.echo(line(message), err=True)
    return 0
