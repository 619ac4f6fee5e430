"""Findings for people: source line, caret, hint, notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from mcpcfg.compiler.finding import Finding, Note, Severity
    from mcpcfg.compiler.source import Span

COLOURS: dict[str, str] = {"error": "31;1", "warning": "33;1", "info": "36;1", "bold": "1", "dim": "2"}
LONGEST_LINE = 160
"""Longer source lines are cut around the caret: a minified JSON file is one line."""


def render(findings: Iterable[Finding], source_line: Callable[[str, int], str | None], *, colour: bool = False) -> str:
    """Write findings one after another. Arguments as of `blocks`."""
    return "".join([block for _, block in blocks(findings, source_line, colour=colour)])


def blocks(
    findings: Iterable[Finding], source_line: Callable[[str, int], str | None], *, colour: bool = False
) -> Iterator[tuple[Finding, str]]:
    """Yield findings, each with what is written of it.

    Args:
        findings: In the order in which they are to be printed.
        source_line: Gives line N (from 1) of a file, without its line break; ``None`` where it cannot.
        colour: Whether to write terminal escapes.
    """
    told = list(findings)
    secrets = _secrets(told)
    masked: dict[tuple[str, int], str | None] = {}

    def shown(file: str, number: int) -> str | None:
        place = (file, number)
        if place not in secrets:
            return source_line(file, number)
        if place not in masked:
            line = source_line(file, number)
            masked[place] = None if line is None else _without(line, number, secrets[place])
        return masked[place]

    paint = _coloured if colour else _plain
    for finding in told:
        yield finding, _block(finding, shown if secrets else source_line, paint)


def summary(counts: dict[Severity, int], files: int, documents: int, *, checked: str = "checked") -> str:
    """Write the closing line: ``2 errors, 1 warning in 3 files (7 documents)``."""
    told = [_count(counts.get(severity, 0), severity) for severity in ("error", "warning", "info")]
    said = ", ".join(part for part in told if part) or "no findings"
    return f"{said}; {checked} {_plural(files, 'file')}, {_plural(documents, 'document')}"


def _count(number: int, word: str) -> str:
    return _plural(number, word) if number else ""


def _plural(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _block(finding: Finding, source_line: Callable[[str, int], str | None], paint: Callable[[str, str], str]) -> str:
    """Write one finding and the empty line after it."""
    span, subject, severity = finding.span, finding.subject, finding.severity
    place = paint(f"{_printable(span.file)}:{span.line}:{span.column}", "bold")
    about = ""
    if subject is not None:
        slash = "/" if subject.kind and subject.name else ""
        about = f" {subject.kind}{slash}{subject.name}:"
    message = _printable(finding.message)
    lines = [f"{place}: {paint(severity, severity)}[{finding.rule}] ({finding.stage}){about} {message}"]
    line = source_line(span.file, span.line)
    if line is not None and line.strip():
        shown, carets = _excerpt(line, span)
        lines += (paint(shown, "dim"), paint(carets, severity))
    if finding.hint:
        lines.append(f"      = hint: {_printable(finding.hint)}")
    for note in finding.notes:
        lines.append(f"      = note: {_note(note)}")
    lines.append("\n")
    return "\n".join(lines)


def _plain(text: str, style: str) -> str:
    del style
    return text


def _coloured(text: str, style: str) -> str:
    return f"\x1b[{COLOURS[style]}m{text}\x1b[0m"


def _note(note: Note) -> str:
    if note.span is None:
        return _printable(note.message)
    return f"{_printable(note.message)} ({_printable(note.span.file)}:{note.span.line}:{note.span.column})"


def _secrets(findings: Iterable[Finding]) -> dict[tuple[str, int], set[Span]]:
    """Give what is not to be shown, by the line that it stands on."""
    out: dict[tuple[str, int], set[Span]] = {}
    for finding in findings:
        for span in (*finding.hidden, finding.span) if finding.is_secret else finding.hidden:
            for number in range(span.line, span.end_line + 1):
                out.setdefault((span.file, number), set()).add(span)
    return out


def _without(line: str, number: int, secrets: Iterable[Span]) -> str:
    """Put asterisks in the place of the secrets on a line."""
    shown = list(line)
    for span in secrets:
        start = span.column - 1 if span.line == number else 0
        end = min(span.end_column - 1, len(line)) if span.end_line == number else len(line)
        shown[start:end] = "*" * (end - start)
    return "".join(shown)


def _excerpt(line: str, span: Span) -> tuple[str, str]:
    """Give the source line under its number, and the carets below it."""
    start = span.column - 1
    end = span.end_column - 1 if span.end_line == span.line else len(line)
    end = max(start + 1, min(end, len(line)))
    if len(line) > LONGEST_LINE:
        cut = max(0, start - LONGEST_LINE // 3)
        line, start, end = line[cut : cut + LONGEST_LINE], start - cut, min(end - cut, LONGEST_LINE)
    shown = _printable(line.replace("\t", " "))
    return f"{span.line:5} | {shown}", f"      | {' ' * start}{'^' * max(1, end - start)}"


def _printable(text: str) -> str:
    """Keep control characters of the input from reaching a terminal."""
    return text if text.isprintable() else "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
