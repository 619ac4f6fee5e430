"""``check --watch``: the same check again whenever a file of the project changes."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

import click

from ..diagnostics.shown import lines
from ..diagnostics.span import InputError
from ..project.discovery import SETTINGS_FILE, discover

if TYPE_CHECKING:
    from collections.abc import Callable

    from .option import InputCall

_PAUSE = 0.5
"""Seconds between two looks. Stamps are compared: that works on network folders and in containers too."""

Stamps = frozenset[tuple[str, int, int]]


def repeat(once: Callable[[], int], call: InputCall) -> int:
    """Run ``once`` now and after each change, until it is interrupted; returns the status of the last run."""
    status = 0
    try:
        while True:
            # Taken before the check: a change during it starts another.
            before = stamps(call)
            if sys.stdout.isatty():
                click.clear()
            try:
                status = once()
            except InputError as error:  # a file that was there a moment ago; or a configuration half written
                click.echo(lines(f"mcpcfg: {error}"), err=True)
                status = 2
            click.echo("watching for changes; Ctrl-C ends", err=True)
            while stamps(call) == before:
                time.sleep(_PAUSE)
    except KeyboardInterrupt:
        return status


def stamps(call: InputCall) -> Stamps:
    """Return name, time and size of all files of the project, and of its configuration."""
    try:
        found = discover(call.paths, settings_file=call.config)
    except InputError:
        return frozenset()
    files = [file.path for file in found.files]
    files += [os.path.join(found.root, name) for name in (SETTINGS_FILE, "pyproject.toml")]
    out: set[tuple[str, int, int]] = set()
    for file in files:
        try:
            known = os.stat(file)
        except OSError:
            continue
        out.add((file, known.st_mtime_ns, known.st_size))
    return frozenset(out)
