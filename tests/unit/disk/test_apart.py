"""Files that do not see one another, and namesakes in several folders, are reported alike by every way of checking."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from caching import check_kept
from sample import random_rule_text, random_text, resource, write

from mcpcfg.compiler.check import full
from mcpcfg.compiler.project.discovery import discover

if TYPE_CHECKING:
    from pathlib import Path

FOLDERS = ("a", "a/deep", "b", "examples", "examples/more")


def findings(*, isolated: bool = False, closed: bool = False, keep: bool = False) -> list[dict[str, Any]]:
    project, options = discover((".",)), full.Options(isolated=isolated, closed=closed)
    return [one.as_json() for one in check_kept(project, options, keep=keep).findings]


def edit(rng: random.Random, tree: Path) -> None:
    """Change, add or remove some files, what kustomizations list, and what is isolated."""
    for _ in range(rng.randint(1, 4)):
        path = tree / rng.choice(FOLDERS) / f"f{rng.randrange(4)}.yaml"
        if path.exists() and rng.random() < 0.2:
            path.unlink()
        else:
            write(path, random_rule_text(rng) if rng.random() < 0.5 else random_text(rng))
    if rng.random() < 0.4:
        listed = rng.sample([f"f{number}.yaml" for number in range(4)], rng.randint(0, 4))
        listed += rng.sample(["../a", "../b", "deep"], rng.randint(0, 2))
        folder = tree / rng.choice(("a", "b", "a/deep"))
        write(folder / "kustomization.yaml", f"resources: [{', '.join(listed)}]\n")
    if rng.random() < 0.2:
        settings = rng.choice(("isolated: [examples/]\n", "isolated: ['f1.yaml', a/deep]\n", "isolated: []\n"))
        write(tree / "mcpcfg.yaml", settings)


@pytest.mark.parametrize("seed", range(8))
def test_checks_with_and_without_a_cache_report_the_same(tree: Path, seed: int) -> None:
    rng = random.Random(300 + seed)
    for folder in FOLDERS:
        (tree / folder).mkdir(parents=True, exist_ok=True)
    isolated, closed = rng.random() < 0.3, rng.random() < 0.2
    write(tree / "mcpcfg.yaml", "isolated: [examples/]\n")
    for _ in range(4):
        edit(rng, tree)
    for _ in range(8):
        edit(rng, tree)
        expected = findings(isolated=isolated, closed=closed)
        assert findings(isolated=isolated, closed=closed, keep=True) == expected, seed


def test_the_cache_distinguishes_isolated_files_from_a_project(tree: Path) -> None:
    write(tree / "a.yaml", resource("MCPGroup", "tools", namespace="mcp"))
    write(tree / "b.yaml", resource("MCPGroup", "tools", namespace="mcp"))
    for _ in range(2):
        assert [one["rule"] for one in findings(keep=True)] == ["ADM090"]
        assert findings(keep=True, isolated=True) == []


def test_a_kustomization_that_comes_changes_what_a_reference_means(tree: Path) -> None:
    server = ("image: ghcr.io/acme/fetch:1.0", "transport: stdio", "oidcConfigRef: {name: login, audience: fetch}")
    login = ("type: inline", "inline: {issuer: 'http://login.acme.example'}")
    (tree / "a").mkdir()
    (tree / "b").mkdir()
    for number in range(8):
        write(tree / f"beside-{number}.yaml", resource("MCPGroup", f"beside-{number}", namespace="elsewhere"))
    write(tree / "a/fetch.yaml", resource("MCPServer", "fetch", *server, namespace="mcp"))
    write(tree / "a/login.yaml", resource("MCPOIDCConfig", "login", "type: nonsense", namespace="mcp"))
    write(tree / "b/login.yaml", resource("MCPOIDCConfig", "login", *login, namespace="mcp"))
    before = findings(keep=True)
    assert before == findings()
    write(tree / "a/kustomization.yaml", "resources: [fetch.yaml, login.yaml]\n")
    after = findings(keep=True)
    assert after == findings()
    assert "REF004" in {one["rule"] for one in after} - {one["rule"] for one in before}
