"""``mcpcfg graph`` as people call it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import sample
from calling import call

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with one group."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text(sample.resource("MCPGroup", "tools"))
    return tmp_path


@pytest.mark.parametrize(("form", "head"), [("dot", "digraph"), ("mermaid", "flowchart"), ("html", "<!doctype html>")])
def test_a_drawing_is_printed_or_written(folder: Path, form: str, head: str) -> None:
    printed = call("graph", "--format", form)
    assert (printed.status, printed.err) == (0, "")
    assert printed.out.startswith(head)
    written = call("graph", "--format", form, "--output", "drawn")
    assert (written.status, written.out) == (0, "")
    assert (folder / "drawn").read_text("utf-8") == printed.out


def test_a_folder_that_is_not_there_is_named(folder: Path) -> None:
    outcome = call("graph", "--output", "nowhere/drawn")
    assert outcome.status == 2
    assert "cannot write nowhere/drawn: no such file or directory" in outcome.err


def test_a_named_standard_input_is_drawn_with_its_project(folder: Path) -> None:
    (folder / "mcpcfg.yaml").touch()
    server = sample.resource("MCPServer", "search", "image: a/b:1", "groupRef: {name: tools}")
    drawn = call("graph", "-", "--stdin-filename", "b.yaml", stdin=server).out
    assert "MCPGroup" in drawn
    assert "groupRef: missing" not in drawn
