"""What comments silence is found without going through all comments for each finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpcfg.compiler import verdict
from mcpcfg.compiler.duplicate import DUPLICATE
from mcpcfg.compiler.project.discovery import Project
from mcpcfg.compiler.project.settings import Settings
from mcpcfg.compiler.reading.silence import Ignore
from mcpcfg.compiler.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

PROJECT = Project((), None, complete=True, settings=Settings(), root=".")


class Ignores(list[Ignore]):
    """Comments that count how often they are gone through."""

    looks = 0

    def __iter__(self) -> Iterator[Ignore]:
        self.looks += 1
        return super().__iter__()


def at(line: int) -> Span:
    return Span("a.yaml", line, 1, line, 2)


def test_comments_are_gone_through_few_times_for_many_findings() -> None:
    findings = [DUPLICATE.finding(at(line), f"in line {line}", severity="warning") for line in range(1, 101)]
    comments = Ignores(Ignore(DUPLICATE.id, line, at(line)) for line in range(51, 151))

    told = verdict.settle(findings, {"a.yaml": comments}, PROJECT)

    assert [one.span.line for one in told if one.rule == DUPLICATE.id] == list(range(1, 51))
    assert [one.span.line for one in told if one.rule == verdict.UNUSED_IGNORE.id] == list(range(101, 151))
    assert comments.looks <= 2
