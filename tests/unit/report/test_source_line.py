"""Lines of the texts that were read, for reports."""

from __future__ import annotations

from mcpcfg.compiler.report.text import source_line

TEXTS = {"a.yaml": b"one\ntwo\r\n\rfour", "b.yaml": b"\xef\xbb\xbfeins\n", "c.yaml": b""}
LINES = {"a.yaml": ["one", "two", "", "four"], "b.yaml": ["eins", ""], "c.yaml": [""]}


def test_lines_are_found_in_any_order() -> None:
    line = source_line(TEXTS)
    asked = [(file, number) for file in TEXTS for number in (3, 1, 4, 0, 2, 9, -1)]

    found = [line(file, number) for file, number in asked]

    assert found == [LINES[file][number - 1] if 0 < number <= len(LINES[file]) else None for file, number in [*asked]]


def test_a_file_that_was_not_read_shows_nothing() -> None:
    assert not source_line(TEXTS)("d.yaml", 1)
