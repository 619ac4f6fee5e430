"""``make bench``: install the peers, run all on the same corpora, and write the table of ``docs/performance.md``."""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING, NamedTuple

import corpus
import peer

if TYPE_CHECKING:
    from collections.abc import Callable

PAGE = os.path.join(peer.ROOT, "docs", "performance.md")
BEGIN, END = "<!-- table: written by benchmarks/run.py -->", "<!-- end of table -->"
BASE = "kubeconform"
MEGA = 1024


class Cost(NamedTuple):
    """What one run took: seconds of processor and wall, the peak of memory of any of its processes, exit status."""

    cpu: float
    wall: float
    memory: float
    status: int


class Row(NamedTuple):
    """One program on one corpus, by the median of its runs."""

    size: int
    name: str
    cpu: float
    spread: float
    wall: float
    memory: float
    status: int


def measure(command: list[str], environment: dict[str, str]) -> Cost:
    """Run a command once, with all its children."""
    began = time.perf_counter()
    with open(os.devnull, "wb") as nothing:
        process = subprocess.Popen(command, stdout=nothing, stderr=nothing, env=environment)  # noqa: S603 - our own
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - began
    return Cost(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / MEGA, process.returncode)


def row(size: int, name: str, runs: int, once: Callable[[], Cost]) -> Row:
    """Return the medians of several runs."""
    costs = [once() for _ in range(runs)]
    cpu = [cost.cpu for cost in costs]
    middle = statistics.median
    return Row(
        size,
        name,
        middle(cpu),
        max(cpu) / min(cpu),
        middle(cost.wall for cost in costs),
        max(cost.memory for cost in costs),
        costs[-1].status,
    )


def ours(program: str, folder: str, size: int, runs: int) -> list[Row]:
    """Measure mcpcfg: with nothing kept, keeping, with nothing changed, and with one file changed."""
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"XDG_CACHE_HOME": cache}
        environment.pop("CI", None)
        command = [program, "check", folder]

        def cold() -> Cost:
            shutil.rmtree(os.path.join(cache, "mcpcfg"), ignore_errors=True)
            return measure(command, environment)

        def warm() -> Cost:
            return measure(command, environment)

        def changed() -> Cost:
            with open(os.path.join(folder, "000", "000004.yaml"), "a", encoding="utf-8") as file:
                file.write("# edited\n")
            return measure(command, environment)

        if size == 1:
            return [row(size, "mcpcfg", runs, lambda: measure(command, environment))]
        kept_nothing = row(size, "mcpcfg --no-cache", runs, lambda: measure([*command, "--no-cache"], environment))
        rows = [kept_nothing, row(size, "mcpcfg, empty cache", runs, cold)]
        return [
            *rows,
            row(size, "mcpcfg, nothing changed", runs, warm),
            row(size, "mcpcfg, one file changed", runs, changed),
        ]


def theirs(one: peer.Peer, folder: str, size: int, runs: int) -> Row:
    """Measure a peer."""
    command = [*one.command, folder]
    if one.expands:
        found = [os.path.join(at, name) for at, _, names in os.walk(folder) for name in names if name.endswith(".yaml")]
        command = [*one.command, *sorted(found)]
    return row(size, one.name, runs, lambda: measure(command, dict(os.environ)))


def repositories(program: str, base: peer.Peer, folders: list[str], runs: int) -> str:
    """Return a table of checkouts: each program in turn, the least of its runs, and the medians and worst of all."""
    lines = ["| repository | files | kubeconform | mcpcfg --no-cache | times | nothing changed |"]
    lines.append("| --- | ---: | ---: | ---: | ---: | ---: |")
    cold, times, warm = [], [], []
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"XDG_CACHE_HOME": cache}
        environment.pop("CI", None)
        for folder in folders:
            check = [program, "check", "--fail-on", "never", folder]
            commands = ([*base.command, "-ignore-missing-schemas", folder], [*check, "--no-cache"], check)
            measure(check, environment)
            each = [[measure(command, environment).cpu for command in commands] for _ in range(runs)]
            theirs, ours, again = map(min, zip(*each, strict=True))
            cold, times, warm = [*cold, ours], [*times, ours / theirs], [*warm, again]
            count = sum(name.endswith((".yaml", ".yml", ".json")) for _, _, names in os.walk(folder) for name in names)
            name = os.path.basename(os.path.abspath(folder))
            lines.append(f"| {name} | {count:,} | {theirs:.3f} | {ours:.3f} | {ours / theirs:.2f} | {again:.3f} |")
    for name, of in (("median", statistics.median), ("worst", max)):
        lines.append(f"| {name} | | | {of(cold):.3f} | {of(times):.2f} | {of(warm):.3f} |")
    return "\n".join(lines)


def start_up(program: str, runs: int) -> list[str]:
    """Return what starting costs, in multiples of Python's own start."""
    python = os.path.join(os.path.dirname(program), "python")
    environment = dict(os.environ)

    def best(*command: str) -> float:
        return min(measure(list(command), environment).cpu for _ in range(runs * 5))

    bare = best(python if os.path.exists(python) else sys.executable, "-c", "pass")
    times = [("--version", best(program, "--version")), ("--help", best(program, "--help"))]
    return [
        f"`mcpcfg {name}` takes {cpu * 1e3:.0f} ms, {cpu / bare:.1f} times `python -c pass`." for name, cpu in times
    ]


def table(rows: list[Row]) -> str:
    """Write the rows, each beside the peer that all are held to."""
    base = {one.size: one.cpu for one in rows if one.name == BASE}
    lines = [
        "| documents | program | CPU s | times kubeconform | spread | wall s | peak MB | exit |",
        "| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for one in rows:
        ratio = f"{one.cpu / base[one.size]:.2f}" if one.size in base else ""
        lines.append(
            f"| {one.size:,} | {one.name} | {one.cpu:.3f} | {ratio} | {one.spread:.2f} | {one.wall:.3f} "
            f"| {one.memory:.0f} | {one.status} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Measure, print, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", default=os.path.join(peer.ROOT, "build", "benchmarks"), help="for peers and corpora")
    parser.add_argument("--sizes", default="1,1000,10000", help="documents of the corpora")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--program", help="the mcpcfg to measure, instead of one installed from here")
    parser.add_argument("--no-page", action="store_true", help="print the table, and leave the page as it is")
    parser.add_argument("--repository", nargs="+", help="checkouts to measure instead of the corpora; prints a table")
    given = parser.parse_args()
    os.makedirs(given.work, exist_ok=True)
    program = given.program or peer.ours(given.work)
    peers, failed = peer.install(given.work, BASE if given.repository else None)
    if given.repository:
        base = next((peer for peer in peers if peer.name == BASE), None)
        if base is None:
            raise SystemExit(f"could not be installed: {failed[0]}")
        where = f"Seconds of CPU, the least of {given.runs} runs. Python {platform.python_version()}."
        table_of_all = repositories(program, base, given.repository, given.runs)
        sys.stdout.write(f"{table_of_all}\n\n{where}\n")
        return
    rows: list[Row] = []
    for size in map(int, given.sizes.split(",")):
        folder = os.path.join(given.work, "corpora", str(size))
        corpus.write(folder, size)
        rows += [theirs(one, folder, size, given.runs) for one in peers if size <= one.most]
        rows += ours(program, folder, size, given.runs)
    where = f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}"
    lines = [table(rows), "", f"Medians of {given.runs} runs; spread is the slowest over the fastest. {where}.", ""]
    lines += [*start_up(program, given.runs), ""]
    lines += [f"Could not be installed: {one}." for one in failed]
    text = "\n".join(lines).rstrip()
    sys.stdout.write(text + "\n")
    if not given.no_page:
        with open(PAGE, encoding="utf-8") as file:
            page = file.read()
        marks = f"{re.escape(BEGIN)}.*?{re.escape(END)}"
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(re.sub(marks, lambda _: f"{BEGIN}\n\n{text}\n\n{END}", page, flags=re.DOTALL))


if __name__ == "__main__":
    main()
