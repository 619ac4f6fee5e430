"""Client applications: their settings as recorded, and the layout of the texts."""

import json
from pathlib import Path
from typing import Any

import pytest

from mcpcfg.compiler.cli.main import main
from mcpcfg.compiler.records.client.config import ServerEntry, client_settings
from mcpcfg.compiler.records.client.config_json import _aligned
from mcpcfg.compiler.records.client.list import client_statuses
from mcpcfg.compiler.toolhive.client import BY_NAME, CLIENTS, PLATFORMS, Client, clients_of_release

from .conftest import fixture_rows

URL = "http://127.0.0.1:18080/mcp"
RECORDED = [client.name for client in clients_of_release("0.21.0")]


@pytest.mark.parametrize("row", fixture_rows("clients"), ids=lambda row: f"{row['client']}-{row['transport']}")
def test_the_settings_of_a_client_are_written_as_recorded(row: dict[str, Any]) -> None:
    client = BY_NAME[row["client"]]
    assert client.settings_path("linux") == row["path"]
    assert client_settings(client, [ServerEntry("fetch", URL, row["transport"])]) == row["text"]


@pytest.mark.parametrize("row", fixture_rows("clients"), ids=lambda row: f"{row['client']}-{row['transport']}")
def test_the_command_prints_the_settings_of_a_server_at_a_url(
    row: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--server", "fetch", "--url", URL, "--transport", row["transport"])
    with pytest.raises(SystemExit, match="0"):
        main(["client", "config", row["client"], *options])
    assert capsys.readouterr().out == row["text"]


@pytest.mark.parametrize("transport", ["stdio", "streamable-http"])
@pytest.mark.parametrize("client", RECORDED)
def test_the_command_prints_the_settings_of_a_stored_workload(
    client: str, transport: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stored = {"schema_version": "v0.1.0", "name": "fetch", "image": "a", "transport": transport, "port": 18080}
    (tmp_path / "fetch.json").write_text(json.dumps(stored))
    with pytest.raises(SystemExit, match="0"):
        main(["client", "config", client, str(tmp_path)])
    rows = {(row["client"], row["transport"]): row["text"] for row in fixture_rows("clients")}
    assert capsys.readouterr().out == rows[client, transport]


def test_every_client_of_the_recorded_release_is_in_the_recorded_cases() -> None:
    assert sorted({row["client"] for row in fixture_rows("clients")}) == RECORDED
    assert [client.name for client in CLIENTS] == sorted(BY_NAME)


@pytest.mark.parametrize(
    ("release", "news", "gone"),
    [
        ("0.27.2", set(), set()),
        ("0.28.0", {"copilot-cli"}, set()),
        ("0.33.0", {"copilot-cli"}, set()),
        ("0.34.0", {"copilot-cli"}, {"amp-cursor", "amp-vscode", "amp-vscode-insider", "amp-windsurf"}),
        ("0.45.0", {"copilot-cli", "qoder"}, {"amp-cursor", "amp-vscode", "amp-vscode-insider", "amp-windsurf"}),
    ],
)
def test_a_release_lists_the_clients_that_it_knows(
    release: str, news: set[str], gone: set[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["client", "list", "--home", str(tmp_path), "--release", release, "--format", "json"])
    listed = {one["client_type"] for one in json.loads(capsys.readouterr().out)["clients"]}
    assert (listed - set(RECORDED), set(RECORDED) - listed) == (news, gone)


def test_the_settings_of_an_unrecorded_client_are_in_the_folder_that_it_reads(tmp_path: Path) -> None:
    (tmp_path / ".qoder").mkdir()
    qoder = next(one for one in client_statuses(str(tmp_path), "linux") if one["client_type"] == "qoder")
    assert qoder["installed"] is qoder["supports_skills"] is True
    assert BY_NAME["qoder"].settings_path("windows") == "AppData/Roaming/Qoder/SharedClientCache/mcp.json"
    entry = ServerEntry("fetch", URL, "stdio")
    assert client_settings(BY_NAME["copilot-cli"], [entry]) == client_settings(BY_NAME["cursor"], [entry])


def test_added_servers_share_a_line_until_it_is_too_long() -> None:
    servers = [
        ServerEntry("fetch", URL, "stdio"),
        ServerEntry("longer-name", URL, "stdio"),
        ServerEntry("x", f"{URL}/{'a' * 60}", "stdio"),
    ]
    assert client_settings(BY_NAME["cursor"], servers) == (
        "{\n"
        '\t"mcpServers": {\n'
        '\t\t"fetch":       {"url": "http://127.0.0.1:18080/mcp", "type": "http"},\n'
        '\t\t"longer-name": {"url": "http://127.0.0.1:18080/mcp", "type": "http"},\n'
        '\t\t"x": {\n'
        f'\t\t\t"url":  "{URL}/{"a" * 60}",\n'
        '\t\t\t"type": "http"\n'
        "\t\t}\n"
        "\t}\n"
        "}\n"
    )


def test_a_server_of_the_same_name_is_replaced() -> None:
    servers = [ServerEntry("a", "http://x", "stdio"), ServerEntry("a", "http://y", "stdio")]
    assert client_settings(BY_NAME["zed"], servers) == '{"context_servers": {"a": {"url": "http://y"}}}\n'


def test_toml_tables_are_sorted_and_quoted() -> None:
    servers = [ServerEntry("b", "x'y", "sse"), ServerEntry("a b", "http://x", "sse"), ServerEntry("a", "é\t\n", "sse")]
    assert client_settings(BY_NAME["codex"], servers) == (
        "[mcp_servers]\n"
        '[mcp_servers.a]\nurl = "é\\t\\n"\n\n'
        "[mcp_servers.'a b']\nurl = 'http://x'\n\n"
        '[mcp_servers.b]\nurl = "x\'y"\n'
    )


def test_the_folder_of_skills_depends_on_the_platform() -> None:
    assert BY_NAME["opencode"].skills_path("linux") == ".config/opencode/skills"
    assert BY_NAME["opencode"].skills_path("windows") == "opencode/skills"
    assert BY_NAME["zed"].skills_path("linux") is None
    assert BY_NAME["claude-code"].installed_path("linux") == ".claude.json"
    assert BY_NAME["goose"].installed_path("windows") == "AppData/Block/goose"
    assert all(client.settings_path(platform) for client in CLIENTS for platform in PLATFORMS)


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_an_unknown_transport_gets_the_default_field_and_no_type(client: Client) -> None:
    assert client.url_field("carrier-pigeon") == "url"
    assert client.type_value("carrier-pigeon") is None


@pytest.mark.parametrize(
    ("names", "values", "widths"),
    [
        (["a", "bcd"], ["1", "2"], [3, 3]),
        (["abc", "d", "ef"], ["1", "{\n}", "2"], [3, 1, 2]),
        (["a", "bcd", "e"], ["{\n}", "1", "2"], [1, 3, 3]),
    ],
)
def test_values_of_consecutive_single_lines_are_aligned(names: list[str], values: list[str], widths: list[int]) -> None:
    assert _aligned(names, values) == widths
