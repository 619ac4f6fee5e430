"""Work for several processes: forked ones, which start in a millisecond and have all that is loaded already."""

from __future__ import annotations

import itertools
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence

FEWEST = 1_500
"""Fewer items are not worth a second process."""
_NUMBER = 8
_PIPE = 1 << 18
"""Bytes that a pipe holds. All pipes of a user together hold 64 MiB before further ones become slow."""

Message: TypeAlias = "bytes | bytearray"
Work: TypeAlias = "Generator[bytes, Sequence[Message], bytes]"
"""Yields what others are to know of a share, is sent what all yielded, in the order of shares, as often as all others
do; and gives a result.
"""


_ending: list[int] = []
"""Processes that have done their share: it takes them some milliseconds to give their memory back."""


class _LostError(Exception):
    """A process has failed."""


def processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def may_fork() -> bool:
    """Return whether forking is possible and safe: a thread of ours might hold a lock that its copy never returns."""
    if not hasattr(os, "fork"):
        return False
    threading = sys.modules.get("threading")
    return threading is None or threading.active_count() == 1


def divide(items: Sequence[Any], shares: int, *, less: float = 0) -> list[Sequence[Any]]:
    """Divide items into shares of about the same size; those of a share follow one another.

    Args:
        items: What to divide.
        shares: Into how many.
        less: How much less than the others the first one has to do, who has to put together what all have done; as a
            part of a share.
    """
    whole = shares - less
    bounds = [0, *(round(len(items) * (number - less) / whole) for number in range(1, shares)), len(items)]
    return [items[start:end] for start, end in itertools.pairwise(bounds)]


def together(work: Callable[[int], Work], shares: int) -> list[Message] | None:
    """Let as many processes, this one among them, work on their shares, and tell one another what they find.

    Args:
        work: Does the share of a number, the first of which is this process's.
        shares: How many there are.

    Returns:
        The results in the order of shares; ``None`` where a process cannot be forked, or one of them has failed. The
        whole is then to be done here: a fault shows where it can be told.
    """
    see_off()
    children: list[_Child] = []
    results: list[Message] | None = None
    try:
        for number in range(1, shares):
            children.append(_Child(work, number))  # noqa: PERF401 - those that have started are ended in any case
        results = [_drive(work(0), lambda said: _told(said, children)), *[child.receive() for child in children]]
    except (OSError, _LostError):
        return None
    finally:
        for child in children:
            child.end(is_done=results is not None)
    return results


def see_off() -> None:
    """Wait until all processes have ended that have done their share."""
    while _ending:
        os.waitpid(_ending.pop(), 0)


def _drive(work: Work, tell: Callable[[bytes], Sequence[Message]]) -> bytes:
    """Do a share; ``tell`` takes what others are to know, and gives what all said."""
    try:
        said = next(work)
        while True:
            said = work.send(tell(said))
    except StopIteration as stop:
        result: bytes = stop.value
        return result


def _told(own: bytes, children: Sequence[_Child]) -> Sequence[Message]:
    """Return what all said, and pass it on to all."""
    said = [own, *[child.receive() for child in children]]
    packed = b"".join([len(one).to_bytes(_NUMBER, "big") + one for one in said])
    for child in children:
        child.send(packed)
    return said


class _Child:
    """A forked process that does the share of one number."""

    def __init__(self, work: Callable[[int], Work], number: int) -> None:
        here = _pipe()
        try:
            there = _pipe()
        except OSError:
            _close(here)
            raise
        try:
            self._process = os.fork()
        except OSError:
            _close((*here, *there))
            raise
        if not self._process:
            _serve(work, number, here, there)
        os.close(here[1])
        os.close(there[0])
        self._reading, self._writing = here[0], there[1]

    def receive(self) -> Message:
        return _receive(self._reading)

    def send(self, message: bytes) -> None:
        _send(self._writing, message)

    def end(self, *, is_done: bool) -> None:
        """See to it that it ends, also where it waits for others that have failed."""
        os.close(self._reading)
        os.close(self._writing)
        if is_done:
            _ending.append(self._process)
            return
        import signal

        os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)


def _pipe() -> tuple[int, int]:
    """Open a pipe that holds more than others, where there are such: its ends take turns less often."""
    ends = os.pipe()
    if sys.platform == "linux":
        import fcntl

        with suppress(OSError):  # where the user has too many of them
            fcntl.fcntl(ends[1], fcntl.F_SETPIPE_SZ, _PIPE)
    return ends


def _close(ends: Iterable[int]) -> None:
    for end in ends:
        os.close(end)


def _serve(work: Callable[[int], Work], number: int, here: tuple[int, int], there: tuple[int, int]) -> None:
    """Do a share in a child, and end it; whatever goes wrong is met again, and told, where it is done anew."""
    status = 1
    try:
        os.close(here[0])
        os.close(there[1])
        _send(here[1], _drive(work(number), lambda said: _exchanged(said, here[1], there[0])))
        status = 0
    finally:
        os._exit(status)


def _exchanged(said: bytes, writing: int, reading: int) -> Sequence[Message]:
    """Send what this process says; give what all said."""
    _send(writing, said)
    packed = _receive(reading)
    told: list[Message] = []
    at = 0
    while at < len(packed):
        start = at + _NUMBER
        at = start + int.from_bytes(packed[at:start], "big")
        told.append(packed[start:at])
    return told


def _send(pipe: int, message: bytes) -> None:
    for part in (len(message).to_bytes(_NUMBER, "big"), message):  # which may be large: it is not copied
        rest = memoryview(part)
        while rest:
            rest = rest[os.write(pipe, rest) :]


def _receive(pipe: int) -> Message:
    """Read one message.

    Raises:
        _LostError: It ends too early.
    """
    size = int.from_bytes(_read(pipe, _NUMBER), "big")
    return _read(pipe, size)


def _read(pipe: int, size: int) -> bytearray:
    found = bytearray(size)
    rest = memoryview(found)
    while rest:
        count = os.readv(pipe, [rest])
        if not count:
            raise _LostError
        rest = rest[count:]
    return found
