"""Names in the editor, over the pipes of the real process: rename, links, and lenses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sample import resource
from speaking import CAPABILITIES, Client

from mcpcfg.compiler.editor.lens import UNREAD

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GROUP = resource("MCPGroup", "team")
SERVER = resource("MCPServer", "git", "image: ghcr.io/acme/git:1.0", "transport: stdio", "groupRef: {name: team}")
COMMANDS = ["mcpcfg.showReferences", "mcpcfg.showCompiled"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "server.yaml").write_text(SERVER)
    (tmp_path / "group.yaml").write_text(GROUP)
    (tmp_path / "kustomization.yaml").write_text("resources: [server.yaml, group.yaml]\n")
    return tmp_path


@pytest.fixture
def client(folder: Path) -> Iterator[Client]:
    capabilities = {**CAPABILITIES, "workspace": {"codeLens": {"refreshSupport": True}, "workspaceFolders": True}}
    one = Client(folder, capabilities=capabilities, options={"commands": COMMANDS})
    yield one
    one.end()


def lenses(client: Client, name: str) -> list[dict[str, Any]]:
    unresolved = client.request("textDocument/codeLens", {"textDocument": {"uri": client.uri(name)}})
    return [client.request("codeLens/resolve", lens) for lens in unresolved]


def titles(client: Client, name: str) -> list[str]:
    return [lens["command"]["title"] for lens in lenses(client, name)]


def test_a_resource_is_renamed_in_all_files(client: Client) -> None:
    client.open("server.yaml")
    line, column = SERVER[: SERVER.index("team")].count("\n"), 19
    prepared = client.ask("prepareRename", "server.yaml", line, column)
    start, end = {"line": line, "character": 19}, {"line": line, "character": 23}
    assert prepared == {"range": {"start": start, "end": end}, "placeholder": "team"}
    assert client.ask("prepareRename", "server.yaml", 1, 1) is None
    changes = client.ask("rename", "server.yaml", line, column, newName="crew")["changes"]
    assert {uri: [edit["newText"] for edit in edits] for uri, edits in changes.items()} == {
        client.uri("server.yaml"): ["crew"],
        client.uri("group.yaml"): ["crew"],
    }
    assert changes[client.uri("server.yaml")][0]["range"] == {"start": start, "end": end}
    place = {"textDocument": {"uri": client.uri("server.yaml")}, "position": start}
    refused = client.raw("textDocument/rename", {**place, "newName": "A B"})["error"]
    assert refused["code"] == -32803
    assert "may have lower-case letters" in refused["message"]


def test_a_file_of_a_kustomization_is_a_link(client: Client) -> None:
    client.open("kustomization.yaml")
    found = client.request("textDocument/documentLink", {"textDocument": {"uri": client.uri("kustomization.yaml")}})
    assert [link["target"] for link in found] == [client.uri("server.yaml"), client.uri("group.yaml")]


def test_a_lens_counts_the_references_and_names_what_is_compiled(client: Client) -> None:
    client.open("server.yaml")
    client.open("group.yaml")
    [references] = lenses(client, "group.yaml")
    command = references["command"]
    assert (command["title"], command["command"]) == ("1 reference", "mcpcfg.showReferences")
    assert [place["uri"] for place in command["arguments"][2]] == [client.uri("server.yaml")]
    none, compiled = lenses(client, "server.yaml")
    assert none["command"]["title"] == "no references"
    assert compiled["command"]["title"].startswith("compiles to ConfigMap, Deployment, ")
    asked = {"command": "mcpcfg.compile", "arguments": compiled["command"]["arguments"]}
    text = client.request("workspace/executeCommand", asked)
    assert text.startswith("---\napiVersion: v1\n")
    assert "kind: StatefulSet" in text


def test_lenses_follow_an_edit_of_another_document(client: Client) -> None:
    client.open("server.yaml")
    client.open("group.yaml")
    assert titles(client, "group.yaml") == ["1 reference"]
    client.change("server.yaml", SERVER.replace("team", "crew"))
    client.wait_for("server.yaml", "REF001")
    assert titles(client, "group.yaml") == ["no references"]
    assert client.requests == ["workspace/codeLens/refresh"]
    client.change("server.yaml", SERVER.replace("transport: stdio", "transport: no"))
    client.wait_for("server.yaml", "ADM002")
    assert titles(client, "server.yaml") == ["no references", "not compiled: it has errors or unknown values"]


def test_a_client_without_the_commands_sees_the_titles(folder: Path) -> None:
    client = Client(folder)
    client.open("group.yaml")
    [references] = lenses(client, "group.yaml")
    assert references["command"] == {"title": "1 reference", "command": ""}
    client.change("group.yaml", "")
    assert client.request("codeLens/resolve", references)["command"]["title"] == UNREAD
    client.end()
