"""The rules whose findings can be fixed, and the safe fixes of single findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..check.full import Report
    from ..diagnostics.finding import Finding, Fix

FIXABLE: Final = frozenset(
    """
    ADM001 ADM002 ADM003 ADM004 ADM005 ADM022 ADM030 ADM032 ADM033 EAS018 FIL001 FIL002 FIL011 FIL020 FIL030 PRM001
    PRM002 PRM020 REG002 REG003 REG004 REG007 REG017 RUN001 RUN003 RUN006 RUN011 RUN013 RUN021 RUN025 RUN040 RUN041
    RUN044 RUN047 RUN053 RUN055 SYN006 SYN008 SYN010 WRK001 WRK004 WRK009 WRK010 WRK030
    """.split()
)
"""Ids of the rules whose findings may be fixable. A test compares them with the functions that fix findings."""


def fixable(findings: Iterable[Finding]) -> list[str]:
    """Return the files that have findings which are probably fixable, sorted."""
    return sorted({finding.span.file for finding in findings if is_fixable(finding)})


def is_fixable(finding: Finding) -> bool:
    """Return whether a finding is probably fixable. Only trying the fix shows whether it is."""
    return finding.rule in FIXABLE or finding.meant is not None


def fixes(report: Report) -> dict[tuple[object, ...], Fix]:
    """Return the safe fix of each finding that has one, unless it would show a secret, by the finding's identity."""
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
        finding_fixes = [
            (proposal.finding, Fix(proposal.fix.title, proposal.replacements))
            for proposal in proposals(text, file, report.project, findings, read_as=kinds.get(file))
        ]
        finding_fixes += [
            (proposal.finding, Fix(proposal.title, ((proposal.place, proposal.text),)))
            for proposal in quotings(text, file, findings)
        ]
        is_open = _secret_filter(text)
        out.update((finding.identity(), fix) for finding, fix in finding_fixes if is_open(fix))
    return out


def _secret_filter(text: bytes) -> Callable[[Fix], bool]:
    """Return a function that returns whether a fix neither contains a secret nor touches a line with one."""
    import re

    from ..diagnostics.secret.source import masked_source
    from ..diagnostics.secret.text import masked

    written = text.decode("utf-8", "replace").removeprefix("\ufeff")
    shown, lines = (re.split(r"\r\n|\r|\n", version) for version in (masked_source(written), written))

    def is_open(fix: Fix) -> bool:
        return all(
            masked(new) == new and shown[place.line - 1 : place.end_line] == lines[place.line - 1 : place.end_line]
            for place, new in fix.replacements
        )

    return is_open
