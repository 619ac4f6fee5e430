"""The files of a call, and what has to be said of those that are not read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..diagnostics.shown import line
from ..diagnostics.timing import clear
from ..project.discovery import discover

if TYPE_CHECKING:
    from ..project.discovery import Project


def find_project(paths: tuple[str, ...], *, settings_file: str | None = None, alone: bool = False) -> Project:
    """Discover the files of a call, and say on standard error what of them is not read. See `discover`."""
    project = discover(paths, settings_file=settings_file, alone=alone)
    for remark in project.remarks:
        clear()
        click.echo(line(f"mcpcfg: {remark}"), err=True)
    return project
