"""What a check says, file by file; of files about which nothing is told otherwise, what was said last time."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from itertools import compress, groupby
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from mcpcfg.compiler.progress import clear

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.intake.stored import Texts
    from mcpcfg.compiler.pipeline import Loaded
    from mcpcfg.compiler.project.discovery import Project


Block: TypeAlias = tuple[str, tuple[int, ...], bool]
"""What is said of one file on standard output: the text as it is printed; how many findings that are of each severity,
in the order of `verdict.counts`; whether something of it can probably be mended.
"""


class Telling(NamedTuple):
    """What a call says.

    Attributes:
        texts: What goes to standard output, one after the other.
        errors: What goes to standard error.
        status: The exit status.
        blocks: Whose texts these are, by file, where it tells file by file.
    """

    texts: Sequence[str]
    errors: str
    status: int
    blocks: Mapping[str, Block] = {}

    def say(self) -> int:
        """Say it; gives the exit status."""
        clear()
        sys.stdout.writelines(self.texts)
        sys.stdout.flush()
        sys.stderr.write(self.errors)
        return self.status

    @classmethod
    def of(cls, tell: Callable[[], int]) -> Telling:
        """Give what is said while ``tell``, which gives the exit status, does its work."""
        output, errors = io.StringIO(), io.StringIO()
        with redirect_stdout(output), redirect_stderr(errors):
            status = tell()
        return cls((output.getvalue(),), errors.getvalue(), status)


def in_text(blocks: Mapping[str, Block], loaded: Loaded, project: Project, threshold: str, *, nothing: bool) -> Telling:
    """Say what was put into words.

    Args:
        blocks: The words, sorted by file.
        loaded: What was read.
        project: The files.
        threshold: The severity from which on the exit status is 1.
        nothing: Whether there was nothing to check.
    """
    from mcpcfg.compiler import verdict
    from mcpcfg.compiler.report import text

    from .output import NOTHING

    counts = verdict.counts(())
    texts, numbers, mendable = zip(*blocks.values(), strict=True) if blocks else ((), (), ())
    for severity, of_files in zip(counts, zip(*numbers, strict=True), strict=False):
        counts[severity] = sum(of_files)
    errors = text.summary(counts, len(loaded.texts), loaded.documents) + "\n"
    if nothing:
        errors += NOTHING
    if any(mendable):
        from . import mending

        errors += mending.offer(list(compress(blocks, mendable)), loaded, project)
    return Telling(texts, errors, int(verdict.reaches(counts, threshold)), blocks)


def words_of(findings: Sequence[Finding], texts: Texts, *, colour: bool) -> dict[str, Block]:
    """Put findings into words, file by file.

    Args:
        findings: Sorted by place.
        texts: Of their files.
        colour: Whether to write terminal escapes.
    """
    if not findings:
        return {}
    from mcpcfg.compiler import verdict
    from mcpcfg.compiler.fix.mendable import MENDABLE
    from mcpcfg.compiler.report import text

    from .output import source_line

    blocks: dict[str, Block] = {}
    told = text.blocks(findings, source_line(texts), colour=colour)
    for file, of_file in groupby(told, lambda one: one[0].span.file):
        own = list(of_file)
        counts = verdict.counts(finding for finding, _ in own)
        is_mendable = any(finding.rule in MENDABLE for finding, _ in own)
        blocks[file] = ("".join([said for _, said in own]), tuple(counts.values()), is_mendable)
    return blocks
