"""What was probably meant, and what is no suggestion."""

from __future__ import annotations

import pytest

from mcpcfg.compiler.diagnostics.suggestion import VAGUE, Names, did_you_mean, nearest, several

TRANSPORTS = ("stdio", "sse", "streamable-http")


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("STDIO", "stdio"),
        ("streamable_http", "streamable-http"),
        ("stdoi", "stdio"),
        ("ses", "sse"),
        ("streamablehtp", "streamable-http"),
        ("http", None),
        ("", None),
        ("-", None),
    ],
)
def test_nearest_returns_the_most_similar_word(word: str, meant: str | None) -> None:
    assert nearest(word, TRANSPORTS) == meant


def test_a_word_that_differs_in_case_and_separators_is_nearer_than_an_anagram() -> None:
    assert nearest("My_Tool", ["toolmy", "my-tool"]) == "my-tool"


def test_the_order_of_the_known_words_does_not_matter() -> None:
    assert nearest("ABC", ["a-bc", "ab-c"]) == nearest("ABC", ["ab-c", "a-bc"]) == "a-bc"


def test_suggestions_among_user_names_need_more_similarity_than_among_allowed_words() -> None:
    assert did_you_mean("prod-db", ["prod-api"]) is None
    assert did_you_mean("tolerence", ["tolerations"], likeness=VAGUE) == 'did you mean "tolerations"?'


def test_several_returns_more_than_one_similar_word() -> None:
    assert several("chek", ["check", "build", "checks"]) == ["check", "checks"]


def test_a_word_of_any_length_is_compared_in_bounded_time() -> None:
    assert nearest("a" * 10_000_000, ["a" * 90]) == "a" * 90


def test_in_a_large_set_a_misspelt_name_is_found_among_its_neighbors() -> None:
    names = Names([f"server-{number:05}" for number in range(5_000)])
    assert names.nearest("srver-01234") == "server-01234"
    assert names.nearest("unlike") is None


def test_after_the_maximum_of_lookups_no_name_is_suggested() -> None:
    names = Names(["alpha", "gamma"], 1)
    assert [names.nearest(one) for one in ("alphaa", "gammaa", "alphaa")] == ["alpha", None, "alpha"]
