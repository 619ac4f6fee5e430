"""``mcpcfg check``: validate; the lint step and the pre-commit hook."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from mcpcfg.compiler import pipeline, project, verdict
from mcpcfg.compiler.progress import clear, stage

from .option import fix_options, input_options, report_options, timing_options
from .output import write_findings

if TYPE_CHECKING:
    from mcpcfg.compiler.pipeline import Report
    from mcpcfg.compiler.project import Project

    from .option import FixCall, InputCall, ReportCall


@click.command("check")
@input_options
@report_options
@fix_options
@timing_options
@click.option("--no-cache", is_flag=True, help="Find everything out anew, and keep nothing.")
@click.option(
    "--changed-since", "since", metavar="REV", help="Tell only what the change since the merge base with REV touches."
)
@click.option("--watch", is_flag=True, help="Check again whenever a file changes; end with Ctrl-C.")
def command(
    call: InputCall, report: ReportCall, fixing: FixCall, *, since: str | None, no_cache: bool, watch: bool
) -> int:
    """Validate resources and records.

    PATH is a file, a folder or - for standard input; without one, the current folder. All the files of one call are
    one project: a reference may be satisfied from any of them.

    With --fix, misspelt names, fields of earlier versions, unquoted texts and the like are mended in the files; what
    comes from standard input is written to standard output, and findings go to standard error.
    """

    def once() -> int:
        return _check(call, report, fixing, since=since, no_cache=no_cache)

    if not watch:
        return once()
    if fixing.fix or fixing.diff or project.STANDARD_INPUT in call.paths:
        raise click.UsageError("--watch goes neither with --fix and --diff nor with standard input")
    from .watch import repeat

    return repeat(once, call)


def _check(call: InputCall, report: ReportCall, fixing: FixCall, *, since: str | None, no_cache: bool) -> int:
    with stage("find files"):
        found = project.discover(call.paths, settings_file=call.config)
    outcome = pipeline.check(found, call.options, keep=not no_cache)
    threshold = report.fail_on or found.settings.fail_on
    if fixing.diff:
        from . import mending

        would_change = mending.print_diff(outcome, found, unsafe=fixing.unsafe)
        return 1 if would_change or verdict.fails(outcome.findings, threshold) else 0
    if fixing.fix:
        outcome = _fix(outcome, found, call, unsafe=fixing.unsafe)
    if since is not None:
        from .since import touched

        outcome = touched(outcome, found, call, since)
    to_stderr = fixing.fix and project.STANDARD_INPUT in call.paths
    clear()
    with stage("report"):
        write_findings(outcome, threshold, report, to_stderr=to_stderr, project=found)
    if outcome.nothing:
        click.echo("mcpcfg: nothing to check: no resources or records of ours were found", err=True)
    if outcome.findings and report.format == "text" and not fixing.fix:
        from . import mending

        mending.offer(outcome, found)
    sys.stdout.flush()
    return 1 if verdict.fails(outcome.findings, threshold) else 0


def _fix(outcome: Report, found: Project, call: InputCall, *, unsafe: bool) -> Report:
    """Mend the files, and check again what has changed."""
    from . import mending

    options, name = call.options, call.options.stdin_name
    texts = outcome.loaded.texts
    stdin = texts.get(name, b"") if project.STANDARD_INPUT in call.paths else None
    count = files = 0
    for file, _, after in mending.mended(outcome, found, unsafe=unsafe):
        if stdin is not None and file == name:
            stdin = after.text
        else:
            mending.write(file, after)
        count, files = count + len(after.titles), files + 1
    if stdin is not None:
        sys.stdout.buffer.write(stdin)
        options = options._replace(stdin_text=stdin)
    mending.tell(count, files)
    return pipeline.check(found, options) if count else outcome
