"""From raw findings to what is reported: severities of the configuration, silence, limits, order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.finding import LEVELS, Note, rule
from ..diagnostics.retired import current_id, retirement
from ..diagnostics.shown import sanitized

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..diagnostics.finding import Change, Finding, Severity
    from ..reading.suppression_comment import Ignore
    from .discovery import Project
    from .settings import Level, Settings, Threshold

UNUSED_IGNORE = rule(
    "CFG001",
    "unused-ignore",
    "An ignore comment suppresses nothing, or names no rule",
    stage="lint",
    checks="An id in an ignore comment that suppresses no finding on its line (or, if the comment is alone on its line,"
    " on the next one). Also an ignore comment without ids, anywhere. Files with an error of stage syntax or admission"
    " are not checked, because such an error may hide what other rules find. A retired id that suppresses a finding of"
    " its successor is an info.",
    why="The fault was fixed, or its line moved away from the comment. A comment left behind would hide the next fault"
    " of that rule on that line. One without ids would hide every later fault, and so suppresses nothing.",
    example="image: ghcr.io/acme/fetch:1.2   # mcpcfg: ignore[IMG001]",
    fix="Remove the id or the comment, or name the rules to suppress.",
    source="How mcpcfg reads comments (docs/usage.md).",
)

OPT_IN: dict[str, Level] = {"PRF003": "off"}
"""Rules that report nothing unless the configuration sets their severity: what they flag is often meant."""

MOST_ALIKE = 100
"""Findings of one rule about one resource, or one document, that are reported."""


def settle(findings: Iterable[Finding], ignores: Mapping[str, Sequence[Ignore]], project: Project) -> list[Finding]:
    """Apply severities and suppression comments, limit to selected rules and named files, sort, de-duplicate."""
    settings = project.settings
    of_retired = {current_id(id_): level for id_, level in settings.rules.items()}
    levels = {**OPT_IN, **of_retired, **settings.rules}
    for selected in settings.select:
        if levels.get(selected) == "off":
            del levels[selected]
    kept: list[Finding] = []
    for finding in findings:
        level = levels.get(finding.rule)
        if level == "off":
            continue
        kept.append(_at_level(finding, level) if level is not None else finding)
    silenced = _silence(kept, ignores, settings)
    if settings.select or settings.ignore:
        silenced = [finding for finding in silenced if is_selected(finding.rule, settings)]
    if project.reported is not None:
        silenced = [finding for finding in silenced if finding.span.file in project.reported]
    return _bounded(_sorted(silenced))


def is_selected(rule: str, settings: Settings) -> bool:
    """Return whether a call reports a rule. The longest beginning of its id that the call names decides."""
    selected = max((len(one) for one in settings.select if rule.startswith(one)), default=-1 if settings.select else 0)
    ignored = max((len(one) for one in settings.ignore if rule.startswith(one)), default=-1)
    return selected > ignored


def _bounded(findings: list[Finding]) -> list[Finding]:
    """Return findings with no more than a number of one rule about one resource, or one document: the last counts them.

    Who reads a hundred has seen what is wrong; a hostile file has no end of them.
    """
    if len(findings) <= MOST_ALIKE:
        return findings
    counts: dict[tuple[object, ...], int] = {}
    for finding in findings:
        about = _about(finding)
        counts[about] = counts.get(about, 0) + 1
    if max(counts.values()) <= MOST_ALIKE:
        return findings
    kept: list[Finding] = []
    seen: dict[tuple[object, ...], int] = {}
    for finding in findings:
        about = _about(finding)
        seen[about] = number = seen.get(about, 0) + 1
        if number == MOST_ALIKE < counts[about]:
            note = Note(f"and {counts[about] - number} more findings of {finding.rule} here")
            kept.append(finding._replace(notes=(*finding.notes, note)))
        elif number <= MOST_ALIKE:
            kept.append(finding)
    return kept


def _about(finding: Finding) -> tuple[object, ...]:
    return finding.span.file, finding.rule, finding.document, finding.subject


def _sorted(findings: Iterable[Finding]) -> list[Finding]:
    """Sort findings by place, each once; paths are only looked at where findings are alike."""
    by_place: dict[tuple[str, int, int, str, str], list[Finding]] = {}
    for finding in findings:
        by_place.setdefault(finding.sort_key(), []).append(finding)
    ordered: list[Finding] = []
    for place in sorted(by_place):
        alike = by_place[place]
        if len(alike) > 1:
            unique = {(finding.document, finding.path): finding for finding in alike}
            alike = sorted(unique.values(), key=lambda finding: (finding.document or 0, str(finding.path)))
        ordered += alike
    return ordered


def merge_by_change(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings with those made one that one and the same change fixes: the first, with a note for each other.

    Reports do this last of all. Comments, baselines and the files that a change touches are about single places, and so
    are editors.

    Args:
        findings: Sorted by place.
    """
    return [
        first if not others else first._replace(notes=first.notes + tuple(map(place_note, others)))
        for first, *others in groups_by_change(findings)
    ]


def groups_by_change(findings: Iterable[Finding]) -> list[list[Finding]]:
    """Return findings in their order, each with the later ones that the same change fixes."""
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
    """Return the note that stands for a finding in the one that it is made one with."""
    subject = finding.subject
    return Note("also here" if subject is None else sanitized(f"also {subject.kind}/{subject.name}"), finding.span)


def at_least(findings: Iterable[Finding], severity: Severity) -> list[Finding]:
    """Return the findings of a severity and of those above it."""
    return [finding for finding in findings if LEVELS[finding.severity] >= LEVELS[severity]]


def fails(findings: Iterable[Finding], threshold: str) -> bool:
    """Return whether any finding is at or above the threshold; ``never`` is above all."""
    return reaches(counts(findings), threshold)


def reaches(numbers: Mapping[Severity, int], threshold: str) -> bool:
    """Return whether any of so many findings, by severity, is at or above the threshold."""
    if threshold == "never":
        return False
    return any(number and LEVELS[severity] >= LEVELS[threshold] for severity, number in numbers.items())


def counts(findings: Iterable[Finding]) -> dict[Severity, int]:
    """Count findings by severity."""
    found: dict[Severity, int] = {"error": 0, "warning": 0, "info": 0}
    for finding in findings:
        found[finding.severity] += 1
    return found


def _at_level(finding: Finding, level: Severity) -> Finding:
    return finding._replace(severity=level)


def _silence(findings: list[Finding], comments: Mapping[str, Sequence[Ignore]], settings: Settings) -> list[Finding]:
    """Return findings without those that comments suppress, and report the selected ids that suppress nothing."""
    if not comments:
        return findings
    from ..reading.suppression_comment import BEYOND, MOST_IDS  # with PyYAML, that a check without comments spares

    silent = {(file, comment.line, current_id(comment.rule)) for file, found in comments.items() for comment in found}
    used: set[tuple[str, int, str]] = set()
    kept: list[Finding] = []
    for finding in findings:
        # By line, not by place: a comment stands at the end of its line.
        about = (finding.span.file, finding.span.line, finding.rule)
        if about in silent:
            used.add(about)
        else:
            kept.append(finding)
    # Fewer rules report on what is not admitted: that a comment there suppresses nothing proves nothing.
    unjudged = {one.span.file for one in findings if one.severity == "error" and one.stage in ("syntax", "admission")}
    for file, found in comments.items():
        for comment in found:
            if not comment.rule:
                message, hint = "the comment names no rule, so nothing is suppressed", "name them: ignore[REF001]"
                kept.append(UNUSED_IGNORE.finding(comment.span, message, hint=hint))
            elif comment.rule == BEYOND:
                message = f"the comment names more than {MOST_IDS} rules, and those after them are suppressed nowhere"
                kept.append(UNUSED_IGNORE.finding(comment.span, message, hint="name the rules of this line"))
            elif (file, comment.line, current_id(comment.rule)) in used:
                if changed := retirement(comment.rule):
                    hint = f"write ignore[{current_id(comment.rule)}]"
                    kept.append(UNUSED_IGNORE.finding(comment.span, changed, hint=hint, severity="info"))
            elif file not in unjudged and is_selected(current_id(comment.rule), settings):
                message = f"nothing here is suppressed by ignore[{comment.rule}]"
                kept.append(UNUSED_IGNORE.finding(comment.span, message, hint="remove it"))
    return kept


def least_severity(format_: str, severity: Severity | None, threshold: Threshold) -> Severity:
    """Return the least severity that a report of a format shows; what decides the exit status is always shown.

    Args:
        format_: The format.
        severity: What is asked for, ``None`` for what is usual in the format.
        threshold: The severity that decides the exit status.
    """
    asked: Severity = severity or ("warning" if format_ == "text" else "info")
    if threshold == "never" or LEVELS[asked] <= LEVELS[threshold]:
        return asked
    return threshold
