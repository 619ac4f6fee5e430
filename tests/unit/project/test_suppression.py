"""What comments silence is found without going through all comments for each finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpcfg.compiler.diagnostics.finding import Note, Rule, Subject
from mcpcfg.compiler.diagnostics.span import Span
from mcpcfg.compiler.project import suppression
from mcpcfg.compiler.project.discovery import Project
from mcpcfg.compiler.project.settings import ProjectSettings
from mcpcfg.compiler.reading.suppression_comment import Ignore
from mcpcfg.compiler.workspace.duplicate import DUPLICATE

if TYPE_CHECKING:
    from collections.abc import Iterator

PROJECT = Project((), None, complete=True, settings=ProjectSettings(), root=".")


class Ignores(list[Ignore]):
    """Comments that count how often they are gone through."""

    looks = 0

    def __iter__(self) -> Iterator[Ignore]:
        self.looks += 1
        return super().__iter__()


def at(line: int) -> Span:
    return Span("a.yaml", line, 1, line, 2)


def test_comments_are_searched_at_most_twice_for_many_findings() -> None:
    findings = [DUPLICATE.finding(at(line), f"in line {line}", severity="warning") for line in range(1, 101)]
    comments = Ignores(Ignore(DUPLICATE.id, line, at(line)) for line in range(51, 151))

    reported = suppression.reported_findings(findings, {"a.yaml": comments}, PROJECT)

    assert [one.span.line for one in reported if one.rule == DUPLICATE.id] == list(range(1, 51))
    assert [one.span.line for one in reported if one.rule == suppression.UNUSED_IGNORE.id] == list(range(101, 151))
    assert comments.looks <= 2


UNREAD = Rule("ABC001", "unread", "lint", "warning", "Nobody reads it", is_one_change=True)


def test_findings_that_one_change_fixes_are_merged_with_notes() -> None:
    findings = [
        UNREAD.finding(at(1), "nobody reads a", notes=(Note("its own"),)),
        DUPLICATE.finding(at(2), "another"),
        UNREAD.finding(at(3), "nobody reads b"),
        UNREAD.finding(at(4), "nobody reads a", subject=Subject("MCPServer", "x", "fetch")),
        UNREAD.finding(at(5), "nobody reads a", hint="write b"),
        UNREAD.finding(at(6), "nobody reads a", severity="info"),
        UNREAD.finding(at(7), "nobody reads a"),
    ]

    reported = suppression.merge_by_change(findings)

    assert [one.span.line for one in reported] == [1, 2, 3, 5, 6]
    assert reported[0].notes == (Note("its own"), Note("also MCPServer/fetch", at(4)), Note("also here", at(7)))
    assert [one for one in reported if one.notes] == reported[:1]


def test_findings_about_refusals_are_not_merged() -> None:
    refused = UNREAD._replace(stage="operator", severity="error")
    findings = [refused.finding(at(line), "refused") for line in (1, 2)]

    assert suppression.merge_by_change(findings) == findings


def test_a_rule_that_is_off_does_not_hide_other_findings() -> None:
    findings = [UNREAD.finding(at(1), "nobody reads a"), DUPLICATE.finding(at(2), "another")]
    project = PROJECT._replace(settings=ProjectSettings(rules={UNREAD.id: "off"}))

    assert [one.rule for one in suppression.reported_findings(findings, {}, project)] == [DUPLICATE.id]
