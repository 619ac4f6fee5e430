"""An area of the attack: what is drawn, what has to hold of it, and how a failing input is made small."""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import signal
import traceback
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest import mock

from calling import Outcome, call

from mcpcfg.compiler.diagnostics.span import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from corpus import Tree

FOUND = Path(__file__).with_name("found")
SECONDS = 20
"""Of processor time for one input: what takes longer does not end, for our purpose."""

MOST_ATTEMPTS = 300


class Area(NamedTuple):
    """One area.

    Attributes:
        name: Its name, and the beginning of the names of what was found.
        claim: What holds, a clause.
        draw: Return an input.
        hold: Raise where the claim does not hold of an input.
        sample: How many inputs ``make test`` tries.
    """

    name: str
    claim: str
    draw: Callable[[random.Random], Tree]
    hold: Callable[[Tree, random.Random], None]
    sample: int


class OwnFaultError(Exception):
    """A call ended with a status of its own making."""


def called(*words: str) -> Outcome:
    """Call the program, which has to end with a verdict, or with a reason why there is none."""
    outcome = call(*words)
    if outcome.status not in {0, 1, 2}:
        raise OwnFaultError(f"{outcome.err.strip().splitlines()[-1:]}: {' '.join(words)}: {outcome.status}")
    return outcome


class SlowError(Exception):
    """An input used up its time."""


def fault(area: Area, tree: Tree) -> str | None:
    """Return what is wrong with an input, ``None`` where the claim holds."""
    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        area.hold(tree, random.Random(digest(tree)))
    except InputError:
        return None  # a reason why a file cannot be used
    except Exception as error:
        return "".join(traceback.format_exception(error))
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return None


def signature(found: str) -> str:
    """Return what tells one fault from another: where it was raised, and by what kind of exception."""
    places = [line.strip() for line in found.splitlines() if line.lstrip().startswith("File ")]
    places = [place for place in places if not place.endswith(f"in {stop.__name__}")]
    last = found.strip().splitlines()[-1]
    return f"{places[-1] if places else ''} {last.partition(':')[0]}"


def minimised(area: Area, tree: Tree, found: str) -> Tree:
    """Return a smaller input with the same fault: without files, lines and characters that it does not need."""
    wanted, attempts = signature(found), 0

    def fails(smaller: Tree) -> bool:
        nonlocal attempts
        attempts += 1
        other = fault(area, smaller) if attempts <= MOST_ATTEMPTS else None
        return other is not None and signature(other) == wanted

    for name in sorted(tree):
        rest = {key: value for key, value in tree.items() if key != name}
        if rest and fails(rest):
            tree = rest
    for name in sorted(tree):
        for split in (_lines, _characters):
            tree = {**tree, name: b"".join(_reduced(split(tree[name]), tree, name, fails))}
    return tree


def _reduced(parts: list[bytes], tree: Tree, name: str, fails: Callable[[Tree], bool]) -> list[bytes]:
    size = max(1, len(parts) // 2)
    while parts:
        at, is_smaller = 0, False
        while at < len(parts):
            rest = parts[:at] + parts[at + size :]
            if fails({**tree, name: b"".join(rest)}):
                parts, is_smaller = rest, True
            else:
                at += size
        if size == 1 and not is_smaller:
            break
        size = max(1, size // 2)
    return parts


def _lines(text: bytes) -> list[bytes]:
    return text.splitlines(keepends=True)


def _characters(text: bytes) -> list[bytes]:
    return [text[at : at + 1] for at in range(len(text))] if len(text) < 2_000 else [text]


def keep(area: Area, tree: Tree, folder: Path = FOUND) -> Path:
    """Write an input as a fixture that `test_fuzz` holds from then on."""
    target = folder / f"{area.name}-{digest(tree)[:8]}"
    shutil.rmtree(target, ignore_errors=True)
    lay(tree, target)
    return target


def kept(folder: Path) -> Tree:
    """Return the input that was written into a folder."""
    files = (Path(top) / name for top, _, names in os.walk(folder) for name in names)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(files)}


def lay(tree: Tree, folder: Path) -> None:
    """Write an input into a folder."""
    for name, text in tree.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)


@contextmanager
def within(tree: Tree) -> Iterator[Path]:
    """Work in a folder that holds an input, with a home and a cache of its own; it is gone afterwards."""
    before = os.getcwd()
    with TemporaryDirectory(prefix="mcpcfg-fuzz-") as top, mock.patch.dict(os.environ):
        for name in ("CI", "GITHUB_STEP_SUMMARY", "GITHUB_ACTIONS"):
            os.environ.pop(name, None)
        os.environ |= {"XDG_CACHE_HOME": os.path.join(top, "cache"), "HOME": top}
        folder = Path(top) / "project"
        folder.mkdir()
        lay(tree, folder)
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(before)


def digest(tree: Tree) -> str:
    """Return a digest of an input."""
    return hashlib.sha256(repr(sorted(tree.items())).encode()).hexdigest()


def stop(*_: Any) -> None:
    """Stop what has used up its processor time; the handler of a signal."""
    raise SlowError
