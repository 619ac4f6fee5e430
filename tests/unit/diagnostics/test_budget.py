"""Caches by text hold little, however long the texts of many calls are."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from mcpcfg.compiler.diagnostics.budget import cache_by_text, cache_of_text, end_call

calls: list[object] = []


class Kept(NamedTuple):
    """An argument with a text, such as a template."""

    text: str


@cache_by_text(100)
def result(*arguments: object, more: bool = False) -> int:
    calls.append((arguments, more))
    return len(calls)


@pytest.fixture(autouse=True)
def _empty() -> None:
    end_call()
    calls.clear()


@pytest.mark.parametrize("first", ["short", b"short", Kept("short"), ("a", "b")])
def test_results_for_short_texts_outlive_a_call(first: object) -> None:
    before = result(first, "name")
    end_call()
    assert result(first, "name") == before
    assert result(first, "name", more=True) != before


@pytest.mark.parametrize(
    "long", ["l" * 1001, b"l" * 1001, Kept("l" * 1001), ("l" * 600, "m" * 401)], ids=lambda one: type(one).__name__
)
def test_results_for_long_texts_are_kept_during_a_call_alone(long: object) -> None:
    before = result(long)
    assert result(long) == before
    end_call()
    assert result(long) != before


def test_only_a_few_results_for_long_texts_are_kept() -> None:
    texts = [f"{number}" * 2000 for number in range(10)]
    for text in texts:
        result(text)
    assert len(calls) == 10
    result(texts[-1])
    assert len(calls) == 10
    result(texts[0])
    assert len(calls) == 11


def test_long_paths_are_not_kept() -> None:
    asked: list[str] = []

    @cache_of_text(2)
    def length(text: str) -> int:
        asked.append(text)
        return len(text)

    for text in ("short", "short", "l" * 1001, "l" * 1001):
        assert length(text) == len(text)
    assert asked == ["short", "l" * 1001, "l" * 1001]
