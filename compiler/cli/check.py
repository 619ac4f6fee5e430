"""``mcpcfg check``: validate; the lint step and the pre-commit hook."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from .. import speed
from ..diagnostics.retired import RETIRED, current_id
from ..diagnostics.shown import line
from ..diagnostics.timing import clear, stage
from ..project import suppression
from ..project.discovery import STANDARD_INPUT, chart_templates
from .call import deliver, find_project, printed, write
from .complete import PATH
from .option import fix_options, input_options, report_options, split, timing_options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..check.facts import Facts
    from ..check.full import Report
    from ..project.discovery import Project
    from ..project.settings import Options
    from ..speed.cache import Cache
    from .call import Printed
    from .option import FixCall, InputCall, ReportCall


@click.command("check")
@input_options
@report_options
@fix_options
@timing_options
@click.option(
    "--select",
    multiple=True,
    callback=split,
    metavar="RULES",
    help="Report these rules alone: ids or beginnings of ids, such as REF,VMC2. Repeatable.",
)
@click.option(
    "--ignore",
    multiple=True,
    callback=split,
    metavar="RULES",
    help="Do not report these rules: ids or beginnings of ids. Repeatable.",
)
@click.option("--shard", metavar="I/N", help="Check shard I of N: write facts for mcpcfg merge, to FILE of --output.")
@click.option("--no-cache", is_flag=True, help="Do not read or write the cache.")
@click.option(
    "--changed-since",
    "since",
    metavar="REV",
    help="Report only findings that changes since the merge base with REV touch.",
)
@click.option("--baseline", type=PATH, metavar="FILE", help="Ignore the findings listed in FILE.")
@click.option("--write-baseline", type=PATH, metavar="FILE", help="Write all findings to FILE as the new baseline.")
@click.option("--watch", is_flag=True, help="Check again when a file changes; stop with Ctrl-C.")
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
        if given["select"] or given["ignore"] or call.exclude:
            raise click.UsageError("--shard does not go with --select, --ignore and --exclude: use the configuration")
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
    """Which findings are reported.

    Attributes:
        since: Only what the change since this revision touches.
        baseline: Not those that this file lists.
        write_baseline: Nothing: it goes into this file.
        no_cache: True if the cache is neither read nor written.
        select: These rules alone, by the beginnings of their ids.
        ignore: Not these rules.
    """

    since: str | None
    baseline: str | None
    write_baseline: str | None
    no_cache: bool
    select: tuple[str, ...]
    ignore: tuple[str, ...]

    def are_any(self, found: Project) -> bool:
        """Return whether some findings are not reported."""
        return bool(self.since or self.write_baseline or self.baseline or found.settings.baseline)


def _check(call: InputCall, report: ReportCall, fix_call: FixCall, limits: Limits) -> int:
    with stage("find files"):
        project = find_project(
            call.paths,
            settings_file=call.config,
            release=call.options.release,
            crds=call.options.crds,
            is_kept=not limits.no_cache,
            stdin_name=call.options.stdin_name,
            exclude=call.exclude,
        )
        project = _selecting(project, limits)
    # The fixed text goes to standard output, so findings go to standard error.
    is_of_stdin = fix_call.fix and STANDARD_INPUT in call.paths
    report = report.over(project.settings).for_stream(sys.stderr if is_of_stdin else sys.stdout)
    # Only output that the files and options of the call decide alone may be printed from the cache.
    is_whole = not (fix_call.fix or fix_call.diff or report.goes_elsewhere or limits.are_any(project))
    with stage("open the cache"):
        cache = None if limits.no_cache else open_cache(project, call.options)
        reported = None if project.reported is None else sorted(project.reported)
        key = repr((tuple(report), reported, limits.select, limits.ignore))
        last = cache.output(key) if cache is not None and is_whole else None
    if last is not None:
        return write(last)
    outcome, known = check_known(project, call.options, cache)
    if fix_call.diff:
        return _show(outcome, report.threshold, unsafe=fix_call.unsafe)
    facts = outcome.loaded.facts
    if fix_call.fix:
        outcome = _fix(outcome, project, call, unsafe=fix_call.unsafe)
    outcome = _limited(outcome, project, call, limits)
    if limits.write_baseline is not None:
        from . import baseline

        return baseline.write(outcome, limits.write_baseline)
    with stage("report"):
        output = printed(outcome, report, offers_fixes=not fix_call.fix)
        if report.format == "text":
            output = _with_remarks(output, outcome)
    if cache is not None and not fix_call.fix:
        with stage("write the cache"):
            from ..check.serialize import pack_all

            cache.save(pack_all(facts, known), key, output if is_whole else None)
    return deliver(outcome, report, output, to_stderr=is_of_stdin)


def _selecting(project: Project, limits: Limits) -> Project:
    """Return the project with the rules that the call selects and ignores.

    Raises:
        click.UsageError: No rule has such an id.
    """
    settings = project.settings
    options = (("--select", limits.select), ("--ignore", limits.ignore))
    named = (("the configuration", settings.rules), *options)
    if any(id_ in RETIRED for _, ids in named for id_ in ids):
        from .baseline import report_retired

        for where, ids in named:
            report_retired(where, ids)
    if not (limits.select or limits.ignore):
        return project
    from ...validators.registry import all_rules

    known = [*all_rules(), *(rule.id for rule in settings.custom_rules)]
    for option, beginnings in options:
        for beginning in beginnings:
            if beginning not in RETIRED and not any(id_.startswith(beginning) for id_ in known):
                raise click.UsageError(f"{option}: no rule's id begins with {beginning}; mcpcfg rules lists them")
    select, ignore = tuple(map(current_id, limits.select)), tuple(map(current_id, limits.ignore))
    return project._replace(settings=settings._replace(select=select, ignore=ignore))


def open_cache(project: Project, options: Options) -> Cache | None:
    """Return the cache of a call, ``None`` where the call has none: few files are checked sooner than it is opened."""
    files = [file.path for file in project.files]
    if len(files) < speed.FEWEST_KEPT or options.read_as or options.reference_engine or STANDARD_INPUT in files:
        return None
    if _lies_in_checkout(project):
        return None
    from ..speed.cache import Cache

    settings = project.settings
    external = sorted((kind, sorted(names)) for kind, names in settings.external.items())
    # All options but those by which the same is found, so that none can be forgotten.
    asked = options._replace(first=None, stdin_name="")
    basis = (
        settings._replace(external={}, select=(), ignore=()),
        external,
        asked,
        project.complete,
        sorted(chart_templates(files)),
    )
    place = (os.getcwd(), project.root if settings.file else project.asked)
    return Cache(place, basis, project.files)


def _lies_in_checkout(project: Project) -> bool:
    """Return whether the cache would lie among what is checked, whose author could forge it; report that."""
    from ..disk.walk import boundary
    from ..speed import cache_file

    folder = cache_file.folder()
    real = os.path.join(os.path.realpath(folder), "")
    lies_in = any(real.startswith(os.path.join(boundary(place), "")) for place in (project.root, os.curdir))
    if lies_in:
        clear()
        click.echo(line(f"mcpcfg: no cache: {folder} lies in the checkout, where a forged one could stand"), err=True)
    return lies_in


_held: list[Report] = []
"""The outcome of the last check. It is held on to: to take it apart at the end would take longer than to write it."""


def _with_remarks(output: Printed, outcome: Report) -> Printed:
    """Return what is printed with lines on overlays that the check does not apply."""
    if outcome.loaded.plan.overlays is None:
        return output
    from ..check.compilable import unapplied

    text, errors, status = output
    return text, errors + "".join(f"{line(f'mcpcfg: {one}')}\n" for one in unapplied(outcome)), status


def check_known(project: Project, options: Options, cache: Cache | None) -> tuple[Report, Mapping[str, Facts | None]]:
    """Check a project with what its cache knows of its files; return the outcome, and what that was.

    Args:
        project: The files.
        options: How they are read.
        cache: The cache, if the call has one.
    """
    from ..check.full import check
    from ..check.serialize import unpack_all
    from ..disk.files import Texts

    texts = Texts(options.buffers)
    known = {} if cache is None else unpack_all(cache.known(), texts)
    _held[:] = [check(project, options, known, texts, keep=cache is not None)]
    return _held[0], known


def _show(outcome: Report, threshold: str, *, unsafe: bool) -> int:
    """Print what fixing would change."""
    from . import fixing

    clear()
    would_change = fixing.print_diff(outcome, unsafe=unsafe)
    return int(would_change or suppression.fails(outcome.findings, threshold))


def _limited(outcome: Report, found: Project, call: InputCall, limits: Limits) -> Report:
    """Return the outcome with the findings that the call asks for."""
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
    from ..check.full import check
    from . import fixing

    options, name = call.options, call.options.stdin_name
    texts = outcome.loaded.texts
    stdin = texts.get(name, b"") if STANDARD_INPUT in call.paths else None
    count = fixed = 0
    for file, _, after in fixing.fixed(outcome, unsafe=unsafe):
        if stdin is not None and file == name:
            stdin = after.text
        else:
            fixing.write(file, after)
        count, fixed = count + len(after.titles), fixed + 1
    if stdin is not None:
        sys.stdout.buffer.write(stdin)
        options = options._replace(stdin_text=stdin)
    fixing.print_summary(count, fixed)
    return check(found, options) if count else outcome
