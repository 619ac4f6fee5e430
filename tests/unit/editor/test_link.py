"""Links of a text: files that it names, and pages of rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mcpcfg.compiler.diagnostics import address
from mcpcfg.compiler.editor.link import links

if TYPE_CHECKING:
    from pathlib import Path

SITE = "https://example.com/mcpcfg/"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("apps/git/server.yaml", "apps/kustomization.yaml", "apps/git/kustomization.yml", "accepted.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    return tmp_path


def linked(text: str, file: Path) -> list[tuple[str, str]]:
    """Return the linked words of a text, each with its target relative to the folder above the file."""
    root = f"{file.parent.parent}/"
    return [(text[slice(*link.extent)], link.target.removeprefix(root)) for link in links(text, str(file))]


def test_files_of_a_kustomization_are_linked(folder: Path) -> None:
    text = (
        "resources:\n- git\n- git/server.yaml\n- missing.yaml\n- https://example.com/base\n"
        "patches:\n- path: ./git/server.yaml\n  target: {kind: Deployment}\n"
        "configMapGenerator:\n- name: a\n  files: [server.yaml=git/server.yaml]\n  literals: [git=git]\n"
    )
    assert linked(text, folder / "apps" / "kustomization.yaml") == [
        ("git", "apps/git/kustomization.yml"),
        ("git/server.yaml", "apps/git/server.yaml"),
        ("./git/server.yaml", "apps/git/server.yaml"),
        ("server.yaml=git/server.yaml", "apps/git/server.yaml"),
    ]


@pytest.mark.parametrize(
    ("version", "kind", "spec"),
    [
        ("kustomize.toolkit.fluxcd.io/v1", "Kustomization", "path: ./apps"),
        ("argoproj.io/v1alpha1", "Application", "source: {path: ./apps}"),
    ],
)
def test_the_path_in_a_flux_or_argo_cd_object_is_linked_relative_to_the_root(
    folder: Path, version: str, kind: str, spec: str
) -> None:
    text = f"apiVersion: {version}\nkind: {kind}\nmetadata: {{name: apps}}\nspec:\n  {spec}\n"
    assert linked(text, folder / "clusters" / "apps.yaml") == [("./apps", "apps/kustomization.yaml")]
    assert linked(text.replace("apiVersion", "apiVersions"), folder / "clusters" / "apps.yaml") == []


@pytest.mark.parametrize("path", ["//server/share", "\\\\\\\\server\\\\share", "C:/a.yaml", "/etc/passwd"])
def test_an_absolute_or_remote_path_is_not_linked(folder: Path, path: str) -> None:
    assert links(f'resources: ["{path}"]\n', str(folder / "kustomization.yaml")) == []


def test_rules_are_linked_where_the_project_has_a_site(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = "kind: MCPServer  # mcpcfg: ignore[REF001, ADM001]\n"
    settings = "rules: {REF004: off, OWN001: off}\nbaseline: accepted.json\n"
    assert links(server, "a.yaml") == []
    monkeypatch.setattr(address, "ADDRESS", SITE)
    assert linked(server, folder / "a.yaml") == [(f"{id_}", f"{SITE}rules/{id_}/") for id_ in ("REF001", "ADM001")]
    assert linked(settings, folder / "mcpcfg.yaml") == [
        ("REF004", f"{SITE}rules/REF004/"),
        ("accepted.json", str(folder / "accepted.json").removeprefix(f"{folder.parent}/")),
    ]
