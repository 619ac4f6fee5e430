"""Code actions for findings: fix a finding, or suppress it with a comment."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final, Literal

from ..diagnostics.named_tuple import NamedTuple
from ..fix.edit import Edit, apply_edits, moved, same
from ..fix.fix import fix_file, proposals
from ..fix.fixable import is_fixable
from ..reading.document import read_documents
from ..reading.excerpt import excerpts
from ..reading.suppression_comment import ignores
from .line_map import LineMap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..diagnostics.finding import Finding
    from ..project.discovery import Project
    from ..project.input_kind import InputKind

MOST_CHARACTERS: Final = 1 << 18
"""Maximum characters of a text for which fixes are searched, because the editor waits while each fix is tried."""
_MOST_SILENCED: Final = 20
"""Maximum number of suppression comments offered at once, so that they do not fill the editor's menu."""
_MARK: Final = "\ufeff"


class CodeAction(NamedTuple):
    """A code action that an editor offers.

    Attributes:
        title: Imperative sentence that names the effect.
        edits: Replacements in the text, by offset.
        finding: The finding that the action is about; ``None`` if it is about several.
        sort: ``fix`` and ``ignore`` act on one finding; ``fix-all`` applies all safe fixes to the text.
        is_safe: False if a person has to review the result.
    """

    title: str
    edits: tuple[Edit, ...]
    finding: Finding | None
    sort: Literal["fix", "fix-all", "ignore"]
    is_safe: bool = True


def actions(
    lines: LineMap, findings: Sequence[Finding], project: Project, file: str, kind: InputKind | None = None
) -> list[CodeAction]:
    """Return the fixes of ``findings``, safe fixes first, and then the actions that suppress the findings.

    The list is empty if the text is longer than `MOST_CHARACTERS`.

    Args:
        lines: Line map of the file's text.
        kind: Kind of the records in the file; ``None`` for other files.
    """
    text = lines.text
    if not findings or len(text) > MOST_CHARACTERS:
        return []
    offered = _fixes(lines, findings, project, file, kind)
    offered.sort(key=lambda item: not item.is_safe)
    for finding in islice(
        {(finding.rule, finding.span.line): finding for finding in findings}.values(), _MOST_SILENCED
    ):
        edit = silencing_edit(lines, finding)
        if edit is not None:
            offered.append(CodeAction(f"Ignore {finding.rule} here", (edit,), finding, "ignore"))
    return offered


def fix_all(text: str, project: Project, file: str, kind: InputKind | None = None) -> CodeAction | None:
    """Return the action that applies all safe fixes to the text, or ``None`` if there is no safe fix."""
    if len(text) > MOST_CHARACTERS:
        return None
    fixed = fix_file(text.encode(), file, project, read_as=kind)
    return CodeAction("Fix all that can safely be fixed", fixed.edits, None, "fix-all") if fixed.titles else None


def silencing_edit(lines: LineMap, finding: Finding) -> Edit | None:
    """Return the edit that suppresses the finding's rule with a comment, or ``None`` if no comment can.

    The edit is tried first: the comment must suppress the rule, and must not change the data of the document. Findings
    about syntax, and findings in JSON, cannot be suppressed.
    """
    if finding.stage == "syntax" or finding.span.line > lines.count:
        return None
    start, end = lines.line(finding.span.line - 1)
    excerpt = next((item for item in excerpts(lines.text, finding.span.file) if start < item.end), None)
    before = _data(excerpt.body) if excerpt is not None else None
    if excerpt is None or before is None:
        return None
    body = excerpt.body
    line = finding.span.line - excerpt.first_line
    for edit in _comments(body, (max(0, start - excerpt.start), end - excerpt.start), finding, line):
        after = apply_edits(body, [edit])
        about = line + edit.text.count("\n")
        if any(item.rule == finding.rule and item.line == about for item in ignores(after, finding.span.file)):
            data = _data(after)
            if data is not None and same(before, data):
                return edit._replace(start=edit.start + excerpt.start, end=edit.end + excerpt.start)
    return None


def _comments(body: str, line: tuple[int, int], finding: Finding, number: int) -> list[Edit]:
    """Return edits that suppress a finding, in the order in which to try them.

    They extend an existing comment, add a comment at the end of the line, or add one above the line.

    Args:
        line: Start and end of the line in the text.
    """
    start, end = line
    written = body[start:end]
    mark = f"# mcpcfg: ignore[{finding.rule}]"
    document_lines = LineMap(body, "utf-32")
    about = [
        document_lines.extent(comment.span)[1] for comment in ignores(body, finding.span.file) if comment.line == number
    ]
    added = [Edit(last, last, f", {finding.rule}") for last in about[-1:]]
    at_end = [] if "#" in written else [Edit(start + len(written.rstrip()), end, f"  {mark}")]
    indentation = written[: len(written) - len(written.lstrip())]
    newline = "\r\n" if "\r\n" in body else "\n"
    return [*added, *at_end, Edit(start, start, f"{indentation}{mark}{newline}")]


def _data(text: str) -> list[object] | None:
    documents, findings = read_documents(text.encode(), "")
    if findings or any(document.is_json for document in documents):
        return None
    return [document.data for document in documents]


def _fixes(
    lines: LineMap, findings: Sequence[Finding], project: Project, file: str, kind: InputKind | None
) -> list[CodeAction]:
    wanted = {(finding.rule, finding.span, finding.path): finding for finding in findings if is_fixable(finding)}
    if not wanted:
        return []
    text = lines.text
    offered: list[CodeAction] = []
    for proposal in proposals(text.encode(), file, project, findings, unsafe=True, read_as=kind):
        asked = wanted.get((proposal.finding.rule, proposal.finding.span, proposal.finding.path))
        if asked is not None:
            edits = tuple(Edit(*lines.extent(span), new) for span, new in proposal.replacements)
            title = proposal.fix.title[:1].upper() + proposal.fix.title[1:]
            offered.append(CodeAction(title, edits, asked, "fix", proposal.fix.is_safe))
    if not offered and any(finding.stage == "syntax" for finding in wanted.values()):
        offered += _quoting(text, [finding for finding in wanted.values() if finding.stage == "syntax"], file)
    return offered


def _quoting(text: str, findings: Sequence[Finding], file: str) -> list[CodeAction]:
    from ..fix.syntax import readable_text

    body = text.removeprefix(_MARK)
    readable = readable_text(body, file, findings)
    if readable is None:
        return []
    _, [title, *_], edits = readable
    moved_edits = tuple(moved(edits, len(text) - len(body)))
    return [CodeAction(title[:1].upper() + title[1:], moved_edits, findings[0], "fix")]
