"""Routes of other programs to the Services that the operator makes: each fault at its place, and no false alarm."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from calling import call

from mcpcfg.compiler.check.full import Options, Report, check
from mcpcfg.compiler.editor.completion import completions
from mcpcfg.compiler.editor.navigation import definition
from mcpcfg.compiler.editor.subject import FileContext
from mcpcfg.compiler.project.discovery import discover

ROUTE = """apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: new
  namespace: ai
spec:
  rules:
    - backendRefs:
        """
FOLDER = Path(__file__).parents[2] / "fixtures" / "projects"
BROKEN = [
    ("vmcp.yaml", 5, "SVC001"),
    ("routes.yaml", 14, "SVC001"),
    ("routes.yaml", 20, "SVC001"),
    ("routes.yaml", 33, "SVC003"),
    ("routes.yaml", 66, "SVC001"),
    ("routes.yaml", 79, "SVC002"),
    ("routes.yaml", 94, "SVC001"),
    ("routes.yaml", 106, "SVC001"),
    ("routes.yaml", 117, "SVC002"),
    ("servers.yaml", 29, "SVC001"),
    ("servers.yaml", 50, "SVC001"),
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

    assert found(tmp_path) == [("routes.yaml", 33, "SVC003"), ("servers.yaml", 29, "SVC001")]
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

    assert {file for file, _, _ in found(tmp_path)} == {"servers.yaml", "vmcp.yaml"}  # a file of the vMCP process


def test_the_graph_draws_routes_with_what_they_lead_to() -> None:
    drawn = call("graph", str(FOLDER / "broken-routes")).out

    nodes = dict(re.findall(r'(n\d+)\["([^"]*)"\]', drawn))
    edges = re.findall(r'(n\d+) (-+\.?->)\|"([^"]*)"\| (n\d+)', drawn)
    led = {(nodes[start], label, nodes[end]) for start, _, label, end in edges}
    search = "MCPServer<br/><b>search</b>"
    assert ("HTTPRoute<br/><b>desk</b>", "rules.0.backendRefs.0", "VirtualMCPServer<br/><b>vmcp-desk</b>") in led
    assert ("VirtualService<br/><b>search</b>", "http.0.route.0.destination.host: port-missing", search) in led
    assert [start for start, label, end in led if label.startswith("backends.0.url") and end == search]


def test_a_difference_names_the_routes_that_break(tmp_path: Path) -> None:
    shutil.copytree(FOLDER / "routes", tmp_path, dirs_exist_ok=True)
    changed(tmp_path, "servers.yaml", "proxyPort: 9000", "proxyPort: 9001")
    changed(tmp_path, "servers.yaml", "  name: docs\n", "  name: wiki\n")

    shown = call("diff", "--target", "kubernetes", str(FOLDER / "routes"), str(tmp_path)).out

    lines = [line for line in shown.splitlines() if "breaks" in line]
    assert [line.partition("  (")[0] for line in lines] == [
        "- Service ai/mcp-docs-remote-proxy",
        "~ Service ai/mcp-mcp-notes-proxy",
    ]
    assert "breaks IngressRoute ai/docs)" in lines[0]
    assert "breaks MCPServer ai/search)" in lines[1]  # the Ingress names the port, which stays


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        pytest.param("- name: ", ["mcp-fetch-proxy", "mcp-mcp-notes-proxy"], id="names"),
        pytest.param("- name: mcp-mcp-notes-proxy\n          port: ", ["9000", "http"], id="ports"),
        pytest.param("- weight: ", [], id="another field"),
    ],
)
def test_names_and_ports_of_services_are_offered_in_routes(typed: str, words: list[str]) -> None:
    workspace = checked(FOLDER / "routes").workspace
    text = f"{ROUTE}{typed}"

    items = completions(text, len(text), FileContext("new.yaml"), workspace)

    assert {item.label for item in items} >= set(words)
    assert all(item.label in words for item in items if "port of" in item.detail)
    assert bool(items) is bool(words)


def test_a_name_of_another_group_is_offered_nothing() -> None:
    workspace = checked(FOLDER / "routes").workspace
    text = ROUTE.replace("gateway.networking.k8s.io", "example.org") + "- name: "

    assert completions(text, len(text), FileContext("new.yaml"), workspace) == []


def test_the_name_in_a_route_leads_to_the_resource() -> None:
    folder = FOLDER / "routes"
    text = (folder / "routes.yaml").read_text("utf-8")
    offset = text.index("mcp-mcp-notes-proxy")

    span = definition(text, offset, FileContext(str(folder / "routes.yaml")), checked(folder).workspace)

    assert span is not None
    lines = Path(span.file).read_text("utf-8").splitlines()
    assert lines[span.line - 1].strip() == "name: mcp-notes"


@pytest.mark.parametrize(
    ("written", "put"),
    [
        pytest.param("toolhive-name: fetsh", "toolhive-name: other", id="a name of another"),
        pytest.param("toolhive-name: fetsh", "toolhive-name: ${NAME}", id="an unknown name"),
        pytest.param('      toolhive: "true"\n      toolhive-name: fetsh', "      app: fetsh", id="labels of others"),
    ],
)
def test_labels_that_may_select_something_else_are_not_reported(tmp_path: Path, written: str, put: str) -> None:
    shutil.copytree(FOLDER / "broken-routes", tmp_path, dirs_exist_ok=True)
    changed(tmp_path, "routes.yaml", written, put)

    assert ("routes.yaml", 117, "SVC002") not in found(tmp_path)


def test_the_urls_of_backends_and_of_other_environments_are_looked_at(tmp_path: Path) -> None:
    shutil.copytree(FOLDER / "routes", tmp_path, dirs_exist_ok=True)
    url = "http://mcp-mcp-notes-proxy.ai:9999/mcp"
    env = f"\n  resourceOverrides: {{proxyDeployment: {{env: [{{name: NOTES, value: '{url}'}}]}}}}"
    changed(tmp_path, "servers.yaml", "  image: ghcr.io/acme/fetch:1.2", f"  image: ghcr.io/acme/fetch:1.2{env}")

    assert [rule for _, _, rule in found(tmp_path)] == ["SVC001"]
