"""Functions that commands share: they find the project of a call, and print findings.

Modules for reports are imported on use, so that commands without findings start faster.
"""

from __future__ import annotations

import os
import sys
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeAlias

import click

from ..diagnostics.shown import line
from ..diagnostics.span import InputError
from ..diagnostics.timing import clear
from ..disk.output_file import reason, write_file
from ..project import suppression
from ..project.discovery import discover

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..check.full import Report
    from ..project.discovery import Project
    from ..report.format import Format
    from .option import InputCall, ReportCall

Printed: TypeAlias = tuple[str, str, int]
"""Text for standard output, text for standard error, and exit status of a command."""

_Call = ParamSpec("_Call")
_MOST_NAMED = 3
"""Maximum number of files that the note about unread files names, so that it stays one line."""
NOTHING = "mcpcfg: nothing to check: no resources or records of ours were found\n"


def _with_remarks(find: Callable[_Call, Project]) -> Callable[_Call, Project]:
    @wraps(find)
    def announced(*paths: _Call.args, **options: _Call.kwargs) -> Project:
        project = find(*paths, **options)
        for remark in project.remarks:
            clear()
            click.echo(line(f"mcpcfg: {remark}"), err=True)
        return project

    return announced


find_project = _with_remarks(discover)


def find_asked(call: InputCall, cache_name: str | None = None) -> Project:
    """Return the project that the paths and input options of a command select. See `discover`."""
    return find_project(
        call.paths,
        settings_file=call.config,
        release=call.options.release,
        crds=call.options.crds,
        cache_name=cache_name,
        stdin_name=call.options.stdin_name,
        exclude=call.exclude,
    )


def write(printed: Printed, *, to_stderr: bool = False) -> int:
    """Print the output of a command, and return its exit status.

    Args:
        to_stderr: True to write everything to standard error, if standard output is used for something else.
    """
    text, errors, status = printed
    clear()
    stream = sys.stderr if to_stderr else sys.stdout
    try:
        if text:
            stream.write(text)
            stream.flush()
    finally:
        sys.stderr.write(errors)
    return status


def printed(outcome: Report, report: ReportCall, *, offers_fixes: bool = False) -> Printed:
    """Return the texts for standard output and standard error, and the exit status, for the result of a check.

    Args:
        report: Format of the output, and the lowest severity that causes exit status 1.
        offers_fixes: True to count, in the format ``text``, the faults that ``--fix`` would fix.
    """
    from ..api import summary

    errors = f"{NOTHING}{_mentions_line(outcome)}" if outcome.nothing else ""
    if report.format == "text":
        errors = f"{summary(outcome, report.least('text'))}\n{errors}"
        if offers_fixes and outcome.findings:
            from . import fixing

            errors += fixing.offer(outcome)
    status = int(suppression.fails(outcome.findings, report.threshold))
    return rendered(outcome, report, report.format), errors, status


def _mentions_line(outcome: Report) -> str:
    """Return a line that names files which mention the operator's API group; empty if there are none.

    The line is for a check that found nothing to check. The files are Helm values, Terraform, or objects that contain
    other objects as text, and have to be rendered first. Templates of charts are not mentioned.
    """
    from ..disk.files import find_files, read_file
    from ..project.discovery import STANDARD_INPUT, chart_templates

    project, texts = outcome.project, outcome.loaded.texts
    group = project.settings.profile.api_group
    asked = [path for path in project.asked if path != STANDARD_INPUT]
    files = find_files(asked, project.settings.exclude, base=project.root, wanted=lambda name: name.endswith(".tf"))
    terraform = {file.path: file for file in files}
    mentioning = []
    looked_at = {*(project.reported or texts), *terraform} - chart_templates(texts)
    for path in sorted(looked_at & {*texts, *terraform}):
        text = texts[path] if path in texts else read_file(terraform[path])
        mentioning += [path] if isinstance(text, bytes) and f"{group}/v1".encode() in text else []
    if not mentioning:
        return ""
    count = (
        f"{len(mentioning)} file{'s mention' if len(mentioning) > 1 else ' mentions'} {group} inside of something else"
    )
    named = ", ".join([*mentioning[:_MOST_NAMED], *(["…"] if len(mentioning) > _MOST_NAMED else [])])
    return line(f"mcpcfg: {count}: {named}; render it, and pipe the output into mcpcfg check -") + "\n"


def deliver(outcome: Report, report: ReportCall, output: Printed | None = None, *, to_stderr: bool = False) -> int:
    """Print the report of a check, write it to files, and return the exit status.

    Args:
        output: Output for the screen; ``None`` to render the result.
        to_stderr: True to write everything to standard error, if standard output is used for something else.

    Raises:
        InputError: A file cannot be written. The other files and the screen are written nevertheless.
    """
    failed: InputError | None = None
    plain = report._replace(color=False, width=None)
    for output_ in report.outputs:
        try:
            write_file(output_.file, rendered(outcome, plain, output_.format))
        except InputError as error:
            failed = failed or error
    if report.format == "github":
        _append_job_summary(lambda: rendered(outcome, plain, "markdown"))
    status = write(output or printed(outcome, report), to_stderr=to_stderr)
    if failed is not None:
        raise failed
    return status


def _append_job_summary(text: Callable[[], str]) -> None:
    """Append the result of ``text`` to the summary of a GitHub job. Outside of a job, do nothing.

    If the summary cannot be written, only print a warning, because the user did not ask for it.
    """
    file = os.environ.get("GITHUB_STEP_SUMMARY")
    if not file:
        return
    try:
        with open(file, "a", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
            stream.write(text())
    except OSError as error:
        click.echo(line(f"mcpcfg: no job summary: cannot write {file}: {reason(error)}"), err=True)


def rendered(outcome: Report, report: ReportCall, format_: Format) -> str:
    """Return the report of a check in the format ``format_``."""
    from ..api import render

    return render(
        outcome,
        format_,
        severity=report.severity,
        fail_on=report.threshold,
        colour=report.color is True,
        width=report.width,
    )
