"""An MCPServer is converted with what it refers to in its own namespace."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from calling import call

HEAD = "apiVersion: toolhive.stacklok.dev/v1beta1\n"
SERVER = "kind: MCPServer\nmetadata: {name: fetch, namespace: NS}\nspec: {image: 'a:1', toolConfigRef: {name: tools}}\n"
TOOLS = "kind: MCPToolConfig\nmetadata: {name: tools, namespace: NS}\nspec: {toolsFilter: [TOOL]}\n"


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def lay(file: str, *documents: str) -> None:
    Path(file).write_text("---\n".join(HEAD + document for document in documents))


def test_of_two_tool_configurations_that_of_the_same_namespace_counts() -> None:
    lay("server.yaml", SERVER.replace("NS", "b"))
    lay("tools.yaml", *(TOOLS.replace("NS", name).replace("TOOL", f"of-{name}") for name in "abc"))

    outcome = call("convert", "server.yaml", "tools.yaml", "--to", "workload")

    assert json.loads(outcome.out)["tools"] == ["of-b"]


def test_a_tool_configuration_of_another_namespace_is_not_the_one() -> None:
    lay("server.yaml", SERVER.replace("NS", "b"))
    lay("tools.yaml", TOOLS.replace("NS", "a"))

    outcome = call("convert", "server.yaml", "tools.yaml", "--to", "workload")

    assert json.loads(outcome.out)["tools"] is None
    assert "lost: spec/toolConfigRef" in outcome.err


def test_two_servers_of_one_name_are_distinguished_by_their_namespaces() -> None:
    lay(
        "all.yaml", *(one.replace("NS", name).replace("TOOL", f"of-{name}") for name in "ab" for one in (SERVER, TOOLS))
    )

    assert "--name: a/fetch, b/fetch" in call("convert", "all.yaml", "--to", "workload").err
    outcome = call("convert", "all.yaml", "--to", "workload", "--name", "b/fetch")
    assert json.loads(outcome.out)["tools"] == ["of-b"]
