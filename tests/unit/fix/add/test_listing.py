"""Entries of kustomizations, written where and how a person would write them."""

from __future__ import annotations

import pytest

from mcpcfg.compiler.fix.add.listing import with_entry, without_others
from mcpcfg.compiler.fix.add.pattern import NamePattern, common_pattern, core_of, renamed


@pytest.mark.parametrize(
    ("before", "path", "models", "after"),
    [
        ("resources:\n- b.yaml\n- d.yaml\n", "c.yaml", "bd", "resources:\n- b.yaml\n- c.yaml\n- d.yaml\n"),
        ("resources:\n- b.yaml\n- d.yaml\n", "a.yaml", "bd", "resources:\n- a.yaml\n- b.yaml\n- d.yaml\n"),
        ("resources:\n- d.yaml # last\n- b.yaml", "c.yaml", "bd", "resources:\n- d.yaml # last\n- b.yaml\n- c.yaml"),
        ("resources: [ b.yaml ]\n", "c.yaml", "b", "resources: [ b.yaml, c.yaml ]\n"),
        ("resources:\n  - './b/'\n", "c", "b", "resources:\n  - './b/'\n  - './c/'\n"),
        ("namespace: a", "c.yaml", "", "namespace: a\nresources:\n  - c.yaml\n"),
        ("resources: []\nnamespace: a\n", "c.yaml", "", "resources:\n  - c.yaml\nnamespace: a\n"),
        ("resources:\r\n- b.yaml\r\n", "c.yaml", "b", "resources:\r\n- b.yaml\r\n- c.yaml\r\n"),
        (
            "resources:\n- z.yaml\n- server-b.yaml\n- secret-b.yaml\n- a.yaml\n",
            "server-c.yaml",
            "server-b",
            "resources:\n- z.yaml\n- server-b.yaml\n- secret-b.yaml\n- server-c.yaml\n- a.yaml\n",
        ),
        ("components: [b]\nresources: [a.yaml]\n", "c", "b", "components: [b, c]\nresources: [a.yaml]\n"),
    ],
)
def test_an_entry_is_written_like_its_neighbors(before: str, path: str, models: str, after: str) -> None:
    names = {models} if "-" in models else {*models}

    def is_model(listed: str) -> bool:
        return listed.removesuffix(".yaml") in names

    assert with_entry("kustomization.yaml", before, path, is_model) == after
    assert with_entry("kustomization.yaml", after, path, is_model) is None


def test_a_file_that_is_no_kustomization_is_not_changed() -> None:
    assert with_entry("a.yaml", "kind: MCPServer\n", "b.yaml", bool) is None
    assert without_others("a.yaml", "kind: MCPServer\n", frozenset()) == "kind: MCPServer\n"


def test_a_copy_lists_only_what_is_copied() -> None:
    text = "resources:\n  # the server\n  - ./server.yaml\n  # its account\n  - ./rbac.yaml\n  - ../shared\n"
    expected = "resources:\n  # the server\n  - ./server.yaml\n  - ../shared\n"
    assert without_others("a/kustomization.yaml", text, frozenset({"a/server.yaml"})) == expected


@pytest.mark.parametrize(
    ("name", "text", "core"),
    [
        ("arr", "arr-mcp", "arr"),
        ("a2a-mcp-server", "a2a", "a2a"),
        ("github-mcp", "mcpserver-github", "github"),
        ("mcp-tools", "mcp", ""),
        ("git", "github", ""),
        ("home-assistant", "toolhive-home-assistant", "home-assistant"),
    ],
)
def test_names_share_whole_words(name: str, text: str, core: str) -> None:
    assert core_of(name, text) == core


def test_a_pattern_gives_the_text_for_another_name() -> None:
    pattern = common_pattern([("arr", "arr-mcp"), ("web", "web-mcp"), ("ha", "home")])
    assert pattern == NamePattern(after="-mcp")
    assert [pattern.apply(name) for name in ("brave", "brave-mcp")] == ["brave-mcp", "brave-mcp"]
    long = common_pattern([("a2a-mcp-server", "a2a")])
    assert long is not None
    assert [long.apply(name) for name in ("osv-mcp-server", "osv")] == ["osv", "osv"]


def test_addresses_and_kinds_are_not_renamed() -> None:
    text = "kind: Git\nname: git-mcp\nurl: https://git.example.com\npath: ./apps/git\nother: github\n"
    assert renamed(text, {"git-mcp": "hub-mcp", "git": "hub"}.items()) == (
        "kind: Git\nname: hub-mcp\nurl: https://git.example.com\npath: ./apps/hub\nother: github\n"
    )
