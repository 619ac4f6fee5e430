"""What a check says, file by file; of files about which nothing is told otherwise, what was said last time."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from itertools import chain, compress, groupby
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ..diagnostics.timing import clear

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from ..check.pipeline import Loaded
    from ..diagnostics.finding import Change, Finding
    from ..intake.stored import Plain, Texts
    from ..project.discovery import Project
    from .option import ReportCall


Shared: TypeAlias = "tuple[Change, int, str, tuple[Plain, ...], tuple[Plain, ...], int]"
"""What one change fixes in one file, and perhaps in others: what tells the change from others; where the text of the
finding stands in that of the file; this text, without notes, empty where it is not shown; its notes; the notes that
stand for the first places of the file in a finding about another file; how many places there are.
"""

Block: TypeAlias = tuple[str, tuple[int, ...], bool, tuple[Shared, ...]]
"""What is said of one file on standard output: the text as it is printed; how many findings that are of each severity,
in the order of `verdict.counts`; whether something of it can probably be fixed; what is missing from both, because it
may be one finding with others.
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
        """Say it; returns the exit status."""
        clear()
        sys.stdout.writelines(self.texts)
        sys.stdout.flush()
        sys.stderr.write(self.errors)
        return self.status

    @classmethod
    def of(cls, tell: Callable[[], int]) -> Telling:
        """Return what is said while ``tell``, which gives the exit status, does its work."""
        output, errors = io.StringIO(), io.StringIO()
        with redirect_stdout(output), redirect_stderr(errors):
            status = tell()
        return cls((output.getvalue(),), errors.getvalue(), status)


def in_text(
    blocks: Mapping[str, Block], loaded: Loaded, project: Project, report: ReportCall, *, nothing: bool
) -> Telling:
    """Return what was put into words.

    Args:
        blocks: The words, sorted by file.
        loaded: What was read.
        project: The files.
        report: What is shown, and what decides the exit status.
        nothing: Whether there was nothing to check.
    """
    from ..project import suppression
    from ..report import text
    from .output import NOTHING

    counts = suppression.counts(())
    texts: Sequence[str]
    texts, numbers, fixable, shared = zip(*blocks.values(), strict=True) if blocks else ((), (), (), ())
    for severity, of_files in zip(counts, zip(*numbers, strict=True), strict=False):
        counts[severity] = sum(of_files)
    if any(shared):
        texts, changes = _with_shared(texts, shared, report.width)
        for _, severity, *_ in changes:
            counts[severity] += 1
    least = report.least("text")
    errors = text.summary(counts, loaded.files, loaded.documents, loaded.templates, least=least) + "\n"
    if nothing:
        errors += NOTHING
    if any(fixable):
        from . import fixing

        errors += fixing.offer(list(compress(blocks, fixable)), loaded, project)
    return Telling(texts, errors, int(suppression.reaches(counts, report.threshold)), blocks)


def _with_shared(
    texts: Sequence[str], shared: Sequence[Sequence[Shared]], width: int | None
) -> tuple[list[str], Collection[Change]]:
    """Return the texts of files with the findings that one change fixes in several, and these changes.

    A finding stands in the text of the first file, with notes for all other places.
    """
    from ..intake.stored import unpack_notes
    from ..report import text

    notes: dict[Change, list[Plain]] = {}
    counts: dict[Change, int] = {}
    for change, _, _, own, places, count in chain.from_iterable(shared):
        if change not in notes:
            notes[change], counts[change] = [*own, *places[1:]], len(own) + count - 1
        else:
            notes[change] += places[: text.MOST_NOTES]
            counts[change] += count
    out: list[str] = []
    told: set[Change] = set()
    for of_file, within in zip(texts, shared, strict=True):
        parts: list[str] = []
        at = 0
        for change, offset, head, *_ in within:
            if head and change not in told:
                told.add(change)
                own = unpack_notes(notes[change][: text.MOST_NOTES])
                parts += (of_file[at:offset], head, text.ending(own, counts[change], width))
                at = offset
        out.append("".join([*parts, of_file[at:]]))
    return out, counts


def words_of(findings: Sequence[Finding], texts: Texts, *, report: ReportCall) -> dict[str, Block]:
    """Put findings into words, file by file.

    Args:
        findings: Sorted by place.
        texts: Of their files.
        report: How they are shown.
    """
    if not findings:
        return {}
    from .output import source_line

    line = source_line(texts)
    return {file: _block(list(own), line, report) for file, own in groupby(findings, lambda one: one.span.file)}


def _block(findings: Sequence[Finding], line: Callable[[str, int], str | None], report: ReportCall) -> Block:
    """Put the findings of one file into words."""
    from ..fix.fixable import FIXABLE
    from ..intake.stored import pack_notes
    from ..project import suppression
    from ..report import text

    groups = suppression.alike(findings)
    shown = suppression.at_least((group[0] for group in groups), report.least("text"))
    told = text.blocks(shown, line, found=findings, colour=report.colour is True, width=report.width)
    heads = {id(finding): head for finding, head in told}
    counts = suppression.counts(())
    parts: list[str] = []
    at = 0
    shared: list[Shared] = []
    for group in groups:
        first = group[0]
        head, change = heads.get(id(first), ""), first.change
        if change is not None:
            places = pack_notes(map(suppression.place_note, group[: text.MOST_NOTES + 1]))
            shared.append((change, at, head, pack_notes(first.notes), places, len(group)))
            continue
        counts[first.severity] += 1
        if head:
            parts.append(head + text.ending(first.notes, len(first.notes), report.width))
            at += len(parts[-1])
    is_fixable = any(finding.rule in FIXABLE for finding in findings)
    return ("".join(parts), tuple(counts.values()), is_fixable, tuple(shared))
