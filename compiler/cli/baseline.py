"""``check --baseline`` and ``--write-baseline``: findings of an old project that are known and accepted."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

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
    """Write all findings into ``file``, from then on known; the exit status is 0."""
    write_file(file, baseline.write(outcome.findings))
    click.echo(line(f"{_counted(len(outcome.findings))} known in {file} from now on"), err=True)
    return 0


def without_known(outcome: Report, file: str) -> Report:
    """Return the outcome without the findings that ``file`` lists, and report what it lists that is gone."""
    entries = baseline.load(file)
    compared = baseline.compare(outcome.findings, entries)
    report_retired(file, (entry.rule for entry in entries))
    settings = outcome.project.settings
    gone = sum(count for entry, count in compared.gone if is_selected(entry.rule, settings))
    more = f"; {_counted(gone)} gone: write it anew with --write-baseline {file}" if gone else ""
    click.echo(line(f"{_counted(compared.known)} known in {file}{more}"), err=True)
    return outcome._replace(findings=compared.new)


def report_retired(where: str, ids: Iterable[str]) -> None:
    """Print a note for each retired id that an option, a configuration or a baseline names."""
    for note in sorted({note for id_ in ids if (note := retirement(id_))}):
        click.echo(line(f"{where}: {note}"), err=True)


def of_settings(root: str, file: str | None) -> str | None:
    """Return the path of the baseline that the configuration names, relative to its folder.

    Raises:
        InputError: It is a device or a pipe, or lies outside of the project: the configuration may be hostile.
    """
    if file is None:
        return None
    path = os.path.relpath(os.path.join(root, file))
    # A missing file is left to the reader, which reports it.
    if os.path.exists(path) and not os.path.isfile(path):
        raise InputError(f"{path}: not a regular file")
    return refuse_outside(path, root, "--baseline")


def _counted(number: int) -> str:
    return f"{number} {'finding is' if number == 1 else 'findings are'}"
