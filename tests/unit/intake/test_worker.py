"""Several processes tell one another what they found, and none of them is waited for in vain."""

from __future__ import annotations

import errno
import itertools
import os
import signal
from typing import TYPE_CHECKING

import pytest

from mcpcfg.compiler.intake import worker

if TYPE_CHECKING:
    from collections.abc import Callable


def test_each_share_is_sent_what_all_have_said() -> None:
    def work(share: int) -> worker.Work:
        told = yield f"share {share}".encode()
        return b", ".join(told) + f" to {share}".encode()

    everything = b"share 0, share 1, share 2"
    assert worker.together(work, 3) == [everything + f" to {share}".encode() for share in range(3)]


def test_messages_larger_than_a_pipe_come_whole() -> None:
    def work(share: int) -> worker.Work:
        told = yield bytes([share]) * 3_000_000
        return b"".join(one[:1] for one in told) * 1_000_000

    assert worker.together(work, 2) == [b"\x00\x01" * 1_000_000] * 2


def _raise() -> None:
    raise ValueError("cannot be done there")


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("fail", [_raise, _die])
@pytest.mark.parametrize("late", [False, True])
def test_a_process_that_fails_is_told_and_no_other_is_waited_for(fail: Callable[[], None], late: bool) -> None:
    here = os.getpid()

    def work(share: int) -> worker.Work:
        fails = share == 1 and os.getpid() != here
        if fails and not late:
            fail()
        yield b""
        if fails:
            fail()
        return b""

    assert worker.together(work, 4) is None


def test_a_fault_of_this_process_is_its_own() -> None:
    def work(share: int) -> worker.Work:
        yield b""
        if not share:
            raise ValueError("here")
        return b""

    with pytest.raises(ValueError, match="here"):
        worker.together(work, 3)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)  # nobody is left behind


@pytest.mark.parametrize("pipes", range(4))
def test_where_no_more_files_can_be_opened_nothing_stays_open(pipes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    real, made = os.pipe, itertools.count()

    def pipe() -> tuple[int, int]:
        if next(made) >= pipes:
            raise OSError(errno.EMFILE, "too many open files")
        return real()

    def work(share: int) -> worker.Work:
        yield b""
        return b""

    monkeypatch.setattr(os, "pipe", pipe)
    before = len(os.listdir("/dev/fd"))
    assert worker.together(work, 3) is None
    assert len(os.listdir("/dev/fd")) == before


def test_processes_that_are_done_are_waited_for_at_the_end() -> None:
    def work(share: int) -> worker.Work:
        yield b""
        return bytes([share])

    assert worker.together(work, 3) is not None
    worker.see_off()
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
