"""Fix the files of a report, and show changes of texts as unified diffs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .fixable import fixable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..check.full import Report
    from ..diagnostics.finding import Finding
    from .edit import Edit
    from .fix import Fixed

_INTERPRETED = (
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff]"
    r"|\r(?!\n)|(?m:^[ \t]*::)|##\["
)
"""Characters that a diff shows escaped, because terminals or CI logs interpret them.

All others are shown as they are, so that the diff can be applied.
"""


def fixed(report: Report, *, unsafe: bool) -> Iterator[tuple[str, bytes, Fixed]]:
    """Yield the name, the old content and the fixed content of each file that fixes change. Nothing is written."""
    files = fixable(report.findings)
    if not files:
        return
    from .fix import fix_file, kinds_of

    kinds = kinds_of(report.loaded.records)
    by_file: dict[str, list[Finding]] = {file: [] for file in files}
    for finding in report.findings:
        by_file.get(finding.span.file, []).append(finding)
    for file, findings in by_file.items():
        before = report.loaded.texts.get(file)
        if before is not None:
            after = fix_file(before, file, report.project, findings, unsafe=unsafe, read_as=kinds.get(file))
            if after.titles:
                yield file, before, after


def file_patch(file: str, before: bytes, after: Fixed) -> bytes:
    """Return the change of a file as a unified diff, which ``git apply`` accepts unless secrets are masked."""
    from .patch import unified

    text = before.decode("utf-8", "surrogateescape")
    patch = unified(text, after.edits, file, lambda shown: visible_text(masked_text(shown, file)))
    return patch.encode("utf-8", "surrogateescape")


def masked_text(text: str, file: str) -> str:
    """Return a text with asterisks for its secrets, also for those that only its data reveals."""
    from ..diagnostics.secret.source import masked_source
    from ..diagnostics.secret.text import starred
    from ..diagnostics.secret.value import secrets_of
    from ..reading.document import read_documents
    from .source_buffer import SourceBuffer, line_starts

    ranges = []
    starts = line_starts(text)
    for document in read_documents(text.encode("utf-8", "surrogateescape"), file)[0]:
        buffer = SourceBuffer(text, document, starts)
        ranges += [buffer.value(path) for path in secrets_of(document.data).paths]
    return starred(masked_source(text), sorted(ranges))


def text_patch(file: str, before: str, after: str, shown: Callable[[str], str] | None = None) -> str:
    """Return the change of a text as a unified diff with secrets masked.

    Args:
        shown: Returns a text as the diff shows it, instead of masking secrets.
    """
    from .patch import unified

    return unified(before, _line_edits(before, after), file, shown or safe_text)


def _line_edits(before: str, after: str) -> Iterator[Edit]:
    from difflib import SequenceMatcher

    from .edit import Edit

    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = [0]
    for text in old:
        starts.append(starts[-1] + len(text))
    for tag, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            yield Edit(starts[first], starts[last], "".join(new[start:end]))


def safe_text(text: str) -> str:
    """Return a text with its secrets masked and its control characters escaped. See `visible_text`."""
    from ..diagnostics.secret.source import masked_source

    return visible_text(masked_source(text))


def visible_text(text: str) -> str:
    """Return a text in which characters that a terminal or a CI log would interpret are escaped."""
    import re

    from ..diagnostics.shown import line

    return re.sub(_INTERPRETED, lambda match: line(match[0]), text)
