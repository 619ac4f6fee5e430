"""Fix one file: apply fixes repeatedly until none is left, and verify that each changes the data only as it states."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from ..admission.admit import admit_document, is_object
from ..check.dialect import as_its_program_reads
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.span import Span
from ..project import suppression
from ..project.input_kind import kind_named, recognize
from ..reading.document import read_documents
from ..reading.suppression_comment import ignores
from .edit import moved
from .fix_context import FixContext
from .patch import Trail
from .record import RECORD_CURABLE, RecordFixer, is_fixable, record_findings
from .registry import FIXES, RULE_FIXES
from .source_buffer import SourceBuffer, line_starts
from .syntax import CURABLE, readable_text
from .trial import Trial, key_of
from .value import meant_value

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

    from ..diagnostics.finding import Finding
    from ..project.discovery import Project
    from ..project.input_kind import InputKind
    from ..reading.document import Document
    from ..reading.suppression_comment import Ignore
    from ..toolhive.profile import Profile
    from .edit import Edit, FileFix

_MOST_PASSES = 50
"""Maximum number of passes. A fix may reveal another fault, which the next pass fixes; more than a few are unusual."""
_MOST_QUOTED = 20
"""Maximum number of values for which quotes are tried one by one, because each try reads the text again."""
_MOST_CHARACTERS = 1 << 18
"""Maximum characters of a text for which quotes are tried, because each try reads the text again."""


class Fixed(NamedTuple):
    """A text after fixing.

    Attributes:
        text: New content of the file; the same object if nothing was fixed.
        titles: Titles of the applied fixes, in order.
        edits: Edits of the original text, in code points, in order, without overlap.
    """

    text: bytes
    titles: tuple[str, ...]
    edits: tuple[Edit, ...] = ()


class Silence:
    """The suppression comments of a text by line, parsed once for all documents of the text."""

    def __init__(self, body: str, file: str) -> None:
        self.file = file
        self._by_line: dict[int, list[Ignore]] = {}
        for comment in ignores(body, file):
            self._by_line.setdefault(comment.line, []).append(comment)

    def about(self, findings: Sequence[Finding]) -> list[Ignore]:
        """Return the suppression comments that apply to the lines of the findings."""
        lines = sorted({finding.span.line for finding in findings})
        return [comment for line in lines for comment in self._by_line.get(line, ())]


class Quoting(NamedTuple):
    """A syntax finding that disappears if a value is quoted, and the edit that adds the quotes.

    The edit replaces the text at ``place`` with ``text``.
    """

    finding: Finding
    title: str
    place: Span
    text: str


class Proposal(NamedTuple):
    """A fixable finding, its fix, and the edits of the fix: spans, each with its new text."""

    finding: Finding
    fix: FileFix
    replacements: tuple[tuple[Span, str], ...]


def kinds_of(records: Mapping[str, Iterable[Document]]) -> dict[str, InputKind]:
    """Return the input kind of the records in each file, without files of several or unknown kinds."""
    of_file: dict[str, set[str]] = {}
    for kind, documents in records.items():
        for document in documents:
            of_file.setdefault(document.file, set()).add(kind)
    named_kinds = {file: kind_named(*kinds) for file, kinds in of_file.items() if len(kinds) == 1}
    return {file: kind for file, kind in named_kinds.items() if kind is not None}


def fix_file(
    text: bytes,
    file: str,
    project: Project,
    findings: Sequence[Finding] = (),
    *,
    unsafe: bool = False,
    read_as: InputKind | None = None,
) -> Fixed:
    """Fix the resources and records of a text in memory, and return the new text.

    Args:
        file: Name of the file, as in findings.
        project: The project, whose configuration sets severities. Suppressed findings are not fixed.
        findings: Findings of a check of the project. They are only needed to correct misspelled names in references,
            and to move deprecated fields.
        unsafe: True to apply unsafe fixes too, which a person has to review.
        read_as: Kind of the records; ``None`` to recognize it by the content.
    """

    def offered(body: str, documents: list[Document]) -> list[FileFix]:
        offers = _proposals(body, file, documents, project, read_as)
        offers += _rule_proposals(body, documents, findings, project.settings.profile)
        return [proposal.fix for proposal in offers if proposal.fix.is_safe or unsafe]

    def readable(body: str, broken: list[Finding]) -> tuple[str, list[str], list[Edit]] | None:
        return readable_text(body, file, _reported(broken, Silence(body, file), project, CURABLE))

    return fix_until_stable(text, file, offered, readable)


def fix_until_stable(
    text: bytes,
    file: str,
    offered: Callable[[str, list[Document]], list[FileFix]],
    readable: Callable[[str, list[Finding]], tuple[str, list[str], list[Edit]] | None] | None = None,
) -> Fixed:
    """Return the text after all fixes. Fixes are applied repeatedly, because a fix may reveal another fault.

    Args:
        text: Content of the file.
        file: Name of the file, as in findings.
        readable: Returns a text with fewer syntax faults, the titles of the fixes, and the edits; ``None`` if it cannot
            improve the text. It gets the text and its syntax findings.
    """
    mark, body = _decode(text)
    if body is None:
        return Fixed(text, ())
    trail = Trail(len(body))
    titles: list[str] = []
    for _ in range(_MOST_PASSES):
        documents, broken = read_documents(body, file)
        better = readable(body, broken) if broken and readable is not None else None
        if better is not None:
            body, done, edits = better
            titles += done
            trail.follow(edits)
            continue
        body, applied = Trial(body, file, documents, len(broken)).together(offered(body, documents))
        if not applied:
            break
        titles += (fix.title for fix in applied)
        trail.follow(edit for fix in applied for edit in fix.edits)
    if not titles:
        return Fixed(text, ())
    all_edits = moved(trail.edits(), len(mark.decode()))
    return Fixed(mark + body.encode("utf-8", "surrogateescape"), tuple(titles), tuple(all_edits))


def proposals(
    text: bytes,
    file: str,
    project: Project,
    findings: Sequence[Finding] = (),
    *,
    unsafe: bool = False,
    read_as: InputKind | None = None,
) -> list[Proposal]:
    """Return the fixes of a text that each work on its own, without applying them. See `fix_file` for arguments."""
    _, body = _decode(text)
    if body is None:
        return []
    documents, broken = read_documents(body, file)
    offered = _proposals(body, file, documents, project, read_as)
    offered += _rule_proposals(body, documents, findings, project.settings.profile)
    offered = [proposal for proposal in offered if proposal.fix.is_safe or unsafe]
    good = Trial(body, file, documents, len(broken)).good(proposal.fix for proposal in offered)
    return [proposal for proposal in offered if key_of(proposal.fix) in good]


def quotings(text: bytes, file: str, findings: Iterable[Finding]) -> list[Quoting]:
    """Return the syntax findings that quotes around a value remove, with the edits. Each value is tried on its own.

    Only the first findings are tried, and none in a long text.
    """
    _, body = _decode(text)
    if body is None or len(body) > _MOST_CHARACTERS:
        return []
    lines = line_starts(body)
    quotings_: list[Quoting] = []
    for finding in islice((finding for finding in findings if finding.rule in CURABLE), _MOST_QUOTED):
        readable = readable_text(body, file, [finding])
        if readable is not None:
            _, [title], [edit] = readable
            start = lines[finding.span.line - 1] - 1
            place = Span(file, finding.span.line, edit.start - start, finding.span.line, edit.end - start)
            quotings_.append(Quoting(finding, title, place, edit.text))
    return quotings_


def _decode(text: bytes) -> tuple[bytes, str | None]:
    """Return the UTF-8 byte order mark, or empty bytes, and the text, which is ``None`` for UTF-16: it is not fixed."""
    mark = b"\xef\xbb\xbf" if text.startswith(b"\xef\xbb\xbf") else b""
    if text.startswith((b"\xff\xfe", b"\xfe\xff")):
        return b"", None
    return mark, text[len(mark) :].decode("utf-8", "surrogateescape")


def _proposals(
    body: str, file: str, documents: list[Document], project: Project, read_as: InputKind | None
) -> list[Proposal]:
    profile = project.settings.profile
    lines = line_starts(body)
    silence = Silence(body, file)
    out: list[Proposal] = []
    for document in documents:
        page: SourceBuffer | None = None
        kind = None if is_object(document.data, profile) else read_as or recognize(document.data)
        if kind is not None and is_fixable(kind):
            record = as_its_program_reads(document, kind)
            out.extend(_record_proposals(SourceBuffer(body, record, lines), kind, silence, project))
            continue
        for element in document.elements():
            if not is_object(element.data, profile):
                continue
            _, findings = admit_document(element, profile=profile)
            # An info reports a value that only a later release of the operator refuses.
            fixable = [finding for finding in findings if finding.rule in FIXES and finding.severity != "info"]
            if not fixable:
                continue
            page = page or SourceBuffer(body, document, lines)
            out.extend(_fixed(page, element, _reported(fixable, silence, project, FIXES), profile))
    return out


def _rule_proposals(
    body: str, documents: list[Document], findings: Iterable[Finding], profile: Profile
) -> Iterator[Proposal]:
    """Yield the fixes of findings that only a check of the project has."""
    findings = [
        finding
        for finding in findings
        if (finding.meant is not None or finding.rule in RULE_FIXES) and (finding.document or 0) < len(documents)
    ]
    lines = line_starts(body) if findings else []
    for finding in findings:
        page = SourceBuffer(body, documents[finding.document or 0], lines)
        fix = RULE_FIXES.get(finding.rule, meant_value)(FixContext(page, finding, "", (), profile))
        if fix is not None:
            yield Proposal(finding, fix, _places(page, fix))


def _record_proposals(page: SourceBuffer, kind: InputKind, silence: Silence, project: Project) -> Iterator[Proposal]:
    findings = record_findings(page.document, kind)
    fixable = [finding for finding in findings if finding.rule in RECORD_CURABLE]
    reported = _reported(fixable, silence, project, RECORD_CURABLE) if fixable else []
    for number, fix in sorted(RecordFixer(page, kind, findings).fixes(reported).items()):
        yield Proposal(reported[number], fix, _places(page, fix))


def _reported(findings: Sequence[Finding], silence: Silence, project: Project, rules: Container[str]) -> list[Finding]:
    reported = suppression.reported_findings(findings, {silence.file: silence.about(findings)}, project)
    return [finding for finding in reported if finding.rule in rules]


def _fixed(page: SourceBuffer, element: Document, findings: Iterable[Finding], profile: Profile) -> Iterator[Proposal]:
    kind = element.data.get("kind")
    group = str(element.data.get("apiVersion")).rpartition("/")[0]
    if group != profile.api_group and profile.crds is not None and group in profile.crds.groups:
        return  # only resources of the operator have fixes
    for finding in findings:
        site = FixContext(page, finding, kind if isinstance(kind, str) else "", element.prefix, profile)
        fix = FIXES[finding.rule](site)
        if fix is not None:
            yield Proposal(finding, fix, _places(page, fix))


def _places(page: SourceBuffer, fix: FileFix) -> tuple[tuple[Span, str], ...]:
    return tuple((page.span(edit.start, edit.end), edit.text) for edit in fix.edits)
