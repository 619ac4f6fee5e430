"""The small faults that are put into the program."""

from __future__ import annotations

import pytest
from mutant import Mutant, is_sound, mutants

MODULE = b'''"""A page."""
from typing import TYPE_CHECKING, Literal
if TYPE_CHECKING:
    from a import b
Word = Literal["x", "y"]
def first(values: "list[int]") -> int:
    """Return the first."""
    return %s
'''


def changes(expression: str) -> list[bytes]:
    """Return what becomes of an expression, without the `None` that stands for any returned value."""
    source = MODULE % expression.encode()
    found = [one for one in mutants(source, "m.py") if is_sound(one, source)]
    lines = [one.applied(source).splitlines()[7].removeprefix(b"    return ") for one in found]
    return [line for line in lines if line != b"None"]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("a > b", ["a >= b"]),
        ("(a) not in (b)", ["(a) in (b)"]),
        ("a is not b", ["a is b"]),
        ("(a and b) or c", ["(a and b) and c", "(a or b) or c"]),
        ("not a", ["a"]),
        ("7", ["8", "6"]),
        ("True", ["False"]),
        ("'é'", ["'é~'"]),
        ("a if b else c", ["a if True else c", "a if False else c"]),
        ("f(a, k=b)", ["f(k=b)", "f(a)"]),
        ("{a, b}", ["{b}", "{a}"]),
        ("{a: b, c: d}", ["{c: d}", "{a: b}"]),
        ("f'{a}{7}'", []),
        ("rule(title='a page')", ["rule()"]),
    ],
)
def test_every_mutant_is_a_small_edit(expression: str, expected: list[str]) -> None:
    assert changes(expression) == [one.encode() for one in expected]


def test_docstrings_and_annotations_are_not_mutated() -> None:
    source = MODULE % b"values"
    assert [(one.operator, one.function, one.line) for one in mutants(source, "m.py")] == [("return", "first", 8)]


def test_an_edit_that_leaves_no_program_or_the_same_one_is_not_sound() -> None:
    edit = Mutant("m.py", "", 1, 1, "", "", 0, 1, b"(")
    assert not is_sound(edit, b"a\n")
    assert not is_sound(edit._replace(text=b"(a)"), b"a\n")
    assert is_sound(edit._replace(text=b"b"), b"a\n")
