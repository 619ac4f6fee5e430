"""Findings as text: source line, caret, hint and notes."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from ..diagnostics import shown as show
from .terminal import excerpt, folded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ..diagnostics.finding import Finding, Note, Severity
    from ..diagnostics.span import Span
    from ..toolhive.profile import ReleaseChoice
    from .terminal import Word

COLORS: dict[str, str] = {"error": "31;1", "warning": "33;1", "info": "36;1", "bold": "1", "dim": "2"}
LONGEST_LINE: Final = 160
"""Maximum characters of a source line if no terminal has a width, since minified JSON is one line."""
FEWEST_COLUMNS: Final = 20
"""Minimum columns of a source line. On a narrower terminal, a shorter part would show nothing useful."""
MOST_NOTES: Final = 10
"""Maximum number of notes of a finding, because nobody reads more. A line states the number of further notes."""
_INDENT: Final = 6
"""Columns before hints and notes, which sets them apart from the next finding."""
_GUTTER: Final = " | "


def render(
    findings: Sequence[Finding],
    source_line: Callable[[str, int], str | None],
    *,
    all_findings: Iterable[Finding] | None = None,
    color: bool = False,
    width: int | None = None,
) -> str:
    """Return the findings as text. See `blocks` for arguments."""
    rendered = blocks(findings, source_line, all_findings=all_findings, color=color, width=width)
    return "".join([head + ending(finding.notes, len(finding.notes), width) for finding, head in rendered])


def blocks(
    findings: Sequence[Finding],
    source_line: Callable[[str, int], str | None],
    *,
    all_findings: Iterable[Finding] | None = None,
    color: bool = False,
    width: int | None = None,
) -> Iterator[tuple[Finding, str]]:
    """Yield each finding with its text up to the notes. `ending` returns the rest of the text: notes and an empty line.

    Args:
        findings: Findings in the order of the report.
        source_line: Returns line N (1-based) of a file without its line break, or ``None`` if there is no such line.
        all_findings: All findings of these files, including those that are not printed, because their secrets are
            masked too. Default: ``findings``.
        color: True to write terminal escapes.
        width: Columns for folding lines; ``None`` to not fold.
    """
    secrets = _secrets(findings if all_findings is None else all_findings)
    masked: dict[tuple[str, int], str | None] = {}

    def shown(file: str, number: int) -> str | None:
        place = (file, number)
        if place not in secrets:
            return source_line(file, number)
        if place not in masked:
            line = source_line(file, number)
            masked[place] = None if line is None else _without(line, number, secrets[place])
        return masked[place]

    paint = _colored if color else _plain
    for finding in findings:
        yield finding, _head(finding, shown if secrets else source_line, paint, width)


def ending(notes: Iterable[Note], count: int, width: int | None = None) -> str:
    """Return the lines that end the text of a finding.

    Args:
        notes: The notes, or the first ones.
        count: Number of all notes.
        width: Columns for folding lines.
    """
    lines = [_remark("note", note, width) for note in note_texts(notes, count)]
    return "".join([f"{line}\n" for line in (*lines, "")])


def note_texts(notes: Iterable[Note], count: int) -> list[str]:
    """Return the texts of the first notes, and one with the number of the others. See `ending` for arguments."""
    texts = [_note(note) for note, _ in zip(notes, range(MOST_NOTES), strict=False)]
    return texts if count <= MOST_NOTES else [*texts, f"and {plural(count - MOST_NOTES, 'more place')}"]


def remarks(finding: Finding) -> list[str]:
    """Return the hint and the notes of a finding as lines, for formats without separate fields for them."""
    hints = [] if finding.hint is None else [f"hint: {finding.hint}"]
    return hints + [f"note: {text}" for text in note_texts(finding.notes, len(finding.notes))]


def summary(
    counts: Mapping[Severity, int],
    files: int,
    documents: int,
    templates: int = 0,
    *,
    least: Severity = "info",
    release: ReleaseChoice,
) -> str:
    """Return the closing line, such as ``2 errors, 1 warning; checked 3 files, …``, and further lines with advice.

    See `clauses` for most arguments. ``templates`` is the number of templates that were not read, and ``release`` the
    release that judged.
    """
    lines = ["; ".join(clauses(counts, files, documents, least=least)) + f"; {show.sanitized(release.statement)}"]
    if release.hint is not None:
        lines.append(f"hint: {release.hint}")
    if templates:
        lines.append(f"{plural(templates, 'chart template')} not checked; helm template … | mcpcfg check -")
    return "\n".join(lines)


def clauses(counts: Mapping[Severity, int], files: int, documents: int, *, least: Severity = "info") -> list[str]:
    """Return the clauses of the line that ends a report, such as ``2 errors, 1 warning`` and ``checked 3 files``.

    Args:
        counts: Number of findings of each severity, worst first, including findings that are not shown.
        files: Number of read files.
        documents: Number of their documents.
        least: Lowest severity of the shown findings.
    """
    parts = [plural(number, severity) for severity, number in counts.items() if number]
    hidden = [severity for severity in list(counts)[list(counts).index(least) + 1 :] if counts[severity]]
    shown_with = f" (--severity {hidden[-1]} shows all)" if hidden else ""
    return [
        (", ".join(parts) or "no findings") + shown_with,
        f"checked {plural(files, 'file')}, {plural(documents, 'document')}",
    ]


def plural(number: int, word: str) -> str:
    """Return a number with its noun, such as ``2 files``."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _head(
    finding: Finding, source_line: Callable[[str, int], str | None], paint: Callable[[str, str], str], width: int | None
) -> str:
    """Return the text of a finding without its notes. ``paint`` adds the escapes of a color to a text."""
    span, subject, severity = finding.span, finding.subject, finding.severity
    place = f"{show.line(span.file)}:{span.line}:{span.column}"
    about = ""
    if subject is not None:
        slash = "/" if subject.kind and subject.name else ""
        about = show.sanitized(f" {subject.kind}{slash}{subject.name}:")
    words: list[Word] = [
        (f"{place}:", f"{paint(place, 'bold')}:"),
        (f"{severity}[{finding.rule}]", f"{paint(severity, severity)}[{finding.rule}]"),
    ]
    words += _words(f"({finding.stage}){about} {show.sanitized(finding.message)}", width)
    lines = [folded(words, width, _INDENT)]
    line = source_line(span.file, span.line)
    if line is not None and line and not line.isspace():
        number = f"{span.line:5}"
        room = LONGEST_LINE if width is None else max(FEWEST_COLUMNS, width - len(number) - len(_GUTTER))
        end = span.end_column - 1 if span.end_line == span.line else len(line)
        shown, carets = excerpt(line, span.column - 1, end, room, show.in_columns)
        shown = show.in_columns(shown)  # two harmless parts may form a workflow command when joined
        margin = " " * len(number)
        lines += (paint(f"{number}{_GUTTER}{shown}", "dim"), paint(f"{margin}{_GUTTER}{carets}", severity))
    if finding.hint:
        lines.append(_remark("hint", show.sanitized(finding.hint), width))
    return "".join([f"{line}\n" for line in lines])


def _remark(sort: str, text: str, width: int | None) -> str:
    begin = f"{' ' * _INDENT}= {sort}:"
    return folded([(begin, begin), *_words(text, width)], width, len(begin) + 1)


def _words(text: str, width: int | None) -> list[Word]:
    if width is None:
        return [(text, text)]
    words = text.split(" ")  # any word may begin a line, where :: would begin a workflow command
    return [(word, word) for word in (map(show.line, words) if "::" in text else words)]


def _plain(text: str, _: str) -> str:
    return text


def _colored(text: str, style: str) -> str:
    return f"\x1b[{COLORS[style]}m{text}\x1b[0m"


def _note(note: Note) -> str:
    if note.span is None:
        return show.sanitized(note.message)
    return f"{show.sanitized(note.message)} ({show.sanitized(note.span.file)}:{note.span.line}:{note.span.column})"


def _secrets(findings: Iterable[Finding]) -> dict[tuple[str, int], set[Span]]:
    """Return the spans of secrets by file and line. A span is listed under each line that it covers."""
    out: dict[tuple[str, int], set[Span]] = {}
    for finding in findings:
        for span in (*finding.hidden, finding.span) if finding.is_secret else finding.hidden:
            for number in range(span.line, span.end_line + 1):
                out.setdefault((span.file, number), set()).add(span)
    return out


def _without(line: str, number: int, secrets: Iterable[Span]) -> str:
    shown = list(line)
    for span in secrets:
        start = span.column - 1 if span.line == number else 0
        end = min(span.end_column - 1, len(line)) if span.end_line == number else len(line)
        shown[start:end] = "*" * (end - start)
    return "".join(shown)


def source_line(texts: Mapping[str, bytes]) -> Callable[[str, int], str | None]:
    """Return a function that returns line N (1-based) of a file with secrets masked, or ``None`` for no such line.

    Findings are reported file by file. Therefore the function caches the last file. Only documents with findings are
    searched for secrets, because the search takes longer than all else here.
    """
    current: str | None = None
    documents: list[str] = []
    starts: list[int] = []
    lines: dict[int, list[str]] = {}

    def line(file: str, number: int) -> str | None:
        nonlocal current, documents, starts, lines
        if file != current:
            from ..diagnostics.secret.value import documents_of

            text = texts.get(file, b"").decode("utf-8", "replace").removeprefix("\ufeff")
            documents = documents_of(text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text)
            starts = [*accumulate((document.count("\n") for document in documents), initial=1)]
            current, lines = file, {}
        at = min(bisect_right(starts, number), len(documents)) - 1
        if at >= 0 and at not in lines:
            from ..diagnostics.secret.source import masked_source

            lines = {at: masked_source(documents[at]).split("\n")}
        return lines[at][number - starts[at]] if at >= 0 and number - starts[at] < len(lines[at]) else None

    return line
