"""Record the stages of a run with their times, and show progress.

Any code can open a stage. Without an observer, a stage costs two readings of the clock.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from .named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PATIENCE: Final = 1.0
"""Seconds before the first progress message on a terminal."""
_PAUSE: Final = 0.1
"""Seconds between two progress messages, so that a terminal does not flicker."""
_EACH: Final = 64
"""Steps between two readings of the clock, because reading it takes as long as a short step."""


class Stage(NamedTuple):
    """A finished stage. ``began`` and ``ended`` are monotonic clock times, ``cpu`` is processor time, in nanoseconds.

    ``depth`` is the number of stages around it.
    """

    name: str
    began: int
    ended: int
    cpu: int
    depth: int


class _Watch:
    def __init__(self) -> None:
        self.stages: list[Stage] = []
        self.depth = 0
        self.begin = time.perf_counter()
        self.shown_at = 0.0
        self.is_shown = False
        self.observer: Callable[[str], None] | None = None

    def show(self, text: str) -> None:
        now = time.perf_counter()
        if now - self.begin < _PATIENCE or now - self.shown_at < _PAUSE:
            return
        self.shown_at = now
        self.is_shown = True
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


_watch = _Watch()


@contextmanager
def stage(name: str) -> Iterator[None]:
    """Record the time of the ``with`` block as the stage ``name``."""
    began, cpu = time.perf_counter_ns(), time.process_time_ns()
    _watch.depth += 1
    if _watch.observer is not None:
        _watch.observer(f"{name} …")
    try:
        yield
    finally:
        _watch.depth -= 1
        ended = time.perf_counter_ns()
        _watch.stages.append(Stage(name, began, ended, time.process_time_ns() - cpu, _watch.depth))


def step(name: str, done: int, total: int) -> None:
    """Show that ``done`` of ``total`` equal steps of a stage are done. Most calls show nothing, to save time."""
    if _watch.observer is not None and done % _EACH == 0:
        _watch.observer(f"{name} … {done:,} of {total:,}")


def watch() -> None:
    """Reset the recorded stages, and show progress if standard error is a terminal."""
    observe(None)
    if sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
        _watch.observer = _watch.show


def observe(observer: Callable[[str], None] | None) -> None:
    """Reset the recorded stages and set the receiver of progress messages; ``None`` disables them.

    If ``observer`` raises an exception, the run ends.
    """
    global _watch  # noqa: PLW0603 - there is one process and one terminal
    _watch = _Watch()
    _watch.observer = observer


def forget() -> None:
    """Delete the recorded stages."""
    _watch.stages.clear()


def clear() -> None:
    """Remove the progress line from the terminal."""
    if _watch.is_shown:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
        _watch.is_shown = False


def table() -> str:
    """Return a table of stages and their times, in order of their start. Stages with the same name are summed up."""
    # 32 columns have space for each name of a stage with its indentation.
    lines = [f"{'stage':32} {'wall':>9} {'CPU':>9}"]
    sums: dict[str, tuple[int, int]] = {}
    for entry in sorted(_watch.stages, key=lambda entry: entry.began):
        name = "  " * entry.depth + entry.name
        wall, cpu = sums.get(name, (0, 0))
        sums[name] = (wall + entry.ended - entry.began, cpu + entry.cpu)
    lines += [f"{name:32} {wall / 1e6:6.1f} ms {cpu / 1e6:6.1f} ms" for name, (wall, cpu) in sums.items()]
    times = os.times()
    lines.append(f"{'this process, with start':32} {'':9} {(times.user + times.system) * 1e3:6.0f} ms")
    if times.children_user:
        lines.append(f"{'other processes':32} {'':9} {(times.children_user + times.children_system) * 1e3:6.0f} ms")
    return "\n".join(lines)
