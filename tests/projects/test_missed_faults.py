"""Faults of whole projects that no single resource shows: each at its place, and silence if in doubt."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from mcpcfg.compiler import api
from mcpcfg.compiler.fix.upgrade import upgraded
from mcpcfg.compiler.project.discovery import discover

FOLDER = Path(__file__).parents[2] / "fixtures" / "projects"
PROJECTS: dict[str, list[tuple[str, int, str]]] = {
    "login": [],
    "login-of-others": [],
    "secrets-in-use": [],
    "secrets-of-others": [],
    "misspelt-secrets": [("server.yaml", 9, "REF010")],
    "listed-files": [],
    "left-out-files-of-others": [],
    "left-out-files": [
        ("group.yaml", 3, "REF022"),
        ("kustomization.yaml", 4, "REF026"),
        ("kustomization.yaml", 4, "REF026"),
        ("kustomization.yaml", 7, "REF027"),
    ],
    "reachable-servers": [],
    "servers-of-others": [],
    "unreachable-servers": [
        ("servers.yaml", 8, "IGN011"),
        ("servers.yaml", 8, "IGN012"),
        ("servers.yaml", 10, "IGN004"),
        ("servers.yaml", 19, "IGN011"),
        ("servers.yaml", 19, "IGN012"),
        ("servers.yaml", 32, "IGN004"),
        ("servers.yaml", 34, "IGN011"),
        ("servers.yaml", 35, "IGN012"),
    ],
    "values-with-objects": [],
    "values-with-objects-of-others": [],
    "health-checks": [],
    "health-checks-of-others": [],
    "broken-health-checks": [("ks.yaml", 12, "REF025"), ("ks.yaml", 13, "ADM031"), ("ks.yaml", 14, "REF025")],
    "broken-login": [
        ("login.yaml", 48, "VMC022"),
        ("login.yaml", 48, "VMC241"),
        ("login.yaml", 57, "VMC023"),
        ("login.yaml", 73, "EAS012"),
        ("login.yaml", 73, "EAS016"),
    ],
}


def found(folder: Path) -> list[tuple[str, int, str]]:
    findings = api.check(folder).findings
    # An entry that a comment takes out of a kustomization is an info.
    assert {one.severity for one in findings if one.rule != "REF026"} <= {"warning"}
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
            "health-checks", "ks.yaml", "name: fetch, namespace: ai}\n    - {", "x: y}\n    - {", [], id="another"
        ),
        pytest.param("health-checks", "apps/fetch/server.yaml", "name: fetch", "name: fetsh", ["REF025"], id="renamed"),
        pytest.param("health-checks", "apps/fetch/server.yaml", "fetch}", "'${APP}'}", [], id="a name by variable"),
        pytest.param("broken-health-checks", "ks.yaml", "prune: true", "wait: true", [], id="wait"),
        pytest.param("broken-health-checks", "ks.yaml", "prune: true", "suspend: true", [], id="suspended"),
        pytest.param("broken-health-checks", "ks.yaml", "./apps/fetch", "./elsewhere", ["ADM031"], id="elsewhere"),
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


@pytest.mark.parametrize("field", ["extraDeploy", "extraManifests", "extraObjects", "rawResources"])
def test_a_resource_in_the_values_of_a_chart_is_checked_at_its_place(tmp_path: Path, field: str) -> None:
    text = (FOLDER / "values-with-broken-objects" / "chat.yaml").read_text("utf-8").replace("extraObjects", field)
    (tmp_path / "chat.yaml").write_text(text, "utf-8")

    (finding,) = api.check(tmp_path).findings

    assert (finding.rule, finding.span.line) == ("REF001", 17)
    assert finding.path == ("spec", "values", field, 0, "spec", "groupRef", "name")


def test_upgrade_rewrites_the_version_of_a_health_check() -> None:
    text = (FOLDER / "health-checks" / "ks.yaml").read_text("utf-8")
    project = discover((str(FOLDER / "health-checks"),), release="0.45.0")

    after = upgraded(text.replace("dev/v1beta1", "dev/v1alpha1").encode(), "ks.yaml", project)

    assert after.text.decode() == text
