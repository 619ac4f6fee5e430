"""From the outcome of a check to what is printed: one way for all formats."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..api import render, summary
from ..project import suppression
from .option import write_file

if TYPE_CHECKING:
    from ..check.full import Report
    from ..report.format import Format
    from .call import Printed
    from .option import ReportCall


NOTHING = "mcpcfg: nothing to check: no resources or records of ours were found\n"


def printed(outcome: Report, report: ReportCall, *, offers_fixes: bool = False) -> Printed:
    """Return what a call prints about the outcome of a check.

    Args:
        outcome: Of the check.
        report: How it is reported, and what decides the exit status.
        offers_fixes: Whether text ends with what ``--fix`` would fix.
    """
    errors = NOTHING if outcome.nothing else ""
    if report.format == "text":
        errors = f"{summary(outcome, report.least('text'))}\n{errors}"
        if offers_fixes and outcome.findings:
            from . import fixing

            errors += fixing.offer(outcome, outcome.project)
    status = int(suppression.fails(outcome.findings, report.threshold))
    return rendered(outcome, report, report.format), errors, status


def write_files(outcome: Report, report: ReportCall) -> None:
    """Write the outcome of a check into the files that the call names, and into the summary of a GitHub job."""
    plain = report._replace(colour=False, width=None)
    for output in report.outputs:
        write_file(output.file, rendered(outcome, plain, output.format))
    summary_file = os.environ.get("GITHUB_STEP_SUMMARY")
    if report.format == "github" and summary_file:
        with open(summary_file, "a", encoding="utf-8") as stream:
            stream.write(rendered(outcome, plain, "markdown"))


def rendered(outcome: Report, report: ReportCall, format_: Format) -> str:
    """Return the outcome of a check in one of the formats, as the call asks for it."""
    return render(
        outcome,
        format_,
        severity=report.severity,
        fail_on=report.threshold,
        colour=report.colour is True,
        width=report.width,
    )
