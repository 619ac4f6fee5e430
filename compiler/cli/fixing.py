"""``check --fix`` and ``check --diff``: fix files, or show the fixes as a diff."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ..fix.fixable import fixable
from ..fix.fixed_file import file_patch, fixed

if TYPE_CHECKING:
    from ..check.full import Report

_MOST_COUNTED = 1 << 18
"""Maximum characters of all files for which the summary counts possible fixes, because trying fixes takes time."""


def print_summary(count: int, files: int, *, would: bool = False) -> None:
    """Print on standard error how many faults in how many files were fixed, or would be; nothing for no faults."""
    if count:
        verb = "would fix" if would else "fixed"
        click.echo(f"{verb} {_faults(count)} in {files} file{'s' * (files != 1)}", err=True)


def offer(outcome: Report) -> str:
    """Return a line with the number of faults that ``--fix`` would fix, and of those that need ``--unsafe-fixes``.

    The line is empty if there are none, or if the files are too large to try the fixes only for the numbers.
    """
    files, loaded = fixable(outcome.findings), outcome.loaded
    if not files or sum(len(loaded.texts.get(file, b"")) for file in files) > _MOST_COUNTED:
        return ""

    def count(*, unsafe: bool) -> int:
        return sum(len(after.titles) for _, _, after in fixed(outcome, unsafe=unsafe))

    safe = count(unsafe=False)
    more = count(unsafe=True) - safe
    if safe:
        besides = f", and {more} more with --unsafe-fixes" if more > 0 else ""
        return f"--fix fixes {_faults(safe)}{besides}; --diff shows how\n"
    return f"--fix --unsafe-fixes fixes {_faults(more)}; --diff --unsafe-fixes shows how\n" if more > 0 else ""


def _faults(count: int) -> str:
    return f"{count} fault{'s' * (count != 1)}"


def print_diff(outcome: Report, *, unsafe: bool) -> bool:
    """Print the fixes as a diff, and return whether there are any."""
    count = files = 0
    for file, before, after in fixed(outcome, unsafe=unsafe):
        sys.stdout.buffer.write(file_patch(file, before, after))
        count, files = count + len(after.titles), files + 1
    print_summary(count, files, would=True)
    if not count:
        click.echo(("" if unsafe else offer(outcome)) or "nothing to fix\n", err=True, nl=False)
    return count > 0
