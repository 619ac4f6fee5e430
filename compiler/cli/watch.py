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
from ..project.discovery import SETTINGS_FILES, discover

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .option import InputCall

_PAUSE = 0.5
"""Seconds between two comparisons of time stamps, which also work on network file systems and in containers."""

Stamps = frozenset[tuple[str, int, int]]


def repeat(once: Callable[[], int], call: InputCall, written: Iterable[str] = ()) -> int:
    """Call ``once`` now and after each change of a file, until Ctrl-C. Return the exit status of the last call.

    Args:
        once: Checks the files, and returns the exit status.
        call: The paths and input options of the command.
        written: Files that ``once`` writes. Their changes cause no call.
    """
    own = frozenset(map(file_path.realpath, written))
    status = 0
    try:
        while True:
            # Taken before the check, so that a change during it starts another.
            before = stamps(call, own)
            if sys.stdout.isatty():
                click.clear()  # the scrollback stays
            try:
                status = once()
            except InputError as error:  # a file was just removed, or a configuration is half written
                click.echo(lines(f"mcpcfg: {error}"), err=True)
                status = 2
            click.echo(f"checked at {time.strftime('%H:%M:%S')}; watching for changes; Ctrl-C ends", err=True)
            while stamps(call, own) == before:
                time.sleep(_PAUSE)
    except KeyboardInterrupt:
        return status


def stamps(call: InputCall, written: frozenset[str] = frozenset()) -> Stamps:
    """Return the name, the time stamp and the size of each file of the project and of its configuration.

    The result is empty if the project cannot be read.

    Args:
        call: The paths and input options of the command.
        written: Real paths of files to leave out.
    """
    try:
        project = discover(call.paths, settings_file=call.config, exclude=call.exclude)
    except InputError:
        return frozenset()
    files = {file.path for file in project.files}
    files |= {file_path.join(project.root, name) for name in SETTINGS_FILES} | ({call.config} if call.config else set())
    out: set[tuple[str, int, int]] = set()
    for file in files:
        try:
            file_stat = os.stat(file)
        except OSError:
            continue
        if not written or file_path.realpath(file) not in written:
            out.add((file, file_stat.st_mtime_ns, file_stat.st_size))
    return frozenset(out)
