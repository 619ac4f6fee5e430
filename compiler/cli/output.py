"""Writing findings to the screen."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from mcpcfg.compiler import verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcpcfg.compiler.pipeline import Report
    from mcpcfg.compiler.project import Project

    from .option import ReportCall


def write_findings(outcome: Report, project: Project, report: ReportCall, *, to_stderr: bool = False) -> None:
    """Write the findings in the format of the call, and a summary line on standard error."""
    loaded = outcome.loaded
    stream = sys.stderr if to_stderr else sys.stdout
    if report.format == "json":
        from mcpcfg.compiler.report import json

        stream.write(json.render(outcome.findings, len(loaded.texts), loaded.documents))
        return
    from mcpcfg.compiler.report import text

    if outcome.findings:
        colour = report.colour if report.colour is not None else _wants_colour(stream.isatty())
        stream.write(text.render(outcome.findings, source_line(loaded.texts), colour=colour))
        stream.flush()
    click.echo(text.summary(verdict.counts(outcome.findings), len(loaded.texts), loaded.documents), err=True)
    del project


def source_line(texts: dict[str, bytes]) -> Callable[[str, int], str | None]:
    """Give a function that finds line N of a file among the texts that were read."""
    split: dict[str, list[str]] = {}

    def line(file: str, number: int) -> str | None:
        if file not in texts:
            return None
        if file not in split:
            decoded = texts[file].decode("utf-8", "replace").removeprefix("\ufeff")
            split[file] = decoded.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        lines = split[file]
        return lines[number - 1] if 0 < number <= len(lines) else None

    return line


def _wants_colour(on_terminal: bool) -> bool:  # noqa: FBT001 - one fact
    return on_terminal and not os.environ.get("NO_COLOR")
