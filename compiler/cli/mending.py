"""``check --fix`` and ``check --diff``: mending files, or showing how they would be mended."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from mcpcfg.compiler.fix.mendable import MENDABLE
from mcpcfg.compiler.source import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcfg.compiler.fix.mend import Mended
    from mcpcfg.compiler.pipeline import Report
    from mcpcfg.compiler.project.discovery import Project
    from mcpcfg.compiler.report.sarif import Fix

_MOST_COUNTED = 1 << 18
"""Characters of text among which what could be mended is counted for the summary: more would cost too much."""


def mended(outcome: Report, project: Project, *, unsafe: bool) -> Iterator[tuple[str, bytes, Mended]]:
    """Yield the files that can be mended: name, text before, and after."""
    files = sorted({finding.span.file for finding in outcome.findings if finding.rule in MENDABLE})
    if not files:
        return
    from mcpcfg.compiler.fix.mend import kinds_of, mend

    kinds = kinds_of(outcome.loaded.records)
    for file in files:
        before = outcome.loaded.texts.get(file)
        if before is not None:
            after = mend(before, file, project, unsafe=unsafe, read_as=kinds.get(file))
            if after.titles:
                yield file, before, after


def show(file: str, before: bytes, after: Mended) -> bytes:
    """Write the change of a file as a unified diff that ``git apply`` takes."""
    from mcpcfg.compiler.fix.patch import unified

    return unified(before.decode("utf-8", "surrogateescape"), after.edits, file).encode("utf-8", "surrogateescape")


def write(file: str, after: Mended) -> None:
    """Replace the text of a file at once, with its mode; of a link, what it leads to.

    Raises:
        InputError: The file or its folder cannot be written.
    """
    import tempfile

    target = os.path.realpath(file)
    try:
        handle, temporary = tempfile.mkstemp(dir=os.path.dirname(target), prefix=".mcpcfg-")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(after.text)
            os.chmod(temporary, os.stat(target).st_mode & 0o7777)
            os.replace(temporary, target)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise InputError(f"cannot write {file}: {error.strerror}") from error


def tell(count: int, files: int, *, would: bool = False) -> None:
    """Say on standard error how many faults were mended."""
    if count:
        said = "would mend" if would else "mended"
        click.echo(f"{said} {_faults(count)} in {files} file{'s' * (files != 1)}", err=True)


def offer(outcome: Report, project: Project) -> None:
    """Say on standard error how many faults ``--fix`` would mend, and what it would leave to ``--unsafe-fixes``."""
    files = {finding.span.file for finding in outcome.findings if finding.rule in MENDABLE}
    if sum(len(outcome.loaded.texts.get(file, b"")) for file in files) > _MOST_COUNTED:
        return
    safe = _count(outcome, project, unsafe=False)
    more = _count(outcome, project, unsafe=True) - safe
    if safe:
        besides = f", and {more} more with --unsafe-fixes" if more > 0 else ""
        click.echo(f"--fix mends {_faults(safe)}{besides}; --diff shows how", err=True)
    elif more > 0:
        click.echo(f"--fix --unsafe-fixes mends {_faults(more)}; --diff shows how", err=True)


def _count(outcome: Report, project: Project, *, unsafe: bool) -> int:
    return sum(len(after.titles) for _, _, after in mended(outcome, project, unsafe=unsafe))


def _faults(count: int) -> str:
    return f"{count} fault{'s' * (count != 1)}"


def fixes(outcome: Report, project: Project) -> dict[tuple[object, ...], Fix]:
    """Give how single findings can safely be mended, by their identity."""
    from mcpcfg.compiler.fix.mend import kinds_of, proposals, quotings
    from mcpcfg.compiler.report.sarif import Fix, identity

    files = sorted({finding.span.file for finding in outcome.findings if finding.rule in MENDABLE})
    kinds = kinds_of(outcome.loaded.records)
    out: dict[tuple[object, ...], Fix] = {}
    for file in files:
        text = outcome.loaded.texts.get(file)
        if text is None:
            continue
        for one in proposals(text, file, project, read_as=kinds.get(file)):
            out[identity(one.finding)] = Fix(one.cure.title, one.replacements)
        for quoting in quotings(text, file, (one for one in outcome.findings if one.span.file == file)):
            out[identity(quoting.finding)] = Fix(quoting.title, ((quoting.place, quoting.text),))
    return out


def print_diff(outcome: Report, project: Project, *, unsafe: bool) -> bool:
    """Print what mending would change; gives whether it would change anything."""
    count = files = 0
    for file, before, after in mended(outcome, project, unsafe=unsafe):
        sys.stdout.buffer.write(show(file, before, after))
        count, files = count + len(after.titles), files + 1
    tell(count, files, would=True)
    return count > 0
