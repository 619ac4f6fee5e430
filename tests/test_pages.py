"""The pages of the documentation: their links lead somewhere, and the files that they name are there."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from mcpcfg.compiler.cli.main import COMMANDS
from mcpcfg.compiler.diagnostics.retired import RETIRED
from mcpcfg.validators.registry import all_rules

ROOT = Path(__file__).parents[1]
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"\]\((?!https?:)([^)\s#]*)(?:#([^)\s]*))?\)")
NAMED = re.compile(r"`((?:benchmarks|compiler|docs|fixtures|schemas|templates|tests|validators)/[\w./-]*)`")
BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
UNPUBLISHED = re.compile(r"(?:pipx? install|pipx run|uvx) '?mcpcfg\b|mcpcfg==|uses: mcpcfg/|(?:com|io)/mcpcfg\b")
"""A package and repositories of our name that are anybody's, for as long as there is no release."""
SPAN = re.compile(r"`[^`\n]*`")


def prose(page: str) -> str:
    """Return the text of a page without its blocks of code."""
    return BLOCK.sub("", (ROOT / page).read_text(encoding="utf-8"))


def links(page: str) -> list[tuple[str, str]]:
    """Return path and anchor of the links within the project."""
    return LINK.findall(SPAN.sub("", prose(page)))


def anchors(text: str) -> set[str]:
    """Return the anchors of the headings of a page, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    broken = []
    for path, anchor in links(page):
        target = (ROOT / page).parent / path if path else ROOT / page
        if not target.exists() or (anchor and anchor not in anchors(prose(os.path.relpath(target, ROOT)))):
            broken.append(f"{path}#{anchor}")
    assert broken == []


@pytest.mark.parametrize("page", PAGES)
def test_files_that_are_named_are_there(page: str) -> None:
    assert [path for path in NAMED.findall(prose(page)) if not (ROOT / path).exists()] == []


def test_every_page_is_reached_from_the_readme() -> None:
    reached = {"README.md"}
    waiting = ["README.md"]
    while waiting:
        page = waiting.pop()
        for path, _ in links(page):
            target = os.path.relpath((ROOT / page).parent / path, ROOT) if path else page
            target = os.path.join(target, "index.md") if (ROOT / target).is_dir() else target
            if target.endswith(".md") and target not in reached:
                reached.add(target)
                waiting.append(target)
    assert set(PAGES) - reached == set()


def test_the_readme_names_every_command() -> None:
    named = set(re.findall(r"`(?:mcpcfg )?([a-z]+)[^`]*`", prose("README.md")))
    assert set(COMMANDS) - named == set()


def test_nothing_is_installed_from_where_nobody_has_published_it() -> None:
    texts = [*(ROOT / "docs").rglob("*.*"), *(ROOT / "templates").glob("*.j2"), *(ROOT / "compiler").rglob("*.py")]
    named = {
        f"{path.relative_to(ROOT)}: {found}"
        for path in [*texts, *ROOT.glob("*.md"), ROOT / "action.yml"]
        if path.suffix not in {".png", ".pyc"}
        for found in UNPUBLISHED.findall(path.read_text(encoding="utf-8"))
    }
    assert named == set()


def test_every_room_is_in_the_list_of_rooms() -> None:
    named = {name.rstrip("/").rpartition("/")[2] for name in re.findall(r"`([\w./]+)`", prose("docs/architecture.md"))}
    folders = [entry for entry in (ROOT / "compiler").iterdir() if not entry.name.startswith("__")]
    rooms = {entry.name for entry in folders if (entry / "__init__.py").exists() or entry.suffix == ".py"}
    assert rooms - named == set()


def test_the_changelog_knows_which_rules_there_are() -> None:
    text = prose("CHANGELOG.md")
    named = set(re.findall(r"\b[A-Z]{3}\d{3}\b", text))
    removed = set(re.findall(r"\b[A-Z]{3}\d{3}\b", text.partition("### Removed")[2].partition("\n### ")[0]))
    successors = {successor for successor in RETIRED.values() if successor}
    assert set(RETIRED) <= removed <= {*RETIRED, *successors}
    assert named - set(RETIRED) <= set(all_rules())


def test_the_ways_of_a_fault_and_of_a_field_name_code_that_exists() -> None:
    ways = (ROOT / "docs/architecture.md").read_text("utf-8").partition("## One fault, end to end")[2]
    named = re.findall(r"`([a-z_/]+\.py)`((?: `[A-Za-z_.]+`)+)", ways.partition("## Subsystems")[0])
    missing = [
        f"{file} {name}"
        for file, names in named
        for name in re.findall(r"[A-Za-z_.]+", names)
        if not re.search(
            rf"(?m)\b(?:def|class) {name.rpartition('.')[2]}\b|^    {name}: ",
            (ROOT / "compiler" / file if (ROOT / "compiler" / file).exists() else ROOT / file).read_text("utf-8"),
        )
    ]
    assert len(named) > 20
    assert missing == []
