"""``mcpcfg build``: compile resources to the objects and files that the operator would write."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ..api import build
from ..check.full import check
from ..diagnostics.shown import line
from ..disk import output_folder
from ..emit.target import OBJECT_STEPS, TARGETS, stream
from ..project import suppression
from .call import deliver, find_asked
from .environment_option import machine_options, operator_options
from .option import FOLDER, input_options, report_options
from .output_path import in_folders, in_several, kustomizations
from .section import SectionedCommand, section

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..api import Artifacts
    from ..check.full import Report
    from ..emit.target import Artifact, Target
    from ..toolhive.machine import Machine
    from ..toolhive.operator import OperatorSettings
    from ..toolhive.profile import Profile
    from .environment_option import OperatorCall
    from .option import InputCall, ReportCall


@click.command("build", cls=SectionedCommand)
@section("Output")
@click.option(
    "--target",
    "-t",
    "targets",
    multiple=True,
    required=True,
    type=click.Choice(TARGETS),
    help="Kind of artifact to compile. Repeatable.",
)
@click.option(
    "--output-dir",
    "-o",
    type=FOLDER,
    metavar="DIR",
    help="Write each compiled object to a file in the folder DIR instead of standard output.",
)
@click.option(
    "--check",
    "check_dir",
    type=FOLDER,
    metavar="DIR",
    help="Write nothing; exit 1 if the files of an earlier --output-dir DIR are out of date.",
)
@click.option("--cluster", metavar="NAME", help="Compile only what one of several clusters gets.")
@click.option("--keep-going", is_flag=True, help="Skip resources with errors and compile the rest.")
@click.option(
    "--generation",
    type=click.IntRange(1, 2**63 - 1),  # an int64 in Kubernetes
    default=1,
    show_default=True,
    metavar="N",
    help="metadata.generation of the resources, part of RunConfigs since 0.24.1.",
)
@click.option(
    "--standalone",
    is_flag=True,
    help="Omit owner references, and write a kustomization.yaml, to apply without an operator.",
)
@click.option(
    "--generate-secrets",
    is_flag=True,
    help="Generate the values that the operator generates at random; keep those in DIR.",
)
@input_options
@report_options
@operator_options
@machine_options
def command(call: InputCall, report: ReportCall, operator: OperatorCall, machine: dict[str, Any], **given: Any) -> int:
    """Compile resources, offline, to what the operator would write.

    Findings go to standard error, artifacts alone to standard output or into the folder.
    """
    targets: tuple[Target, ...] = given["targets"]
    folder = given["output_dir"] or given["check_dir"]
    if folder is None and len(targets) > 1:
        raise click.UsageError("several targets go into a folder: name it with --output-dir DIR")
    project = find_asked(call)
    checked = check(project, call.options)
    surroundings = operator.over(checked.project.settings.operator)
    has_workloads = "runconfig" in targets and "workload" in checked.loaded.records
    compiling = partial(
        build,
        checked,
        operator=surroundings,
        machine=_machine(machine, surroundings, project.settings.profile) if has_workloads else None,
        standalone=given["standalone"],
        keep_going=given["keep_going"],
        generation=given["generation"],
        cluster=given["cluster"],
    )
    try:
        built = {target: compiling(target) for target in targets}
    except ValueError as error:
        raise click.UsageError(f"--cluster: {error}") from None
    status = _report(checked, built, report)
    if any(output.stopped for output in built.values()):
        has_errors = any(finding.severity == "error" for output in built.values() for finding in output.findings)
        cure = "fix the errors above" if has_errors else "supply what is missing above"
        click.echo(f"mcpcfg: nothing was compiled: {cure}, or compile the rest with --keep-going", err=True)
        return 1
    for remark in dict.fromkeys(remark for output in built.values() for remark in output.remarks):
        click.echo(line(f"mcpcfg: {remark}"), err=True)
    files = {target: list(output.files) for target, output in built.items()}
    clusters = {} if given["cluster"] is not None else checked.workspace.clusters()
    if folder is not None:
        files = {name: in_folders(kept, checked.loaded.plan.layout, project, clusters) for name, kept in files.items()}
    elif clusters and (several := in_several(files[targets[0]], clusters)):
        raise click.UsageError(f"the files are for {several}: name one with --cluster, or a folder with --output-dir")
    files = _with_secrets(files, folder, generate=given["generate_secrets"])
    if folder is None:
        sys.stdout.write(stream(targets[0], files[targets[0]]))
        return status
    if given["standalone"]:
        files = {
            target: [*kept, *(kustomizations(kept) if target in OBJECT_STEPS else ())] for target, kept in files.items()
        }
    elif given["output_dir"] and any("ownerReferences" in file.text for kept in files.values() for file in kept):
        click.echo("mcpcfg: owner references have no uid, so kubectl apply refuses them: add --standalone", err=True)
    return max(status, _to_folder(folder, files, check=given["check_dir"] is not None))


def _machine(stated: dict[str, Any], operator: OperatorSettings, profile: Profile) -> Machine:
    from ..toolhive.machine import Machine

    return Machine(**stated, usage_metrics=operator.usage_metrics, profile=profile)


def _report(checked: Report, built: Mapping[Target, Artifacts], call: ReportCall) -> int:
    """Print findings and left out resources on standard error; return 1 if the output is incomplete, or else 0."""
    for left_out in max((artifacts.left_out for artifacts in built.values()), key=len):
        click.echo(line(f"mcpcfg: {left_out}"), err=True)
    first, *others = (artifacts.findings for artifacts in built.values())
    findings = [
        *first,
        *(finding for others_findings in others for finding in others_findings[len(checked.findings) :]),
    ]
    report = call.over(checked.project.settings).for_stream(sys.stderr)
    outcome = checked._replace(findings=findings)
    deliver(outcome, report, to_stderr=True)
    is_complete = all(artifacts.complete for artifacts in built.values())
    return 0 if is_complete and not suppression.fails(findings, report.threshold) else 1


def _with_secrets(
    compiled: dict[Target, list[Artifact]], folder: str | None, *, generate: bool
) -> dict[Target, list[Artifact]]:
    """Return the artifacts with random values for their placeholders if ``generate`` is set.

    Values that an earlier build wrote into the output folder are reused. If ``generate`` is not set, warn about the
    placeholders.
    """
    objects = [artifact for kept in compiled.values() for artifact in kept if artifact.is_object]
    if not objects:
        return compiled
    from ..emit import secret_value

    with_placeholder = [artifact for artifact in objects if secret_value.has_placeholder(artifact)]
    if not with_placeholder:
        return compiled
    if not generate:
        for artifact in with_placeholder:
            message = (
                f"mcpcfg: warning: {artifact.path} holds the placeholder <random> where the operator draws a value"
            )
            click.echo(line(f"{message}; --generate-secrets draws one"), err=True)
        return compiled
    return {
        target: secret_value.filled(kept, partial(_existing_object, folder, f"{target}/" if len(compiled) > 1 else ""))
        for target, kept in compiled.items()
    }


def _existing_object(folder: str | None, prefix: str, path: str) -> dict[str, Any] | None:
    from ..reading.document import read_documents

    text = None if folder is None else output_folder.content(folder, prefix + path)
    documents = read_documents(text, path)[0] if text is not None else []
    return documents[0].data if documents and isinstance(documents[0].data, dict) else None


def _to_folder(folder: str, compiled: dict[Target, list[Artifact]], *, check: bool) -> int:
    several = len(compiled) > 1
    files = {
        f"{target}/{artifact.path}" if several else artifact.path: artifact.text
        for target, kept in compiled.items()
        for artifact in kept
    }
    if check:
        different = output_folder.differences(folder, files)
        for difference in different:
            click.echo(line(difference))
        return 1 if different else 0
    done = output_folder.write(folder, files)
    for path in done.kept:
        click.echo(line(f"mcpcfg: {path} is no longer compiled, and stays: it was changed since"), err=True)
    count = f"{len(files)} file{'s' * (len(files) != 1)} in {folder}"
    click.echo(line(f"{count}: {len(done.written)} written, {len(done.removed)} removed"), err=True)
    return 0
