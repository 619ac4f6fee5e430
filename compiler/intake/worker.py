"""Work for several processes: forked ones, which start in a millisecond and have all that is loaded already."""

from __future__ import annotations

import itertools
import marshal
import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FEWEST = 1_500
"""Fewer items are not worth a second process."""


def _as_it_is(value: Any) -> Any:
    return value


def processors() -> int:
    """Give the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def share(
    work: Callable[[Sequence[Any]], Any],
    items: Sequence[Any],
    workers: int,
    *,
    pack: Callable[[Any], Any] = _as_it_is,
) -> list[Any]:
    """Let ``workers`` processes, this one among them, do their share of ``items``.

    Where no process can be forked, or one of them fails, its share is done here: a fault shows where it can be told.

    Args:
        work: Does a share.
        items: What there is to do; each worker takes items that follow one another.
        workers: How many processes.
        pack: Makes of what ``work`` gives something that `marshal` can write. It is called where the work was done, if
            that was another process.

    Returns:
        What each share gave, in the order of the items.
    """
    bounds = [len(items) * number // workers for number in range(workers + 1)]
    shares = [items[start:end] for start, end in itertools.pairwise(bounds)]
    children = [_start(work, pack, one) for one in shares[1:]] if may_fork() else [None] * (workers - 1)
    results = [work(shares[0])]
    for child, own in zip(children, shares[1:], strict=True):
        result = None if child is None else _finish(*child)
        results.append(work(own) if result is None else result)
    return results


def may_fork() -> bool:
    """Tell whether forking is possible and safe: a thread of ours might hold a lock that its copy never gives back."""
    if not hasattr(os, "fork"):
        return False
    threading = sys.modules.get("threading")
    return threading is None or threading.active_count() == 1


def _start(
    work: Callable[[Sequence[Any]], Any], pack: Callable[[Any], Any], items: Sequence[Any]
) -> tuple[int, int] | None:
    reading, writing = os.pipe()
    try:
        child = os.fork()
    except OSError:
        os.close(reading)
        os.close(writing)
        return None
    if child:
        os.close(writing)
        return child, reading
    status = 1
    try:
        os.close(reading)
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(marshal.dumps(pack(work(items))))
        status = 0
    finally:
        os._exit(status)  # whatever went wrong is met again, and told, where the share is done anew


def _finish(child: int, reading: int) -> Any:
    """Give what a child sends, ``None`` where it failed."""
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    _, status = os.waitpid(child, 0)
    return marshal.loads(data) if status == 0 else None  # noqa: S302 - from our own copy
