"""Areas about files: what is written when a call is killed, and what is read back after it was damaged."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING
from unittest import mock

import corpus
from area import Area, called, within
from mutate import of_bytes, of_tokens

from mcpcfg.compiler.cli import check as check_command

if TYPE_CHECKING:
    import random

    from corpus import Tree

WRITING = (
    ("build", ".", "--keep-going", "--target", "kubernetes", "--output-dir", "../out"),
    ("build", ".", "--keep-going", "--target", "backend", "--output-dir", "../out"),
    ("check", ".", "--no-cache", "--output", "json=../report.json", "--output", "sarif=../report.sarif"),
    ("check", ".", "--no-cache", "--write-baseline", "../baseline.json"),
    ("check", ".", "--no-cache", "--fix", "--unsafe-fixes"),
    ("check", ".", "--no-cache", "--profile", "../trace.json"),
    ("check", ".", "--shard", "1/1", "--output", "../facts.json"),
    ("check", "."),
    ("graph", ".", "--format", "html", "--output", "../graph.html"),
    ("init", "../new", "--kind", "server", "--name", "new"),
)
TEMPORARY = ".mcpcfg-"


def hold_killed(files: Tree, rng: random.Random) -> None:
    """Whenever a call is killed, every file is what it was or what it should become, and the next call ends well."""
    words = rng.choice(WRITING)
    other = dict(files) | {"more.yaml": rng.choice(corpus.resources())}
    with mock.patch.multiple(check_command, FEWEST_KEPT=1):
        whole = []
        with within(files) as folder:
            called(*words)  # something is there already
            (folder / "more.yaml").write_bytes(other["more.yaml"])
            before = _state(folder.parent)
            begun = time.monotonic()
            called(*words)
            took = time.monotonic() - begun
            whole = [before, _state(folder.parent)]
        with within(files) as folder:
            called(*words)
            (folder / "more.yaml").write_bytes(other["more.yaml"])
            _killed(words, took * rng.uniform(0, 1.1))
            after = _state(folder.parent)
            for path, text in after.items():
                allowed = [state[path] for state in whole if path in state]
                assert text in allowed or TEMPORARY in path or _is_of_the_call(path), (words, path)
            called(*words)
            done = {path: text for path, text in _state(folder.parent).items() if not _is_of_the_call(path)}
            wanted = {path: text for path, text in whole[1].items() if not _is_of_the_call(path)}
            assert {path: text for path, text in done.items() if TEMPORARY not in path} == wanted, words


def _is_of_the_call(path: str) -> bool:
    """Return whether a file holds keys, times or processes: it differs from call to call, and is read back below.

    The manifest of an output folder lists what an interrupted call may have written, so that it can be removed.
    """
    return path.startswith("cache/") or path in {"trace.json", "facts.json"} or path.endswith(".mcpcfg-manifest")


def _killed(words: tuple[str, ...], after: float) -> None:
    """Call the program in a process of its own, and kill that."""
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        try:
            called(*words)
        finally:
            os._exit(0)
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def _state(folder: Path) -> dict[str, bytes]:
    top = str(folder)
    files = (Path(at) / name for at, _, names in os.walk(top) for name in names)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(files)}


def _below(path: Path) -> list[Path]:
    return [path] if path.is_file() else sorted(one for one in path.rglob("*") if one.is_file())


READING = (
    (("check", ".", "--format", "json"), ("check", ".", "--format", "json"), "cache"),
    (("check", ".", "--shard", "1/1", "--output", "../facts.json"), ("merge", "../facts.json"), "facts.json"),
    (("check", ".", "--write-baseline", "../base.json"), ("check", ".", "--baseline", "../base.json"), "base.json"),
    (
        ("build", ".", "--keep-going", "--target", "kubernetes", "--output-dir", "../out"),
        ("build", ".", "--keep-going", "--target", "vmcp", "--output-dir", "../out"),
        "out/.mcpcfg-manifest",
    ),
    (
        ("build", ".", "--keep-going", "--target", "kubernetes", "--output-dir", "../out"),
        ("build", ".", "--keep-going", "--target", "kubernetes", "--output-dir", "../out", "--check"),
        "out",
    ),
)


def hold_damaged(files: Tree, rng: random.Random) -> None:
    """What is read back is taken as it was written, or refused; a cache changes nothing, a manifest removes nothing."""
    written, read, where = rng.choice(READING)
    with mock.patch.multiple(check_command, FEWEST_KEPT=1), within(files) as folder:
        top = folder.parent
        (top / "own.yaml").write_text("own")
        first = called(*written)
        own = top / "out" / "own.yaml"
        if where.startswith("out") and own.parent.is_dir():
            own.write_text("own")
        stored = [one for one in _below(top / where) if one != own]
        for path in rng.sample(stored, min(len(stored), rng.choice((1, 2)))):
            data = path.read_bytes()
            for _ in range(rng.choice((1, 1, 4))):
                data = rng.choice((of_bytes, of_tokens))(rng, data, (*files.values(), data))
            path.write_bytes(data)
        outcome = called(*read)
        if where == "cache":
            assert outcome == first
        assert (top / "own.yaml").read_text() == "own"
        if own.exists():
            assert own.read_text() == "own"


AREAS = (
    Area("killed", "what is written is whole or not there, whenever a call is killed", corpus.tree, hold_killed, 12),
    Area("damaged", "what is read back is taken as written or refused", corpus.tree, hold_damaged, 20),
)
