"""Choose and sort the findings to report: apply configured severities, suppression comments and limits."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ..diagnostics.finding import LEVELS, OPT_IN, Note, rule
from ..diagnostics.retired import current_id, retirement
from ..diagnostics.shown import sanitized

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..diagnostics.finding import Change, Finding, Severity
    from ..reading.suppression_comment import Ignore
    from .discovery import Project
    from .settings import ProjectSettings, Threshold

UNUSED_IGNORE = rule("CFG001 unused-ignore", "lint", "An ignore comment suppresses nothing, or names no rule")

MOST_ALIKE = 100
"""Maximum number of reported findings of one rule about one resource or document. Nobody reads more."""


def reported_findings(
    findings: Iterable[Finding], ignores: Mapping[str, Sequence[Ignore]], project: Project
) -> list[Finding]:
    """Return the findings to report, sorted and without duplicates.

    Severities of the configuration and suppression comments are applied first. Then findings are limited to the
    selected rules and reported files.

    Args:
        ignores: Suppression comments by file.
    """
    settings = project.settings
    successor_levels = {current_id(id_): level for id_, level in settings.rules.items()}
    levels = {**OPT_IN, **successor_levels, **settings.rules}
    for selected in settings.select:
        if levels.get(selected) == "off":
            del levels[selected]
    kept: list[Finding] = []
    for finding in findings:
        level = levels.get(finding.rule)
        if level == "off":
            continue
        kept.append(finding if level is None else finding._replace(severity=level))
    remaining = _suppress(kept, ignores, settings)
    if settings.select or settings.ignore:
        remaining = [finding for finding in remaining if is_selected(finding.rule, settings)]
    if project.reported is not None:
        remaining = [finding for finding in remaining if finding.span.file in project.reported]
    return _limited(_sorted(remaining))


def is_selected(rule: str, settings: ProjectSettings) -> bool:
    """Return whether a call reports a rule: the longest prefix decides, and ``ignore`` wins a tie."""
    selecting = [len(prefix) for prefix in settings.select if rule.startswith(prefix)]
    ignoring = [len(prefix) for prefix in settings.ignore if rule.startswith(prefix)]
    return max(selecting, default=-1 if settings.select else 0) > max(ignoring, default=-1)


def _limited(findings: list[Finding]) -> list[Finding]:
    """Return at most 100 findings for each rule and each resource or document. A note on the last one counts the rest.

    Nobody reads more, and a hostile file may cause any number of them.
    """
    if len(findings) <= MOST_ALIKE:
        return findings
    counts = Counter(map(_group_key, findings))
    if max(counts.values()) <= MOST_ALIKE:
        return findings
    kept: list[Finding] = []
    seen = Counter[tuple[object, ...]]()
    for finding in findings:
        group = _group_key(finding)
        seen[group] += 1
        if (number := seen[group]) == MOST_ALIKE < counts[group]:
            note = Note(f"and {counts[group] - number} more findings of {finding.rule} here")
            kept.append(finding._replace(notes=(*finding.notes, note)))
        elif number <= MOST_ALIKE:
            kept.append(finding)
    return kept


def _group_key(finding: Finding) -> tuple[object, ...]:
    return finding.span.file, finding.rule, finding.document, finding.subject


def _sorted(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings without duplicates, sorted by place, rule, message, document and field path."""
    by_place: dict[tuple[str, int, int, str, str], list[Finding]] = {}
    for finding in findings:
        by_place.setdefault(finding.sort_key(), []).append(finding)
    ordered: list[Finding] = []
    for place in sorted(by_place):
        duplicates = by_place[place]
        # Comparing field paths takes time, so only findings that are otherwise equal are compared by them.
        if len(duplicates) > 1:
            unique = {(finding.document, finding.path): finding for finding in duplicates}
            duplicates = sorted(unique.values(), key=lambda finding: (finding.document or 0, str(finding.path)))
        ordered += duplicates
    return ordered


def merge_by_change(findings: Iterable[Finding]) -> list[Finding]:
    """Merge the findings that one change fixes: return the first of them, with a note for the place of each other.

    Only reports use this, as their last step. Comments, baselines, `--since` and editors need the single places.

    Args:
        findings: Findings sorted by place.
    """
    return [
        first if not others else first._replace(notes=first.notes + tuple(map(place_note, others)))
        for first, *others in groups_by_change(findings)
    ]


def groups_by_change(findings: Iterable[Finding]) -> list[list[Finding]]:
    """Return the findings in groups, each fixed by one change, in the order of their first findings."""
    groups: list[list[Finding]] = []
    by_change: dict[Change, list[Finding]] = {}
    for finding in findings:
        change = finding.change
        if change is None:
            groups.append([finding])
        elif change in by_change:
            by_change[change].append(finding)
        else:
            by_change[change] = [finding]
            groups.append(by_change[change])
    return groups


def place_note(finding: Finding) -> Note:
    """Return a note with the place of ``finding``, for another finding that the same change fixes."""
    subject = finding.subject
    return Note("also here" if subject is None else sanitized(f"also {subject.kind}/{subject.name}"), finding.span)


def at_least(findings: Iterable[Finding], severity: Severity) -> list[Finding]:
    """Return the findings of this severity or a higher one."""
    return [finding for finding in findings if LEVELS[finding.severity] >= LEVELS[severity]]


def fails(findings: Iterable[Finding], threshold: str) -> bool:
    """Return whether any finding has at least the severity ``threshold``. With ``never``, it is always false."""
    return reaches(counts(findings), threshold)


def reaches(numbers: Mapping[Severity, int], threshold: str) -> bool:
    """Return whether any severity with findings is at least ``threshold``; ``numbers`` has the count of each."""
    if threshold == "never":
        return False
    return any(number and LEVELS[severity] >= LEVELS[threshold] for severity, number in numbers.items())


def counts(findings: Iterable[Finding]) -> dict[Severity, int]:
    """Return the number of findings of each severity."""
    numbers: dict[Severity, int] = {"error": 0, "warning": 0, "info": 0}
    for finding in findings:
        numbers[finding.severity] += 1
    return numbers


def _suppress(
    findings: list[Finding], comments: Mapping[str, Sequence[Ignore]], settings: ProjectSettings
) -> list[Finding]:
    """Return the findings that no comment suppresses, and findings about comments that should be corrected.

    A comment is reported if it names no rule, too many rules, the old id of a renamed rule, or a rule without a finding
    there. The last case is skipped for rules that are not selected, and in files with a syntax or admission error.
    """
    if not comments:
        return findings
    from ..reading.suppression_comment import BEYOND, MOST_IDS

    suppressed = {
        (file, comment.line, current_id(comment.rule)) for file, ignores in comments.items() for comment in ignores
    }
    used: set[tuple[str, int, str]] = set()
    kept: list[Finding] = []
    for finding in findings:
        # A comment is at the end of its line, so only the line of a finding counts.
        line_and_rule = (finding.span.file, finding.span.line, finding.rule)
        if line_and_rule in suppressed:
            used.add(line_and_rule)
        else:
            kept.append(finding)
    # A syntax or admission error keeps other rules from reporting, so an id without a finding may still be needed.
    incomplete_files = {
        finding.span.file
        for finding in findings
        if finding.severity == "error" and finding.stage in ("syntax", "admission")
    }
    for file, ignores in comments.items():
        for comment in ignores:
            if not comment.rule:
                message, hint = "the comment names no rule, so nothing is suppressed", "name them: ignore[REF001]"
                kept.append(UNUSED_IGNORE.finding(comment.span, message, hint=hint))
            elif comment.rule == BEYOND:
                message = f"the comment names more than {MOST_IDS} rules, and those after them are suppressed nowhere"
                kept.append(UNUSED_IGNORE.finding(comment.span, message, hint="name the rules of this line"))
            elif (file, comment.line, current_id(comment.rule)) in used:
                if renamed := retirement(comment.rule):
                    hint = f"write ignore[{current_id(comment.rule)}]"
                    kept.append(UNUSED_IGNORE.finding(comment.span, renamed, hint=hint, severity="info"))
            elif file not in incomplete_files and is_selected(current_id(comment.rule), settings):
                message = f"nothing here is suppressed by ignore[{comment.rule}]"
                kept.append(UNUSED_IGNORE.finding(comment.span, message, hint="remove it"))
    return kept


def least_severity(format_: str, severity: Severity | None, threshold: Threshold) -> Severity:
    """Return the lowest severity that a report shows. Findings that decide the exit status are always shown.

    Args:
        severity: Lowest severity that the call requests; ``None`` for the default of the format.
    """
    asked: Severity = severity or ("warning" if format_ == "text" else "info")
    if threshold == "never" or LEVELS[asked] <= LEVELS[threshold]:
        return asked
    return threshold
