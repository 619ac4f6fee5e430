"""What an editor offers to do about findings: mend them, or leave them silent from now on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from mcpcfg.compiler.document import read_documents
from mcpcfg.compiler.fix.edit import Edit, apply_edits, moved, same
from mcpcfg.compiler.fix.mend import mend, proposals
from mcpcfg.compiler.fix.mendable import MENDABLE
from mcpcfg.compiler.reading.silence import ignores
from mcpcfg.compiler.syntax_rule import RULES as SYNTAX_RULES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.input_kind import InputKind
    from mcpcfg.compiler.project.discovery import Project

    from .line_map import LineMap

MOST_CHARACTERS: Final = 1_000_000
"""Of a text that is looked through for what can be mended."""
_MARK: Final = "\ufeff"
_UNREADABLE: Final = frozenset(rule.id for rule in SYNTAX_RULES)


class Action(NamedTuple):
    """Something that can be done.

    Attributes:
        title: What it does, in the imperative.
        edits: Of the text, in its offsets.
        finding: What it is about; ``None`` where it is about many.
        sort: Whether it mends, mends all, or silences.
        is_safe: Nobody has to look at it afterwards.
    """

    title: str
    edits: tuple[Edit, ...]
    finding: Finding | None
    sort: Literal["fix", "fix-all", "ignore"]
    is_safe: bool = True


def actions(
    lines: LineMap, findings: Sequence[Finding], project: Project, file: str, kind: InputKind | None = None
) -> list[Action]:
    """Give what can be done about ``findings`` of a text, the surest first.

    Args:
        lines: The text.
        findings: Those of them that the user asks about.
        project: What the configuration says.
        file: The name of the file.
        kind: What its records are.
    """
    text = lines.text
    if not findings or len(text) > MOST_CHARACTERS:
        return []
    found = _fixes(lines, findings, project, file, kind)
    found.sort(key=lambda one: not one.is_safe)
    for finding in {(one.rule, one.span.line): one for one in findings}.values():
        edit = silencing_edit(lines, finding)
        if edit is not None:
            found.append(Action(f"Ignore {finding.rule} here", (edit,), finding, "ignore"))
    return found


def fix_all(text: str, project: Project, file: str, kind: InputKind | None = None) -> Action | None:
    """Give all that can safely be mended in a text at once, ``None`` where nothing can."""
    if len(text) > MOST_CHARACTERS:
        return None
    mended = mend(text.encode(), file, project, read_as=kind)
    return Action("Mend all that can safely be mended", mended.edits, None, "fix-all") if mended.titles else None


def silencing_edit(lines: LineMap, finding: Finding) -> Edit | None:
    """Give the comment that silences the rule of a finding at its line, ``None`` where none can."""
    text = lines.text
    if finding.rule in _UNREADABLE:
        return None
    before = _data(text)
    at = lines.line(finding.span.line - 1) if finding.span.line <= text.count("\n") + text.count("\r") + 1 else None
    if before is None or at is None:
        return None
    for edit in _comments(text, at, finding, lines):
        after = apply_edits(text, [edit])
        line = finding.span.line + edit.text.count("\n")
        if any(one.rule == finding.rule and one.line == line for one in ignores(after, finding.span.file)):
            data = _data(after)
            if data is not None and same(before, data):
                return edit
    return None


def _comments(text: str, line: tuple[int, int], finding: Finding, lines: LineMap) -> list[Edit]:
    """List the ways of writing a comment, the best first."""
    start, end = line
    mark = f"# mcpcfg: ignore[{finding.rule}]"
    about = (one for one in ignores(text, finding.span.file) if one.line == finding.span.line)
    added = [Edit(last, last, f", {finding.rule}") for one in about for last in (lines.extent(one.span)[1],)][-1:]
    stripped = start + len(text[start:end].rstrip())
    indentation = text[start : start + len(text[start:end]) - len(text[start:end].lstrip())]
    newline = "\r\n" if text.find("\r\n") >= 0 else "\n"
    own_line = [] if "#" in text[start:end] else [Edit(stripped, end, f"  {mark}")]
    return [*added, *own_line, Edit(start, start, f"{indentation}{mark}{newline}")]


def _data(text: str) -> list[object] | None:
    """Give the data of all documents of a YAML text; ``None`` where it is JSON, or cannot be read."""
    documents, findings = read_documents(text.encode(), "")
    if findings or any(document.is_json for document in documents):
        return None
    return [document.data for document in documents]


def _fixes(
    lines: LineMap, findings: Sequence[Finding], project: Project, file: str, kind: InputKind | None
) -> list[Action]:
    wanted = {(one.rule, one.span, one.path): one for one in findings if one.rule in MENDABLE}
    if not wanted:
        return []
    text = lines.text
    found: list[Action] = []
    for proposal in proposals(text.encode(), file, project, unsafe=True, read_as=kind):
        own = wanted.get((proposal.finding.rule, proposal.finding.span, proposal.finding.path))
        if own is not None:
            edits = tuple(Edit(*lines.extent(span), new) for span, new in proposal.replacements)
            title = proposal.cure.title[:1].upper() + proposal.cure.title[1:]
            found.append(Action(title, edits, own, "fix", proposal.cure.is_safe))
    if not found and any(one.rule in _UNREADABLE for one in wanted.values()):
        found += _quoting(text, [one for one in wanted.values() if one.rule in _UNREADABLE], file)
    return found


def _quoting(text: str, findings: Sequence[Finding], file: str) -> list[Action]:
    """Offer the quotes that make a text readable: they are found for the text as a whole."""
    from mcpcfg.compiler.fix.syntax import with_quotes

    body = text.removeprefix(_MARK)
    readable = with_quotes(body, file, findings)
    if readable is None:
        return []
    _, [title, *_], edits = readable
    made = tuple(moved(edits, len(text) - len(body)))
    return [Action(title[:1].upper() + title[1:], made, findings[0], "fix")]
