"""Which test file executes which lines, and how long it takes: measured once, and again where something changed."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

SETTINGS = """[run]
data_file = {data}/lines
include = {tree}/compiler/*,{tree}/validators/*
parallel = true
patch = subprocess, _exit, fork
disable_warnings = no-data-collected
"""


LIMIT = 150
"""Seconds. A file of tests that takes longer is never run for a mutant."""


class TestFile(NamedTuple):
    """What is known of one file of tests.

    Attributes:
        seconds: How long it took, with its lines being recorded.
        passes: Whether it passes without a mutant; what does not can tell nothing.
        stamps: Hash of the file itself, and of each module that it ran.
        lines: The executed lines of each module.
    """

    seconds: float
    passes: bool
    stamps: dict[str, str]
    lines: dict[str, list[int]]

    def share(self, module: str) -> float:
        """Return how much of what it executes is of one module: its own tests come first by that."""
        return len(self.lines[module]) / sum(map(len, self.lines.values()))


def read(cache: Path, tree: Path, files: Iterable[str]) -> dict[str, TestFile]:
    """Return what is known and still true of test files."""
    known = json.loads(cache.read_text()) if cache.exists() else {}
    found = {file: TestFile(*known[file]) for file in files if file in known}
    now = {path: stamp(tree, path) for path in {path for one in found.values() for path in one.stamps}}
    return {file: one for file, one in found.items() if all(now[path] == old for path, old in one.stamps.items())}


def stamp(tree: Path, path: str) -> str:
    """Return a hash of a file, "" where there is none."""
    file = tree / path
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16] if file.exists() else ""


def measured(tree: Path, python: Sequence[str], file: str) -> TestFile:
    """Run one test file in a tree and record what it executes, in all processes that it starts."""
    import coverage

    data = tree / "build" / "lines"
    shutil.rmtree(data, ignore_errors=True)
    data.mkdir(parents=True)
    settings = tree / "build" / "coveragerc"
    settings.write_text(SETTINGS.format(data=data, tree=tree))
    start = time.monotonic()
    status = run_tests(tree, [*python, "-m", "coverage", "run", f"--rcfile={settings}"], [file], LIMIT)
    seconds = time.monotonic() - start
    lines: dict[str, set[int]] = {}
    for part in sorted(data.iterdir()):
        read = coverage.CoverageData(str(part))
        read.read()
        for name in read.measured_files():
            lines.setdefault(os.path.relpath(name, tree), set()).update(read.lines(name) or ())
    # What counts imports or seconds may fail while lines are recorded.
    passes = (run_tests(tree, python, [file], LIMIT) if status else status) == 0
    print(f"{seconds:6.1f} s  {'passes' if passes else 'FAILS'}  {file}", file=sys.stderr, flush=True)
    own = {path: sorted(numbers) for path, numbers in sorted(lines.items()) if numbers}
    return TestFile(round(seconds, 1), passes, {path: stamp(tree, path) for path in [file, *own]}, own)


def run_tests(tree: Path, python: Sequence[str], files: Sequence[str], seconds: float) -> int | None:
    """Return the exit status of pytest over some files, ``None`` where its time was up; nothing is kept of the run."""
    command = [*python, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--hypothesis-seed=0", *files]
    with tempfile.TemporaryDirectory() as fresh:
        variables = {"XDG_CACHE_HOME": fresh, "HYPOTHESIS_STORAGE_DIRECTORY": fresh, "PYTHONDONTWRITEBYTECODE": "1"}
        process = subprocess.Popen(
            command,
            cwd=tree,
            env=os.environ | variables,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
