"""Findings for people."""

from __future__ import annotations

import pytest

from mcpcfg.compiler.diagnostics.finding import Finding
from mcpcfg.compiler.diagnostics.secret.text import Shown
from mcpcfg.compiler.diagnostics.span import Span
from mcpcfg.compiler.report.text import render


@pytest.mark.parametrize(
    ("line", "start", "end", "shown"),
    [
        ('- {name: TOKEN, value: "s3cret"}', 24, 32, "- {name: TOKEN, value: ********}"),
        ("  value: s3cret", 10, 16, "  value: ******"),
    ],
)
def test_the_text_of_a_secret_is_not_shown(line: str, start: int, end: int, shown: str) -> None:
    finding = Finding(
        rule="SEC001",
        name="plaintext-secret-in-environment",
        severity="warning",
        stage="lint",
        span=Span("a.yaml", 1, start, 1, end),
        message=Shown("the value of TOKEN looks like a secret in plain text"),
        is_secret=True,
    )

    text = render([finding], lambda _file, _number: line)

    assert "s3cret" not in text
    assert shown in text
    assert "^" * (end - start) in text


def test_a_secret_of_several_lines_is_not_shown() -> None:
    finding = Finding(
        rule="SEC001",
        name="plaintext-secret-in-environment",
        severity="warning",
        stage="lint",
        span=Span("a.yaml", 1, 8, 3, 2),
        message=Shown("the value looks like a secret"),
        is_secret=True,
    )

    assert "s3cret" not in render([finding], lambda _file, _number: "value: s3cret and")


def test_a_long_line_is_cut_where_no_terminal_is_there_too() -> None:
    finding = Finding("ABC001", "n", "error", "lint", Span("a.json", 123456, 501, 123456, 505), Shown("it is gone"))

    _, line, carets, _ = render([finding], lambda _file, _number: "a" * 500 + "gone" + "b" * 500).split("\n", 3)

    assert line.startswith("123456 | …aaa")
    assert line.endswith("bbb…")
    assert len(line) == len("123456 | ") + 160
    assert line[carets.index("^") : carets.index("^") + 4] == "gone"
    assert carets.startswith("       | ")
    assert carets.count("^") == 4


@pytest.mark.parametrize("between", ["x" * 600, "a" + "\u0301" * 600])
@pytest.mark.parametrize("width", [None, 1000, 3000])
def test_a_source_line_shows_no_more_than_the_part_whose_secrets_are_masked(between: str, width: int | None) -> None:
    finding = Finding("ABC001", "n", "error", "lint", Span("a.json", 1, 800, 1, 804), Shown("it is gone"))
    line = f"{'a' * 180}s3cret{between}".ljust(799, "c") + f"gone{between}s3cret"

    text = render([finding], lambda _file, _number: line, width=width)

    assert "gone" in text
    assert "s3cret" not in text
