"""``make fuzz``: attack the program with mutated fixtures, area by area, until the time is up.

Each area runs in a process of its own, one slice of time after another, so that a crash, a hang and a greedy input are
findings too. What fails is made small, written into ``tests/fuzz/found``, and held by ``make test`` from then on.
Prints how many inputs each area had; exit status 1 where something was found. The same seed draws the same inputs.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import random
import resource
import signal
import sys
import time
import traceback
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(Path(__file__).parent), str(ROOT / "tests" / "support")]

from area import FOUND, Area, fault, keep, minimised, signature  # noqa: E402 - the path is set above
from areas import AREAS  # noqa: E402 - as above
from counts import record  # noqa: E402 - as above

if TYPE_CHECKING:
    from corpus import Tree

SLICE = 60.0
PATIENCE = 150.0
"""Seconds that one input may take beyond the slice, before its process is killed."""

MEMORY = 6 * 2**30
NOW = ROOT / "build" / "fuzz"


def attack(area: Area, seed: str, seconds: float, known: set[str]) -> tuple[int, list[str]]:
    """Try inputs of an area for some time; return how many, and what was found."""
    chance, count, reports = random.Random(seed), 0, []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        tree = area.draw(chance)
        (NOW / f"{area.name}.input").write_bytes(pickle.dumps(tree))
        count += 1
        found = fault(area, tree)
        if found is None or signature(found) in known:
            continue
        known.add(signature(found))
        where = keep(area, minimised(area, tree, found))
        reports.append(f"{area.name}: {where.relative_to(ROOT)}\n{found}")
    return count, reports


def in_a_process(area: Area, seed: str, seconds: float, known: set[str]) -> tuple[int, list[str], set[str]]:
    """Attack in a child process; one that dies or hangs is a finding of the input that it had last."""
    output = NOW / f"{area.name}.result"
    last = NOW / f"{area.name}.input"
    last.write_bytes(pickle.dumps({}))
    output.unlink(missing_ok=True)
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        try:
            count, reports = attack(area, seed, seconds, known)
            output.write_text(json.dumps([count, reports, sorted(known)]))
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    end = time.monotonic() + seconds + PATIENCE + 200
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.05)
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        status = -1
    if output.exists():
        count, reports, signatures = json.loads(output.read_text())
        return count, reports, set(signatures)
    tree: Tree = pickle.loads(last.read_bytes())
    if not tree:
        raise SystemExit(f"{area.name} draws no input")
    where = keep(area, tree)
    return 0, [f"{area.name}: the process ended with {status}: {where.relative_to(ROOT)}"], known


def main() -> int:
    """Run the areas in turn, and print what came out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--seed", default=str(random.SystemRandom().randrange(10**9)))
    parser.add_argument("--areas", help="Names, with commas between; else all.")
    given = parser.parse_args()
    warnings.simplefilter("error")
    NOW.mkdir(parents=True, exist_ok=True)
    chosen = [area for area in AREAS if given.areas is None or area.name in given.areas.split(",")]
    counts = dict.fromkeys((area.name for area in chosen), 0)
    known: dict[str, set[str]] = {area.name: set() for area in chosen}
    faults = 0
    print(f"seed {given.seed}", flush=True)
    slice_, round_ = min(SLICE, given.seconds / len(chosen)), 0
    end = time.monotonic() + given.seconds
    while time.monotonic() < end - slice_ / 2 or round_ == 0:
        for area in chosen:
            count, reports, known[area.name] = in_a_process(
                area, f"{given.seed} {area.name} {round_}", slice_, known[area.name]
            )
            counts[area.name] += count
            faults += len(reports)
            for report in reports:
                print(report, flush=True)
        round_ += 1
    for area in chosen:
        record("fuzz", area.name, counts[area.name])
        print(f"{area.name:12} {counts[area.name]:>9,} inputs: {area.claim}")
    print(f"{sum(counts.values()):,} inputs, {faults} findings{f' in {FOUND.relative_to(ROOT)}' if faults else ''}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
