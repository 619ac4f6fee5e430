"""``mcpcfg merge``: join the facts that ``check --shard`` wrote for each shard of a project, and report."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ..check import shard
from ..check.full import Options, check
from ..check.load import load
from ..check.serialize import may_be_stored, plain_facts
from ..diagnostics.span import InputError
from ..diagnostics.version import VERSION
from ..disk.files import Texts
from ..disk.output_file import write_file
from ..project.discovery import STANDARD_INPUT
from .call import deliver, find_project
from .option import PATH, report_options

if TYPE_CHECKING:
    from .option import InputCall, ReportCall


@click.command("merge")
@click.argument("facts", nargs=-1, required=True, type=PATH, metavar="FACTS...")
@report_options
def command(facts: tuple[str, ...], report: ReportCall) -> int:
    """Merge the shards of a check.

    FACTS are the files that mcpcfg check --shard 1/N to N/N wrote. The checked files must be here too, at the same
    paths, because the report shows lines of them. The findings are those of a single mcpcfg check of all files.
    """
    parts = shard.read(facts)
    try:
        return _joined(parts, report)
    except (InputError, OSError):
        raise
    except Exception as error:
        # Rules and reports trust the structure of facts, but these facts were read from files that may be changed.
        raise InputError(f"the parts were changed since they were written ({type(error).__name__})") from error


def _joined(parts: shard.Parts, report: ReportCall) -> int:
    asked = parts.call
    project = find_project(asked.asked, settings_file=asked.config, release=asked.release, crds=asked.crds)
    if shard.basis_of(project, VERSION) != parts.basis:
        raise InputError("the parts were made of other files, with another configuration or by another version")
    options = Options(closed=asked.closed, namespace=asked.namespace, isolated=asked.isolated, unused=asked.unused)
    texts = Texts()
    facts = parts.unpacked(texts)
    report = report.over(project.settings).for_stream(sys.stdout)
    return deliver(check(project, options, facts, texts), report)


def write_part(call: InputCall, report: ReportCall, asked: str) -> int:
    """Read one shard of the files, and write its facts to a file for ``mcpcfg merge``. Return the exit status.

    Args:
        call: Paths and input options.
        report: Output options, with at most one file for the facts.
        asked: The shard as the user states it, such as ``2/4``.

    Raises:
        click.UsageError: The shard is invalid, or an option cannot be combined with it.
    """
    try:
        part = shard.parse(asked)
    except ValueError:
        raise click.UsageError(f"--shard takes I/N with I from 1 to N, as 2/4, not {asked}") from None
    if len(report.outputs) > 1:
        raise click.UsageError("--shard writes one FILE: name one --output")
    is_piped = STANDARD_INPUT in (*call.paths, *call.options.crds)
    if call.options.read_as is not None or call.options.reference_engine or is_piped:
        raise click.UsageError("--shard goes neither with --as and --engine nor with standard input")
    project = find_project(call.paths, settings_file=call.config, release=call.options.release, crds=call.options.crds)
    project_part = project._replace(files=part.share(project.files))
    options = call.options
    read = load(project_part, options, Texts(), {})
    facts = {
        path: facts_ and plain_facts(facts_) for path, facts_ in read.items() if facts_ is None or may_be_stored(facts_)
    }
    stated = (options.closed, options.namespace, options.isolated, options.release, options.unused, options.crds)
    shard_call = shard.ShardCall(call.paths, call.config, *stated)
    text = shard.write(part, shard_call, shard.basis_of(project, VERSION), facts)
    if not report.outputs:
        sys.stdout.write(text)
    for output in report.outputs:
        write_file(output.file, text)
    click.echo(f"part {part.number} of {part.of}: {len(project_part.files)} of {len(project.files)} files", err=True)
    return 0
