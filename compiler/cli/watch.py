"""``check --watch``: check again after each change of a file."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

import click

from ..diagnostics import file_path
from ..diagnostics.shown import lines
from ..diagnostics.span import InputError
from ..project.discovery import SETTINGS_FILE, discover

if TYPE_CHECKING:
    from collections.abc import Callable

    from .option import InputCall

_PAUSE = 0.5
"""Seconds between two comparisons of time stamps. They also work on network file systems and in containers."""

Stamps = frozenset[tuple[str, int, int]]


def repeat(once: Callable[[], int], call: InputCall) -> int:
    """Run ``once`` now and after each change of a file, until Ctrl-C. Return the exit status of the last run."""
    status = 0
    try:
        while True:
            # Taken before the check, so that a change during it starts another.
            before = stamps(call)
            if sys.stdout.isatty():
                click.clear()
            try:
                status = once()
            except InputError as error:  # a file was just removed, or a configuration is half written
                click.echo(lines(f"mcpcfg: {error}"), err=True)
                status = 2
            click.echo("watching for changes; Ctrl-C ends", err=True)
            while stamps(call) == before:
                time.sleep(_PAUSE)
    except KeyboardInterrupt:
        return status


def stamps(call: InputCall) -> Stamps:
    """Return the name, time and size of the project's files and of its configuration; empty if it cannot be read."""
    try:
        project = discover(call.paths, settings_file=call.config)
    except InputError:
        return frozenset()
    files = [file.path for file in project.files]
    files += [file_path.join(project.root, name) for name in (SETTINGS_FILE, "pyproject.toml")]
    out: set[tuple[str, int, int]] = set()
    for file in files:
        try:
            file_stat = os.stat(file)
        except OSError:
            continue
        out.add((file, file_stat.st_mtime_ns, file_stat.st_size))
    return frozenset(out)
