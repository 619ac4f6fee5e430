"""What changes when a resource gets another name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sample import resource

from mcpcfg.compiler.editor.rename import RenameError, renameable_at, renamed
from mcpcfg.compiler.editor.session import Home, ProjectSession
from mcpcfg.compiler.editor.subject import FileContext
from mcpcfg.compiler.fix.edit import Edit, apply_edits
from mcpcfg.compiler.project.settings import Options

if TYPE_CHECKING:
    from pathlib import Path

    from mcpcfg.compiler.editor.session import Snapshot

GROUP = resource("MCPGroup", "team")
SERVER = resource(
    "MCPServer",
    "git",
    "image: ghcr.io/acme/git:1.0",
    "transport: stdio",
    "groupRef: {name: team}",
    "secrets: [{name: 'keys', key: k, targetEnvName: K}]",
    "podTemplateSpec: {spec: {containers: [{name: mcp, envFrom: [{secretRef: {name: keys}}]}]}}",
)
SECRET = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: keys\nstringData:\n  k: ''\n"
VIRTUAL = resource(
    "VirtualMCPServer",
    "gateway",
    "groupRef: {name: team}",
    "incomingAuth: {type: anonymous}",
    "outgoingAuth: {source: discovered, backends: {git: {type: discovered}}}",
    "config:",
    "  aggregation:",
    "    conflictResolution: prefix",
    '    conflictResolutionConfig: {prefixFormat: "{workload}_"}',
    "    tools: [{workload: git, filter: [log]}]",
    "  compositeToolRefs: [{name: look}]",
)
DEFINITION = resource(
    "VirtualMCPCompositeToolDefinition",
    "look",
    "name: look",
    "description: Looks.",
    "steps:",
    "- {id: a, tool: git.log}",
    "- {id: b, tool: git_show}",
    "- {id: c, tool: gitlab_show}",
)
ROUTE = """\
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: git}
spec:
  rules:
  - backendRefs:
    - {name: mcp-git-proxy, port: 8080}
"""
KUSTOMIZATION = """\
resources: [all.yaml]
patches:
- path: patch.yaml
- target: {kind: MCPServer, name: git}
  patch: |
    - {op: add, path: /spec/replicas, value: 2}
- patch: |
    kind: MCPServer
    metadata: {name: git}
    spec: {proxyPort: 9000}
- target: {kind: Deployment, name: git}
  patch: "[]"
"""
PATCH = "kind: MCPServer\nmetadata:\n  name: git\nspec: {proxyMode: sse}\n"


def laid(folder: Path, texts: dict[str, str]) -> Snapshot:
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    snapshot = ProjectSession(Home(str(folder), None), Options()).check({})
    assert snapshot is not None
    return snapshot


def change(snapshot: Snapshot, folder: Path, file: str, what: str, new: str) -> dict[str, list[tuple[str, str]]]:
    """Return the lines that a renaming changes, old and new, by file."""
    texts = {name: snapshot.loaded.texts[name].decode() for name in snapshot.loaded.texts}
    path = str(folder / file)
    at = renameable_at(texts[path], texts[path].index(what) + 1, FileContext(path), snapshot)
    assert at is not None
    edits: dict[str, list[Edit]] = {}
    for span, text in renamed(at.resource, new, snapshot):
        lines = texts[span.file].splitlines(keepends=True)
        start = sum(map(len, lines[: span.line - 1]))
        edits.setdefault(span.file, []).append(Edit(start + span.column - 1, start + span.end_column - 1, text))
    out = {}
    for name, file_edits in sorted(edits.items()):
        before, after = texts[name].splitlines(), apply_edits(texts[name], file_edits).splitlines()
        pairs = [(old.strip(), now.strip()) for old, now in zip(before, after, strict=True) if old != now]
        out[name.removeprefix(f"{folder}/")] = pairs
    return out


def test_a_server_is_renamed_wherever_it_is_named(tmp_path: Path) -> None:
    everything = f"{GROUP}---\n{SERVER}---\n{VIRTUAL}---\n{DEFINITION}---\n{ROUTE}"
    texts = {"all.yaml": everything, "kustomization.yaml": KUSTOMIZATION, "patch.yaml": PATCH}
    snapshot = laid(tmp_path, texts)
    assert change(snapshot, tmp_path, "all.yaml", "git\n", "hub") == {
        "all.yaml": [
            ("name: git", "name: hub"),
            (
                "outgoingAuth: {source: discovered, backends: {git: {type: discovered}}}",
                "outgoingAuth: {source: discovered, backends: {hub: {type: discovered}}}",
            ),
            ("tools: [{workload: git, filter: [log]}]", "tools: [{workload: hub, filter: [log]}]"),
            ("- {id: a, tool: git.log}", "- {id: a, tool: hub.log}"),
            ("- {id: b, tool: git_show}", "- {id: b, tool: hub_show}"),
            ("- {name: mcp-git-proxy, port: 8080}", "- {name: mcp-hub-proxy, port: 8080}"),
        ],
        "kustomization.yaml": [
            ("- target: {kind: MCPServer, name: git}", "- target: {kind: MCPServer, name: hub}"),
            ("metadata: {name: git}", "metadata: {name: hub}"),
        ],
        "patch.yaml": [("name: git", "name: hub")],
    }


def test_a_secret_is_renamed_from_a_reference_too(tmp_path: Path) -> None:
    snapshot = laid(tmp_path, {"s.yaml": SERVER, "keys.yaml": SECRET, "g.yaml": GROUP})
    assert change(snapshot, tmp_path, "s.yaml", "keys', key", "on") == {
        "keys.yaml": [("name: keys", 'name: "on"')],
        "s.yaml": [
            (
                "secrets: [{name: 'keys', key: k, targetEnvName: K}]",
                "secrets: [{name: 'on', key: k, targetEnvName: K}]",
            ),
            (
                "podTemplateSpec: {spec: {containers: [{name: mcp, envFrom: [{secretRef: {name: keys}}]}]}}",
                'podTemplateSpec: {spec: {containers: [{name: mcp, envFrom: [{secretRef: {name: "on"}}]}]}}',
            ),
        ],
    }


def test_a_namesake_in_another_namespace_keeps_its_name(tmp_path: Path) -> None:
    texts = {
        "a/all.yaml": GROUP + "---\n" + SERVER,
        "a/kustomization.yaml": "namespace: a\nresources: [all.yaml]\n",
        "b/all.yaml": GROUP + "---\n" + SERVER,
        "b/kustomization.yaml": "namespace: b\nresources: [all.yaml]\n",
    }
    changed = change(laid(tmp_path, texts), tmp_path, "a/all.yaml", "team", "crew")
    assert changed == {
        "a/all.yaml": [("name: team", "name: crew"), ("groupRef: {name: team}", "groupRef: {name: crew}")]
    }


def test_a_base_of_two_overlays_is_renamed_once(tmp_path: Path) -> None:
    texts = {
        "base/all.yaml": GROUP + "---\n" + SERVER,
        "base/kustomization.yaml": "resources: [all.yaml]\n",
        "one/kustomization.yaml": "namespace: one\nresources: [../base]\n",
        "two/kustomization.yaml": "namespace: two\nresources: [../base]\n",
    }
    changed = change(laid(tmp_path, texts), tmp_path, "base/all.yaml", "team", "crew")
    assert changed == {
        "base/all.yaml": [("name: team", "name: crew"), ("groupRef: {name: team}", "groupRef: {name: crew}")]
    }


@pytest.mark.parametrize(
    ("new", "why"),
    [
        ("Crew", 'may have lower-case letters, digits, "-" and "." only, not "C"'),
        ("", "must not be empty"),
        ("other", "there is already a MCPGroup"),
    ],
)
def test_a_name_that_cannot_be_is_refused(tmp_path: Path, new: str, why: str) -> None:
    snapshot = laid(tmp_path, {"g.yaml": GROUP, "o.yaml": resource("MCPGroup", "other")})
    with pytest.raises(RenameError, match=why):
        change(snapshot, tmp_path, "g.yaml", "team", new)


def test_an_alias_keeps_a_resource_from_being_renamed(tmp_path: Path) -> None:
    aliased = SERVER.replace("metadata:\n  name: git", "metadata:\n  name: git\n  labels: {group: &team team}")
    snapshot = laid(
        tmp_path, {"g.yaml": GROUP, "s.yaml": aliased.replace("groupRef: {name: team}", "groupRef: {name: *team }")}
    )
    with pytest.raises(RenameError, match=r"line \d+ of .*s.yaml spells the name in another way"):
        change(snapshot, tmp_path, "g.yaml", "team", "crew")


def test_a_name_without_a_declaration_in_the_project_is_not_renamed(tmp_path: Path) -> None:
    namespace = "apiVersion: v1\nkind: Namespace\nmetadata: {name: tools}\n"
    snapshot = laid(tmp_path, {"s.yaml": SERVER, "n.yaml": namespace, "k.yaml": SECRET})
    for file, text, what in (
        ("s.yaml", SERVER, "team"),
        ("s.yaml", SERVER, "stdio"),
        ("n.yaml", namespace, "tools"),
        ("s.yaml", SERVER, "k, target"),
    ):
        assert renameable_at(text, text.index(what), FileContext(str(tmp_path / file)), snapshot) is None
