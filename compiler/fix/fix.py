"""One file fixed: fault by fault, as often as something can be fixed, each step checked against its intention."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ..admission.admit import admit_document, is_object
from ..check.dialect import as_its_program_reads
from ..diagnostics.span import Span
from ..project import suppression
from ..project.input_kind import named, recognise
from ..reading.document import read_documents
from ..reading.suppression_comment import ignores
from .edit import moved
from .fix_context import FixContext
from .patch import Trail
from .record import RECORD_CURABLE, RecordFixer, is_fixable, record_findings
from .registry import FIXES
from .source_buffer import SourceBuffer, line_starts
from .syntax import CURABLE, with_quotes
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
    from .edit import Edit, Fix

_MOST_PASSES = 50
"""One fix may bring another fault to light, a few times."""
_MOST_QUOTED = 20
"""Values of a text for each of which by itself it is tried whether quotes help, ..."""
_MOST_CHARACTERS = 1 << 18
"""... and characters of such a text: each try reads it again."""


class Fixed(NamedTuple):
    """A text after fixing.

    Attributes:
        text: What the file should hold; the same object where there is nothing to fix.
        titles: What was done, in the order of doing.
        edits: Of the text before, in code points; in order, keeping apart.
    """

    text: bytes
    titles: tuple[str, ...]
    edits: tuple[Edit, ...] = ()


class Silence:
    """What the comments of a text silence, found once for all of its documents.

    Attributes:
        file: The name of the file.
    """

    def __init__(self, body: str, file: str) -> None:
        self.file = file
        self._by_line: dict[int, list[Ignore]] = {}
        for one in ignores(body, file):
            self._by_line.setdefault(one.line, []).append(one)

    def about(self, findings: Sequence[Finding]) -> list[Ignore]:
        """Return what may silence any of ``findings``: what is about their lines."""
        lines = sorted({finding.span.line for finding in findings})
        return [one for line in lines for one in self._by_line.get(line, ())]


class Quoting(NamedTuple):
    """A finding about a text that cannot be read without quotes, and where they go."""

    finding: Finding
    title: str
    place: Span
    text: str


class Proposal(NamedTuple):
    """A finding that can be fixed, how, and the places of the edits."""

    finding: Finding
    fix: Fix
    replacements: tuple[tuple[Span, str], ...]


def kinds_of(records: Mapping[str, Iterable[Document]]) -> dict[str, InputKind]:
    """Return by file what its records were read as; files without any, and those of several kinds, are left out."""
    of_file: dict[str, set[str]] = {}
    for kind, documents in records.items():
        for document in documents:
            of_file.setdefault(document.file, set()).add(kind)
    found = {file: named(*kinds) for file, kinds in of_file.items() if len(kinds) == 1}
    return {file: kind for file, kind in found.items() if kind is not None}


def fix_file(
    text: bytes,
    file: str,
    project: Project,
    findings: Sequence[Finding] = (),
    *,
    unsafe: bool = False,
    read_as: InputKind | None = None,
) -> Fixed:
    """Fix what can be fixed in the resources and records of a text.

    Args:
        text: What the file holds.
        file: Its name, as findings print it.
        project: Its configuration sets the severities of rules; ignored findings are left as they are.
        findings: Findings of a check of the project. Only such a check knows which name a reference means.
        unsafe: Whether fixes count that a person has to look at.
        read_as: What its records are; recognised by their content where it is not stated.
    """

    def offered(body: str, documents: list[Document]) -> list[Fix]:
        found = _proposals(body, file, documents, project, read_as)
        found += _of_meant(body, documents, findings, project.settings.profile)
        return [one.fix for one in found if one.fix.is_safe or unsafe]

    def readable(body: str, broken: list[Finding]) -> tuple[str, list[str], list[Edit]] | None:
        return with_quotes(body, file, _reported(broken, Silence(body, file), project, CURABLE))

    return settled(text, file, offered, readable)


def settled(
    text: bytes,
    file: str,
    offered: Callable[[str, list[Document]], list[Fix]],
    readable: Callable[[str, list[Finding]], tuple[str, list[str], list[Edit]] | None] | None = None,
) -> Fixed:
    """Make edits of a text until there are none left to make, or too many passes are behind.

    Args:
        text: What the file holds.
        file: Its name, as findings print it.
        offered: Returns the fixes of a text and its documents.
        readable: Returns a text that can be read better, given what cannot be read of it; with what was done.
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
        body, made = Trial(body, file, documents, len(broken)).together(offered(body, documents))
        if not made:
            break
        titles += (fix.title for fix in made)
        trail.follow(edit for fix in made for edit in fix.edits)
    if not titles:
        return Fixed(text, ())
    made_of_all = moved(trail.edits(), len(mark.decode()))
    return Fixed(mark + body.encode("utf-8", "surrogateescape"), tuple(titles), tuple(made_of_all))


def proposals(
    text: bytes,
    file: str,
    project: Project,
    findings: Sequence[Finding] = (),
    *,
    unsafe: bool = False,
    read_as: InputKind | None = None,
) -> list[Proposal]:
    """Return what can be fixed in a text as it stands, each by itself, for those who show it; see `fix_file`."""
    _, body = _decode(text)
    if body is None:
        return []
    documents, broken = read_documents(body, file)
    offered = _proposals(body, file, documents, project, read_as)
    offered += _of_meant(body, documents, findings, project.settings.profile)
    offered = [one for one in offered if one.fix.is_safe or unsafe]
    good = Trial(body, file, documents, len(broken)).good(one.fix for one in offered)
    return [one for one in offered if key_of(one.fix) in good]


def quotings(text: bytes, file: str, findings: Iterable[Finding]) -> list[Quoting]:
    """Return the quotes that make a text readable, for each of the ``findings`` by itself that they help."""
    _, body = _decode(text)
    if body is None or len(body) > _MOST_CHARACTERS:
        return []
    lines = line_starts(body)
    found: list[Quoting] = []
    for finding in islice((one for one in findings if one.rule in CURABLE), _MOST_QUOTED):
        readable = with_quotes(body, file, [finding])
        if readable is not None:
            _, [title], [edit] = readable
            start = lines[finding.span.line - 1] - 1
            place = Span(file, finding.span.line, edit.start - start, finding.span.line, edit.end - start)
            found.append(Quoting(finding, title, place, edit.text))
    return found


def _decode(text: bytes) -> tuple[bytes, str | None]:
    """Decode a file without its byte order mark; UTF-16 is left alone."""
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
        kind = None if is_object(document.data, profile) else read_as or recognise(document.data)
        if kind is not None and is_fixable(kind):
            record = as_its_program_reads(document, kind)
            out.extend(_of_record(SourceBuffer(body, record, lines), kind, silence, project))
            continue
        for element in document.elements():
            if not is_object(element.data, profile):
                continue
            _, findings = admit_document(element, profile=profile)
            # An info is about what only an upgrade of the operator makes a fault.
            fixable = [finding for finding in findings if finding.rule in FIXES and finding.severity != "info"]
            if not fixable:
                continue
            page = page or SourceBuffer(body, document, lines)
            out.extend(_fixed(page, element, _reported(fixable, silence, project, FIXES), profile))
    return out


def _of_meant(
    body: str, documents: list[Document], findings: Iterable[Finding], profile: Profile
) -> Iterator[Proposal]:
    """Yield the fixes of findings that say which text was meant."""
    findings = [one for one in findings if one.meant is not None and (one.document or 0) < len(documents)]
    lines = line_starts(body) if findings else []
    for finding in findings:
        page = SourceBuffer(body, documents[finding.document or 0], lines)
        fix = meant_value(FixContext(page, finding, "", (), profile))
        if fix is not None:
            yield Proposal(finding, fix, _places(page, fix))


def _of_record(page: SourceBuffer, kind: InputKind, silence: Silence, project: Project) -> Iterator[Proposal]:
    findings = record_findings(page.document, kind)
    fixable = [finding for finding in findings if finding.rule in RECORD_CURABLE]
    reported = _reported(fixable, silence, project, RECORD_CURABLE) if fixable else []
    for number, fix in sorted(RecordFixer(page, kind, findings).fixes(reported).items()):
        yield Proposal(reported[number], fix, _places(page, fix))


def _reported(findings: Sequence[Finding], silence: Silence, project: Project, rules: Container[str]) -> list[Finding]:
    """Return what the configuration and comments leave of findings, and what is to be reported."""
    settled = suppression.settle(findings, {silence.file: silence.about(findings)}, project)
    return [finding for finding in settled if finding.rule in rules]


def _fixed(page: SourceBuffer, element: Document, findings: Iterable[Finding], profile: Profile) -> Iterator[Proposal]:
    kind = element.data.get("kind")
    group = str(element.data.get("apiVersion")).rpartition("/")[0]
    if group != profile.api_group and profile.crds is not None and group in profile.crds.groups:
        return  # fixes know our kinds alone
    for finding in findings:
        site = FixContext(page, finding, kind if isinstance(kind, str) else "", element.prefix, profile)
        fix = FIXES[finding.rule](site)
        if fix is not None:
            yield Proposal(finding, fix, _places(page, fix))


def _places(page: SourceBuffer, fix: Fix) -> tuple[tuple[Span, str], ...]:
    return tuple((page.span(edit.start, edit.end), edit.text) for edit in fix.edits)
