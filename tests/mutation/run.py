"""``make mutants``: put small faults into the program, one at a time, and see whether the tests notice.

Each worker has a clone under ``build/mutation``: a fresh one, with no folder ``shared`` beside it. A mutant is tried by
the test files that execute its line, those of its own module first, until one fails or the time is up. What survives is
a hole in the tests, or is listed in ``survivors.tsv`` with the reason why no test can tell: module, function, change,
reason. Exit status 1 where a survivor is not listed, or less than nine tenths are killed.

A program of our own: mutmut takes a package for what its folder is called (``compiler``, where tests import
``mcpcfg.compiler``) and finds no tests for it, and cosmic-ray runs one command, all the tests, for each mutant.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import coverage_map
from mutant import Mutant, is_sound, mutants

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from coverage_map import TestFile

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "mutation"
LIST = Path(__file__).with_name("survivors.tsv")
LEAST_IN_A_ROOM = 3
SECONDS = 60  # of tests for one mutant
SLOWER = 3.0  # how many times as long tests take while their lines are recorded
LEADING = 3  # test files that are run before all others
ENOUGH = 0.9
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
    """Return mutants of all rooms: in each room one operator after the other, so that none prevails."""
    sizes = {room: sum((ROOT / path).read_bytes().count(b"\n") for path in paths) for room, paths in rooms.items()}
    found = []
    for room, quota in quotas(sizes, count).items():
        chance = random.Random(f"{seed} {room}")
        by_operator = defaultdict(list)
        for path in rooms[room]:
            for one in mutants((ROOT / path).read_bytes(), path):
                by_operator[one.operator].append(one)
        order = sorted(by_operator)
        chance.shuffle(order)
        chosen: list[Mutant] = []
        while len(chosen) < quota and any(by_operator.values()):
            for operator in order:
                if by_operator[operator] and len(chosen) < quota:
                    choices = by_operator[operator]
                    one = choices.pop(chance.randrange(len(choices)))
                    if is_sound(one, (ROOT / one.path).read_bytes()):
                        chosen.append(one)
        found += sorted(chosen)
    return found


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
        self.python = [str(environment / "bin" / "python"), "-P"]

    def outcome(self, mutant: Mutant, files: dict[str, TestFile]) -> str:
        """Return ``killed``, ``timeout``, ``survived``, or ``not executed`` where no test comes to the line."""
        chosen = _chosen(mutant, files)
        if not chosen:
            return "not executed"
        module = self.tree / mutant.path
        source, times = module.read_bytes(), module.stat()
        try:
            module.write_bytes(mutant.applied(source))
            for some in (chosen[:LEADING], chosen[LEADING:]):
                seconds = max(SECONDS, sum(files[name].seconds for name in some))
                status = coverage_map.run_tests(self.tree, self.python, some, seconds) if some else 0
                if status != 0:
                    return "timeout" if status is None else "killed"
        finally:
            module.write_bytes(source)
            # Compiled modules go by the time of their source.
            os.utime(module, ns=(times.st_atime_ns, times.st_mtime_ns))
        return "survived"


def _chosen(mutant: Mutant, files: dict[str, TestFile]) -> list[str]:
    """Return the test files that come to the line, as many as there is time for.

    First those that execute little else, then the quickest: what takes long, and comes everywhere, is left out.
    """
    within = range(mutant.first, mutant.line + 1)
    coming = [
        name for name, one in files.items() if one.passes and not set(within).isdisjoint(one.lines.get(mutant.path, ()))
    ]
    coming.sort(key=lambda name: (-files[name].share(mutant.path), name))
    coming[LEADING:] = sorted(coming[LEADING:], key=lambda name: (files[name].seconds, name))
    # They share one start, and recording lines has made all of them slower.
    start = min((one.seconds for one in files.values()), default=0.0)
    chosen, left = [], SLOWER * SECONDS
    for name in coming:
        left -= files[name].seconds - start
        if not chosen or left >= 0:
            chosen.append(name)
    return chosen


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


def test_files(workers: list[Worker]) -> dict[str, TestFile]:
    """Return what each test file executes, from the last call or by running it now."""
    tree, cache = workers[0].tree, BUILD / "coverage.json"
    names = sorted(str(path.relative_to(tree)) for path in (tree / "tests").rglob("test_*.py"))
    known = coverage_map.read(cache, tree, names)
    missing = sorted((name for name in names if name not in known), key=lambda name: "/unit/" not in name)

    def measure(worker: Worker, name: str) -> None:
        known[name] = coverage_map.measured(worker.tree, worker.python, name)
        cache.write_text(json.dumps(known))

    _shared(workers, missing, measure)
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
    options.add_argument("--seed", type=int, default=0, help="which ones")
    options.add_argument("--rooms", nargs="+", default=[], metavar="FOLDER", help="only modules in these folders")
    options.add_argument("--workers", type=int, default=2, help="number of clones that are worked in at once")
    options.add_argument(
        "--again", action="store_true", help="of the same mutants only those that the last call did not see killed"
    )
    options.add_argument("--list", action="store_true", help="print the mutants and run nothing")
    options.add_argument("--map", action="store_true", help="measure what the tests execute, and try no mutant")
    given = options.parse_args()
    chosen = sample(modules(given.rooms), given.count, given.seed)
    last = BUILD / "last.json"
    known = {tuple(one): outcome for *one, outcome in json.loads(last.read_text())} if given.again else {}
    known = {one: outcome for one, outcome in known.items() if outcome == "killed"}
    if given.list:
        print("\n".join(f"{one.path}:{one.line}: {one.operator}: {one.change}" for one in chosen))
        return 0
    BUILD.mkdir(parents=True, exist_ok=True)
    workers = [Worker(number) for number in range(given.workers)]
    files = test_files(workers)
    if given.map:
        return 0

    def tried(worker: Worker, mutant: Mutant) -> str:
        if mutant.identity in known:
            return known[mutant.identity]
        outcome = worker.outcome(mutant, files)
        print(f"{outcome}: {mutant.path}:{mutant.line}: {mutant.change}", file=sys.stderr, flush=True)
        return outcome

    results = dict(zip(chosen, _shared(workers, chosen, tried), strict=True))
    last.write_text(json.dumps([[*one.identity, outcome] for one, outcome in results.items()]))
    alive = [one for one, outcome in results.items() if outcome not in KILLED]
    listed = reasons()
    killed = 1 - len(alive) / len(results)
    print(table(results), f"\n{len(results) - len(alive)} of {len(results)} killed: {killed:.1%}\n", sep="\n")
    for one in alive:
        reason = listed.get(one.identity, "a hole")
        print(f"{one.path}:{one.line}: {one.function}: {one.change} ({results[one]}): {reason}")
    return int(killed < ENOUGH or any(one.identity not in listed for one in alive))


if __name__ == "__main__":
    sys.exit(main())
