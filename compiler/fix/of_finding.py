"""How single findings of a report can be fixed, for programs that apply a fix themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .fixable import FIXABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..check.full import Report
    from ..diagnostics.finding import Finding, Fix


def fixable(findings: Iterable[Finding]) -> list[str]:
    """Return the files with findings that can probably be fixed."""
    return sorted({finding.span.file for finding in findings if is_fixable(finding)})


def is_fixable(finding: Finding) -> bool:
    """Return whether a finding can probably be fixed."""
    return finding.rule in FIXABLE or finding.meant is not None


def fixes(report: Report) -> dict[tuple[object, ...], Fix]:
    """Return how single findings can safely be fixed, by their identity."""
    from ..diagnostics.finding import Fix
    from .fix import kinds_of, proposals, quotings

    of_files: dict[str, list[Finding]] = {file: [] for file in fixable(report.findings)}
    for finding in report.findings:
        if finding.span.file in of_files:
            of_files[finding.span.file].append(finding)
    kinds = kinds_of(report.loaded.records)
    out: dict[tuple[object, ...], Fix] = {}
    for file, findings in of_files.items():
        text = report.loaded.texts.get(file)
        if text is None:
            continue
        found = [
            (one.finding, Fix(one.fix.title, one.replacements))
            for one in proposals(text, file, report.project, read_as=kinds.get(file))
        ]
        found += [(one.finding, Fix(one.title, ((one.place, one.text),))) for one in quotings(text, file, findings)]
        is_open = _sight(text)
        out.update((finding.identity(), fix) for finding, fix in found if is_open(fix))
    return out


def _sight(text: bytes) -> Callable[[Fix], bool]:
    """Return a function that decides whether a fix shows no secret of the text: programs apply it as it is."""
    import re

    from ..diagnostics.secret_text import masked
    from ..diagnostics.source_mask import hidden

    written = text.decode("utf-8", "replace").removeprefix("\ufeff")
    shown, lines = (re.split(r"\r\n|\r|\n", one) for one in (hidden(written), written))

    def is_open(fix: Fix) -> bool:
        return all(
            masked(new) == new and shown[place.line - 1 : place.end_line] == lines[place.line - 1 : place.end_line]
            for place, new in fix.replacements
        )

    return is_open
