"""Templates of charts are known by where they lie."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from calling import call

from mcpcfg.compiler.project.discovery import chart_templates

if TYPE_CHECKING:
    from pathlib import Path

TEMPLATES = (
    "charts/web/templates/a.yaml",
    "charts/web/templates/tests/b.yaml",
    "charts/web/charts/sub/templates/c.yaml",
    "charts/web/templates/templates/d.yaml",
)
OTHERS = (
    "charts/web/values.yaml",
    "charts/web/crds/e.yaml",
    "charts/web/files/templates/f.yaml",
    "templates/g.yaml",
    "charts/templates/h.yaml",
)
BROKEN = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nkind: MCPServer\n"


@pytest.fixture(autouse=True)
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for path in (*TEMPLATES, *OTHERS, "charts/web/Chart.yaml", "charts/web/charts/sub/Chart.yaml"):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("" if file.name == "Chart.yaml" else BROKEN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_files_below_the_templates_folder_of_a_chart_are_chart_templates() -> None:
    assert chart_templates([*TEMPLATES, *OTHERS]) == frozenset(TEMPLATES)


@pytest.mark.parametrize("folder", ["charts/web", "charts/web/templates", "charts/web/templates/tests"])
def test_chart_templates_are_the_same_from_any_current_folder(
    tree: Path, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tree / folder)
    paths = [os.path.relpath(tree / path) for path in (*TEMPLATES, *OTHERS)]
    named = [str(tree / path) for path in (*TEMPLATES, *OTHERS)]

    assert chart_templates(paths) == frozenset(os.path.relpath(tree / path) for path in TEMPLATES)
    assert chart_templates(named) == frozenset(str(tree / path) for path in TEMPLATES)


def test_a_chart_template_has_no_finding_even_if_it_is_named() -> None:
    outcome = call("check", *TEMPLATES)

    assert outcome.out == ""
    assert "4 chart templates not checked" in outcome.err
    assert outcome.status == 0


def test_a_chart_template_is_read_as_a_resource_on_request() -> None:
    assert "SYN010" in call("check", "--as", "resource", TEMPLATES[0]).out


def test_standard_input_with_the_name_of_a_chart_template_is_not_checked() -> None:
    assert "1 chart template not checked" in call("check", "-", "--stdin-filename", TEMPLATES[0], stdin=BROKEN).err
    assert "SYN010" in call("check", "-", stdin=BROKEN).out
