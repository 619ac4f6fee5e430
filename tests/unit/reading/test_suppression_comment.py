"""Comments that silence rules."""

import time

import pytest

from mcpcfg.compiler.reading.suppression_comment import ignores

TEXT = """\
a: 1 # mcpcfg: ignore[REF001, schema-unknown-field]
# mcpcfg: ignore[A1]
# another comment

  #mcpcfg:ignore[B1,B2]
b: "x # mcpcfg: ignore[NO1]"
c: |  # mcpcfg: ignore[C1]
  text
  # mcpcfg: ignore[NO2]
  more
# mcpcfg: ignore[D1]
d: 'x'
e: >-
  a
  # mcpcfg: ignore[NO3]

f: x#mcpcfg ignore[NO4]
---
- 'é'   # mcpcfg: ignore[E1]
# mcpcfg: ignore[F1]
"""


def test_comments_suppress_on_their_line_or_the_next_line() -> None:
    found = [(ignore.rule, ignore.line, ignore.span[1:]) for ignore in ignores(TEXT, "a.yaml")]

    assert found == [
        ("REF001", 1, (1, 23, 1, 29)),
        ("schema-unknown-field", 1, (1, 31, 1, 51)),
        ("A1", 6, (2, 18, 2, 20)),
        ("B1", 6, (5, 18, 5, 20)),
        ("B2", 6, (5, 21, 5, 23)),
        ("C1", 7, (7, 24, 7, 26)),
        ("D1", 12, (11, 18, 11, 20)),
        ("E1", 19, (19, 26, 19, 28)),
        ("F1", 21, (20, 18, 20, 20)),
    ]


def test_suppressions_do_not_depend_on_line_ends() -> None:
    as_found = [(ignore.rule, ignore.line, ignore.span) for ignore in ignores(TEXT, "a.yaml")]

    for end in ("\r\n", "\r"):
        assert [tuple(ignore) for ignore in ignores(TEXT.replace("\n", end), "a.yaml")] == as_found


@pytest.mark.parametrize(
    "text",
    ["", "a: 1\n", "# mcpcfg:\na: 1\n", "# mcpcfg: ignored\n", "# mcpcfg: ignore-me\n", 'a: "# mcpcfg: ignore"\n'],
)
def test_other_comments_suppress_nothing(text: str) -> None:
    assert ignores(text, "a.yaml") == []


@pytest.mark.parametrize(
    ("comment", "end"),
    [
        ("ignore", 17),
        ("ignore[]", 19),
        ("ignore[ , ]", 22),
        ("ignore REF001", 17),
        ("ignore[REF001", 17),
        ("ignore:", 17),
    ],
)
def test_a_comment_without_a_rule_has_an_empty_rule(comment: str, end: int) -> None:
    found = ignores(f"# mcpcfg: {comment}\na: 1\n", "a.yaml")

    assert [(one.rule, one.line, one.span[1:]) for one in found] == [("", 2, (1, 11, 1, end))]


def test_comments_of_a_text_that_is_no_yaml_are_found() -> None:
    assert [ignore.line for ignore in ignores("a: 'x'\nb: [1 # mcpcfg: ignore[A]\n", "a.yaml")] == [2]


def test_a_comment_on_the_first_line_is_about_the_first_line_with_content() -> None:
    assert [one.line for one in ignores("# mcpcfg: ignore[A]\n# b\na: 1\n", "a.yaml")] == [3]


def test_comments_in_a_document_with_many_brackets_are_found() -> None:
    text = "".join(f"- {{a: [{number}]}}\n" for number in range(600))
    text += "- |\n  # mcpcfg: ignore[A]\n- 1 # mcpcfg: ignore[B]\n"

    assert [(found.rule, found.line) for found in ignores(text, "a.yaml")] == [("B", 603)]


@pytest.mark.parametrize("text", ["[" * 100_000, "- " * 100_000])
def test_comments_after_too_deep_nesting_are_still_found(text: str) -> None:
    assert [found.rule for found in ignores(f"{text} # mcpcfg: ignore[A]\n", "a.yaml")] == ["A"]


def test_brackets_that_are_not_closed_take_linear_time() -> None:
    text = "a: 1 " + "# mcpcfg: ignore[ " * 50_000
    before = time.process_time()
    found = ignores(text, "a.yaml")
    assert time.process_time() - before < 5
    assert [one.rule for one in found] == [""]
