"""``check --fix`` and ``check --diff``: mending files, or showing how they would be mended."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from mcpcfg.compiler.fix.mendable import MENDABLE
from mcpcfg.compiler.source import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from mcpcfg.compiler.check.full import Loaded, Report
    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.fix.mend import Mended
    from mcpcfg.compiler.project.discovery import Project
    from mcpcfg.compiler.report.sarif import Fix

_MOST_COUNTED = 1 << 18
"""Characters of text among which what could be mended is counted for the summary: more would cost too much."""


_OBEYED = (
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff]"
    r"|\r(?!\n)|(?m:^[ \t]*::)|##\["
)
"""What a patch does not show as it is; other characters that cannot be printed stay, so that it can be applied."""


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
    """Write the change of a file as a unified diff that ``git apply`` takes, unless secrets in it are hidden."""
    from mcpcfg.compiler.fix.patch import unified

    text = before.decode("utf-8", "surrogateescape")
    return unified(text, after.edits, file, _covered).encode("utf-8", "surrogateescape")


def _covered(text: str) -> str:
    """Return a text as a patch shows it: without secrets, and without what a terminal or a log would obey."""
    import re

    from mcpcfg.compiler.shown import line
    from mcpcfg.compiler.source_mask import hidden

    return re.sub(_OBEYED, lambda found: line(found[0]), hidden(text))


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


def offer(outcome: Report, project: Project) -> str:
    """Return how many faults ``--fix`` would mend, and what it would leave to ``--unsafe-fixes``, as a line."""
    files, loaded = mendable(outcome.findings), outcome.loaded
    if not files or sum(len(loaded.texts.get(file, b"")) for file in files) > _MOST_COUNTED:
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
        found = [
            (one.finding, Fix(one.cure.title, one.replacements))
            for one in proposals(text, file, project, read_as=kinds.get(file))
        ]
        found += [(one.finding, Fix(one.title, ((one.place, one.text),))) for one in quotings(text, file, findings)]
        is_open = _sight(text)
        out.update((identity(finding), fix) for finding, fix in found if is_open(fix))
    return out


def _sight(text: bytes) -> Callable[[Fix], bool]:
    """Give a function that tells whether a fix shows no secret of the text: a program applies it as it is written."""
    import re

    from mcpcfg.compiler.secret_text import masked
    from mcpcfg.compiler.source_mask import hidden

    written = text.decode("utf-8", "replace").removeprefix("\ufeff")
    shown, lines = (re.split(r"\r\n|\r|\n", one) for one in (hidden(written), written))

    def is_open(fix: Fix) -> bool:
        return all(
            masked(new) == new and shown[place.line - 1 : place.end_line] == lines[place.line - 1 : place.end_line]
            for place, new in fix.replacements
        )

    return is_open


def print_diff(outcome: Report, project: Project, *, unsafe: bool) -> bool:
    """Print what mending would change; gives whether it would change anything."""
    count = files = 0
    for file, before, after in mended(mendable(outcome.findings), outcome.loaded, project, unsafe=unsafe):
        sys.stdout.buffer.write(show(file, before, after))
        count, files = count + len(after.titles), files + 1
    tell(count, files, would=True)
    return count > 0
