"""What commands share around a call: the files that it is about, and the one place that prints what comes out."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeAlias

import click

from ..diagnostics.shown import line
from ..diagnostics.timing import clear
from ..project.discovery import discover

if TYPE_CHECKING:
    from ..project.discovery import Project

Printed: TypeAlias = tuple[str, str, int]
"""What goes to standard output, what goes to standard error, and the exit status."""


def find_project(paths: tuple[str, ...], *, settings_file: str | None = None, alone: bool = False) -> Project:
    """Return the files of a call, and report on standard error which are not read. See `discover`."""
    project = discover(paths, settings_file=settings_file, alone=alone)
    for remark in project.remarks:
        clear()
        click.echo(line(f"mcpcfg: {remark}"), err=True)
    return project


def write(printed: Printed, *, to_stderr: bool = False) -> int:
    """Write what a call prints; return the exit status.

    Args:
        printed: What it prints.
        to_stderr: Whether all goes to standard error: standard output is taken.
    """
    text, errors, status = printed
    clear()
    stream = sys.stderr if to_stderr else sys.stdout
    stream.write(text)
    stream.flush()
    sys.stderr.write(errors)
    return status
