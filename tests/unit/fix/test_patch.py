"""Patches are made from where the edits are: they apply, they are small, and many alike lines cost nothing."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.fix.edit import Edit, apply_edits
from mcpcfg.compiler.fix.fix import fix_file
from mcpcfg.compiler.fix.patch import Trail, unified
from mcpcfg.compiler.project.discovery import Project
from mcpcfg.compiler.project.settings import ProjectSettings

FIXTURES = Path(__file__).parents[3] / "fixtures" / "fix"
CASES = sorted(path for path in FIXTURES.iterdir() if ".expected" not in path.name)
PROJECT = Project((), None, complete=True, settings=ProjectSettings(), root=".")
TEXTS = st.lists(st.sampled_from(["a", "b", "\n", "\n", "\r\n", "\u2028"]), max_size=40).map("".join)


def diff_of(text: str, *edits: Edit) -> str:
    return unified(text, edits, "a.yaml")


def applied(text: str, diff: str) -> str:
    """Apply a unified diff, with every count and place as it states."""
    old = [line for line in re.split(r"(?<=\n)", text) if line]
    out: list[str] = []
    at = 0
    for hunk in re.split(r"^@@ ", diff, flags=re.MULTILINE)[1:]:
        head, _, body = hunk.partition("\n")
        numbers = re.fullmatch(r"-(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", head)
        assert numbers is not None
        first, count, new_first, new_count = (1 if one is None else int(one) for one in numbers.groups())
        lines = re.split(r"(?<=\n)(?!\\)", body.replace("\n\\ No newline at end of file\n", "\0"))
        lines = [one for line in lines for one in re.split(r"(?<=\0)", line) if one]
        before, after = ([line[1:].removesuffix("\0") for line in lines if line[0] in sign] for sign in (" -", " +"))
        start = first - 1 if count else first
        out += old[at:start]
        assert (old[start : start + count], len(before)) == (before, count)
        assert (len(out) + 1 if new_count else len(out), len(after)) == (new_first, new_count)
        out += after
        at = start + count
    return "".join([*out, *old[at:]])


@st.composite
def edit_lists(draw: st.DrawFn, length: int) -> list[Edit]:
    places = sorted(draw(st.sets(st.integers(0, length), max_size=8)))
    pairs = zip(places[::2], places[1::2], strict=False)
    return [Edit(start, end, draw(TEXTS)) for start, end in pairs]


@given(text=TEXTS, data=st.data())
def test_a_patch_of_successive_edits_gives_the_same_text_as_the_edits(text: str, data: st.DataObject) -> None:
    now, trail = text, Trail(len(text))
    for _ in range(data.draw(st.integers(1, 3))):
        edits = data.draw(edit_lists(len(now)))
        trail.follow(edits)
        now = apply_edits(now, edits)

    assert apply_edits(text, trail.edits()) == now
    assert applied(text, unified(text, trail.edits(), "a.yaml")) == now


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_git_applies_the_patch_of_a_fixed_file(case: Path, tmp_path: Path) -> None:
    after = fix_file(case.read_bytes(), case.name, PROJECT, unsafe=True)
    (tmp_path / "a b.yaml").write_bytes(case.read_bytes())

    patch = unified(case.read_bytes().decode(), after.edits, "a b.yaml")
    if patch:
        subprocess.run(["git", "apply", "-"], input=patch.encode(), check=True, cwd=tmp_path)

    assert (tmp_path / "a b.yaml").read_bytes() == after.text


@pytest.mark.parametrize("name", ["a b.yaml", "a\tb.yaml", 'a"b.yaml', "a\\b.yaml", "ü.yaml", "a\nb.yaml"])
def test_git_finds_the_file_whatever_it_is_called(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("a\n")

    patch = unified("a\n", [Edit(0, 1, "b")], name)
    subprocess.run(["git", "apply", "-"], input=patch.encode(), check=True, cwd=tmp_path)

    assert (tmp_path / name).read_text() == "b\n"


def test_a_change_is_shown_with_three_lines_around_it() -> None:
    text = "".join(f"{number}\n" for number in range(20))

    assert diff_of(text, Edit(10, 11, "five")) == (
        "--- a/a.yaml\n+++ b/a.yaml\n@@ -3,7 +3,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
    )


def test_changes_that_are_near_share_a_hunk() -> None:
    text = "".join(f"{number}\n" for number in range(10))

    assert diff_of(text, Edit(0, 1, "x"), Edit(14, 15, "y")).count("@@ -") == 1
    assert diff_of(text, Edit(0, 1, "x"), Edit(16, 17, "y")).count("@@ -") == 2


def test_a_line_feed_alone_ends_a_line() -> None:
    assert diff_of("a: \u2028b\r\nc", Edit(0, 1, "x")).splitlines(keepends=True)[3:] == [
        "-a: \u2028",
        "b\r\n",
        "+x: \u2028",
        "b\r\n",
        " c\n",
        "\\ No newline at end of file\n",
    ]


def test_edits_that_change_nothing_have_no_patch() -> None:
    assert diff_of("a\n", Edit(0, 1, "a")) == ""
    assert diff_of("a\n") == ""
