"""A project has as many clusters as deliveries that start something, not as many as it has unreached deliveries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from calling import call
from drawing import resource

if TYPE_CHECKING:
    from pathlib import Path

FLUX = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {{name: {0}, namespace: flux-system}}
spec:
  {1}
  sourceRef: {{kind: GitRepository, name: {2}}}
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one cluster that applies one server, and an app that is switched off."""
    files = {
        "flux/cluster/apps.yaml": FLUX.format("apps", "path: ./apps", "flux-system"),
        "apps/kustomization.yaml": "resources: [fetch/ks.yaml]  # search/ks.yaml\n",
        "apps/fetch/ks.yaml": FLUX.format("fetch", "path: ./apps/fetch/app", "flux-system"),
        "apps/fetch/app/server.yaml": resource("MCPServer", "fetch", "{image: 'a:1', transport: stdio}"),
        "apps/search/ks.yaml": FLUX.format("search", "path: ./apps/search/app", "flux-system"),
        "apps/search/app/server.yaml": resource("MCPServer", "search", "{image: 'a:1', transport: stdio}"),
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    return tmp_path


def clusters(repository: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return what ``build`` says of the clusters of a repository."""
    monkeypatch.chdir(repository)
    return call("build", "--target", "kubernetes", "--cluster", "none", ".").err.splitlines()[-1]


def test_a_delivery_that_a_kustomization_leaves_out_starts_no_cluster(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert clusters(repository, monkeypatch).endswith("the files are for one")


def test_a_delivery_of_another_repositorys_root_applies_nothing_here(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "apps/fetch/crds.yaml").write_text(FLUX.format("crds", "prune: true", "gateway-api"), "utf-8")

    assert clusters(repository, monkeypatch).endswith("the files are for one")


def test_two_starting_deliveries_are_two_clusters(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / "flux/other").mkdir()
    (repository / "flux/other/apps.yaml").write_text(FLUX.format("apps", "path: ./apps/fetch/app", "flux-system"))

    assert "flux/cluster, flux/other" in clusters(repository, monkeypatch)


def test_if_all_deliveries_are_left_out_they_still_start_clusters(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "flux/cluster/apps.yaml").unlink()
    (repository / "apps/kustomization.yaml").write_text("resources: []\n", "utf-8")

    assert "fetch" in clusters(repository, monkeypatch)
