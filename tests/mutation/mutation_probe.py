"""What runs within the tests: the probes in place of mutants, and a plugin of pytest that records and chooses tests.

`run.py` copies this module into the environment of a worker, where programs that the tests start find it, too.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    import pytest

FOLDER = Path(sys.prefix) / "mutation"
RUNNING = FOLDER / "running"
"""The name of the test that runs, for the programs that it starts."""
REACHED = FOLDER / "reached"
"""Lines of a number and the test that came to it."""
OUTCOMES = FOLDER / "outcomes"
"""JSON lines: test, seconds of a processor, whether it failed."""
CHOSEN = FOLDER / "chosen.json"
"""The tests to be run, in order; all where there is no such file."""


class _Now:
    test = RUNNING.read_text("utf-8") if RUNNING.exists() else ""
    seen: ClassVar[set[int]] = set()
    spent = 0.0
    reached = -1


def hit(*numbers: int) -> None:
    """Record that the running test came to the places of these numbers."""
    for number in numbers:
        if number not in _Now.seen:
            _Now.seen.add(number)
            if _Now.reached < 0:
                _Now.reached = os.open(REACHED, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            os.write(_Now.reached, f"{number}\t{_Now.test}\n".encode())


def pytest_runtest_logstart(nodeid: str) -> None:
    """Note which test runs."""
    _Now.test = nodeid
    _Now.seen.clear()
    _Now.spent = sum(os.times()[:4])
    RUNNING.write_text(nodeid, "utf-8")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Record what became of a test; it has up to three reports.

    What it took is told by the processor, with the programs that it started: a busy machine is no reason to leave out a
    test of which a quiet one has the time.
    """
    before, _Now.spent = _Now.spent, sum(os.times()[:4])
    with OUTCOMES.open("a", encoding="utf-8") as file:
        file.write(json.dumps([report.nodeid, round(_Now.spent - before, 3), report.failed]) + "\n")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the chosen tests, in the order in which they were chosen."""
    if CHOSEN.exists():
        order = {name: number for number, name in enumerate(json.loads(CHOSEN.read_text("utf-8")))}
        items[:] = sorted((one for one in items if one.nodeid in order), key=lambda one: order[one.nodeid])
