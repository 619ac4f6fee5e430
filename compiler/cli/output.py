"""Writing findings to the screen."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from ..project import suppression
from .option import write_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..check.pipeline import Report
    from ..diagnostics.finding import Severity
    from ..project.discovery import Project
    from ..report.sarif import Fix
    from .option import ReportCall


NOTHING = "mcpcfg: nothing to check: no resources or records of ours were found\n"


def write_findings(
    outcome: Report, report: ReportCall, *, to_stderr: bool = False, project: Project | None = None
) -> None:
    """Write the findings into the files of the call, then to the screen as it takes them, with a summary line.

    With the project, formats that have a place for it say how findings can be fixed.
    """
    reported = outcome._replace(findings=suppression.gathered(outcome.findings))
    stream = sys.stderr if to_stderr else sys.stdout
    format_ = report.format
    write_outputs(outcome, report, project)
    if format_ == "text":
        stream.write(rendered(reported, report, "text"))
        stream.flush()
        click.echo(_summary(reported, report.least("text")), err=True)
    else:
        stream.write(rendered(reported, report, format_, project=project))
    summary_file = os.environ.get("GITHUB_STEP_SUMMARY")
    if format_ == "github" and summary_file:
        with open(summary_file, "a", encoding="utf-8") as summary:
            summary.write(rendered(reported, report, "markdown"))


def write_outputs(outcome: Report, report: ReportCall, project: Project | None) -> None:
    """Write the findings into the files of the call."""
    if not report.outputs:
        return
    reported = outcome._replace(findings=suppression.gathered(outcome.findings))
    plain = report._replace(colour=False, width=None)
    for output in report.outputs:
        write_file(output.file, rendered(reported, plain, output.format, project=project))


def rendered(outcome: Report, report: ReportCall, format_: str, *, project: Project | None = None) -> str:
    """Return a report in one of the formats: of the findings that it shows; all are counted."""
    from importlib import import_module

    module = import_module(f"mcpcfg.compiler.report.{format_}")
    loaded, counts = outcome.loaded, suppression.counts(outcome.findings)
    least = report.least(format_)
    findings = suppression.at_least(outcome.findings, least)
    if format_ == "text":
        style = {"colour": report.colour is True, "width": report.width}
        text: str = module.render(findings, source_line(loaded.texts), found=outcome.findings, **style)
    elif format_ == "json":
        text = module.render(findings, counts, loaded.files, loaded.documents, loaded.templates)
    elif format_ == "sarif":
        from ...validators import registry
        from .. import VERSION

        fixes = _fixes(outcome, project) if project is not None and findings else {}
        text = module.render(findings, registry.all_rules(), VERSION, fixes)
    elif format_ == "junit":
        text = module.render(findings, loaded.texts, lambda finding: suppression.fails([finding], report.threshold))
    elif format_ == "markdown":
        failed = suppression.reaches(counts, report.threshold)
        text = module.render(findings, _summary(outcome, least), failed=failed)
    else:
        text = module.render(findings)
    return text


def _fixes(outcome: Report, project: Project) -> Mapping[tuple[Any, ...], Fix]:
    from .fixing import fixes

    return fixes(outcome, project)


def _summary(outcome: Report, least: Severity) -> str:
    from ..report import text

    loaded, counts = outcome.loaded, suppression.counts(outcome.findings)
    return text.summary(counts, loaded.files, loaded.documents, loaded.templates, least=least)


def source_line(texts: Mapping[str, bytes]) -> Callable[[str, int], str | None]:
    """Return a function that finds line N of a file among the texts that were read.

    Findings are told file after file: the one that was asked for last is kept, cut into lines as far as it was needed.
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
