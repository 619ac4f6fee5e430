"""Calls about records that are wrong say what would be right."""

from __future__ import annotations

from pathlib import Path

import pytest
from calling import call

PROJECT = Path(__file__).parents[3] / "fixtures" / "records" / "project"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("skill", "validate", "skills/pdf/SKILL.md"), "skills/pdf/SKILL.md: is a file; name a folder"),
        (("skill", "list", "--home", "registry.json"), "registry.json: is a file; name a folder"),
        (("workload", "list", "registry.json"), "registry.json: is a file; name a folder"),
        (("workload", "list", "nowhere"), "no such folder: nowhere"),
        (("client", "list", "--home", "registry.json"), "registry.json: is a file; name a folder"),
        (("client", "config", "emacs"), "there is no client 'emacs'; mcpcfg client list names them"),
        (("client", "config", "cursr"), "did you mean cursor"),
        (("registry", "show", "registry.json", "nope"), 'registry.json: there is no server "nope"'),
        (("registry", "convert", "fetch.json"), "a catalog record needs one of them"),
        (("convert", "server.yaml", "--to", "MCPServer"), "into an MCPServer: that takes a workload request, a run"),
        (("convert", "record.json", "--to", "workload"), "into a workload request: that takes an MCPServer,"),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, tuple) else None,
)
def test_a_wrong_call_says_what_would_be_right(
    words: tuple[str, ...], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(PROJECT)

    outcome = call(*words)
    assert outcome.status == 2
    assert expected in outcome.err


def test_namespace_selects_one_of_several_overlays_of_a_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("dev", "prod"):
        Path(name).mkdir()
        Path(name, "kustomization.yaml").write_text(f"namespace: {name}\nresources: [../base]\n")
    Path("base").mkdir()
    Path("base/kustomization.yaml").write_text("resources: [server.yaml]\n")
    Path("base/server.yaml").write_text(
        "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata: {name: fetch}\nspec: {image: 'a:1'}\n"
    )

    assert "the namespace of the overlay with --namespace" in call("client", "config", "cursor").err
    outcome = call("client", "config", "cursor", "--namespace", "prod")
    assert "fetch-proxy.prod.svc" in outcome.out
