from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from mcpcfg.compiler.language.trampoline import entry, ready, run

if TYPE_CHECKING:
    from mcpcfg.compiler.language.trampoline import Step


def total(count: int) -> Step[int]:
    if count == 0:
        return 0
    rest: int = yield total(count - 1)
    return count + rest


def test_depth_is_not_bounded_by_pythons_stack() -> None:
    depth = sys.getrecursionlimit() * 20

    assert run(total(depth)) == depth * (depth + 1) // 2


def test_an_exception_passes_through_every_waiting_step() -> None:
    seen: list[int] = []

    def failing(count: int) -> Step[int]:
        if count == 0:
            raise LookupError("at the bottom")
        try:
            value: int = yield failing(count - 1)
        except LookupError:
            seen.append(count)
            raise
        return value

    with pytest.raises(LookupError, match="at the bottom"):
        run(failing(3))
    assert seen == [1, 2, 3]


def test_a_step_may_catch_the_exception_of_a_step_that_it_called() -> None:
    def failing() -> Step[int]:
        yield ready(1)
        raise LookupError

    def forgiving() -> Step[int]:
        try:
            value: int = yield failing()
        except LookupError:
            return -1
        return value

    assert run(forgiving()) == -1


def test_entry_makes_a_plain_function() -> None:
    assert entry(total)(4) == 10
