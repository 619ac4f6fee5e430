"""What a check says, file by file; of files about which nothing is told otherwise, what was said last time."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from mcpcfg.compiler.progress import clear

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.pipeline import Report
    from mcpcfg.compiler.project.discovery import Project


class Block(NamedTuple):
    """What is said of one file on standard output.

    Attributes:
        text: As it is printed.
        counts: How many findings that are of each severity, in the order of `verdict.counts`.
        is_mendable: Whether something of it can probably be mended.
    """

    text: str
    counts: tuple[int, ...]
    is_mendable: bool


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


def in_text(
    outcome: Report, project: Project, threshold: str, before: Mapping[str, Block] | None, *, colour: bool
) -> Telling:
    """Put findings into words.

    Args:
        outcome: The findings.
        project: The files.
        threshold: The severity from which on the exit status is 1.
        before: What was said of files last time, where that is known.
        colour: Whether to write terminal escapes.
    """
    from mcpcfg.compiler import verdict
    from mcpcfg.compiler.report import text

    from .output import NOTHING

    blocks: dict[str, Block] = {}
    findings = outcome.findings if outcome.news is None or before is None else outcome.news.findings
    if outcome.news is not None and before is not None:
        blocks.update((file, block) for file, block in before.items() if file not in outcome.news.files)
    if findings:
        blocks.update(_blocks(findings, outcome, colour=colour))
    blocks = {file: blocks[file] for file in sorted(blocks)}
    counts = verdict.counts(())
    for block in blocks.values():
        for severity, number in zip(counts, block.counts, strict=True):
            counts[severity] += number
    errors = text.summary(counts, len(outcome.loaded.texts), outcome.loaded.documents) + "\n"
    if outcome.nothing:
        errors += NOTHING
    mendable = [file for file, block in blocks.items() if block.is_mendable]
    if mendable:
        from . import mending

        errors += mending.offer(mendable, outcome.loaded, project)
    texts = [block.text for block in blocks.values()]
    return Telling(texts, errors, int(verdict.reaches(counts, threshold)), blocks)


def _blocks(findings: Sequence[Finding], outcome: Report, *, colour: bool) -> Iterator[tuple[str, Block]]:
    from mcpcfg.compiler import verdict
    from mcpcfg.compiler.fix.mendable import MENDABLE
    from mcpcfg.compiler.report import text

    from .output import source_line

    told = text.blocks(findings, source_line(outcome.loaded.texts), colour=colour)
    for file, of_file in groupby(told, lambda one: one[0].span.file):
        own = list(of_file)
        counts = verdict.counts(finding for finding, _ in own)
        is_mendable = any(finding.rule in MENDABLE for finding, _ in own)
        yield file, Block("".join([said for _, said in own]), tuple(counts.values()), is_mendable)
