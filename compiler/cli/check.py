"""``mcpcfg check``: validate files, for example as a lint step or a pre-commit hook."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from ..diagnostics import file_path
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.retired import RETIRED, current_id
from ..diagnostics.shown import line
from ..diagnostics.timing import clear, stage
from ..project import suppression
from ..project.discovery import STANDARD_INPUT, chart_templates
from .call import deliver, find_asked, printed, write
from .option import FOLDER, PATH, fix_options, input_options, report_options, split, timing_options
from .section import SectionedCommand, section

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..check.facts import Facts
    from ..check.full import Report
    from ..disk.cache import Cache
    from ..project.discovery import Project
    from ..project.settings import Options
    from .call import Printed
    from .option import FixCall, InputCall, ReportCall

FEWEST_KEPT = 64
"""Minimum number of files for using the cache. With fewer files, opening the cache takes longer than checking."""


@click.command("check", cls=SectionedCommand)
@input_options
@report_options
@section("Limits of the report")
@click.option(
    "--select",
    multiple=True,
    callback=split,
    metavar="RULES",
    help="Report only these rules: ids or beginnings of ids, such as REF,VMC2. Repeatable.",
)
@click.option(
    "--ignore",
    multiple=True,
    callback=split,
    metavar="RULES",
    help="Do not report these rules: ids or beginnings of ids. Repeatable.",
)
@click.option(
    "--changed-since",
    "since",
    metavar="REV",
    help="Report only findings that changes since the merge base with REV touch.",
)
@click.option("--baseline", type=PATH, metavar="FILE", help="Ignore the findings listed in FILE.")
@click.option("--write-baseline", type=PATH, metavar="FILE", help="Write all findings to FILE as the new baseline.")
@fix_options
@section("Run")
@timing_options
@click.option(
    "--shard", metavar="I/N", help="Check shard I of N, such as 1/4 with --output part-1; mcpcfg merge joins the files."
)
@click.option(
    "--cache",
    type=FOLDER,
    default="",
    metavar="DIR",
    help="Folder of the cache.  [default: that of the user; in CI, no cache]",
)
@click.option("--no-cache", is_flag=True, help="Do not read or write the cache.")
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
    one project: a reference may name a resource in any of them.

    With --fix, faults such as misspelt names, fields of earlier versions and unquoted texts are fixed in the files. The
    fixed text of standard input goes to standard output, and findings then go to standard error.
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
    if fix_call.fix or fix_call.diff or given["write_baseline"] or STANDARD_INPUT in call.paths:
        raise click.UsageError("--watch goes neither with --fix, --diff and --write-baseline nor with standard input")
    from .watch import repeat

    return repeat(once, call, [output.file for output in report.outputs])


class Limits(NamedTuple):
    """Options that limit the reported findings.

    Attributes:
        since: Git revision. Findings in files that have not changed since, and existed then, are not reported.
        baseline: Baseline file. Its findings are not reported.
        write_baseline: File for a new baseline. Findings are written to it instead of being reported.
        cache: Folder of the cache; empty for the default one.
        no_cache: True to neither read nor write the cache.
        select: Prefixes of rule ids. Only these rules are reported.
        ignore: Prefixes of rule ids. These rules are not reported.
    """

    since: str | None
    baseline: str | None
    write_baseline: str | None
    cache: str
    no_cache: bool
    select: tuple[str, ...]
    ignore: tuple[str, ...]

    def are_any(self, project: Project) -> bool:
        """Return whether a revision or a baseline limits the findings. If so, cached output cannot be printed."""
        return bool(self.since or self.write_baseline or self.baseline or project.settings.baseline)


def _check(call: InputCall, report: ReportCall, fix_call: FixCall, limits: Limits) -> int:
    cache_name = None if limits.no_cache else limits.cache
    with stage("find files"):
        project = _selecting(find_asked(call, cache_name), limits)
    # The fixed text goes to standard output, so findings go to standard error.
    is_of_stdin = fix_call.fix and STANDARD_INPUT in call.paths
    report = report.over(project.settings).for_stream(sys.stderr if is_of_stdin else sys.stdout)
    # Output may only be printed from the cache if it depends on nothing but files and options of the call.
    is_whole = not (fix_call.fix or fix_call.diff or report.goes_elsewhere or limits.are_any(project))
    with stage("open the cache"):
        cache = None if cache_name is None else open_cache(project, call.options, cache_name)
        reported = None if project.reported is None else sorted(project.reported)
        key = repr((tuple(report), reported, limits.select, limits.ignore))
        last = cache.output(key) if cache is not None and is_whole else None
    if last is not None:
        return write(last)
    outcome, known = check_known(project, call.options, cache)
    if fix_call.diff:
        return _print_fixes(outcome, report.threshold, unsafe=fix_call.unsafe)
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

            cache.save(pack_all(facts, known, outcome.loaded.texts), key, output if is_whole else None)
    return deliver(outcome, report, output, to_stderr=is_of_stdin)


def _selecting(project: Project, limits: Limits) -> Project:
    """Return the project with ``--select`` and ``--ignore`` in place of the configured selection, if stated."""
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

    rule_ids = [*all_rules(), *(rule.id for rule in settings.custom_rules)]
    for option, prefixes in options:
        for prefix in prefixes:
            if prefix not in RETIRED and not any(id_.startswith(prefix) for id_ in rule_ids):
                raise click.UsageError(f"{option}: no rule's id begins with {prefix}; mcpcfg rules lists them")
    select, ignore = tuple(map(current_id, limits.select)), tuple(map(current_id, limits.ignore))
    return project._replace(settings=settings._replace(select=select, ignore=ignore))


def open_cache(project: Project, options: Options, name: str) -> Cache | None:
    """Return the cache of the project in the folder ``name``, or ``None`` if the cache cannot be used.

    It is not used for few files, because checking them is faster, for standard input, or with options that change how
    files are read. If it could be forged, print a note.
    """
    files = [file.path for file in project.files]
    if len(files) < FEWEST_KEPT or options.read_as or options.reference_engine or STANDARD_INPUT in files:
        return None
    from ..disk.cache_file import chosen_folder, refusal

    folder = chosen_folder(name)
    if folder is None:
        return None
    reason = refusal(folder, (project.root, *project.asked))
    if reason is not None:
        clear()
        click.echo(line(f"mcpcfg: no cache: {folder} {reason}"), err=True)
        return None
    from ..disk.cache import Cache

    settings = project.settings
    external = sorted((kind, sorted(names)) for kind, names in settings.external.items())
    # All options except those that do not affect findings. New options are included automatically.
    relevant = options._replace(first=None, stdin_name="")
    basis = (
        settings._replace(external={}, select=(), ignore=()),
        external,
        relevant,
        project.complete,
        sorted(chart_templates(files)),
    )
    place = (file_path.getcwd(), project.root if settings.file else project.asked)
    return Cache(folder, place, basis, project.files)


_kept_alive: list[Report] = []
"""Result of the last check.

The reference prevents its deallocation at exit, which would take longer than writing it.
"""


def _with_remarks(output: Printed, outcome: Report) -> Printed:
    if outcome.loaded.plan.overlays is None:
        return output
    from ..check.compilable import unapplied

    text, errors, status = output
    return text, errors + "".join(f"{line(f'mcpcfg: {remark}')}\n" for remark in unapplied(outcome)), status


def check_known(project: Project, options: Options, cache: Cache | None) -> tuple[Report, Mapping[str, Facts | None]]:
    """Check a project with the cached facts of unchanged files. Return the report, and these facts by file.

    Args:
        cache: Cache; ``None`` to read all files.
    """
    from ..check.full import check
    from ..disk.files import Texts

    texts = Texts(options.buffers)
    cached: Mapping[str, Facts | None] = {}
    if cache is not None:
        from ..check.serialize import unpack_all

        cached = unpack_all(cache.known(), texts)
    _kept_alive[:] = [check(project, options, cached, texts)]
    return _kept_alive[0], cached


def _print_fixes(outcome: Report, threshold: str, *, unsafe: bool) -> int:
    """Print the fixes as a diff. Return 1 for fixes, or findings of severity ``threshold`` or worse, else 0."""
    from . import fixing

    clear()
    would_change = fixing.print_diff(outcome, unsafe=unsafe)
    return int(would_change or suppression.fails(outcome.findings, threshold))


def _limited(outcome: Report, project: Project, call: InputCall, limits: Limits) -> Report:
    """Return the report without the findings that ``--changed-since`` or a baseline hides.

    If a new baseline is to be written, the existing baseline hides nothing.
    """
    if limits.since is not None:
        from .since import touched

        outcome = touched(outcome, project, call, limits.since)
    if limits.write_baseline is None and (limits.baseline or project.settings.baseline):
        from . import baseline

        file = limits.baseline or baseline.configured_baseline(project.root, project.settings.baseline)
        if file is not None:
            outcome = baseline.without_known(outcome, file)
    return outcome


def _fix(outcome: Report, project: Project, call: InputCall, *, unsafe: bool) -> Report:
    """Fix the files, check again, and return the new report. If nothing is fixed, return ``outcome``.

    The text of standard input is written to standard output, fixed or not.
    """
    from ..check.full import check
    from ..disk.output_file import Change, write_changes
    from ..disk.walk import boundaries
    from ..fix import fixed_file
    from . import fixing

    options, name = call.options, call.options.stdin_name
    texts = outcome.loaded.texts
    stdin = texts.get(name, b"") if STANDARD_INPUT in call.paths else None
    count = fixed = 0
    within = boundaries((project.root, *project.asked))
    for file, before, after in fixed_file.fixed(outcome, unsafe=unsafe):
        if stdin is not None and file == name:
            stdin = after.text
        else:
            write_changes({file: Change(before, after.text)}, within)
        count, fixed = count + len(after.titles), fixed + 1
    if stdin is not None:
        sys.stdout.buffer.write(stdin)
        options = options._replace(stdin_text=stdin)
    fixing.print_summary(count, fixed)
    return check(project, options) if count else outcome
