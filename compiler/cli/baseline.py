"""``check --baseline`` and ``--write-baseline``: accept the existing findings of a project."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from ..diagnostics import file_path
from ..diagnostics.retired import retirement
from ..diagnostics.shown import line
from ..diagnostics.span import InputError
from ..disk.output_file import write_file
from ..project import baseline
from ..project.discovery import refuse_outside
from ..project.suppression import is_selected

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..check.full import Report


def write(outcome: Report, file: str) -> int:
    """Write all findings to the baseline ``file``, and return the exit status 0."""
    write_file(file, baseline.write(outcome.findings))
    click.echo(line(f"{_counted(len(outcome.findings))} known in {file} from now on"), err=True)
    return 0


def without_known(outcome: Report, file: str) -> Report:
    """Return the report without the findings that the baseline ``file`` lists.

    Print how many findings the baseline hides, and how many of its entries match no finding.
    """
    entries = baseline.load(file)
    compared = baseline.compare(outcome.findings, entries)
    report_retired(file, (entry.rule for entry in entries))
    settings = outcome.project.settings
    gone = sum(count for entry, count in compared.gone if is_selected(entry.rule, settings))
    more = f"; {_counted(gone)} gone: write it anew with --write-baseline {file}" if gone else ""
    click.echo(line(f"{_counted(compared.accepted)} known in {file}{more}"), err=True)
    return outcome._replace(findings=compared.new)


def report_retired(where: str, ids: Iterable[str]) -> None:
    """Print a note for each rule id that is no longer in use. ``where`` says where the ids are stated."""
    for note in sorted({note for id_ in ids if (note := retirement(id_))}):
        click.echo(line(f"{where}: {note}"), err=True)


def configured_baseline(root: str, file: str | None) -> str | None:
    """Return the path of the configured baseline relative to the current folder, or ``None`` if none is configured.

    Args:
        file: The path in the configuration, relative to ``root``, or ``None``.

    Raises:
        InputError: The path is outside of the project or not a regular file. The configuration may be hostile.
    """
    if file is None:
        return None
    path = file_path.relpath(file_path.join(root, file))
    # A missing file is left to the reader, which reports it.
    if not file_path.is_remote(path, root) and os.path.exists(path) and not os.path.isfile(path):
        raise InputError(f"{path}: not a regular file")
    return refuse_outside(path, root, "--baseline")


def _counted(number: int) -> str:
    return f"{number} {'finding is' if number == 1 else 'findings are'}"
