"""``check --fix`` and ``check --diff``: fix files, or show the fixes as a diff."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ..diagnostics.span import InputError
from ..fix.of_finding import fixable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..check.full import Report
    from ..diagnostics.finding import Finding
    from ..fix.fix import Fixed

_MOST_COUNTED = 1 << 18
"""Maximum number of characters of files for which the summary counts possible fixes, since that takes time."""


_INTERPRETED = (
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff]"
    r"|\r(?!\n)|(?m:^[ \t]*::)|##\["
)
"""Characters that a patch shows escaped, since terminals or CI logs interpret them. Others stay, so that it applies."""


def fixed(outcome: Report, *, unsafe: bool) -> Iterator[tuple[str, bytes, Fixed]]:
    """Yield the name, the old text and the fixed text of each file that can be fixed."""
    files = fixable(outcome.findings)
    if not files:
        return
    from ..fix.fix import fix_file, kinds_of

    kinds = kinds_of(outcome.loaded.records)
    by_file: dict[str, list[Finding]] = {file: [] for file in files}
    for finding in outcome.findings:
        by_file.get(finding.span.file, []).append(finding)
    for file, findings in by_file.items():
        before = outcome.loaded.texts.get(file)
        if before is not None:
            after = fix_file(before, file, outcome.project, findings, unsafe=unsafe, read_as=kinds.get(file))
            if after.titles:
                yield file, before, after


def show(file: str, before: bytes, after: Fixed) -> bytes:
    """Return the change of a file as a unified diff. ``git apply`` accepts it unless it masks secrets."""
    from ..fix.patch import unified

    text = before.decode("utf-8", "surrogateescape")
    return unified(text, after.edits, file, _safe_text).encode("utf-8", "surrogateescape")


def _safe_text(text: str) -> str:
    """Return a text without secrets and without characters that a terminal or a CI log interprets."""
    import re

    from ..diagnostics.shown import line
    from ..diagnostics.source_mask import hidden

    return re.sub(_INTERPRETED, lambda match: line(match[0]), hidden(text))


def write(file: str, after: Fixed) -> None:
    """Replace the text of a file. See `replace`.

    Raises:
        InputError: The file or its folder cannot be written.
    """
    from ..disk.output_file import reason, replace

    try:
        replace(file, after.text)
    except OSError as error:
        raise InputError(f"cannot write {file}: {reason(error)}") from error


def print_summary(count: int, files: int, *, would: bool = False) -> None:
    """Print on standard error how many faults were fixed."""
    if count:
        verb = "would fix" if would else "fixed"
        click.echo(f"{verb} {_faults(count)} in {files} file{'s' * (files != 1)}", err=True)


def offer(outcome: Report) -> str:
    """Return a line with the number of faults that ``--fix`` would fix, and of those that need ``--unsafe-fixes``."""
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
    return f"--fix --unsafe-fixes fixes {_faults(more)}; --diff shows how\n" if more > 0 else ""


def _faults(count: int) -> str:
    return f"{count} fault{'s' * (count != 1)}"


def print_diff(outcome: Report, *, unsafe: bool) -> bool:
    """Print what fixing would change. Return whether it would change anything."""
    count = files = 0
    for file, before, after in fixed(outcome, unsafe=unsafe):
        sys.stdout.buffer.write(show(file, before, after))
        count, files = count + len(after.titles), files + 1
    print_summary(count, files, would=True)
    return count > 0
