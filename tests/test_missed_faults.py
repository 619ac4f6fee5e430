"""Faults of whole projects that no single resource shows: each at its place, and silence if in doubt."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from mcpcfg.compiler import api

FOLDER = Path(__file__).parents[1] / "fixtures" / "projects"
PROJECTS: dict[str, list[tuple[str, int, str]]] = {
    "login": [],
    "login-of-others": [],
    "secrets-in-use": [],
    "secrets-of-others": [],
    "misspelt-secrets": [("server.yaml", 9, "REF010")],
    "broken-login": [
        ("login.yaml", 48, "VMC022"),
        ("login.yaml", 48, "VMC241"),
        ("login.yaml", 57, "VMC023"),
        ("login.yaml", 73, "EAS012"),
    ],
}


def found(folder: Path) -> list[tuple[str, int, str]]:
    findings = api.check(folder).findings
    assert {one.severity for one in findings} <= {"warning"}
    return [(Path(one.span.file).relative_to(folder).as_posix(), one.span.line, one.rule) for one in findings]


@pytest.mark.parametrize("project", PROJECTS)
def test_each_fault_of_a_project_is_reported_at_its_place(project: str) -> None:
    assert found(FOLDER / project) == PROJECTS[project]


@pytest.mark.parametrize(
    ("project", "file", "written", "put", "rules"),
    [
        pytest.param("secrets-in-use", "server.yaml", "-mcp-secret", "-mpc-secret", ["REF010"], id="a slip"),
        pytest.param("secrets-in-use", "server.yaml", "context7-mcp-secret", "context7", [], id="two words less"),
        pytest.param("secrets-in-use", "server.yaml", "-mcp-secret", "-oidc-secret", [], id="another word"),
        pytest.param("misspelt-secrets", "server.yaml", "context7-secret", "'${APP}-secret'", [], id="a variable"),
        pytest.param("misspelt-secrets", "server.yaml", "ghcr.io/", "${APP}-mcp-secret/", [], id="a use by variable"),
        pytest.param("misspelt-secrets", "kustomization.yaml", "namespace: ai", "namePrefix: my-", [], id="a prefix"),
        pytest.param(
            "misspelt-secrets", "kustomization.yaml", "  - externalsecret.yaml\n", "", [], id="an unlisted Secret"
        ),
    ],
)
def test_what_the_rest_of_a_project_says_decides(
    tmp_path: Path, project: str, file: str, written: str, put: str, rules: list[str]
) -> None:
    shutil.copytree(FOLDER / project, tmp_path, dirs_exist_ok=True)
    text = (tmp_path / file).read_text("utf-8")
    assert written in text
    (tmp_path / file).write_text(text.replace(written, put), "utf-8")

    assert [rule for *_, rule in found(tmp_path)] == rules


def test_a_part_of_a_project_says_nothing_about_its_secrets() -> None:
    assert api.check(FOLDER / "misspelt-secrets" / "server.yaml").findings == []
