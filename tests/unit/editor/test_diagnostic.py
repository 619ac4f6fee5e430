"""Findings as editors show them."""

from __future__ import annotations

import pytest

from mcpcfg.compiler.diagnostics.finding import Finding, Note, Stage
from mcpcfg.compiler.diagnostics.secret.text import Shown
from mcpcfg.compiler.diagnostics.span import Span
from mcpcfg.compiler.editor.diagnostic import MOST, at_offset, diagnostics, tags_of
from mcpcfg.compiler.editor.line_map import LineMap


def finding(name: str = "some-fault", stage: Stage = "lint", span: Span = Span("f", 1, 1, 1, 2)) -> Finding:  # noqa: B008 - no one changes it
    return Finding("ABC001", name, "warning", stage, span, Shown("it is wrong"))


def test_a_diagnostic_has_the_range_message_and_notes_of_its_finding() -> None:
    notes = (Note("first here", Span("g", 1, 1, 1, 2)), Note("by the way"))
    one = finding(span=Span("f", 2, 3, 2, 5))._replace(hint=Shown("do it otherwise"), notes=notes)
    [reported] = diagnostics([one], LineMap("a\n  😀b\n"))
    assert (reported.start, reported.end) == ((1, 2), (1, 5))
    assert reported.message == "it is wrong\nhint: do it otherwise\nnote: by the way"
    assert (reported.severity, reported.code, reported.notes) == ("warning", "ABC001", notes[:1])


@pytest.mark.parametrize(
    ("name", "stage", "tags"),
    [
        ("unused-configuration", "lint", ("unnecessary",)),
        ("ignored-server-port", "lint", ("unnecessary",)),
        ("optimizer-setting-unused", "lint", ("unnecessary",)),
        ("step-setting-without-effect", "lint", ("unnecessary",)),
        ("runconfig-field-deprecated", "lint", ("deprecated",)),
        ("unreadable-file", "lint", ()),
        ("unused-thing", "operator", ()),
        ("plaintext-secret", "lint", ()),
    ],
)
def test_findings_about_unused_or_deprecated_settings_get_a_tag(name: str, stage: Stage, tags: tuple[str, ...]) -> None:
    assert tags_of(finding(name, stage)) == tags


def test_findings_are_found_by_their_place() -> None:
    lines = LineMap("abc def\n")
    one = finding(span=Span("f", 1, 5, 1, 8))
    assert [bool(at_offset([one], lines, at)) for at in (0, 3, 4, 7, 8)] == [False, False, True, True, False]


def test_the_number_of_diagnostics_is_bounded() -> None:
    assert len(diagnostics([finding()] * (MOST + 5), LineMap("a"))) == MOST
