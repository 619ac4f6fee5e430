"""The tests that are chosen for a mutant."""

from __future__ import annotations

import reach
from choice import batches

NEAR = reach.TestFile(
    "", {"tests/unit/emit/t.py::a": 1, "tests/unit/emit/t.py::b": 1}, {"7": ["tests/unit/emit/t.py::b"]}, []
)
FAR = reach.TestFile("", {"tests/t.py::c[1]": 2, "tests/t.py::c[2]": 3, "tests/t.py::d": 9}, {"7": [""], "8": []}, [])
FILES = {"tests/t.py": FAR, "tests/unit/emit/t.py": NEAR}


def test_tests_of_the_room_come_first_and_those_that_do_not_come_to_the_mutant_last() -> None:
    assert batches("compiler/emit/m.py", 7, FILES, 100) == [
        ["tests/unit/emit/t.py::b", "tests/t.py::c[1]"],
        ["tests/t.py::c[2]", "tests/t.py::d", "tests/unit/emit/t.py::a"],
    ]


def test_tests_that_are_called_as_the_module_come_before_others_of_its_room() -> None:
    names = ["tests/unit/emit/test_a.py", "tests/unit/emit/test_origin.py", "tests/unit/origin/test_origin.py"]
    files = {name: reach.TestFile("", {f"{name}::t": 1}, {"7": [""]}, []) for name in names}
    assert batches("compiler/emit/origin.py", 7, files, 100) == [[f"{names[at]}::t" for at in (1, 0, 2)]]


def test_a_test_that_takes_much_of_the_time_comes_after_many_of_the_room() -> None:
    quick = {f"tests/unit/emit/t.py::q[{number}]": 0.1 for number in range(50)}
    near = reach.TestFile("", quick, {"7": [""]}, [])
    found = batches("compiler/emit/m.py", 7, {"tests/t.py": FAR, "tests/unit/emit/t.py": near}, 10)
    assert [one for some in found for one in some if one in quick] == sorted(quick)
    assert "tests/t.py::d" not in [one for some in found for one in some]


def test_tests_that_exceed_the_time_limit_are_left_out() -> None:
    assert batches("compiler/emit/m.py", 7, FILES, 4) == [
        ["tests/unit/emit/t.py::b", "tests/unit/emit/t.py::a", "tests/t.py::c[1]"],
    ]


def test_no_tests_are_chosen_where_none_comes_to_the_mutant() -> None:
    assert batches("compiler/emit/m.py", 8, FILES, 100) == []
