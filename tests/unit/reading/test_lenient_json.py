"""JSON that Go's plain decoder reads all the same: what does not count is reported, with what counts instead."""

from __future__ import annotations

from mcpcfg.compiler.reading.document import read_documents, read_first_json


def test_the_last_of_duplicate_keys_counts_and_the_hint_says_so() -> None:
    read = read_first_json(b'{"a": 1, "a": 2}', "a.json")

    assert read is not None
    document, (found,) = read
    assert document.data == {"a": 2}
    assert (found.rule, found.severity) == ("SYN010", "warning")
    assert found.hint == "keep one of the two: the last one is used"


def test_text_after_the_json_value_is_ignored_with_a_warning() -> None:
    read = read_first_json(b'{"a": 1}\n}', "a.json")

    assert read is not None
    document, (found,) = read
    assert document.data == {"a": 1}
    assert (found.span.line, found.severity, found.hint) == (2, "warning", "remove it: nothing reads it")


def test_the_hint_about_a_duplicate_key_names_no_winner_for_a_strict_reader() -> None:
    _, (found,) = read_documents(b'{"a": 1, "a": 2}', "a.json")

    assert (found.rule, found.severity, found.hint) == ("SYN010", "error", "keep one of the two")


def test_a_text_in_braces_is_json_whatever_its_file_is_called() -> None:
    assert read_first_json(b'{"a": 1, "a": 2}', "a.yaml") is not None
    assert read_first_json(b"a: 1\na: 2\n", "a.yaml") is None
