"""The tools of a member as its own proxy shows them."""

from __future__ import annotations

from typing import Any

import pytest
from admitted import resources
from sample import resource

from mcpcfg.compiler.simulate.backend import _through_proxy
from mcpcfg.compiler.workspace.workspace import Workspace

SERVER = ("image: ghcr.io/acme/a:1", "toolConfigRef: {name: shared}")
TOOLS: list[dict[str, Any]] = [{"name": "a", "description": "Does a", "more": 1}, {"name": "b"}]


@pytest.mark.parametrize(
    ("config", "shown"),
    [
        ((), [("a", "Does a"), ("b", "")]),
        (("toolsFilter: [b]",), [("b", "")]),
        (("toolsOverride: {a: {name: x}}",), [("x", "Does a"), ("b", "")]),
        (("toolsOverride: {b: {description: Does b}}",), [("a", "Does a"), ("b", "Does b")]),
        (("toolsOverride: {a: {name: x, description: other}}", "toolsFilter: [x]"), [("x", "other")]),
        (("toolsOverride: {a: {name: x}}", "toolsFilter: [a]"), []),
    ],
)
def test_a_proxy_renames_tools_and_shows_those_of_its_filter(
    config: tuple[str, ...], shown: list[tuple[str, str]]
) -> None:
    shared = [resource("MCPToolConfig", "shared", *config)] if config else []
    found = resources({"a.yaml": "---\n".join((resource("MCPServer", "one", *SERVER), *shared))})
    tools: list[Any] = list(_through_proxy(Workspace(found), found[0], TOOLS))
    assert [(tool["name"], tool["description"]) for tool in tools] == shown
    assert all(tool.get("more", 1) == 1 for tool in tools)
