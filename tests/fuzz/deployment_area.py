"""The area of what deploys resources: kustomizations, objects of Flux and Argo CD, CRDs and pins, made hostile."""

from __future__ import annotations

import os
import pickle
import resource
import signal
import subprocess
import sys
import traceback
from typing import TYPE_CHECKING, Any
from unittest import mock

import corpus
import deployment_input
from area import SECONDS, Area, called, stop, within

from mcpcfg.compiler.check import full
from mcpcfg.compiler.cli import check as check_command
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.project.settings import Options

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from calling import Outcome
    from corpus import Tree

MOST_SECONDS = 5
"""Of processor time for one check."""
MOST_MEMORY = 512 * 2**20
"""Bytes that one check may take beyond what the process has already."""
PLAIN = ("check", ".", "--no-cache", "--format", "json")


def hold(files: Tree, rng: random.Random) -> None:
    """A check ends within its bounds, and prints the same in any order, from a cache, in shards, by another hash."""
    with within(files) as folder, mock.patch.multiple(check_command, FEWEST_KEPT=1):
        bounded(lambda: full.check(discover((".",)), Options()).findings)
        whole = called(*PLAIN)
        rng.choice((_hold_cached, _hold_merged, _hold_ordered, _hold_ordered))(files, rng, whole)
        if rng.random() < 0.1:
            words = [sys.executable, "-P", "-m", "mcpcfg", *PLAIN]
            hashed = os.environ | {"PYTHONHASHSEED": str(rng.randrange(2**32))}
            done = subprocess.run(words, env=hashed, capture_output=True, check=False, text=True, cwd=folder)
            assert (done.returncode, done.stdout) == whole[:2]


def _hold_cached(files: Tree, rng: random.Random, whole: Outcome) -> None:
    del files, rng
    for _ in ("cold", "warm"):
        assert called("check", ".", "--format", "json") == whole


def _hold_ordered(files: Tree, rng: random.Random, whole: Outcome) -> None:
    top = sorted({name.partition("/")[0] for name in files} - {corpus.SETTINGS})
    orders = (top, rng.sample(top, len(top)))
    first, second = (called("check", *order, *PLAIN[2:]) for order in orders)
    assert (first.status, first.out) == (second.status, second.out)
    del whole


def _hold_merged(files: Tree, rng: random.Random, whole: Outcome) -> None:
    del files
    count = rng.choice((1, 2, 3))
    names = [f"../facts-{number}.json" for number in range(1, count + 1)]
    parts = [
        called("check", ".", "--shard", f"{number}/{count}", "--output", name) for number, name in enumerate(names, 1)
    ]
    if whole.status == 2:
        assert {part.status for part in parts} == {2}
        return
    joined = called("merge", *names, "--format", "json")
    assert (joined.status, joined.out) == (whole.status, whole.out)


def bounded(work: Callable[[], Any]) -> None:
    """Do something in a process of its own, which gets so much time and memory and no more.

    Raises:
        Exception: What the work raises, or that it was stopped.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(reading)
            with open(writing, "wb") as stream:
                stream.write(pickle.dumps(_outcome(work)))
            status = 0
        finally:  # whatever is raised, a child never goes on with the work of its parent
            os._exit(status)
    os.close(writing)
    with open(reading, "rb") as stream:
        text = stream.read()
    _, status, used = os.wait4(child, 0)
    assert status == 0, f"the process ended with {status} after {used.ru_utime:.0f} s"
    found = pickle.loads(text)
    if found:
        raise RuntimeError(found)


def _outcome(work: Callable[[], Any]) -> str:
    """Return the trace of what stops the work; nothing if it ends."""
    with open("/proc/self/statm", encoding="ascii") as stream:
        size = int(stream.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + MOST_MEMORY, size + MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (2 * SECONDS, 2 * SECONDS))
    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
    try:
        work()
    except Exception as error:
        signal.setitimer(signal.ITIMER_PROF, 0)
        return "" if type(error).__name__ == "InputError" else "".join(traceback.format_exception(error))
    return ""


AREAS = (
    Area(
        "deployment",
        "what deploys resources is checked within bounds, to the same bytes",
        deployment_input.draw,
        hold,
        12,
    ),
)
