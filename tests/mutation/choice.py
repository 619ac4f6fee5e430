"""The tests that are run for a mutant, those first that are most likely to notice it."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reach import TestFile

SOON = 5.0
"""Seconds of tests that are run before all others."""
FILES = 3
"""Files that they are from."""
AT_A_TIME = 8
"""Tests of a file that come before those of the next file."""
NEAR = 16
"""How many times as many they are of a file of the mutant's own room."""
LONG = 20
"""A test that takes more than this part of the time comes after all others."""


def batches(path: str, number: int, files: dict[str, TestFile], seconds: float) -> list[list[str]]:
    """Return tests in the order in which to run them: a few that come to the mutant; then all that do, and their files.

    What a file sets up once, or computes once, need not be seen to come to the mutant in each test that asserts it.
    """
    coming, others = [], []
    for rank, (name, one) in enumerate(sorted(files.items(), key=lambda item: _distance(path, *item))):
        tests = one.reached.get(str(number), [])
        direct = set(one.seconds) if "" in tests else set(tests) & set(one.seconds)
        turn = AT_A_TIME * (1 if _is_far(path, name) else NEAR)
        if tests:
            coming += [(place // turn, rank, test, one.seconds[test]) for place, test in _varied(direct, one)]
            others += [(0, rank, test, one.seconds[test]) for test in sorted(one.seconds) if test not in direct]
    coming.sort(key=lambda item: (item[3] * LONG > seconds, item[0]))
    leading = sorted({rank for _, rank, _, _ in coming})[:FILES]
    soon: list[str] = []
    later: list[str] = []
    spent = 0.0
    for _, rank, test, took in [*coming, *others]:
        if not spent or spent + took <= seconds:
            spent += took
            (soon if spent <= SOON and rank in leading else later).append(test)
    return [_by_file(some) for some in (soon, later) if some]


def _distance(path: str, name: str, one: TestFile) -> tuple[bool, bool, int, str]:
    """Return how far a file of tests is from a module: of another room, called otherwise, or coming to much else."""
    words = set(re.split(r"[/._]", path))
    is_called_so = words.issuperset(name.rpartition("/")[2].removeprefix("test_").removesuffix(".py").split("_"))
    return _is_far(path, name), not is_called_so, len(one.reached), name


def _is_far(path: str, name: str) -> bool:
    room = path.removeprefix("compiler/").split("/")[0]
    return f"/{room}/" not in name


def _varied(tests: set[str], one: TestFile) -> list[tuple[int, str]]:
    """Return tests numbered, the quickest case of each function first, then the next case of each."""
    by_function = defaultdict(list)
    for test in sorted(tests, key=lambda test: (one.seconds[test], test)):
        by_function[test.partition("[")[0]].append(test)
    ranked = [(rank, test) for cases in by_function.values() for rank, test in enumerate(cases)]
    return list(enumerate(test for _, test in sorted(ranked)))


def _by_file(tests: list[str]) -> list[str]:
    """Return tests file by file, so that what a file sets up is set up once."""
    order: dict[str, int] = {}
    for test in tests:
        order.setdefault(test.partition("::")[0], len(order))
    return sorted(tests, key=lambda test: order[test.partition("::")[0]])
