"""Faults of whole projects that no single resource shows: each at its place, and silence if in doubt."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcpcfg.compiler import api

FOLDER = Path(__file__).parents[1] / "fixtures" / "projects"
PROJECTS: dict[str, list[tuple[str, int, str]]] = {
    "login": [],
    "login-of-others": [],
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
