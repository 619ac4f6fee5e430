"""Projects as real repositories hold them, full of other programs' files: not one finding, and each fault is reported.

Each project has a row of faults: the file, what stands in it, what is put there, and the rule that reports it.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from mcpcfg.compiler.check.full import Options, Report, check
from mcpcfg.compiler.project.discovery import discover

FOLDER = Path(__file__).parents[2] / "fixtures" / "projects"

FAULTS: dict[str, list[tuple[str, str, str, str]]] = {
    "agent-skills": [
        ("servers/files.yaml", "toolsFilter: [", "toolFilter: [", "ADM001"),
        ("servers/files.yaml", "    name: reading-alone", "    name: reading-all", "REF002"),
    ],
    "application": [
        ("deploy/shop.yaml", "transport: streamable-http", "transport: http", "ADM004"),
        ("deploy/shop.yaml", "kind: MCPServer", "kind: MCPServr", "ADM030"),
        ("deploy/shop.yaml", "  transport: streamable-http", "  transport: stdio\n  transport: stdio", "SYN010"),
    ],
    "argo-applications": [
        ("servers/docs.yaml", "    name: login\n    audience", "    name: log-in\n    audience", "REF004"),
        ("servers/docs.yaml", "https://docs.example.org/mcp", "{{.params.docs}}", "SYN013"),
    ],
    "chart-of-servers": [
        ("teams/search.yaml", "    name: research\n---", "    name: researchers\n---", "REF001"),
        ("teams/group.yaml", "description", "descripton", "ADM001"),
    ],
    "flux-releases": [
        ("servers/weather.yaml", "  image: ", "  imagee: ", "ADM001"),
        ("servers/weather.yaml", "toolhive.stacklok.dev/", "toolhive.stacklok.com/", "ADM032"),
        ("servers/weather.yaml", "  transport: ", "\ttransport: ", "SYN002"),
    ],
    "postgres-and-grafana": [
        ("servers/notes.yaml", "cpu: 200m", "cpu: 200 m", "RES001"),
        ("servers/notes.yaml", "      <<: *limits\n      cpu: 50m", "      <<: *limit\n      cpu: 50m", "SYN012"),
    ],
    "sops-secrets": [
        ("servers/tracker.yaml", "      key: token", "      key: tokens", "REF010"),
        ("servers/tracker.yaml", "mcpPort: 8000", "mcpPort: '8000'", "ADM002"),
    ],
}

CASES = [(project, *fault) for project, faults in FAULTS.items() for fault in faults]


def checked(folder: Path) -> Report:
    return check(discover((str(folder),)), Options())


@pytest.mark.parametrize("project", FAULTS)
def test_not_one_finding_is_reported(project: str) -> None:
    report = checked(FOLDER / project)

    assert [f"{one.span.file}: {one.rule} {one.message}" for one in report.findings] == []
    assert report.loaded.resources


@pytest.mark.parametrize(("project", "file", "written", "broken", "rule"), CASES)
def test_a_fault_that_is_put_into_one_is_reported(
    tmp_path: Path, project: str, file: str, written: str, broken: str, rule: str
) -> None:
    shutil.copytree(FOLDER / project, tmp_path, dirs_exist_ok=True)
    text = (tmp_path / file).read_text(encoding="utf-8")
    assert text.count(written) == 1
    (tmp_path / file).write_text(text.replace(written, broken), encoding="utf-8")

    findings = checked(tmp_path).findings

    assert {one.span.file for one in findings if one.rule == rule} == {str(tmp_path / file)}
