"""Repositories that declare a thing in several places get no finding, and a fault that is put into one is reported."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from calling import call

PROJECTS = Path(__file__).parents[2] / "fixtures" / "projects"
FAULTS: list[tuple[str, ...]] = [
    (
        "bootstrap-and-app",
        "apps/search/search.yaml",
        "name: staff-login\n    audience",
        "name: staff\n    audience",
        "REF004",
    ),
    ("bootstrap-and-app", "bootstrap/namespaces.yaml", "type: Opaque", 'stringData: {user: "x"}', "REF010"),
    ("bootstrap-and-app", "bootstrap/namespaces.yaml", "kind: ConfigMap", "kind: ConfigMap\nimmutable: true", "OID002"),
    ("bootstrap-and-app", "apps/search/kustomization.yaml", "search.yaml", "search.yaml\n  - ../more.yaml", "ADM090"),
    ("sops-copies", "servers/tickets.yaml", "key: token", "key: tokn", "REF010"),
    ("sops-copies", "bootstrap/secrets.yaml", "kind: Secret", "kind: Secret\nimmutable: true", "REF010"),
    ("three-clusters", "clusters/south/servers/servers.yaml", "    name: engineering", "    name: engineers", "REF001"),
    (
        "three-clusters",
        "clusters/north/kustomization.yaml",
        "- shared.yaml",
        "- shared.yaml\n  - ../lab/shared.yaml",
        "ADM090",
    ),
    ("three-clusters", "clusters/north/shared.yaml", "type: inline\n", "type: kubernetes\n", "ADM004"),
    (
        "three-clusters",
        "clusters/lab/servers/servers.yaml",
        "oidcConfigRef:\n    name: staff-login",
        "oidcConfigRef:\n    name: staff",
        "REF004",
    ),
    ("isolated-examples", "mcpcfg.yaml", "isolated: [examples/, ", "isolated: [", "ADM090"),
    (
        "isolated-examples",
        "examples/group.yaml",
        "groupRef:\n    name: tools",
        "groupRef:\n    name: engineering",
        "REF001",
    ),
    (
        "isolated-examples",
        "deploy/fetch.yaml",
        "groupRef:\n    name: engineering",
        "groupRef:\n    name: tools",
        "REF001",
    ),
    ("isolated-examples", "tests/remote/input.yaml", "remoteUrl", "remoteURL", "ADM001"),
]
MORE = {
    "bootstrap-and-app": {
        "apps/more.yaml": "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata: {name: search}\n"
        "spec:\n  image: ghcr.io/acme/search-mcp:3.2.0\n  transport: streamable-http\n"
    }
}
"""What only a fault makes use of."""


def reported(*options: str) -> set[str]:
    """Return the rules of which there are findings, of any severity."""
    return {finding["rule"] for finding in json.loads(call("check", "--format", "json", *options).out)["findings"]}


@pytest.mark.parametrize("project", sorted({fault[0] for fault in FAULTS}))
def test_a_project_that_declares_things_in_several_places_has_no_finding(
    project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(PROJECTS / project)
    assert reported() == set()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault[0]}-{fault[3]}")
def test_a_fault_in_it_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: tuple[str, ...]) -> None:
    project, file, old, new, rule = fault
    folder = tmp_path / project
    shutil.copytree(PROJECTS / project, folder)
    for name, text in MORE.get(project, {}).items():
        (folder / name).write_text(text)
    monkeypatch.chdir(folder)
    text = Path(file).read_text()
    assert old in text
    Path(file).write_text(text.replace(old, new, 1))
    assert rule in reported()
