"""The language server as an editor meets it: the protocol, over the pipes of the real process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from calling import call
from sample import resource
from speaking import CAPABILITIES, Client

from mcpcfg.compiler.toolhive.release import NEWEST_MODELLED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OIDC = resource("MCPOIDCConfig", "shared", "type: inline", "inline: {issuer: https://issuer.example.com, clientId: x}")
SERVER = resource(
    "MCPServer",
    "one",
    "image: ghcr.io/acme/one:1.0",
    "transport: streamable-http",
    "mcpPort: 8080",
    "oidcConfigRef:",
    "  name: shared",
    "  audience: tools",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "server.yaml").write_text(SERVER)
    (tmp_path / "oidc.yaml").write_text(OIDC)
    return tmp_path


@pytest.fixture
def client(folder: Path) -> Iterator[Client]:
    one = Client(folder)
    yield one
    one.end()


def place(text: str, what: str) -> tuple[int, int]:
    """Return line and column of what stands in a text."""
    before = text[: text.index(what)]
    return before.count("\n"), len(before) - before.rfind("\n") - 1


def action(client: Client, name: str, line: int, *only: str) -> list[dict[str, Any]]:
    there = {"line": line, "character": 0}
    context: dict[str, Any] = {"diagnostics": client.diagnostics.get(client.uri(name), [])}
    if only:
        context["only"] = list(only)
    asked = {"textDocument": {"uri": client.uri(name)}, "range": {"start": there, "end": there}, "context": context}
    found: list[dict[str, Any]] = client.request("textDocument/codeAction", asked)
    return found


def test_a_session_from_the_beginning_to_the_end(client: Client) -> None:
    assert client.capabilities["positionEncoding"] == "utf-16"
    client.open("server.yaml")
    client.change("server.yaml", SERVER.replace("image:", "imag:"))
    client.wait_for("server.yaml", "ADM001")
    [unknown] = client.diagnostics[client.uri("server.yaml")]
    assert unknown["source"] == "mcpcfg"
    assert unknown["range"] == {"start": {"line": 5, "character": 2}, "end": {"line": 5, "character": 6}}
    titles = {one["title"]: one for one in action(client, "server.yaml", 5)}
    [fixing] = [one for title, one in titles.items() if "image" in title]
    assert fixing["isPreferred"]
    [edit] = fixing["edit"]["changes"][client.uri("server.yaml")]
    assert (edit["newText"], edit["range"]) == ("image", unknown["range"])
    assert "Ignore ADM001 here" in titles
    everything = action(client, "server.yaml", 0, "source.fixAll")
    assert [one["kind"] for one in everything] == ["source.fixAll.mcpcfg"]
    client.change("server.yaml", SERVER)
    client.wait_for("server.yaml")
    assert client.leave() == 0


def test_an_edit_of_one_document_may_cause_findings_in_another(client: Client) -> None:
    client.open("server.yaml")
    client.open("oidc.yaml", OIDC.replace("shared", "other"))
    client.wait_for("server.yaml", "REF004")
    client.change("oidc.yaml", OIDC)
    client.wait_for("server.yaml")
    client.change("oidc.yaml", OIDC.replace("inline: {", "inline: {["))
    client.wait_for("oidc.yaml", "SYN004")


def test_a_project_within_another_counts_in_both(client: Client, folder: Path) -> None:
    (folder / "inner").mkdir()
    (folder / "inner" / "mcpcfg.yaml").write_text("{}\n")
    (folder / "oidc.yaml").rename(folder / "inner" / "oidc.yaml")
    client.open("server.yaml")
    client.open("inner/oidc.yaml", OIDC.replace("shared", "other"))
    client.wait_for("server.yaml", "REF004")
    client.change("inner/oidc.yaml", OIDC)
    client.wait_for("server.yaml")


def test_files_that_change_on_the_disk_are_checked_again(client: Client, folder: Path) -> None:
    client.open("server.yaml")
    (folder / "oidc.yaml").unlink()
    changed = [{"uri": client.uri("oidc.yaml"), "type": 3}]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changed})
    client.wait_for("server.yaml", "REF004")
    assert client.requests == ["client/registerCapability"]
    (folder / "mcpcfg.yaml").write_text("external: {MCPOIDCConfig: [shared]}\n")
    changed = [{"uri": client.uri("mcpcfg.yaml"), "type": 1}]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changed})
    client.wait_for("server.yaml")


def test_the_server_answers_requests_about_a_position(client: Client) -> None:
    client.open("server.yaml")
    shown = client.ask("hover", "server.yaml", *place(SERVER, "transport"))
    assert "`MCPServer.spec.transport`" in shown["contents"]["value"]
    name = place(SERVER, "shared")
    shown = client.ask("hover", "server.yaml", *name)
    assert "MCPOIDCConfig default/shared, oidc.yaml:4" in shown["contents"]["value"]
    found = client.ask("definition", "server.yaml", *name)
    start = dict(zip(("line", "character"), place(OIDC, "shared"), strict=True))
    assert (found["uri"], found["range"]["start"]) == (client.uri("oidc.yaml"), start)
    client.open("oidc.yaml")
    context = {"includeDeclaration": False}
    [found] = client.ask("references", "oidc.yaml", *place(OIDC, "shared"), context=context)
    assert (found["uri"], found["range"]["start"]) == (
        client.uri("server.yaml"),
        {"line": name[0], "character": name[1]},
    )
    [symbol] = client.ask("documentSymbol", "server.yaml", 0, 0)
    assert (symbol["name"], symbol["detail"]) == ("one", "MCPServer")
    [symbol] = client.request("workspace/symbol", {"query": "shar"})
    assert (symbol["name"], symbol["location"]["uri"]) == ("shared", client.uri("oidc.yaml"))


def test_the_server_completes_keys_and_names(client: Client) -> None:
    text = SERVER.replace("name: shared", "name: ") + "  \n"
    client.open("server.yaml", text)
    client.wait_for_news("server.yaml")
    line = text.count("\n") - 1
    found = client.ask("completion", "server.yaml", line, 2)["items"]
    [env] = [one for one in found if one["label"] == "env"]
    assert env["textEdit"]["newText"] == "env:\n  - "
    assert env["insertTextMode"] == 2
    assert "image" not in [one["label"] for one in found]
    line, column = place(text, "name: \n")
    [name] = client.ask("completion", "server.yaml", line, column + len("name: "))["items"]
    assert name["label"] == "shared"


def test_columns_are_counted_in_the_units_of_the_client(folder: Path) -> None:
    text = SERVER.replace("spec:", 'spec: {"😀é": 1}\nnone:')
    for unit, column in (("utf-8", 15), ("utf-16", 12), ("utf-32", 11)):
        capabilities = {**CAPABILITIES, "general": {"positionEncodings": [unit]}}
        client = Client(folder, capabilities=capabilities)
        assert client.capabilities["positionEncoding"] == unit
        client.open("server.yaml", text)
        client.wait_for_news("server.yaml")
        ends = [one["range"]["end"]["character"] for one in client.diagnostics[client.uri("server.yaml")]]
        assert column in ends
        assert client.leave() == 0


def test_a_client_without_optional_features_gets_plain_answers(folder: Path) -> None:
    client = Client(folder, capabilities={}, names_folders=False)
    assert client.capabilities["positionEncoding"] == "utf-16"
    client.open("server.yaml", SERVER + "---\n" + SERVER)
    client.wait_for("server.yaml", "ADM090")
    [twice] = client.diagnostics[client.uri("server.yaml")]
    assert "\nnote: " in twice["message"]
    assert "relatedInformation" not in twice
    assert client.ask("hover", "server.yaml", *place(SERVER, "transport"))["contents"]["kind"] == "plaintext"
    assert action(client, "server.yaml", 5) is None
    assert client.ask("definition", "server.yaml", *place(SERVER, "shared"))["uri"] == client.uri("oidc.yaml")
    client.change("server.yaml", SERVER + "  \n")
    found = client.ask("completion", "server.yaml", SERVER.count("\n"), 2)["items"]
    [env] = [one for one in found if one["label"] == "env"]
    assert env["textEdit"]["newText"] == "env:"
    assert isinstance(env["documentation"], str)
    assert client.requests == []
    assert client.leave() == 0


def test_documents_of_other_programs_and_closed_documents_have_no_diagnostics(client: Client) -> None:
    client.open("compose.yaml", "services:\n  web:\n    image: [\n")
    client.open("server.yaml", SERVER.replace("image", "imag"))
    client.wait_for("server.yaml", "ADM001")
    assert client.ask("hover", "compose.yaml", 1, 3) is None
    assert client.ask("completion", "compose.yaml", 1, 3)["items"] == []
    assert client.uri("compose.yaml") not in client.diagnostics
    client.close("server.yaml")
    client.wait_for("server.yaml")
    client.open("server.yaml")
    client.change("server.yaml", SERVER.replace("image", "imag"))
    client.wait_for("server.yaml", "ADM001")


def test_the_configuration_is_checked_while_it_is_edited(client: Client, folder: Path) -> None:
    (folder / "mcpcfg.yaml").write_text("failOn: warning\n")
    client.open("mcpcfg.yaml")
    client.change("mcpcfg.yaml", "failOn: sometimes\n")
    client.wait_for("mcpcfg.yaml", "configuration")
    found = client.ask("completion", "mcpcfg.yaml", 0, len("failOn: "))["items"]
    assert {one["label"] for one in found} == {"error", "warning", "info", "never"}
    client.change("mcpcfg.yaml", "failOn: never\n")
    client.wait_for("mcpcfg.yaml")


def test_a_configuration_that_cannot_be_used_is_reported_once(client: Client, folder: Path) -> None:
    (folder / "mcpcfg.yaml").write_text("failOn: sometimes\n")
    client.open("server.yaml")
    client.ask("hover", "server.yaml", 0, 0)
    client.change("server.yaml", SERVER + "# more\n")
    client.ask("hover", "server.yaml", 0, 0)
    assert len(client.messages) == 1
    assert "mcpcfg.yaml:1:9" in client.messages[0]


def test_options_of_the_command_may_be_given_at_the_beginning(folder: Path) -> None:
    secret = SERVER + "  secrets: [{name: absent, key: k, targetEnvName: K}]\n"
    client = Client(folder, options={"closed": True, "namespace": 7})
    client.open("server.yaml", secret)
    client.wait_for("server.yaml", "REF010")
    assert client.messages == ["mcpcfg: initializationOptions.namespace is not a string"]
    assert client.leave() == 0


def test_the_editor_learns_once_which_release_judges(folder: Path) -> None:
    pin = folder / "Chart.yaml"
    pin.write_text("apiVersion: v2\nname: toolhive-operator\nversion: 0.44.0\n")
    (folder / "mcpcfg.yaml").write_text("failOn: error\n")
    client = Client(folder)
    deprecated = SERVER.replace("v1beta1", "v1alpha1")
    client.open("server.yaml", deprecated)
    client.wait_for("server.yaml", "ADM092")
    assert client.logged == [f"mcpcfg: judged by operator release 0.44.0, which {pin}:3 installs"]
    client.open("Chart.yaml", "apiVersion: v2\nname: toolhive-operator\nversion: 0.52.0\n")
    client.change("server.yaml", deprecated.replace("shared", "absent"))
    client.wait_for("server.yaml", "ADM092", "REF004")
    assert client.leave() == 0
    (message,) = client.messages
    assert message.startswith(
        f"mcpcfg: release 0.52.0 ({pin}:3) is known in part; judged by {NEWEST_MODELLED} and what is "
    )
    assert " (hint: check --crds crds.yaml " in message


HOSTILE = (
    "\ud800\u2028\x85 a: [",
    "a: &x [*x, *x]\n" * 50,
    "- " * 5000,
    "[" * 5000,
    '{"a":' * 5000,
    "\ufeffapiVersion: toolhive.stacklok.dev/v1beta1\r\nkind: MCPServer\rmetadata: {",
    "%YAML 9.9\n--- !x\n" * 20,
    "spec: |\n" + " x\n" * 1000,
    "? a\n: b\n- c\n" * 20,
    "",
)


def test_no_text_stops_the_server(client: Client) -> None:
    client.open("server.yaml")
    for text in HOSTILE:
        for before in ("", "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\n"):
            client.change("server.yaml", before + text)
            for line, column in ((0, 0), (1, 6), (2, 1), (2, 10**6), (10**6, 3)):
                client.ask("hover", "server.yaml", line, column)
                client.ask("completion", "server.yaml", line, column)
                client.ask("definition", "server.yaml", line, column)
                action(client, "server.yaml", line)
            client.ask("documentSymbol", "server.yaml", 0, 0)
    assert client.messages == []
    assert client.leave() == 0


def test_a_file_that_changes_unseen_is_read_again_with_the_next_question(client: Client, folder: Path) -> None:
    client.open("server.yaml")
    assert client.ask("definition", "server.yaml", *place(SERVER, "shared"))["uri"] == client.uri("oidc.yaml")
    client.change("server.yaml", SERVER + "# more\n")
    client.ask("hover", "server.yaml", 0, 0)
    (folder / "oidc.yaml").write_text("kind: [\n")
    client.ask("definition", "server.yaml", *place(SERVER, "shared"))
    client.wait_for("server.yaml", "REF004")


def test_completion_works_in_a_document_without_a_file(client: Client) -> None:
    text = "kind: "
    item = {"uri": "untitled:Untitled-1", "languageId": "yaml", "version": 1, "text": text}
    client.notify("textDocument/didOpen", {"textDocument": item})
    asked = {"textDocument": {"uri": item["uri"]}, "position": {"line": 0, "character": 6}}
    found = client.request("textDocument/completion", asked)["items"]
    assert "MCPServer" in [one["label"] for one in found]
    assert client.request("textDocument/hover", asked) is None


def test_a_closed_connection_ends_the_server(client: Client) -> None:
    assert client.process.stdin is not None
    client.process.stdin.close()
    assert client.process.wait(30) == 1


def test_no_file_is_written(client: Client, folder: Path) -> None:
    before = sorted(folder.rglob("*"))
    client.open("server.yaml", SERVER.replace("image", "imag"))
    client.wait_for("server.yaml", "ADM001")
    action(client, "server.yaml", 5)
    assert client.leave() == 0
    assert sorted(folder.rglob("*")) == before
    assert (folder / "server.yaml").read_text() == SERVER


def test_the_command_is_listed() -> None:
    assert "lsp " in call("--help").out


@pytest.mark.parametrize("arguments", [None, [], [1], [{}, {}], ["uri"], [[{}]]])
def test_a_command_with_wrong_arguments_is_answered_with_an_error(client: Client, arguments: Any) -> None:
    params = {"command": "mcpcfg.compile"} | ({} if arguments is None else {"arguments": arguments})

    error = client.raw("workspace/executeCommand", params)["error"]

    assert (error["code"], error.get("data")) == (-32602, None)
    assert error["message"] == "the only argument of mcpcfg.compile is the data of a lens"
    assert client.request("workspace/executeCommand", {"command": "mcpcfg.compile", "arguments": [{}]}) is None


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("textDocument/hover", {}),
        ("textDocument/hover", None),
        ("textDocument/hover", []),
        ("textDocument/hover", {"textDocument": {"uri": 1}, "position": "there"}),
        ("textDocument/codeAction", {"textDocument": {"uri": "file:///a"}, "range": {}}),
        ("textDocument/rename", {"jsonrpc": "2.0"}),
        ("workspace/executeCommand", {"arguments": []}),
        ("workspace/symbol", "all"),
    ],
)
def test_a_request_with_wrong_parameters_is_answered_with_an_error(client: Client, method: str, params: Any) -> None:
    error = client.raw(method, params)["error"]

    assert (error["code"], error.get("data")) == (-32602, None)
    assert error["message"] == f"the parameters of {method} are not those of the protocol"
    client.open("server.yaml")
    client.wait_for("server.yaml")
