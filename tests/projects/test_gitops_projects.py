"""Projects as repositories of Flux, Argo CD and kustomize hold them: silence, and each fault at its place.

A fault is a file, what stands in it, what is put there, the rule that reports it first, and where.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from mcpcfg.compiler import api
from mcpcfg.compiler.diagnostics.budget import OF_PROJECT, Budget
from mcpcfg.compiler.project.delivery import as_kustomizations

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).parents[2] / "fixtures" / "projects"

FAULTS: dict[str, list[tuple[str, str, str, str, str]]] = {
    "home-operations": [
        (
            "kubernetes/apps/ai/toolhive/servers/memory/server.yaml",
            "groupRef:\n    name: tools",
            "groupRef:\n    name: house",
            "REF001",
            "kubernetes/apps/ai/toolhive/servers/memory/server.yaml:12",
        ),
        (
            "kubernetes/apps/ai/toolhive/servers/memory/server.yaml",
            "audience: http://memory.ai.",
            "audience: http://memory.default.",
            "AUT049",
            "kubernetes/apps/ai/toolhive/servers/memory/server.yaml:15",
        ),
        (
            "kubernetes/apps/ai/toolhive/servers/memory/server.yaml",
            "mcpPort: 8000",
            "mcpPort: ${REDIS}",
            "ADM002",
            "kubernetes/apps/ai/toolhive/servers/memory/server.yaml:10",
        ),
        (
            "kubernetes/apps/ai/toolhive/servers/search/server.yaml",
            "key: token",
            "key: api-token",
            "REF010",
            "kubernetes/apps/ai/toolhive/servers/search/server.yaml:17",
        ),
        (
            "kubernetes/apps/ai/toolhive/servers/search/externalsecret.yaml",
            "secretKey: token",
            "secretKey: key",
            "REF010",
            "kubernetes/apps/ai/toolhive/servers/search/server.yaml:17",
        ),
        (
            "kubernetes/apps/ai/toolhive/servers/search/server.yaml",
            "proxyMode: streamable-http",
            "proxyMode: streamable",
            "ADM004",
            "kubernetes/apps/ai/toolhive/servers/search/server.yaml:9",
        ),
        (
            "kubernetes/apps/ai/toolhive/config/externalsecret.yaml",
            "hmac: ",
            "hmac-secret: ",
            "REF010",
            "kubernetes/apps/ai/toolhive/config/login.yaml:25",
        ),
        (
            "kubernetes/apps/ai/toolhive/config/login.yaml",
            "issuerUrl: https://sso.",
            "issuerUrl: http://sso.",
            "ADM005",
            "kubernetes/apps/ai/toolhive/config/login.yaml:30",
        ),
        (
            "kubernetes/apps/ai/toolhive/config/group.yaml",
            "  name: tools",
            "  name: tool",
            "REF001",
            "kubernetes/apps/ai/toolhive/servers/memory/server.yaml:12",
        ),
        (
            "kubernetes/apps/ai/toolhive/config/kustomization.yaml",
            "  - ./group.yaml\n",
            "",
            "REF026",
            "kubernetes/apps/ai/toolhive/config/kustomization.yaml:1",
        ),
        (
            "kubernetes/flux/vars/cluster-settings.yaml",
            'PROXY_PORT: "8080"',
            'PROXY_PORT: "80800"',
            "ADM006",
            "kubernetes/apps/ai/toolhive/servers/memory/server.yaml:9",
        ),
        (
            "kubernetes/flux/vars/cluster-settings.yaml",
            "TRANSPORT: streamable-http",
            "TRANSPORT: http",
            "ADM004",
            "kubernetes/apps/ai/toolhive/servers/memory/server.yaml:8",
        ),
        (
            "kubernetes/apps/home/assistant-mcp/ks.yaml",
            "  name: &app assistant-mcp",
            "  name: &app Assistant_MCP",
            "ADM020",
            "kubernetes/apps/home/assistant-mcp/app/server.yaml:10",
        ),
        (
            "kubernetes/apps/ai/toolhive/ks.yaml",
            "  namespace: &namespace ai\n",
            "  namespace: &namespace assistants\n",
            "REF001",
            "kubernetes/apps/ai/toolhive/servers/memory/server.yaml:12",
        ),
        (
            "kubernetes/apps/ai/toolhive/config/login.yaml",
            "    issuer: https://mcp.${DOMAIN}\n    jwks",
            "    issuer: https://login.${DOMAIN}\n    jwks",
            "AUT043",
            "kubernetes/apps/ai/toolhive/servers/memory/server.yaml:14",
        ),
    ],
    "values-of-clusters": [
        (
            "clusters/north/servers.yaml",
            "DOCS_HOST: docs.north.example.org",
            "DOCS_HOST: localhost",
            "URL002",
            "base/servers/docs.yaml:6",
        ),
        ("clusters/north/servers.yaml", 'PORT: "8080"', "PORT: none", "ADM002", "base/servers/weather.yaml:9"),
        ("clusters/south/servers.yaml", 'PORT: "8081"', 'PORT: "0"', "ADM006", "base/servers/weather.yaml:9"),
        ("clusters/south/servers.yaml", "TEAM: forecast", "TEAM: climate", "REF001", "servers/south/own.yaml:16"),
        ("clusters/south/servers.yaml", "CLUSTER: south", "CLUSTER: South_1", "ADM020", "servers/south/own.yaml:9"),
        ("servers/lab/own.yaml", "name: login", "name: log-in", "REF004", "servers/lab/own.yaml:31"),
        ("servers/lab/own.yaml", "name: own-${TEAM}", "name: ${TEAM}-own", "REF001", "servers/lab/own.yaml:16"),
        ("servers/north/login.yaml", "issuer: https", "isuer: https", "REF004", "base/servers/docs.yaml:10"),
        (
            "base/servers/weather.yaml",
            "transport: streamable-http",
            "transport: streamable",
            "ADM004",
            "base/servers/weather.yaml:7",
        ),
        ("base/servers/docs.yaml", "audience: docs-${CLUSTER}", "audience: ''", "ADM007", "base/servers/docs.yaml:11"),
        ("base/servers/docs.yaml", "name: login", "name: logon", "REF004", "base/servers/docs.yaml:10"),
        ("base/servers/docs.yaml", "  remoteUrl:", "  remoteURL:", "ADM001", "base/servers/docs.yaml:6"),
    ],
    "app-of-apps": [
        ("servers/code/github.yaml", "name: shared", "name: team", "REF001", "servers/code/github.yaml:9"),
        ("servers/code/secret.yaml", "token: ", "tokn: ", "REF010", "servers/code/github.yaml:12"),
        (
            "applications/servers.yaml",
            "namespace: assistants",
            "namespace: servers",
            "REF001",
            "gateway/base/gateway.yaml:7",
        ),
        (
            "servers/docs/entry.yaml",
            "remoteUrl: https://docs.example.org",
            "remoteUrl: https://docs.svc.cluster.local",
            "URL002",
            "servers/docs/entry.yaml:6",
        ),
        (
            "servers/docs/entry.yaml",
            "transport: streamable-http",
            "transport: stdio",
            "ADM004",
            "servers/docs/entry.yaml:7",
        ),
        ("gateway/base/gateway.yaml", "name: login", "name: logon", "REF004", "gateway/base/gateway.yaml:11"),
        (
            "gateway/base/gateway.yaml",
            "groupRef:\n    name: shared",
            "groupRef:\n    name: own",
            "REF001",
            "gateway/base/gateway.yaml:7",
        ),
        (
            "gateway/base/gateway.yaml",
            "conflictResolution: prefix",
            "conflictResolution: prefixed",
            "ADM004",
            "gateway/base/gateway.yaml:15",
        ),
        (
            "gateway/overlays/production/kustomization.yaml",
            "  - login.yaml\n",
            "",
            "REF022",
            "gateway/base/gateway.yaml:11",
        ),
        (
            "teams/search/servers.yaml",
            "groupRef:\n    name: own",
            "groupRef:\n    name: shared",
            "REF001",
            "teams/search/servers.yaml:14",
        ),
        (
            "teams/support/servers.yaml",
            "transport: stdio",
            "transport: stdoi",
            "ADM004",
            "teams/support/servers.yaml:12",
        ),
        (
            "gateway/overlays/production/login.yaml",
            "    issuer:",
            "    isuer:",
            "REF004",
            "gateway/base/gateway.yaml:11",
        ),
    ],
    "overlays-and-patches": [
        ("base/notes.yaml", "name: office", "name: offices", "REF001", "base/notes.yaml:10"),
        ("base/desk.yaml", "          - notes", "          - note", "VMC212", "base/desk.yaml:15"),
        ("base/kustomization.yaml", "  - group.yaml\n", "", "REF022", "base/desk.yaml:7"),
        ("overlays/staging/notes.yaml", "  env:", "  evn:", "ADM001", "overlays/staging/notes.yaml:6"),
        ("overlays/staging/notes.yaml", "value: debug", "value: 5", "ADM002", "overlays/staging/notes.yaml:8"),
        (
            "overlays/production/notes.yaml",
            "  env:",
            "  transport: http\n  env:",
            "ADM004",
            "overlays/production/notes.yaml:6",
        ),
        (
            "overlays/production/kustomization.yaml",
            "serviceType: ClusterIP",
            "serviceType: Cluster",
            "ADM004",
            "overlays/production/kustomization.yaml:19",
        ),
        (
            "overlays/production/kustomization.yaml",
            "spec:\n        serviceType",
            "spec:\n        serviceTypo",
            "ADM001",
            "overlays/production/kustomization.yaml:19",
        ),
        ("components/telemetry/traces.yaml", "metrics:", "metric:", "REF005", "base/notes.yaml:12"),
        ("base/desk.yaml", "priorityOrder:", "priority:", "ADM001", "base/desk.yaml:14"),
        ("base/notes.yaml", "transport: streamable-http", "transport: streamable-htp", "ADM004", "base/notes.yaml:7"),
        ("components/telemetry/kustomization.yaml", "  - traces.yaml\n", "", "REF022", "base/notes.yaml:12"),
        ("base/notes.yaml", "name: traces", "name: trace", "REF005", "base/notes.yaml:12"),
    ],
    "secrets-from-elsewhere": [
        (
            "platform/assistants/issues.yaml",
            "key: token",
            "key: tokens",
            "REF010",
            "platform/assistants/issues.yaml:12",
        ),
        (
            "platform/assistants/secrets.yaml",
            "        host: https",
            "        hots: https",
            "REF010",
            "platform/assistants/issues.yaml:15",
        ),
        (
            "platform/assistants/secrets.yaml",
            "mergePolicy: Merge\n      data:\n        host",
            "data:\n        hosts",
            "REF010",
            "platform/assistants/issues.yaml:15",
        ),
        ("platform/assistants/mail.yaml", "key: password", "key: passwd", "REF010", "platform/assistants/mail.yaml:13"),
        (
            "platform/assistants/secrets.yaml",
            "        password:\n",
            "        pasword:\n",
            "REF010",
            "platform/assistants/mail.yaml:13",
        ),
        (
            "platform/assistants/warehouse.yaml",
            "tokenUrl: https",
            "tokenUrl: htps",
            "AUT047",
            "platform/assistants/warehouse.yaml:8",
        ),
        (
            "platform/assistants/warehouse.yaml",
            "name: exchange\n---\n",
            "name: xchange\n---\n",
            "REF003",
            "platform/assistants/warehouse.yaml:27",
        ),
        (
            "platform/assistants/warehouse.yaml",
            "  name: exchange\nspec:",
            "  name: xchange\nspec:",
            "REF003",
            "platform/assistants/warehouse.yaml:27",
        ),
        (
            "platform/gateway/gateway.yaml",
            "transport: streamable-http",
            "transport: stdio",
            "ADM004",
            "platform/gateway/gateway.yaml:12",
        ),
        (
            "platform/gateway/gateway.yaml",
            "kind: MCPGroup\nmetadata:\n  name: front",
            "kind: MCPGroup\nmetadata:\n  name: staff",
            "REF001",
            "platform/gateway/gateway.yaml:14",
        ),
        (
            "platform/assistants/kustomization.yaml",
            "  - group.yaml\n",
            "",
            "REF022",
            "platform/assistants/issues.yaml:9",
        ),
        ("platform/assistants/group.yaml", "name: staff", "name: staf", "REF001", "platform/assistants/issues.yaml:9"),
    ],
}
CASES = [(project, *fault) for project, faults in FAULTS.items() for fault in faults]


def reported(folder: Path) -> list[tuple[str, str]]:
    findings = [one for one in api.check(folder).findings if one.severity != "info"]
    return [(one.rule, f"{Path(one.span.file).relative_to(folder).as_posix()}:{one.span.line}") for one in findings]


@pytest.mark.parametrize("project", FAULTS)
def test_a_sound_project_passes_in_silence(project: str) -> None:
    report = api.check(FOLDER / project)

    assert [f"{one.span.file}: {one.rule} {one.message}" for one in report.findings] == []
    assert "default" not in {one.printed_namespace for one in report.loaded.resources if one.name != "calendar"}


def test_each_project_has_a_dozen_faults() -> None:
    assert min(Counter(project for project, *_ in CASES).values()) >= 12


@pytest.mark.parametrize(("project", "file", "written", "broken", "rule", "place"), CASES)
def test_a_fault_is_reported_where_a_person_edits(  # noqa: PLR0917 - a row of the table
    tmp_path: Path, project: str, file: str, written: str, broken: str, rule: str, place: str
) -> None:
    shutil.copytree(FOLDER / project, tmp_path, dirs_exist_ok=True)
    text = (tmp_path / file).read_text(encoding="utf-8")
    assert written in text
    (tmp_path / file).write_text(text.replace(written, broken, 1), encoding="utf-8")

    assert reported(tmp_path)[0] == (rule, place)


def test_a_value_from_elsewhere_has_a_note_to_what_states_it(tmp_path: Path) -> None:
    shutil.copytree(FOLDER / "home-operations", tmp_path, dirs_exist_ok=True)
    settings = tmp_path / "kubernetes/flux/vars/cluster-settings.yaml"
    settings.write_text(settings.read_text().replace("TRANSPORT: streamable-http", "TRANSPORT: http"))

    (finding,) = [one for one in api.check(tmp_path).findings if one.severity == "error"]

    (place,) = [note.span for note in finding.notes if note.span and note.span.file == str(settings)]
    assert place.line == 10


def test_an_audience_that_misses_the_resource_url_by_the_namespace_is_reported_at_the_first_commit(
    tmp_path: Path,
) -> None:
    """The namespace stands in the Kustomization of Flux alone; the address that it leads to is the audience."""
    shutil.copytree(FOLDER / "home-operations", tmp_path, dirs_exist_ok=True)
    server = tmp_path / "kubernetes/apps/ai/toolhive/servers/memory/server.yaml"
    server.write_text(server.read_text().replace("http://memory.ai.", "http://memory.default."))

    (finding,) = [one for one in api.check(tmp_path).findings if one.severity != "info"]

    assert (finding.name, finding.span.file) == ("refused-audience", str(server))
    assert "http://memory.ai.svc.cluster.local:8080" in f"{finding.message} {finding.hint}"


COMMITS = [json.loads(line) for line in (FOLDER.parent / "stories" / "nine-commits.jsonl").read_text().splitlines()]


@pytest.mark.parametrize(("number", "commit"), [*enumerate(COMMITS, 1)])
def test_each_faulty_commit_of_a_real_history_is_reported(
    tmp_path: Path, number: int, commit: dict[str, object]
) -> None:
    """Each of them is what somebody tried next; a plain check knows the namespace from the Kustomization of Flux."""
    shutil.copytree(FOLDER / "home-operations", tmp_path, dirs_exist_ok=True)
    server = tmp_path / "kubernetes/apps/ai/toolhive/servers/memory/server.yaml"
    before, after = server.read_text().split("  oidcConfigRef:\n")
    rest = after[after.index("  externalAuthConfigRef") :]
    server.write_text(f"{before}  oidcConfigRef: {json.dumps(commit['oidcConfigRef'])}\n{rest}")

    place = ("AUT049", "kubernetes/apps/ai/toolhive/servers/memory/server.yaml:13")
    assert reported(tmp_path)[:1] == ([place] if number < len(COMMITS) else [])


KUSTOMIZE = shutil.which("kustomize")


@pytest.mark.skipif(KUSTOMIZE is None, reason="no kustomize is installed")
@pytest.mark.parametrize("project", FAULTS)
def test_the_namespaces_are_those_of_what_kustomize_builds(tmp_path: Path, project: str) -> None:
    """Each folder with a kustomization is built; Flux and Argo CD set the namespace of those that they apply."""
    folder = tmp_path / project
    shutil.copytree(FOLDER / project, folder)
    read = api.check(folder).loaded
    stated = [facts for facts in read.facts.values() if facts is not None]
    written = [one for facts in stated for one in facts.delivery.kustomizations]
    chain = as_kustomizations(
        [one for facts in stated for one in facts.delivery.controllers], written, read.facts, Budget(OF_PROJECT)
    )
    known = {(one.kind, one.name, one.namespace) for one in read.resources}
    kinds = {(one.kind, one.namespace) for one in read.resources}
    by_folder = {one.folder: one for one in written}
    listed = {path for one in written for path in one.listed}
    roots = [one for one in chain if one.applied_by] or [one for one in written if one.folder not in listed]
    built = 0
    for root in roots:
        for path in sorted(root.listed & by_folder.keys()) if root.applied_by else [root.folder]:
            for kind, name, namespace in kustomized(Path(path), root.namespace, tmp_path):
                if kind.startswith(("MCP", "Virtual")):
                    place = namespace or root.default_namespace
                    assert (kind, place) in kinds if "$" in name else (kind, name, place) in known
                    built += 1
    assert built


def kustomized(folder: Path, namespace: str | None, beside: Path) -> Iterator[tuple[str, str, str | None]]:
    """Yield kind, name and namespace of what kustomize makes of a folder, in a namespace where one is set."""
    above = beside / "above"
    above.mkdir(exist_ok=True)
    stated = {"resources": [os.path.relpath(folder, above)]} | ({"namespace": namespace} if namespace else {})
    (above / "kustomization.yaml").write_text(json.dumps(stated))
    command = [str(KUSTOMIZE), "build", "--load-restrictor", "LoadRestrictionsNone", str(above)]
    made = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    for one in yaml.safe_load_all(made):
        yield one["kind"], one["metadata"]["name"], one["metadata"].get("namespace")
