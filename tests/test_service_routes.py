"""Routes of other programs to the Services that the operator makes: each fault at its place, and no false alarm."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from calling import call

from mcpcfg.compiler.check.full import Options, Report, check
from mcpcfg.compiler.project.discovery import discover

FOLDER = Path(__file__).parents[1] / "fixtures" / "projects"
BROKEN = [
    ("routes.yaml", 14, "SVC001"),
    ("routes.yaml", 20, "SVC001"),
    ("routes.yaml", 33, "SVC003"),
    ("routes.yaml", 66, "SVC001"),
    ("routes.yaml", 79, "SVC002"),
    ("routes.yaml", 94, "SVC001"),
    ("routes.yaml", 106, "SVC001"),
    ("servers.yaml", 28, "SVC001"),
    ("servers.yaml", 49, "SVC001"),
]


def checked(folder: Path) -> Report:
    return check(discover((str(folder),)), Options())


def found(folder: Path) -> list[tuple[str, int, str]]:
    return [(Path(one.span.file).name, one.span.line, one.rule) for one in checked(folder).findings]


def changed(folder: Path, file: str, written: str, put: str) -> None:
    text = (folder / file).read_text("utf-8")
    assert written in text
    (folder / file).write_text(text.replace(written, put), "utf-8")


@pytest.mark.parametrize("project", ["routes", "routes-of-others"])
def test_routes_that_lead_where_they_should_or_to_other_programs_get_no_finding(project: str) -> None:
    assert found(FOLDER / project) == []


def test_each_route_that_leads_nowhere_is_reported_at_its_place() -> None:
    assert found(FOLDER / "broken-routes") == BROKEN


def test_ports_and_names_are_fixed_as_the_hint_says(tmp_path: Path) -> None:
    shutil.copytree(FOLDER / "broken-routes", tmp_path, dirs_exist_ok=True)

    call("check", str(tmp_path), "--fix", "--unsafe-fixes")

    assert found(tmp_path) == [("routes.yaml", 33, "SVC003"), ("servers.yaml", 28, "SVC001")]
    assert "http://mcp-mcp-notes-proxy.ai:9000/mcp" in (tmp_path / "servers.yaml").read_text("utf-8")


@pytest.mark.parametrize(
    ("file", "written", "put", "rules"),
    [
        pytest.param("servers.yaml", "proxyPort: 9000", "proxyPort: 9001", ["SVC001"] * 1, id="another port"),
        pytest.param("servers.yaml", "proxyPort: 9000", "proxyPort: ${PORT}", [], id="an unknown port"),
        pytest.param("routes.yaml", "mcp-fetch-proxy", "mcp-fetch-prxy", ["SVC002"], id="a slip"),
        pytest.param("routes.yaml", "mcp-fetch-proxy", "mcp-patch-proxy", [], id="another name"),
        pytest.param("routes.yaml", "name: vmcp-vmcp-desk", "name: vmcp-desk", ["SVC002"], id="no doubled prefix"),
    ],
)
def test_what_is_made_decides(tmp_path: Path, file: str, written: str, put: str, rules: list[str]) -> None:
    shutil.copytree(FOLDER / "routes", tmp_path, dirs_exist_ok=True)

    changed(tmp_path, file, written, put)

    assert [rule for _, _, rule in found(tmp_path) if rule.startswith("SVC")] == rules


def test_a_patch_that_may_change_a_port_keeps_it_silent(tmp_path: Path) -> None:
    shutil.copytree(FOLDER / "broken-routes", tmp_path, dirs_exist_ok=True)
    patch = "- patch: |\n      - {op: replace, path: /spec/proxyPort, value: 8000}\n    target: {kind: MCPServer}\n"
    kustomization = f"resources: [routes.yaml, servers.yaml]\npatches:\n  {patch}"

    (tmp_path / "kustomization.yaml").write_text(kustomization, "utf-8")

    assert found(tmp_path) == []


def test_a_route_in_a_file_that_nothing_applies_is_not_reported(tmp_path: Path) -> None:
    shutil.copytree(FOLDER / "broken-routes", tmp_path, dirs_exist_ok=True)

    (tmp_path / "kustomization.yaml").write_text("resources: [servers.yaml]\n", "utf-8")

    assert {file for file, _, _ in found(tmp_path)} == {"servers.yaml"}
