"""Other processes do work and send what comes out; one that fails is noticed, and none is left behind."""

from __future__ import annotations

import errno
import os
import signal
from typing import TYPE_CHECKING

import pytest

from mcpcfg.compiler.speed import pool

if TYPE_CHECKING:
    from collections.abc import Callable


def no_child_is_left() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return True
    return False


def test_results_larger_than_a_pipe_come_whole() -> None:
    workers = pool.start([lambda: b"a" * 3_000_000, lambda: b"b" * 3_000_000])
    assert [worker.result() for worker in workers] == [b"a" * 3_000_000, b"b" * 3_000_000]
    assert no_child_is_left()


def _raise() -> bytes:
    raise ValueError("cannot be done there")


def _die() -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


@pytest.mark.parametrize("fail", [_raise, _die])
def test_a_process_that_fails_has_no_result_and_the_others_have(fail: Callable[[], bytes]) -> None:
    workers = pool.start([fail, lambda: b"done", fail])
    assert [worker.result() for worker in workers] == [None, b"done", None]
    assert no_child_is_left()


def test_a_process_that_nobody_waits_for_is_ended() -> None:
    workers = pool.start([lambda: b"a" * 3_000_000, lambda: b""])
    assert not no_child_is_left()
    for worker in workers:
        worker.end()
    assert no_child_is_left()


@pytest.mark.parametrize("most", range(3))
def test_where_no_more_files_can_be_opened_nothing_stays_open(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    real, made = os.pipe, iter(range(10))

    def pipe() -> tuple[int, int]:
        if next(made) >= most:
            raise OSError(errno.EMFILE, "too many open files")
        return real()

    monkeypatch.setattr(os, "pipe", pipe)
    before = len(os.listdir("/dev/fd"))
    assert [worker.result() for worker in pool.start([lambda: b"x"] * 3)] == [b"x"] * most
    assert len(os.listdir("/dev/fd")) == before


@pytest.mark.parametrize(("count", "shares"), [(10, 1), (10, 3), (2, 5), (0, 2)])
def test_shares_are_about_alike_and_hold_all(count: int, shares: int) -> None:
    found = pool.divide(range(count), shares)
    assert [one for share in found for one in share] == list(range(count))
    assert max(map(len, found)) - min(map(len, found)) <= 1
