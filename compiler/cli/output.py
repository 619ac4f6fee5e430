"""From the outcome of a check to what is printed: one way for all formats."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..project import suppression
from .option import write_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..check.full import Report
    from ..diagnostics.finding import Severity
    from ..project.discovery import Project
    from ..report.sarif import Fix
    from .call import Printed
    from .option import ReportCall


NOTHING = "mcpcfg: nothing to check: no resources or records of ours were found\n"


def printed(outcome: Report, report: ReportCall, project: Project, *, offers_fixes: bool = False) -> Printed:
    """Return what a call prints about the outcome of a check.

    Args:
        outcome: Of the check.
        report: How it is reported, and what decides the exit status.
        project: The files.
        offers_fixes: Whether text ends with what ``--fix`` would fix.
    """
    errors = NOTHING if outcome.nothing else ""
    if report.format == "text":
        errors = f"{_summary(outcome, report.least('text'))}\n{errors}"
        if offers_fixes and outcome.findings:
            from . import fixing

            errors += fixing.offer(outcome, project)
    status = int(suppression.fails(outcome.findings, report.threshold))
    return rendered(outcome, report, report.format, project), errors, status


def write_files(outcome: Report, report: ReportCall, project: Project) -> None:
    """Write the outcome of a check into the files that the call names, and into the summary of a GitHub job."""
    plain = report._replace(colour=False, width=None)
    for output in report.outputs:
        write_file(output.file, rendered(outcome, plain, output.format, project))
    summary_file = os.environ.get("GITHUB_STEP_SUMMARY")
    if report.format == "github" and summary_file:
        with open(summary_file, "a", encoding="utf-8") as summary:
            summary.write(rendered(outcome, plain, "markdown", project))


def rendered(outcome: Report, report: ReportCall, format_: str, project: Project) -> str:
    """Return the outcome of a check in one of the formats: the findings that it shows; all are counted.

    Findings that one change fixes are one. Formats that have a place for it include how findings can be fixed.
    """
    module = import_module(f"mcpcfg.compiler.report.{format_}")
    loaded, gathered = outcome.loaded, suppression.gathered(outcome.findings)
    counts = suppression.counts(gathered)
    findings = suppression.at_least(gathered, report.least(format_))
    if format_ == "text":
        style = {"colour": report.colour is True, "width": report.width}
        text: str = module.render(findings, source_line(loaded.texts), found=outcome.findings, **style)
    elif format_ == "json":
        text = module.render(findings, counts, loaded.files, loaded.documents, loaded.templates)
    elif format_ == "sarif":
        from ...validators import registry
        from .. import VERSION

        fixes = _fixes(outcome, project) if findings else {}
        text = module.render(findings, registry.all_rules(), VERSION, fixes)
    elif format_ == "junit":
        text = module.render(findings, loaded.texts, lambda finding: suppression.fails([finding], report.threshold))
    elif format_ == "markdown":
        failed = suppression.reaches(counts, report.threshold)
        text = module.render(findings, _summary(outcome, report.least(format_)), failed=failed)
    else:
        text = module.render(findings)
    return text


def _fixes(outcome: Report, project: Project) -> Mapping[tuple[Any, ...], Fix]:
    from .fixing import fixes

    return fixes(outcome, project)


def _summary(outcome: Report, least: Severity) -> str:
    from ..report import text

    loaded, counts = outcome.loaded, suppression.counts(suppression.gathered(outcome.findings))
    return text.summary(counts, loaded.files, loaded.documents, loaded.templates, least=least)


def source_line(texts: Mapping[str, bytes]) -> Callable[[str, int], str | None]:
    """Return a function that finds line N of a file among the texts that were read.

    Findings are reported file after file: the last file is kept, cut into lines as far as it was needed.
    Secrets in it are hidden.
    """
    from ..diagnostics.source_mask import hidden

    current: str | None = None
    lines: list[str] = []
    """The last one holds the rest of the text."""

    def line(file: str, number: int) -> str | None:
        nonlocal current, lines
        if file != current:
            text = hidden(texts.get(file, b"").decode("utf-8", "replace").removeprefix("\ufeff"))
            current, lines = file, [text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text]
        if number >= len(lines):
            rest = lines.pop()
            lines += rest.split("\n", number - len(lines))
        return lines[number - 1] if 0 < number <= len(lines) else None

    return line
