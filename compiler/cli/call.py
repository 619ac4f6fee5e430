"""What commands share around a call: the files that it is about, and the one way to print what comes out.

What reports need is imported when there is one: commands that print nothing of a check start without.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TypeAlias

import click

from ..diagnostics.shown import line
from ..diagnostics.span import InputError
from ..diagnostics.timing import clear
from ..disk.output_file import reason, write_file
from ..project import suppression
from ..project.discovery import discover, nearest_settings, with_release

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..check.full import Report
    from ..project.discovery import Project
    from ..project.settings import Settings
    from ..report.format import Format
    from .option import ReportCall

Printed: TypeAlias = tuple[str, str, int]
"""What goes to standard output, what goes to standard error, and the exit status."""

_MOST_NAMED = 3
NOTHING = "mcpcfg: nothing to check: no resources or records of ours were found\n"


def find_project(  # noqa: PLR0913 - as `discover`
    paths: tuple[str, ...],
    *,
    settings_file: str | None = None,
    alone: bool = False,
    release: str | None = None,
    crds: tuple[str, ...] = (),
    is_kept: bool = False,
    stdin_name: str | None = None,
    exclude: tuple[str, ...] = (),
) -> Project:
    """Return the files of a call, and report on standard error which are not read. See `discover`."""
    project = discover(
        paths,
        settings_file=settings_file,
        alone=alone,
        release=release,
        crds=crds,
        is_kept=is_kept,
        stdin_name=stdin_name,
        exclude=exclude,
    )
    for remark in project.remarks:
        clear()
        click.echo(line(f"mcpcfg: {remark}"), err=True)
    return project


def settings_at(folder: str = ".", settings_file: str | None = None, release: str | None = None) -> Settings:
    """Return the configuration that holds in a folder, for commands that read no project.

    Raises:
        InputError: It cannot be read or is not valid, or the release is none.
    """
    from ..project.settings import Settings

    file = settings_file or nearest_settings((folder,))
    if file is None:
        return with_release(Settings(), release)
    from ..project.settings_file import read_settings

    return with_release(read_settings(file), release)


def settings_of_pages(settings_file: str | None, release: str | None = None) -> Settings:
    """Return the configuration that pages, schemas and lists of rules go by in the current folder.

    They are read to fix a configuration, too: one that is not valid does not count, unless the call names it.

    Raises:
        InputError: The configuration that the call names cannot be read or is not valid, or there is no such release.
    """
    try:
        return settings_at(settings_file=settings_file, release=release)
    except InputError:
        if settings_file is not None:
            raise
        from ..project.settings import Settings

        return with_release(Settings(), release)


def write(printed: Printed, *, to_stderr: bool = False) -> int:
    """Write what a call prints; return the exit status.

    Args:
        printed: What it prints.
        to_stderr: True if all goes to standard error: standard output is taken.
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
    """Return what a call prints about the outcome of a check.

    Args:
        outcome: Of the check.
        report: How it is reported, and what decides the exit status.
        offers_fixes: True if text ends with what ``--fix`` would fix.
    """
    from ..api import summary

    errors = f"{NOTHING}{_mentioning(outcome)}" if outcome.nothing else ""
    if report.format == "text":
        errors = f"{summary(outcome, report.least('text'))}\n{errors}"
        if offers_fixes and outcome.findings:
            from . import fixing

            errors += fixing.offer(outcome)
    status = int(suppression.fails(outcome.findings, report.threshold))
    return rendered(outcome, report, report.format), errors, status


def _mentioning(outcome: Report) -> str:
    """Return a line that counts the files whose text mentions our API group, though none of it is an object of ours.

    So do values of Helm, objects that wrap others, and Terraform, which a check of YAML and JSON does not read.
    """
    from ..disk.files import find_files, read_file
    from ..project.discovery import STANDARD_INPUT, chart_templates

    project, texts = outcome.project, outcome.loaded.texts
    group = f"{project.settings.profile.api_group}/v1"
    asked = [path for path in project.asked if path != STANDARD_INPUT]
    files = find_files(asked, project.settings.exclude, base=project.root, wanted=lambda name: name.endswith(".tf"))
    terraform = {file.path: file for file in files}
    found = []
    looked_at = {*(project.reported or texts), *terraform} - chart_templates(texts)
    for path in sorted(looked_at & {*texts, *terraform}):
        text = texts[path] if path in texts else read_file(terraform[path])
        found += [path] if isinstance(text, bytes) and group.encode() in text else []
    if not found:
        return ""
    count = f"{len(found)} file{'s mention' if len(found) > 1 else ' mentions'} {group} inside of something else"
    named = ", ".join([*found[:_MOST_NAMED], *(["…"] if len(found) > _MOST_NAMED else [])])
    return line(f"mcpcfg: {count}: {named}; render it, and pipe the output into mcpcfg check -") + "\n"


def deliver(outcome: Report, report: ReportCall, output: Printed | None = None, *, to_stderr: bool = False) -> int:
    """Write the outcome of a check wherever the call wants it; return the exit status.

    Args:
        outcome: Of the check.
        report: How it is reported.
        output: What the call prints, where that is worked out already.
        to_stderr: True if all goes to standard error: standard output is taken.

    Raises:
        InputError: A file cannot be written. The others, and the screen, have what they are to have.
    """
    failed: InputError | None = None
    plain = report._replace(color=False, width=None)
    for one in report.outputs:
        try:
            write_file(one.file, rendered(outcome, plain, one.format))
        except InputError as error:
            failed = failed or error
    if report.format == "github":
        _summarise(lambda: rendered(outcome, plain, "markdown"))
    status = write(output or printed(outcome, report), to_stderr=to_stderr)
    if failed is not None:
        raise failed
    return status


def _summarise(text: Callable[[], str]) -> None:
    """Append to the summary of a GitHub job. The call does not name it: the check is as good without."""
    file = os.environ.get("GITHUB_STEP_SUMMARY")
    if not file:
        return
    try:
        with open(file, "a", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(text())
    except OSError as error:
        click.echo(line(f"mcpcfg: no job summary: cannot write {file}: {reason(error)}"), err=True)


def rendered(outcome: Report, report: ReportCall, format_: Format) -> str:
    """Return the outcome of a check in one of the formats, as the call asks for it."""
    from ..api import render

    return render(
        outcome,
        format_,
        severity=report.severity,
        fail_on=report.threshold,
        colour=report.color is True,
        width=report.width,
    )
