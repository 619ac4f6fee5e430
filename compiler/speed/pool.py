"""Work shared by forked processes, which start in a millisecond and have all that is loaded already."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from .. import speed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Item = TypeVar("Item")


def workers(count: int, wanted: int = 0) -> int:
    """Return how many processes are to work on ``count`` items.

    Args:
        count: How many there are.
        wanted: How many processes the call asks for; 0 for as many as there are processors.
    """
    return min(wanted or _processors(), count // speed.FEWEST_SHARED + 1) if _may_fork() else 1


def divide(items: Sequence[Item], shares: int) -> list[Sequence[Item]]:
    """Return items in shares of about the same size; those of a share follow one another."""
    bounds = [round(len(items) * number / shares) for number in range(shares + 1)]
    return [items[bounds[number] : bounds[number + 1]] for number in range(shares)]


class Worker:
    """A forked process that does one piece of work and sends back what comes out.

    Args:
        work: Returns what is to be sent. What it raises is not sent: a caller that receives nothing does the work
            itself, and meets the fault there.

    Raises:
        OSError: No process can be started.
    """

    def __init__(self, work: Callable[[], bytes]) -> None:
        reading, writing = os.pipe()
        try:
            self._process = os.fork()
        except OSError:
            os.close(reading)
            os.close(writing)
            raise
        if not self._process:
            _serve(work, reading, writing)
        os.close(writing)
        self._pipe = os.fdopen(reading, "rb")

    def result(self) -> bytes | None:
        """Wait for what comes out and return it; ``None`` where the process has failed."""
        sent = self._pipe.read()
        self._pipe.close()
        _, status = os.waitpid(self._process, 0)
        self._process = 0
        return sent if status == 0 else None

    def end(self) -> None:
        """End the process if its result was not asked for."""
        if self._process:
            self._pipe.close()
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
            self._process = 0


def start(works: Sequence[Callable[[], bytes]]) -> list[Worker]:
    """Start a process for each piece of work, as many as there can be: the last ones may have none."""
    started: list[Worker] = []
    with suppress(OSError):
        for work in works:
            started.append(Worker(work))  # noqa: PERF401 - those that were started count
    return started


def _serve(work: Callable[[], bytes], reading: int, writing: int) -> None:
    """Do the work in the forked process, send the outcome, and end the process at once, whatever happens."""
    status = 1
    try:
        os.close(reading)
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(work())
        status = 0
    finally:
        # Not sys.exit: exit handlers and buffered output are the parent's, and would run twice.
        os._exit(status)


def _processors() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _may_fork() -> bool:
    """Return whether forking is possible and safe: a thread of ours might hold a lock that its copy never releases."""
    if not hasattr(os, "fork"):
        return False
    # Not imported here for that: a module that nothing has imported has started no thread.
    threading = sys.modules.get("threading")
    return threading is None or threading.active_count() == 1
