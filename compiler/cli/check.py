"""``mcpcfg check``: validate; the lint step and the pre-commit hook."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from mcpcfg.compiler import pipeline, project, verdict

from .option import input_options, report_options
from .output import write_findings

if TYPE_CHECKING:
    from .option import InputCall, ReportCall


@click.command("check")
@input_options
@report_options
def command(call: InputCall, report: ReportCall) -> int:
    """Validate resources and records.

    PATH is a file, a folder or - for standard input; without one, the current folder. All the files of one call are
    one project: a reference may be satisfied from any of them.
    """
    found = project.discover(call.paths, settings_file=call.config)
    outcome = pipeline.check(found, call.options)
    threshold = report.fail_on or found.settings.fail_on
    write_findings(outcome, threshold, report)
    if not outcome.loaded.resources and not outcome.loaded.records and not outcome.findings:
        click.echo("mcpcfg: nothing to check: no resources or records of ours were found", err=True)
    sys.stdout.flush()
    return 1 if verdict.fails(outcome.findings, threshold) else 0
