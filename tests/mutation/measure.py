"""``make mutants``: put small faults into the program, one at a time, and see whether the tests notice.

Each worker has a clone under ``build/mutation``: a fresh one, with no folder ``shared`` beside it. All tests run once
over a program with a probe in the place of each mutant; a mutant is then tried by the tests that came to its place,
those of its own room first, until one fails or the time is up. What survives is a hole in the tests, or is listed in
``survivors.tsv`` with the reason why no test can tell: module, function, change, reason. Exit status 1 where a survivor
is not listed, or less than nine tenths are killed.

A program of our own: mutmut takes a package for what its folder is called (``compiler``, where tests import
``mcpcfg.compiler``) and finds no tests for it, and cosmic-ray runs one command, all the tests, for each mutant.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from choice import batches
from mutant import Mutant, is_sound, mutants
from probed import probed
from reach import Runner, TestFile, stamp

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "mutation"
LAST = BUILD / "outcomes.jsonl"
LIST = Path(__file__).with_name("survivors.tsv")
LEAST_IN_A_ROOM = 3
PATIENCE = 60  # seconds beside five times what the tests took, before a mutant counts as one that never ends
ENOUGH = 0.9
NOTHING_RUN = 5  # exit status of pytest
KILLED = ("killed", "timeout")


def modules(rooms: Iterable[str]) -> dict[str, list[str]]:
    """Return the modules of each room, a folder with all that lies directly in it."""
    found = defaultdict(list)
    for path in _git("ls-files", "compiler/*.py", "validators/*.py"):
        room = os.path.dirname(path)
        if not rooms or any(room == one or room.startswith(f"{one}/") for one in rooms):
            found[room].append(path)
    return dict(found)


def quotas(sizes: dict[str, int], count: int) -> dict[str, int]:
    """Return how many mutants each room gets: the least number each, the rest by size."""
    rest = max(0, count - LEAST_IN_A_ROOM * len(sizes))
    shares = {room: rest * size / sum(sizes.values()) for room, size in sizes.items()}
    given = {room: LEAST_IN_A_ROOM + int(share) for room, share in shares.items()}
    by_remainder = sorted(shares, key=lambda room: (int(shares[room]) - shares[room], room))
    for room in by_remainder[: max(0, count - sum(given.values()))]:
        given[room] += 1
    return given


def sample(rooms: dict[str, list[str]], count: int, seed: int) -> list[Mutant]:
    """Return mutants of all rooms: in each room one operator after the other, so that none prevails.

    Which ones goes by a hash of what they change: a change elsewhere in a room leaves most of them as they were.
    """
    sizes = {room: sum((ROOT / path).read_bytes().count(b"\n") for path in paths) for room, paths in rooms.items()}
    found = []
    for room, quota in quotas(sizes, count).items():
        by_operator = defaultdict(list)
        for path in rooms[room]:
            for one in mutants((ROOT / path).read_bytes(), path):
                by_operator[one.operator].append(one)
        for some in by_operator.values():
            some.sort(key=lambda one: _chance(seed, *one.identity))
        order = sorted(by_operator, key=lambda operator: _chance(seed, room, operator))
        chosen: list[Mutant] = []
        while len(chosen) < quota and any(by_operator.values()):
            for operator in order:
                if by_operator[operator] and len(chosen) < quota:
                    one = by_operator[operator].pop()
                    if is_sound(one, (ROOT / one.path).read_bytes()):
                        chosen.append(one)
        found += sorted(chosen)
    return found


def _chance(seed: int, *names: str) -> str:
    return hashlib.sha256("\0".join([str(seed), *names]).encode()).hexdigest()


class Worker:
    """A clone of the repository with what is not committed yet, and its own virtual environment."""

    def __init__(self, number: int) -> None:
        self.tree = BUILD / f"worker-{number}" / "mcpcfg"  # pytest imports the root by its folder's name
        kept = BUILD / f"venv-{number}"
        environment = self.tree / ".venv"
        if environment.exists():
            environment.rename(kept)
        shutil.rmtree(self.tree, ignore_errors=True)
        subprocess.run(["git", "clone", "--quiet", "--shared", ROOT, self.tree], check=True)
        for path in _git("ls-files", "--modified", "--others", "--exclude-standard"):
            if (ROOT / path).exists():
                (self.tree / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / path, self.tree / path)
            else:
                (self.tree / path).unlink()
        if kept.exists():
            kept.rename(environment)
        subprocess.run(["make", "--silent", ".venv/.installed"], cwd=self.tree, check=True)
        self.runner = Runner(self.tree)
        self._sources: dict[str, bytes] = {}  # the checkout may change meanwhile

    def probe(self, chosen: list[Mutant]) -> None:
        """Put probes in the places of all mutants."""
        for path, some in _by_path(chosen).items():
            self._sources[path] = (self.tree / path).read_bytes()
            (self.tree / path).write_bytes(probed(self._sources[path], some))

    def restore(self) -> None:
        """Take the probes out again."""
        for path, source in self._sources.items():
            (self.tree / path).write_bytes(source)

    def outcome(self, mutant: Mutant, tests: list[list[str]], files: dict[str, TestFile]) -> tuple[str, str]:
        """Return ``killed``, ``timeout``, ``survived`` or ``not executed``, and the test that noticed."""
        if not tests:
            return "not executed", ""
        module = self.tree / mutant.path
        source = module.read_bytes()
        try:
            module.write_bytes(mutant.applied(source))
            for some in tests:
                of = sorted({one.partition("::")[0] for one in some})
                seconds = PATIENCE + 5 * sum(files[one.partition("::")[0]].seconds[one] for one in some)
                status = self.runner.run(of, seconds, some)
                if status is None:
                    return "timeout", ""
                if status not in (0, NOTHING_RUN):
                    return "killed", next(iter(self.runner.failed_tests()), "collection")
        finally:
            module.write_bytes(source)
        return "survived", ""


def _by_path(chosen: list[Mutant]) -> dict[str, dict[int, Mutant]]:
    found: dict[str, dict[int, Mutant]] = defaultdict(dict)
    for number, one in enumerate(chosen):
        found[one.path][number] = one
    return found


def _git(*command: str) -> list[str]:
    done = subprocess.run(["git", *command], cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


def _shared(workers: list[Worker], tasks: list[Any], work: Callable[[Worker, Any], Any]) -> list[Any]:
    """Return what each task comes to; every worker does one at a time."""
    idle: SimpleQueue[Worker] = SimpleQueue()
    for worker in workers:
        idle.put(worker)

    def done(task: Any) -> Any:
        worker = idle.get()
        try:
            return work(worker, task)
        finally:
            idle.put(worker)

    with ThreadPoolExecutor(len(workers)) as pool:
        return list(pool.map(done, tasks))


def test_files(workers: list[Worker], chosen: list[Mutant]) -> dict[str, TestFile]:
    """Return what tests come to which mutants, from the last call or by running them now."""
    tree, cache = workers[0].tree, BUILD / "reach.jsonl"
    names = sorted(str(path.relative_to(tree)) for path in (tree / "tests").rglob("test_*.py"))
    asked = _chance(0, *("\t".join(one.identity) for one in chosen))
    kept = [json.loads(line) for line in cache.read_text("utf-8").splitlines()] if cache.exists() else []
    if kept[:1] != [asked]:
        kept = []
        cache.write_text(json.dumps(asked) + "\n", "utf-8")
    known = {name: TestFile(*one) for name, one in kept[1:] if name in names}
    known = {name: one for name, one in known.items() if one.stamp == stamp(tree, name)}
    missing = sorted((name for name in names if name not in known), key=lambda name: "/unit/" in name)

    def measure(worker: Worker, name: str) -> None:
        known[name] = worker.runner.measured(name)
        with cache.open("a", encoding="utf-8") as file:
            file.write(json.dumps([name, known[name]]) + "\n")

    for worker in workers:
        worker.probe(chosen)
    _shared(workers, missing, measure)
    for worker in workers:
        worker.restore()
    return known


def table(results: dict[Mutant, str]) -> str:
    """Return the counts of each room, as Markdown."""
    outcomes = (*KILLED, "survived", "not executed")
    rooms: dict[str, Counter[str]] = defaultdict(Counter)
    for mutant, outcome in results.items():
        rooms[os.path.dirname(mutant.path)][outcome] += 1
        rooms["all"][outcome] += 1
    rows = [("room", "mutants", *outcomes), ("---", *["---:"] * 5)]
    rows += [(room, str(sum(by.values())), *(str(by[one]) for one in outcomes)) for room, by in rooms.items()]
    return "\n".join(f"| {' | '.join(row)} |" for row in [*rows[:2], *rows[3:], rows[2]])


def reasons() -> dict[tuple[str, ...], str]:
    """Return the survivors that no test could kill, each with the reason."""
    lines = [line.split("\t") for line in LIST.read_text("utf-8").splitlines()]
    return {tuple(line[:3]): line[3] for line in lines}


def main() -> int:
    """Run the program."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--count", type=int, default=300, help="number of mutants")
    options.add_argument(
        "--seed", type=int, nargs="+", default=[0], help="which ones; of several seeds each its number"
    )
    options.add_argument("--rooms", nargs="+", default=[], metavar="FOLDER", help="only modules in these folders")
    options.add_argument("--workers", type=int, default=2, help="number of clones that are worked in at once")
    options.add_argument(
        "--again", action="store_true", help="only those that the last call did not see killed and that are not listed"
    )
    options.add_argument("--list", action="store_true", help="print the mutants and run nothing")
    options.add_argument("--seconds", type=float, default=20, help="of a processor, for the tests of one mutant")
    given = options.parse_args()
    of_seed = {seed: sample(modules(given.rooms), given.count, seed) for seed in given.seed}
    chosen = list(dict.fromkeys(one for some in of_seed.values() for one in some))
    listed = reasons()
    # What was killed is killed, and what is listed was looked at.
    known = {one: outcome for one, outcome in _last(LAST).items() if outcome == "killed" or one in listed}
    known = known if given.again else {}
    if given.list:
        print("\n".join(f"{one.path}:{one.line}: {one.operator}: {one.change}" for one in chosen))
        return 0
    BUILD.mkdir(parents=True, exist_ok=True)
    workers = [Worker(number) for number in range(given.workers)]
    files = test_files(workers, chosen)
    if not given.again:
        LAST.unlink(missing_ok=True)

    def tried(worker: Worker, number: int) -> str:
        mutant = chosen[number]
        if mutant.identity in known:
            return known[mutant.identity]
        outcome, by = worker.outcome(mutant, batches(mutant.path, number, files, given.seconds), files)
        print(f"{outcome}: {mutant.path}:{mutant.line}: {mutant.change}  {by}", file=sys.stderr, flush=True)
        with LAST.open("a", encoding="utf-8") as file:
            file.write(json.dumps([*mutant.identity, outcome, by]) + "\n")
        return outcome

    results = dict(zip(chosen, _shared(workers, [*range(len(chosen))], tried), strict=True))
    alive = [one for one, outcome in results.items() if outcome not in KILLED]
    killed = 1 - len(alive) / len(results)
    print(table(results))
    for seed, some in of_seed.items():
        seen = sum(results[one] in KILLED for one in some)
        print(f"\nSeed {seed}: {seen} of {len(some)} killed: {seen / len(some):.1%}")
    print()
    for one in alive:
        reason = listed.get(one.identity, "a hole")
        print(f"{one.path}:{one.line}: {one.function}: {one.change} ({results[one]}): {reason}")
    return int(killed < ENOUGH or any(one.identity not in listed for one in alive))


def _last(file: Path) -> dict[tuple[str, ...], str]:
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return {tuple(one): outcome for *one, outcome, _ in map(json.loads, lines)}


if __name__ == "__main__":
    sys.exit(main())
