"""Many places of one text are found without looking through the text for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting import counted

from mcpcfg.compiler.reading import inner_place
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.reading.fast import place
from mcpcfg.compiler.reading.inner_place import inner_extent

if TYPE_CHECKING:
    import pytest

TEXT = "a:\n" + "".join(f"- name: n{number}\n  value: |\n    one\n    two\n  other: 'x'\n" for number in range(500))
PATHS = [("a", number, key) for number in range(500) for key in ("name", "value", "other", "absent")]


def test_a_block_scalar_is_read_once_for_many_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    (document,), _ = read_documents("a: |\n" + "".join(f"  line {number}\n" for number in range(100)), "a.yaml")
    reads = counted(monkeypatch, place, "block")

    spans = [document.span_within(("a",), len("line 0\n") * number, len("line 0")) for number in range(10)]

    assert [(span.line, span.column, span.end_column) for span in spans] == [(row, 3, 9) for row in range(2, 12)]
    assert len(reads) == 1


def test_the_items_of_a_long_list_are_indexed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a:\n" + "".join(f"- name: n{number}\n  value: v\n" for number in range(500))
    counts = counted(monkeypatch, place, "_dashes_at")
    places = place.Places(text)
    for number in range(500):
        found = places.locate(("a", number, "value"))
        assert found is not None
        assert text[found.key.start : found.value.end] == "value: v"
    assert counts.count((0,)) == 1


def test_positions_do_not_depend_on_earlier_lookups() -> None:
    (many,), _ = read_documents(TEXT, "a.yaml")

    for path in PATHS:
        many.span(path)
    for path in PATHS[::13]:
        (one,), _ = read_documents(TEXT, "a.yaml")
        assert many.span(path) == one.span(path)
        assert many.key_span(path) == one.key_span(path)
        assert (many.has(path), many.scalar(path)) == (one.has(path), one.scalar(path))


def test_the_line_starts_of_a_long_block_are_cached() -> None:
    inner_place._line_starts.cache_clear()
    text = "".join(f"line {number}\n" for number in range(300))
    raw = "|\n" + "".join(f"    line {number}\n" for number in range(300))

    found = [inner_extent(raw, text, text.index(f"line {number}\n")) for number in range(300)]

    assert found == [
        (raw.index(f"line {number}\n"), raw.index(f"line {number}\n") + len("line")) for number in range(300)
    ]
    assert inner_place._line_starts.cache_info().misses == 2


class Text(str):
    """A text that counts how often it is looked through for a sign."""

    __slots__ = ()
    looks = 0

    def __contains__(self, sign: str) -> bool:  # type: ignore[override]  # a text holds texts alone
        Text.looks += 1
        return super().__contains__(sign)


def test_a_file_of_many_documents_is_searched_only_once() -> None:
    from mcpcfg.compiler.reading.excerpt import excerpts

    Text.looks = 0

    found = list(excerpts(Text("a: 1\n---\n" * 100), "a.yaml"))

    assert len(found) == 101
    assert Text.looks <= 3
