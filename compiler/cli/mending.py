"""``check --fix`` and ``check --diff``: mending files, or showing how they would be mended."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from mcpcfg.compiler.fix.mendable import MENDABLE
from mcpcfg.compiler.source import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.fix.mend import Mended
    from mcpcfg.compiler.join import Loaded
    from mcpcfg.compiler.pipeline import Report
    from mcpcfg.compiler.project.discovery import Project
    from mcpcfg.compiler.report.sarif import Fix

_MOST_COUNTED = 1 << 18
"""Characters of text among which what could be mended is counted for the summary: more would cost too much."""


def mendable(findings: Iterable[Finding]) -> list[str]:
    """Give the files in which something is told that can probably be mended."""
    return sorted({finding.span.file for finding in findings if finding.rule in MENDABLE})


def mended(
    files: Sequence[str], loaded: Loaded, project: Project, *, unsafe: bool
) -> Iterator[tuple[str, bytes, Mended]]:
    """Yield those of some files that can be mended: name, text before, and after."""
    if not files:
        return
    from mcpcfg.compiler.fix.mend import kinds_of, mend

    kinds = kinds_of(loaded.records)
    for file in files:
        before = loaded.texts.get(file)
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


def offer(files: Sequence[str], loaded: Loaded, project: Project) -> str:
    """Say how many faults of files ``--fix`` would mend, and what it would leave to ``--unsafe-fixes``."""
    if sum(len(loaded.texts.get(file, b"")) for file in files) > _MOST_COUNTED:
        return ""

    def count(*, unsafe: bool) -> int:
        return sum(len(after.titles) for _, _, after in mended(files, loaded, project, unsafe=unsafe))

    safe = count(unsafe=False)
    more = count(unsafe=True) - safe
    if safe:
        besides = f", and {more} more with --unsafe-fixes" if more > 0 else ""
        return f"--fix mends {_faults(safe)}{besides}; --diff shows how\n"
    return f"--fix --unsafe-fixes mends {_faults(more)}; --diff shows how\n" if more > 0 else ""


def _faults(count: int) -> str:
    return f"{count} fault{'s' * (count != 1)}"


def fixes(outcome: Report, project: Project) -> dict[tuple[object, ...], Fix]:
    """Give how single findings can safely be mended, by their identity."""
    from mcpcfg.compiler.fix.mend import kinds_of, proposals, quotings
    from mcpcfg.compiler.report.sarif import Fix, identity

    of_files: dict[str, list[Finding]] = {file: [] for file in mendable(outcome.findings)}
    for finding in outcome.findings:
        if finding.span.file in of_files:
            of_files[finding.span.file].append(finding)
    kinds = kinds_of(outcome.loaded.records)
    out: dict[tuple[object, ...], Fix] = {}
    for file, findings in of_files.items():
        text = outcome.loaded.texts.get(file)
        if text is None:
            continue
        for one in proposals(text, file, project, read_as=kinds.get(file)):
            out[identity(one.finding)] = Fix(one.cure.title, one.replacements)
        for quoting in quotings(text, file, findings):
            out[identity(quoting.finding)] = Fix(quoting.title, ((quoting.place, quoting.text),))
    return out


def print_diff(outcome: Report, project: Project, *, unsafe: bool) -> bool:
    """Print what mending would change; gives whether it would change anything."""
    count = files = 0
    for file, before, after in mended(mendable(outcome.findings), outcome.loaded, project, unsafe=unsafe):
        sys.stdout.buffer.write(show(file, before, after))
        count, files = count + len(after.titles), files + 1
    tell(count, files, would=True)
    return count > 0
