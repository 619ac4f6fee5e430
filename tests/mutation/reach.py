"""Which test comes to which mutant, and how long it takes."""

from __future__ import annotations

import hashlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import mutation_probe

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

LIMIT = 400
"""Seconds of a processor. A file of tests that takes longer is never run for a mutant."""
BUSY = 4
"""How many times as long as on a quiet machine tests may take by the clock: slow is not endless."""


class TestFile(NamedTuple):
    """What is known of one file of tests.

    Attributes:
        stamp: Hash of the file.
        seconds: What each test that passes with the probes in the program took of a processor.
        reached: By the number of a mutant the tests that come to it; "" stands for all, where it runs at import.
        failed: Those that do not pass with the probes: they may look at the text of the program, or at imports.
    """

    stamp: str
    seconds: dict[str, float]
    reached: dict[str, list[str]]
    failed: list[str]


def stamp(tree: Path, name: str) -> str:
    """Return a hash of a file."""
    return hashlib.sha256((tree / name).read_bytes()).hexdigest()[:16]


class Runner:
    """Runs tests in a tree, with an environment that has the plugin."""

    def __init__(self, tree: Path) -> None:
        self._tree = tree
        self._folder = tree / ".venv" / mutation_probe.FOLDER.name
        site = next((tree / ".venv" / "lib").glob("python*/site-packages"))
        shutil.copy(mutation_probe.__file__, site)

    def run(self, files: Sequence[str], seconds: float, chosen: Sequence[str] | None = None) -> int | None:
        """Return the exit status of pytest over files or chosen tests of theirs, ``None`` where its time was up.

        The time is that of a processor; a program that waits and does nothing ends by the clock.
        """
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir()
        if chosen is not None:
            (self._folder / mutation_probe.CHOSEN.name).write_text(json.dumps(chosen), "utf-8")
        python = [str(self._tree / ".venv" / "bin" / "python"), "-P", "-m", "pytest", "-q", "-p", "mutation_probe"]
        stop = [] if chosen is None else ["-x"]
        command = [*python, *stop, "-p", "no:cacheprovider", "--hypothesis-seed=0", *files]
        with tempfile.TemporaryDirectory() as fresh:
            variables = {"XDG_CACHE_HOME": fresh, "HYPOTHESIS_STORAGE_DIRECTORY": fresh, "PYTHONDONTWRITEBYTECODE": "1"}
            process = subprocess.Popen(
                command,
                cwd=self._tree,
                env=os.environ | variables,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            try:
                resource.prlimit(process.pid, resource.RLIMIT_CPU, (int(seconds) + 1,) * 2)
                status = process.wait(BUSY * seconds)
            except subprocess.TimeoutExpired:
                return None
            else:
                return None if status in (-signal.SIGXCPU, -signal.SIGKILL) else status
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()

    def measured(self, name: str) -> TestFile:
        """Run one file of tests over the program with probes."""
        status = self.run([name], LIMIT)
        seconds: dict[str, float] = defaultdict(float)
        failed = {}
        for test, took, is_failed in self._outcomes():
            seconds[test] += took
            if is_failed:
                failed[test] = True
        reached: dict[str, list[str]] = defaultdict(list)
        for line in self._lines(mutation_probe.REACHED):
            number, _, test = line.partition("\t")
            reached[number].append(test)
        state = "time is up" if status is None else f"{len(seconds)} tests, {len(failed)} failed"
        print(f"{sum(seconds.values()):6.1f} s  {name}: {state}", file=sys.stderr, flush=True)
        passed = {test: round(took, 3) for test, took in seconds.items() if test not in failed and status is not None}
        own = {number: sorted(set(tests)) for number, tests in sorted(reached.items())}
        return TestFile(stamp(self._tree, name), passed, own, sorted(failed))

    def failed_tests(self) -> list[str]:
        """Return the tests that failed in the last run."""
        return [test for test, _, is_failed in self._outcomes() if is_failed]

    def _outcomes(self) -> list[tuple[str, float, bool]]:
        return [tuple(json.loads(line)) for line in self._lines(mutation_probe.OUTCOMES)]

    def _lines(self, kind: Path) -> list[str]:
        file = self._folder / kind.name
        return file.read_text("utf-8").splitlines() if file.exists() else []
