"""The console examples of the documentation: every call is made again, and has to print what stands there."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
from calling import call

ROOT = Path(__file__).parents[1]
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
ELISION = "…"
"""A line of its own: any number of lines are left out."""


class Example(NamedTuple):
    """One call in a console block, and what is shown below it.

    Attributes:
        folder: The folder of the last `cd` above it in the block.
        piped: The command whose output it reads.
    """

    page: str
    line: int
    command: str
    shown: tuple[str, ...]
    folder: str = "."
    piped: str = ""


def examples(page: str) -> list[Example]:
    """Find the calls of ``mcpcfg`` in the console blocks of a page."""
    found: list[Example] = []
    inside = False
    for number, line in enumerate((ROOT / page).read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            inside, folder = line == "```console", "."
        elif inside and line.startswith("$ cd "):
            folder = line.removeprefix("$ cd ")
        elif inside and line.startswith("$ "):
            piped, _, command = line.removeprefix("$ ").rpartition(" | ")
            found.append(Example(page, number, command, (), folder, piped))
        elif inside and found:
            found[-1] = found[-1]._replace(shown=(*found[-1].shown, line))
    return [example for example in found if example.command.startswith("mcpcfg ")]


def output_of(command: str) -> str:
    """Return what another program prints, as it was recorded: the first line of the file is the command."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "fixtures" / "rendered").glob("*.yaml")]
    return next(text.removeprefix(f"# {command}\n") for text in texts if text.startswith(f"# {command}\n"))


EXAMPLES = [example for page in PAGES for example in examples(page)]


@pytest.fixture(autouse=True)
def _in_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Examples may write; they do it beside a copy of the fixtures that they name."""
    for folder in ("catches", "projects", "simulations", "fix", "records/project", "rendered"):
        shutil.copytree(ROOT / "fixtures" / folder, tmp_path / "fixtures" / folder)
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example.page}:{example.line}")
def test_an_example_prints_what_is_shown(example: Example, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(example.folder)
    stdin = output_of(example.piped) if example.piped else ""
    outcome = call(*shlex.split(example.command)[1:], stdin=stdin)
    assert outcome.status in (0, 1, 2)
    printed = [line.rstrip() for line in (outcome.out + outcome.err).splitlines()]
    assert re.fullmatch(_pattern(example.shown), "".join(f"{line}\n" for line in printed)), "\n".join(printed)


def _pattern(shown: tuple[str, ...]) -> str:
    return "".join(r"(?:.*\n)*?" if line == ELISION else re.escape(line.rstrip()) + r"\n" for line in shown)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) > 3
