"""Runs other programs over the faults of ``fixtures/catches``, and writes the tables of ``docs/compared.md``.

``make compared`` runs all programs, and records what they print in ``benchmarks/compared.json``. With ``--render`` the
page is written from that record. The page is tested against it.

It installs the programs below ``build/compared``, which takes some minutes. A program that Go cannot install is taken
from the PATH.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import checkers
import peer
from catches import catches

RECORD = Path(__file__).with_suffix(".json")
PAGE = Path(peer.ROOT) / "docs" / "compared.md"
BEGIN, END = "<!-- tables: written by benchmarks/compared.py -->", "<!-- end of tables -->"
TIMED = "quantity.yaml"
"""The file that each program checks for the column of times: one resource."""
RUNS = 5
FOUND, MISSED, FALSE_ALARM, OTHER_SUBJECT = "found", "no", "false alarm", ""


def faults() -> list[str]:
    """Return the names of the files with a fault."""
    return sorted(path.name for path in checkers.CATCHES.glob("*.yaml") if path.name != "mcpcfg.yaml")


def digest() -> str:
    """Return a digest of all files, so that a record of other files is noticed."""
    whole = hashlib.sha256()
    for path in sorted(checkers.CATCHES.rglob("*.yaml")):
        whole.update(path.relative_to(checkers.CATCHES).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return whole.hexdigest()


def recorded() -> dict[str, Any]:
    """Run all programs; return what each printed about each file."""
    checkers.environment()
    work = Path(peer.ROOT) / "build" / "compared"
    work.mkdir(parents=True, exist_ok=True)
    programs = []
    for checker in checkers.checkers(work):
        programs.append(record_of(checker))
        sys.stderr.write(f"{checker.name} {checker.version}\n")
    return {"files": digest(), "release": checkers.RELEASE, "programs": programs}


def record_of(checker: checkers.Checker) -> dict[str, Any]:
    """Run one program over all files, wrong and right."""
    record: dict[str, Any] = {"name": checker.name, "version": checker.version, "call": checker.call}
    if checker.check is None:
        return record
    files = [checkers.CATCHES / folder / name for name in faults() for folder in ("", "right")]
    reported = checker.check(files)
    record["reported"] = {file.relative_to(checkers.CATCHES).as_posix(): lines for file, lines in reported.items()}
    if checker.timed:
        record["milliseconds"] = round(min(processor_time(checker.timed) for _ in range(RUNS)) * 1000)
    return record


def processor_time(words: tuple[str, ...]) -> float:
    """Return the seconds of processor that a check of one file takes with all its processes. No other file is near."""
    import resource  # Windows lacks it, and the tests of the page run there

    def used() -> float:
        total = resource.getrusage(resource.RUSAGE_CHILDREN)
        return total.ru_utime + total.ru_stime

    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(checkers.CATCHES / TIMED, folder)
        before = used()
        subprocess.run([*words, TIMED], cwd=folder, capture_output=True, check=False)  # noqa: S603 - a peer
    return used() - before


def verdict(program: dict[str, Any], name: str) -> str:
    """Return whether a program finds a fault. A program that reports the right file, too, has not found it."""
    reported = program["reported"]
    if name not in reported:
        return OTHER_SUBJECT
    if reported[f"right/{name}"]:
        return FALSE_ALARM
    return FOUND if reported[name] else MISSED


def tables(record: dict[str, Any]) -> str:
    """Return the tables of the page: which program finds which fault, and what each was called with."""
    programs = [program for program in record["programs"] if "reported" in program]
    lines = [f"| fault | {' | '.join(program['name'] for program in programs)} |", f"| --- |{' :-: |' * len(programs)}"]
    for catch in catches().values():
        verdicts = " | ".join(verdict(program, f"{catch.name}.yaml") for program in programs)
        lines.append(f"| [{catch.title}](catches.md#{catch.anchor}) | {verdicts} |")
    many = {program["name"]: [verdict(program, name) for name in faults()].count(FOUND) for program in programs}
    lines.append(f"| **found of {len(faults())}** | {' | '.join(f'**{count}**' for count in many.values())} |")
    lines += ["", "| program | version | call | false alarms | one resource |", "| --- | --- | --- | ---: | ---: |"]
    for program in record["programs"]:
        row = f"| {program['name']} | {program['version']} | `{program['call']}` | "
        if "reported" not in program:
            lines.append(f"{row}| |")
            continue
        alarms = [verdict(program, name) for name in faults()].count(FALSE_ALARM)
        time = f"{program['milliseconds']} ms" if "milliseconds" in program else ""
        lines.append(f"{row}{alarms} | {time} |")
    return "\n".join(lines)


def page(text: str, record: dict[str, Any]) -> str:
    """Return the text of the page with the tables of a record."""
    before, _, rest = text.partition(BEGIN)
    block = f'<div class="compact" markdown>\n\n{tables(record)}\n\n</div>'
    return f"{before}{BEGIN}\n\n{block}\n\n{END}{rest.partition(END)[2]}"


def main() -> None:
    """Run the programs unless only the page is wanted, and write the page."""
    if "--render" not in sys.argv:
        RECORD.write_text(json.dumps(recorded(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), record), encoding="utf-8")


if __name__ == "__main__":
    main()
