"""What an editor offers to do about findings: fix them, or leave them silent from now on."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from ..fix.edit import Edit, apply_edits, moved, same
from ..fix.fix import fix_file, proposals
from ..fix.of_finding import is_fixable
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
"""Of a text that is looked through for what can be fixed."""
_MOST_SILENCED: Final = 20
"""Comments that are offered at once."""
_MARK: Final = "\ufeff"


class Action(NamedTuple):
    """Something that can be done.

    Attributes:
        title: What it does, in the imperative.
        edits: Of the text, in its offsets.
        finding: What it is about; ``None`` where it is about many.
        sort: Whether it fixes, fixes all, or silences.
        is_safe: No person has to look at it afterwards.
    """

    title: str
    edits: tuple[Edit, ...]
    finding: Finding | None
    sort: Literal["fix", "fix-all", "ignore"]
    is_safe: bool = True


def actions(
    lines: LineMap, findings: Sequence[Finding], project: Project, file: str, kind: InputKind | None = None
) -> list[Action]:
    """Return what can be done about ``findings`` of a text, the surest first.

    Args:
        lines: The text.
        findings: Those of them that the user asks about.
        project: Its configuration decides which rules count.
        file: The name of the file.
        kind: What its records are.
    """
    text = lines.text
    if not findings or len(text) > MOST_CHARACTERS:
        return []
    found = _fixes(lines, findings, project, file, kind)
    found.sort(key=lambda one: not one.is_safe)
    for finding in islice({(one.rule, one.span.line): one for one in findings}.values(), _MOST_SILENCED):
        edit = silencing_edit(lines, finding)
        if edit is not None:
            found.append(Action(f"Ignore {finding.rule} here", (edit,), finding, "ignore"))
    return found


def fix_all(text: str, project: Project, file: str, kind: InputKind | None = None) -> Action | None:
    """Return all that can safely be fixed in a text at once, ``None`` where nothing can."""
    if len(text) > MOST_CHARACTERS:
        return None
    fixed = fix_file(text.encode(), file, project, read_as=kind)
    return Action("Fix all that can safely be fixed", fixed.edits, None, "fix-all") if fixed.titles else None


def silencing_edit(lines: LineMap, finding: Finding) -> Edit | None:
    """Return the comment that silences the rule of a finding at its line, ``None`` where none can."""
    if finding.stage == "syntax" or finding.span.line > lines.count:
        return None
    start, end = lines.line(finding.span.line - 1)
    found = next((one for one in excerpts(lines.text, finding.span.file) if start < one.end), None)
    before = _data(found.body) if found is not None else None
    if found is None or before is None:
        return None
    body = found.body
    line = finding.span.line - found.first_line
    for edit in _comments(body, (max(0, start - found.start), end - found.start), finding, line):
        after = apply_edits(body, [edit])
        about = line + edit.text.count("\n")
        if any(one.rule == finding.rule and one.line == about for one in ignores(after, finding.span.file)):
            data = _data(after)
            if data is not None and same(before, data):
                return edit._replace(start=edit.start + found.start, end=edit.end + found.start)
    return None


def _comments(body: str, line: tuple[int, int], finding: Finding, number: int) -> list[Edit]:
    """List the ways of writing a comment about a line of a document, the best first."""
    start, end = line
    written = body[start:end]
    mark = f"# mcpcfg: ignore[{finding.rule}]"
    own = LineMap(body, "utf-32")
    about = [own.extent(one.span)[1] for one in ignores(body, finding.span.file) if one.line == number]
    added = [Edit(last, last, f", {finding.rule}") for last in about[-1:]]
    at_end = [] if "#" in written else [Edit(start + len(written.rstrip()), end, f"  {mark}")]
    indentation = written[: len(written) - len(written.lstrip())]
    newline = "\r\n" if "\r\n" in body else "\n"
    return [*added, *at_end, Edit(start, start, f"{indentation}{mark}{newline}")]


def _data(text: str) -> list[object] | None:
    """Return the data of all documents of a YAML text; ``None`` where it is JSON, or cannot be read."""
    documents, findings = read_documents(text.encode(), "")
    if findings or any(document.is_json for document in documents):
        return None
    return [document.data for document in documents]


def _fixes(
    lines: LineMap, findings: Sequence[Finding], project: Project, file: str, kind: InputKind | None
) -> list[Action]:
    wanted = {(one.rule, one.span, one.path): one for one in findings if is_fixable(one)}
    if not wanted:
        return []
    text = lines.text
    found: list[Action] = []
    for proposal in proposals(text.encode(), file, project, findings, unsafe=True, read_as=kind):
        own = wanted.get((proposal.finding.rule, proposal.finding.span, proposal.finding.path))
        if own is not None:
            edits = tuple(Edit(*lines.extent(span), new) for span, new in proposal.replacements)
            title = proposal.fix.title[:1].upper() + proposal.fix.title[1:]
            found.append(Action(title, edits, own, "fix", proposal.fix.is_safe))
    if not found and any(one.stage == "syntax" for one in wanted.values()):
        found += _quoting(text, [one for one in wanted.values() if one.stage == "syntax"], file)
    return found


def _quoting(text: str, findings: Sequence[Finding], file: str) -> list[Action]:
    """Offer the quotes that make a text readable: they are found for the text as a whole."""
    from ..fix.syntax import with_quotes

    body = text.removeprefix(_MARK)
    readable = with_quotes(body, file, findings)
    if readable is None:
        return []
    _, [title, *_], edits = readable
    made = tuple(moved(edits, len(text) - len(body)))
    return [Action(title[:1].upper() + title[1:], made, findings[0], "fix")]
