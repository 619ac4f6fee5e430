"""``mcpcfg merge``: join the parts of a check that several machines made, and ``check --shard``, which makes one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ..check import shard
from ..check.full import Options, check
from ..check.load import load
from ..check.serialize import may_be_kept, plain_of
from ..diagnostics.span import InputError
from ..diagnostics.version import VERSION
from ..disk.files import Texts
from ..disk.output_file import write_file
from ..project.discovery import STANDARD_INPUT
from .call import deliver, find_project
from .complete import PATH
from .option import report_options

if TYPE_CHECKING:
    from .option import InputCall, ReportCall


@click.command("merge")
@click.argument("facts", nargs=-1, required=True, type=PATH, metavar="FACTS...")
@report_options
def command(facts: tuple[str, ...], report: ReportCall) -> int:
    """Merge the shards of a check.

    FACTS are what the calls of mcpcfg check --shard 1/N to N/N wrote. The files that they are about have to be here
    too, at the same paths: their lines are shown, and rules that look at several files point into them. The findings
    are those of one mcpcfg check of the whole.
    """
    parts = shard.read(facts)
    try:
        return _joined(parts, report)
    except (InputError, OSError):
        raise
    except Exception as error:
        # Rules and reports rest on the form of facts, and these come from elsewhere: whatever fails is theirs.
        raise InputError(f"the parts were changed since they were written ({type(error).__name__})") from error


def _joined(parts: shard.Parts, report: ReportCall) -> int:
    """Check the files with what the parts hold of each; return the exit status."""
    asked = parts.call
    found = find_project(asked.asked, settings_file=asked.config, release=asked.release, crds=asked.crds)
    if shard.basis_of(found, VERSION) != parts.basis:
        raise InputError("the parts were made of other files, with another configuration or by another version")
    options = Options(closed=asked.closed, namespace=asked.namespace, isolated=asked.isolated, unused=asked.unused)
    texts = Texts()
    known = parts.known(texts)
    report = report.over(found.settings).for_stream(sys.stdout)
    return deliver(check(found, options, known, texts), report)


def write_part(call: InputCall, report: ReportCall, asked: str) -> int:
    """Read one part of the files and write its facts; what is wrong with them is reported by ``merge``."""
    try:
        part = shard.parse(asked)
    except ValueError:
        raise click.UsageError(f"--shard takes I/N with I from 1 to N, as 2/4, not {asked}") from None
    if len(report.outputs) > 1:
        raise click.UsageError("--shard writes one FILE: name one --output")
    if call.options.read_as is not None or call.options.reference_engine or STANDARD_INPUT in call.paths:
        raise click.UsageError("--shard goes neither with --as and --engine nor with standard input")
    found = find_project(call.paths, settings_file=call.config, release=call.options.release, crds=call.options.crds)
    own = found._replace(files=part.share(found.files))
    options = call.options
    read = load(own, options, Texts(), {})
    facts = {path: one and plain_of(one) for path, one in read.items() if one is None or may_be_kept(one)}
    stated = (options.closed, options.namespace, options.isolated, options.release, options.unused, options.crds)
    asked_for = shard.Call(call.paths, call.config, *stated)
    text = shard.write(part, asked_for, shard.basis_of(found, VERSION), facts)
    if not report.outputs:
        sys.stdout.write(text)
    for output in report.outputs:
        write_file(output.file, text)
    click.echo(f"part {part.number} of {part.of}: {len(own.files)} of {len(found.files)} files", err=True)
    return 0
