"""``mcpcfg check``: validate; the lint step and the pre-commit hook."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ..diagnostics.timing import clear, stage
from ..intake.keeping import open_cache
from ..project import suppression
from ..project.discovery import STANDARD_INPUT
from .complete import PATH
from .found import find_project
from .option import fix_options, input_options, report_options, timing_options
from .output import NOTHING, write_findings, write_outputs
from .text_output import Telling, in_text, words_of

if TYPE_CHECKING:
    from ..check.pipeline import Report, Told
    from ..intake.cache import Cache
    from ..project.discovery import Project
    from .option import FixCall, InputCall, ReportCall
    from .output_cache import Repetition


@click.command("check")
@input_options
@report_options
@fix_options
@timing_options
@click.option("--shard", metavar="I/N", help="Check part I of N: write facts for mcpcfg merge, to FILE of --output.")
@click.option("--no-cache", is_flag=True, help="Find everything out anew, and keep nothing.")
@click.option(
    "--changed-since", "since", metavar="REV", help="Tell only what the change since the merge base with REV touches."
)
@click.option("--baseline", type=PATH, metavar="FILE", help="Leave out the findings that FILE knows.")
@click.option(
    "--write-baseline", type=PATH, metavar="FILE", help="Write all findings into FILE, to be known from now on."
)
@click.option("--watch", is_flag=True, help="Check again whenever a file changes; end with Ctrl-C.")
def command(
    call: InputCall,
    report: ReportCall,
    fix_call: FixCall,
    *,
    shard: str | None,
    watch: bool,
    **given: Any,
) -> int:
    """Validate resources and records.

    PATH is a file, a folder or - for standard input; without one, the current folder. All the files of one call are
    one project: a reference may be satisfied from any of them.

    With --fix, misspelt names, fields of earlier versions, unquoted texts and the like are fixed in the files; what
    comes from standard input is written to standard output, and findings go to standard error.
    """
    if shard is not None:
        if fix_call.fix or fix_call.diff or watch:
            raise click.UsageError("--shard goes neither with --fix and --diff nor with --watch")
        from .merge import write_part

        return write_part(call, report, shard)

    def once() -> int:
        return _check(call, report, fix_call, Limits(**given))

    if not watch:
        return once()
    if fix_call.fix or fix_call.diff or STANDARD_INPUT in call.paths:
        raise click.UsageError("--watch goes neither with --fix and --diff nor with standard input")
    from .watch import repeat

    return repeat(once, call)


class Limits(NamedTuple):
    """What is told of all that is found.

    Attributes:
        since: Only what the change since this revision touches.
        baseline: Not what this file knows.
        write_baseline: Nothing: it goes into this file.
        no_cache: Whether everything is found out anew.
    """

    since: str | None
    baseline: str | None
    write_baseline: str | None
    no_cache: bool

    def are_any(self, found: Project) -> bool:
        """Return whether something of what is found is not told."""
        return bool(self.since or self.write_baseline or self.baseline or found.settings.baseline)


_held: list[Report | Told] = []
"""The outcome of the last check. It is held on to: to take it apart at the end would take longer than to write it."""


def _check(call: InputCall, report: ReportCall, fix_call: FixCall, limits: Limits) -> int:
    with stage("find files"):
        found = find_project(call.paths, settings_file=call.config)
    is_of_stdin = fix_call.fix and STANDARD_INPUT in call.paths
    report = report.over(found.settings).for_stream(sys.stderr if is_of_stdin else sys.stdout)
    with stage("look into the cache"):
        cache = None if limits.no_cache else open_cache(found, call.options)
        is_whole = not (fix_call.fix or fix_call.diff or report.goes_elsewhere or limits.are_any(found))
        repetition = _repetition(cache, found, report) if cache is not None and is_whole else None
        said = repetition.again() if repetition is not None else None
    if said is not None:
        return said.say()
    _held.clear()
    if is_whole and report.format == "text":
        told = _in_words(call, report, found, cache, repetition)
    else:
        outcome = _outcome(call, found, cache)
        if fix_call.diff:
            return _show(outcome, found, report.threshold, unsafe=fix_call.unsafe)
        if fix_call.fix:
            outcome = _fix(outcome, found, call, unsafe=fix_call.unsafe)
        outcome = _limited(outcome, found, call, limits)
        if limits.write_baseline is not None:
            from . import baseline as known

            return known.write(outcome, limits.write_baseline)
        with stage("report"):
            if report.format == "text" and not fix_call.fix:
                write_outputs(outcome, report, found)
                words = words_of(outcome.findings, outcome.loaded.texts, report=report)
                told = in_text(words, outcome.loaded, found, report, nothing=outcome.nothing)
            else:
                told = Telling.of(lambda: _tell(outcome, found, report, to_stderr=is_of_stdin))
    with stage("report"):
        status = told.say()
    if repetition is not None:
        with stage("write the cache"):
            repetition.keep(told)
    return status


def _in_words(
    call: InputCall,
    report: ReportCall,
    found: Project,
    cache: Cache | None,
    repetition: Repetition | None,
) -> Telling:
    """Check, and put into words file by file what is found; what is told again as last time is not even found again."""
    from ..check import pipeline

    words = partial(words_of, report=report)
    before = None if repetition is None else repetition.blocks
    outcome = pipeline.tell(found, call.options, words, keeper=cache, before=before)
    _held.append(outcome)
    with stage("report"):
        return in_text(outcome.files, outcome.judged.loaded, found, report, nothing=outcome.nothing)


def _outcome(call: InputCall, found: Project, cache: Cache | None) -> Report:
    from ..check import pipeline

    outcome = pipeline.check(found, call.options, keeper=cache, findings_alone=True)
    _held.append(outcome)
    return outcome


def _repetition(cache: Cache, found: Project, report: ReportCall) -> Repetition:
    from .output_cache import Repetition

    reported = None if found.reported is None else sorted(found.reported)
    return Repetition(cache, (tuple(report), reported))


def _show(outcome: Report, found: Project, threshold: str, *, unsafe: bool) -> int:
    """Print what fixing would change."""
    from . import fixing

    clear()
    would_change = fixing.print_diff(outcome, found, unsafe=unsafe)
    return int(would_change or suppression.fails(outcome.findings, threshold))


def _tell(outcome: Report, found: Project, report: ReportCall, *, to_stderr: bool) -> int:
    write_findings(outcome, report, to_stderr=to_stderr, project=found)
    if outcome.nothing:
        click.echo(NOTHING, err=True, nl=False)
    return int(suppression.fails(outcome.findings, report.threshold))


def _limited(outcome: Report, found: Project, call: InputCall, limits: Limits) -> Report:
    """Leave out what the call does not want to be told."""
    if limits.since is not None:
        from .since import touched

        outcome = touched(outcome, found, call, limits.since)
    if limits.write_baseline is None and (limits.baseline or found.settings.baseline):
        from . import baseline as known

        file = limits.baseline or known.of_settings(found.root, found.settings.baseline)
        if file is not None:
            outcome = known.without_known(outcome, file)
    return outcome


def _fix(outcome: Report, found: Project, call: InputCall, *, unsafe: bool) -> Report:
    """Fix the files, and check again what has changed."""
    from ..check import pipeline
    from . import fixing

    options, name = call.options, call.options.stdin_name
    texts = outcome.loaded.texts
    stdin = texts.get(name, b"") if STANDARD_INPUT in call.paths else None
    count = fixed = 0
    files = fixing.fixable(outcome.findings)
    for file, _, after in fixing.fixed(files, outcome.loaded, found, unsafe=unsafe):
        if stdin is not None and file == name:
            stdin = after.text
        else:
            fixing.write(file, after)
        count, fixed = count + len(after.titles), fixed + 1
    if stdin is not None:
        sys.stdout.buffer.write(stdin)
        options = options._replace(stdin_text=stdin)
    fixing.tell(count, fixed)
    return pipeline.check(found, options) if count else outcome
