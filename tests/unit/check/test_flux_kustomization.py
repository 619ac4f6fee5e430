"""Tests of faults of Flux Kustomizations: folders that do not exist, and resources without a namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mcpcfg.compiler import api

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SERVER = """\
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPServer
metadata: {name: fetch}
spec: {image: "ghcr.io/stackloklabs/gofetch/server:1.0.1", transport: streamable-http, mcpPort: 8080}
"""
NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {name: toolhive-system}\n"
MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n"


def flux(name: str, path: str, *, source: str = "flux-system", kind: str = "GitRepository", more: str = "") -> str:
    return (
        "---\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
        f"metadata: {{name: {name}, namespace: flux-system}}\n"
        f"spec: {{path: {path}, sourceRef: {{kind: {kind}, name: {source}}}{more}}}\n"
    )


def reported(folder: Path, files: Mapping[str, str], rule: str) -> list[str]:
    """Return the messages and the hints of a rule about the files of a project."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    return [f"{one.message}; {one.hint}" for one in api.check(folder).findings if one.rule == rule]


def lost_folders(folder: Path, path: str, **options: str) -> list[str]:
    files = {
        "clusters/prod/ks.yaml": flux("operator", "./infra/operator", source=options.get("source", "flux-system"))
        + flux("policies", "./infra", source=options.get("source", "flux-system"))
        + flux("tools", path, **options),
        "infra/operator/namespace.yaml": NAMESPACE,
        "apps/ai/mcp/servers/server.yaml": SERVER.replace("fetch}", "fetch, namespace: ai}"),
    }
    return reported(folder, files, "REF030")


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("./apps/ai/mcp/server", 'did you mean "./apps/ai/mcp/servers"?'),
        ("apps/ai/mpc/servers/", 'did you mean "./apps/ai/mcp/servers"?'),
        ("./apps/AI/mcp/servers", 'did you mean "./apps/ai/mcp/servers"?'),
        ("./ai/mcp", 'did you mean "./apps/ai/mcp"?'),
        ("./apps/toolhive", "correct the path, or remove the Kustomization"),
    ],
)
def test_a_path_without_a_folder_is_reported(tmp_path: Path, path: str, hint: str) -> None:
    stated = path
    assert lost_folders(tmp_path, path) == [f'the repository has no folder "{stated}", so Flux applies nothing; {hint}']


@pytest.mark.parametrize(
    ("path", "options"),
    [
        pytest.param("./apps/ai/mcp/servers", {}, id="a folder that exists"),
        pytest.param("./apps", {}, id="a folder above"),
        pytest.param("./apps/${CLUSTER}/servers", {}, id="a variable"),
        pytest.param("./apps/ai/mcp/server", {"kind": "OCIRepository"}, id="an artifact, which may hold other folders"),
        pytest.param("./apps/ai/mcp/server", {"more": ", suspend: true"}, id="a suspended one"),
        pytest.param("./deploy", {}, id="one that has nothing to do with the operator"),
    ],
)
def test_a_path_that_exists_or_is_not_known_is_not_reported(tmp_path: Path, path: str, options: dict[str, str]) -> None:
    assert lost_folders(tmp_path, path, **options) == []


def test_a_path_of_another_repository_is_not_reported(tmp_path: Path) -> None:
    files = {
        "clusters/prod/ks.yaml": flux("operator", "./operator") + flux("tools", "./apps/server", source="tools"),
        "operator/namespace.yaml": NAMESPACE,
        "apps/servers/server.yaml": SERVER,
    }
    assert reported(tmp_path, files, "REF030") == []


def test_a_source_with_another_name_is_this_repository_if_most_of_its_paths_exist(tmp_path: Path) -> None:
    assert len(lost_folders(tmp_path, "./apps/ai/mcp/server", source="home")) == 1


def test_a_path_that_a_patch_may_change_is_not_reported(tmp_path: Path) -> None:
    patch = "[{op: replace, path: /spec/path, value: ./apps/ai/mcp/servers}]"
    patches = f", patches: [{{patch: '{patch}', target: {{kind: Kustomization, name: tools}}}}]"
    files = {
        "clusters/prod/ks.yaml": flux("cluster", "./deliveries", more=patches),
        "deliveries/ks.yaml": flux("tools", "./apps/ai/mcp/server"),
        "apps/ai/mcp/servers/server.yaml": SERVER,
    }
    assert reported(tmp_path, files, "REF030") == []


def test_a_folder_that_git_ignores_or_that_has_other_files_exists(tmp_path: Path) -> None:
    (tmp_path / "apps/ai/mcp/server").mkdir(parents=True)
    (tmp_path / "apps/ai/mcp/server/values.txt").write_text("a", "utf-8")
    assert lost_folders(tmp_path, "./apps/ai/mcp/server") == []


def lost_namespaces(folder: Path, files: Mapping[str, str], more: str = "") -> list[str]:
    return reported(folder, {"ks.yaml": flux("tools", "./apps", more=more), **files}, "REF031")


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"apps/server.yaml": SERVER}, id="a plain folder"),
        pytest.param({"apps/kustomization.yaml": "resources: [s.yaml]\n", "apps/s.yaml": SERVER}, id="a kustomization"),
        pytest.param(
            {"apps/server.yaml": SERVER.replace("fetch}", "fetch, namespace: ai}"), "apps/map.yaml": MAP},
            id="a ConfigMap beside a server",
        ),
        pytest.param({"apps/deep/server.yaml": SERVER}, id="a folder below"),
    ],
)
def test_a_resource_without_a_namespace_is_reported(tmp_path: Path, files: Mapping[str, str]) -> None:
    found = lost_namespaces(tmp_path, files)
    assert len(found) == 1
    assert "so Flux refuses all that this applies; set targetNamespace" in found[0]


@pytest.mark.parametrize(
    ("files", "more"),
    [
        pytest.param({"apps/server.yaml": SERVER}, ", targetNamespace: ai", id="targetNamespace"),
        pytest.param({"apps/server.yaml": SERVER}, ", targetNamespace: '${NAMESPACE}'", id="a variable"),
        pytest.param({"apps/server.yaml": SERVER}, ", suspend: true", id="a suspended Kustomization"),
        pytest.param({"apps/server.yaml": SERVER.replace("fetch}", "fetch, namespace: '${N}'}")}, "", id="unknown"),
        pytest.param(
            {"apps/kustomization.yaml": "namespace: ai\nresources: [s.yaml]\n", "apps/s.yaml": SERVER},
            "",
            id="the namespace of a kustomization",
        ),
        pytest.param(
            {
                "apps/kustomization.yaml": "resources: [s.yaml]\n"
                "patches: [{path: p.yaml, target: {kind: MCPServer}}]\n",
                "apps/p.yaml": "[{op: add, path: /metadata/namespace, value: ai}]\n",
                "apps/s.yaml": SERVER,
            },
            "",
            id="a patch that may state it",
        ),
        pytest.param({"apps/map.yaml": MAP}, "", id="no resource of the operator"),
        pytest.param(
            {"apps/server.yaml": SERVER.replace("fetch}", "fetch, namespace: ai}"), "apps/n.yaml": NAMESPACE},
            "",
            id="a Namespace",
        ),
    ],
)
def test_a_namespace_that_something_states_is_not_missing(tmp_path: Path, files: Mapping[str, str], more: str) -> None:
    assert lost_namespaces(tmp_path, files, more) == []


def test_a_namespace_may_come_from_above_the_kustomization_of_flux(tmp_path: Path) -> None:
    transformer = (
        "apiVersion: builtin\nkind: NamespaceTransformer\nmetadata: {name: all, namespace: none}\n"
        "fieldSpecs: [{path: spec/targetNamespace, kind: Kustomization, create: true}]\n"
    )
    files = {
        "apps/kustomization.yaml": "resources: [ks.yaml]\ntransformers: [./transformers]\n",
        "apps/transformers/kustomization.yaml": "namespace: ai\nresources: [all.yaml]\n",
        "apps/transformers/all.yaml": transformer,
        "apps/ks.yaml": flux("servers", "./servers"),
        "servers/server.yaml": SERVER,
    }
    assert lost_namespaces(tmp_path, files) == []
    files["apps/kustomization.yaml"] = "resources: [ks.yaml]\n"
    assert len(lost_namespaces(tmp_path, files)) == 1


def test_the_namespace_of_an_application_of_argo_cd_is_not_asked_for(tmp_path: Path) -> None:
    text = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\nspec: {source: {path: apps}}\n"
    assert reported(tmp_path, {"app.yaml": text, "apps/server.yaml": SERVER}, "REF031") == []
