"""Fix values that are only valid YAML with quotes, and objects that a missing ``---`` joins."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ..reading.data import DUPLICATE_KEY, SEPARATE
from ..reading.document import read_documents
from ..reading.problem import COLON_IN_VALUE, RESERVED_CHARACTER
from .edit import Edit, apply_edits
from .source_buffer import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..diagnostics.finding import Finding

CURABLE: Final = frozenset({COLON_IN_VALUE.id, RESERVED_CHARACTER.id, DUPLICATE_KEY.id})

_MOST_TRIES: Final = 20
"""Maximum number of quotes that are tried one by one, because each try reads the text again."""
_ENTRY: Final = re.compile(
    r"""(?P<key>[ ]*(?:-[ ]+)*[A-Za-z_][\w./-]*:[ \t]+|[ ]*(?:-[ ]+)+)"""
    r"""(?P<value>[^\s"'|>&*!\[{#](?>(?:[^ \t\r\n#]++|(?<=\S)\#|[ \t]++(?=[^ \t\r\n#]))*))"""
    r"""(?P<rest>[ \t]*(?:[ \t]\#[^\r\n]*)?(?:\r\n?|\n|\Z))"""
)
_BREAK: Final = re.compile(r"\r\n?|\n")


def readable_text(body: str, file: str, findings: Iterable[Finding]) -> tuple[str, list[str], list[Edit]] | None:
    """Return a text with fewer syntax faults, the titles of the fixes, and the edits; ``None`` if nothing improves it.

    Objects that a missing ``---`` joins are separated first, because their values can only be judged then.
    """
    findings = list(findings)
    return _with_separators(body, file, findings) or _with_quotes(body, file, findings)


def _with_separators(body: str, file: str, findings: list[Finding]) -> tuple[str, list[str], list[Edit]] | None:
    starts = [0, *(match.end() for match in _BREAK.finditer(body))]
    lines = sorted({finding.span.line for finding in findings if finding.hint == SEPARATE and finding.span.column == 1})
    edits = [Edit(starts[line - 1], starts[line - 1], f"---{_line_end(body)}") for line in lines]
    new = apply_edits(body, edits)
    if not edits or len(read_documents(new, file)[1]) >= len(read_documents(body, file)[1]):
        return None
    return new, [f"separate the object in line {line} with ---" for line in lines], edits


def _line_end(body: str) -> str:
    match = _BREAK.search(body)
    return match[0] if match else "\n"


def _with_quotes(body: str, file: str, findings: Iterable[Finding]) -> tuple[str, list[str], list[Edit]] | None:
    """Return the text with quotes around the values that cause the findings, the titles of the fixes, and the edits.

    If quoting all values at once improves every document, as it nearly always does, all are quoted. Otherwise only the
    first value that improves its document is quoted. The result is ``None`` if no quotes improve a document.
    """
    starts = [0, *(match.end() for match in _BREAK.finditer(body))]
    edits: dict[int | None, tuple[Finding, Edit]] = {}
    for finding in findings:
        match = _ENTRY.match(body, starts[finding.span.line - 1])
        if match is not None and "\\" not in match["value"]:
            edit = Edit(match.start("value"), match.end("value"), quoted(match["value"]))
            edits.setdefault(finding.document, (finding, edit))
    quotings = list(edits.values())
    before = read_documents(body, file)[1] if quotings else []
    tries = [quotings, *([quoting] for quoting in quotings[:_MOST_TRIES])] if len(quotings) > 1 else [quotings]
    for some in tries if quotings else ():
        edits_made = [edit for _, edit in some]
        new = apply_edits(body, edits_made)
        if _is_better(before, read_documents(new, file)[1], [finding for finding, _ in some]):
            titles = [f"put the value in line {finding.span.line} into quotes" for finding, _ in some]
            return new, titles, edits_made
    return None


def _is_better(before: list[Finding], after: list[Finding], fixed: list[Finding]) -> bool:
    fixed_documents = {finding.document for finding in fixed}
    if [finding_ for finding_ in before if finding_.document not in fixed_documents] != [
        finding_ for finding_ in after if finding_.document not in fixed_documents
    ]:
        return False
    first: dict[int | None, int] = {}
    for finding_ in after:
        first[finding_.document] = min(finding_.span.line, first.get(finding_.document, finding_.span.line))
    return all(first.get(finding.document, finding.span.line + 1) > finding.span.line for finding in fixed)
