"""The commands about records, as people call them."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from calling import call

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

ROOT = Path(__file__).parents[3] / "fixtures" / "records" / "project"


@pytest.fixture(autouse=True)
def _at_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


CALLS = {
    "registry-list": ("registry", "list", "registry.json", "upstream.json"),
    "registry-servers": ("registry", "list", "registry.json", "--servers"),
    "registry-show": ("registry", "show", "registry.json"),
    "registry-server": ("registry", "show", "registry.json", "fetch"),
    "registry-remote": ("registry", "show", "registry.json", "docs-remote"),
    "registry-record": ("registry", "show", "registry.json", "fetch", "--record"),
    "registry-search": ("registry", "search", "registry.json", "--query", "WEATHER"),
    "registry-page": ("registry", "search", "registry.json", "--page", "2", "--limit", "2"),
    "registry-skills": ("registry", "skills", "upstream.json"),
    "registry-skill": ("registry", "skills", "upstream.json", "io.github.acme/pdf"),
    "skill-validate": ("skill", "validate", "skills/pdf"),
    "skill-show": ("skill", "show", "skills/pdf"),
    "client-list": ("client", "list"),
    "client-list-home": ("client", "list", "--home", "home"),
    "workload-show": ("workload", "show", "runconfigs/weather.json"),
    "workload-show-request": ("workload", "show", "fetch.json", "registry.json"),
    "workload-list": ("workload", "list", "runconfigs"),
    "workload-list-running": ("workload", "list", "runconfigs", "--statuses", "statuses"),
    "workload-list-all": ("workload", "list", "runconfigs", "--statuses", "statuses", "--all", "--group", "default"),
}
CONVERSIONS = {
    "registry": ("registry", "convert", "registry.json"),
    "registry-back": ("registry", "convert", "upstream.json"),
    "registry-same": ("registry", "convert", "upstream.json", "--to", "upstream"),
    "request-to-server": ("convert", "fetch.json", "registry.json", "--to", "MCPServer"),
    "request-to-runconfig": ("convert", "fetch.json", "registry.json", "--to", "runconfig", "--proxy-port", "9000"),
    "runconfig-to-server": ("convert", "runconfigs/weather.json", "--to", "MCPServer"),
    "runconfig-to-request": ("convert", "runconfigs/weather.json", "--to", "workload"),
    "server-to-request": ("convert", "server.yaml", "--to", "workload"),
    "entry-to-server": ("convert", "registry.json", "--name", "fetch", "--to", "MCPServer"),
    "record-to-entry": ("registry", "convert", "record.json"),
    "record-to-server": ("convert", "record.json", "--to", "MCPServer"),
    "client-of-project": ("client", "config", "cursor", "."),
    "client-of-cluster": ("client", "config", "goose", "server.yaml", "--host", "localhost:8080"),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_text_output_of_a_record_command(name: str, snapshot: SnapshotAssertion) -> None:
    outcome = call(*CALLS[name])
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out == snapshot


@pytest.mark.parametrize("name", CALLS)
def test_a_record_equals_the_response_of_the_api(name: str, snapshot: SnapshotAssertion) -> None:
    outcome = call(*CALLS[name], "--format", "json")
    assert outcome.status == 0
    assert json.loads(outcome.out) == snapshot


@pytest.mark.parametrize("name", CONVERSIONS)
def test_a_conversion_writes_the_result_and_tells_what_is_lost(name: str, snapshot: SnapshotAssertion) -> None:
    outcome = call(*CONVERSIONS[name])
    assert outcome.status == 0
    assert (outcome.out, outcome.err) == snapshot


def test_installed_skills_are_listed_as_the_api_does() -> None:
    outcome = call("skill", "list", "--home", "home", "--group", "team", "--client", "claude-code", "-f", "json")
    (found,) = json.loads(outcome.out)["skills"]
    assert found.pop("installed_at").endswith("Z")
    assert found == {
        "metadata": {"name": "pdf", "version": "1.2", "description": found["metadata"]["description"], "author": "Ann"},
        "scope": "user",
        "status": "installed",
        "clients": ["claude-code"],
    }
    shown = call("skill", "show", "pdf", "--home", "home", "-f", "json")
    assert json.loads(shown.out)["installed_skill"]["metadata"] == found["metadata"]
    assert "claude-code" in call("skill", "list", "--home", "home").out
    assert call("skill", "list", "--home", "home", "--scope", "project", "-f", "json").out == '{\n  "skills": []\n}\n'


FAULTS: dict[str, tuple[str, ...]] = {
    "no file": ("registry", "list", "none.json"),
    "no registry": ("registry", "show", "skills/pdf/notes.txt"),
    "a folder": ("registry", "show", "skills"),
    "no server": ("registry", "show", "registry.json", "fetsh"),
    "no skill": ("registry", "skills", "upstream.json", "pdf"),
    "two files": ("registry", "list", "registry.json", "upstream.json", "--servers"),
    "no folder": ("skill", "validate", "none"),
    "no skill there": ("skill", "show", "runconfigs"),
    "not installed": ("skill", "show", "csv", "--home", "home"),
    "nowhere": ("skill", "list"),
    "no client": ("skill", "list", "--home", "home", "--client", "cursr"),
    "no group": ("skill", "list", "--home", "home", "--group", "none"),
    "no such client": ("client", "config", "cursr"),
    "no such server": ("client", "config", "cursor", ".", "--server", "none"),
    "no workload": ("workload", "show", "skills/pdf/SKILL.md"),
    "odd group": ("workload", "list", "runconfigs", "--group", "A"),
    "remote": ("convert", "docs.json", "--to", "MCPServer"),
    "remote entry": ("convert", "registry.json", "--name", "docs-remote", "--to", "MCPServer"),
    "which entry": ("convert", "registry.json", "--to", "MCPServer"),
    "no entry": ("convert", "registry.json", "--name", "none", "--to", "MCPServer"),
    "nothing": ("convert", "skills/pdf/SKILL.md", "--to", "MCPServer"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_wrong_call_is_reported_in_one_line(name: str) -> None:
    outcome = call(*FAULTS[name])
    assert outcome.status == 2
    assert outcome.out == ""
    assert outcome.err.strip().split("\n")[-1].startswith(("Error: ", "mcpcfg: "))
    assert "Traceback" not in outcome.err


def test_a_skill_that_is_not_valid_gives_status_1(tmp_path: Path) -> None:
    outcome = call("skill", "validate", str(tmp_path), "-f", "json")
    assert outcome.status == 1
    assert json.loads(outcome.out)["valid"] is False


def test_a_folder_without_servers_has_no_settings(tmp_path: Path) -> None:
    outcome = call("client", "config", "cursor", str(tmp_path))
    assert (outcome.status, outcome.out) == (1, "")


@pytest.mark.parametrize("content", ["[]", "3", '{"data": 3}', '{"servers": []}', "{", ""])
def test_no_file_causes_a_traceback(content: str, tmp_path: Path) -> None:
    file = str(tmp_path / "a.json")
    Path(file).write_text(content)
    calls: list[tuple[Any, ...]] = [
        ("registry", "list", file),
        ("registry", "convert", file),
        ("workload", "show", file),
        ("convert", file, "--to", "MCPServer"),
        ("client", "config", "cursor", file),
    ]
    for one in calls:
        outcome = call(*one)
        assert outcome.status in {0, 1, 2}
        assert "Traceback" not in outcome.err


def test_the_named_file_alone_is_shown_of_a_project(tmp_path: Path) -> None:
    legacy = '{"version": "VERSION", "last_updated": "2025-06-01T00:00:00Z", "servers": {}}'
    (tmp_path / "mcpcfg.yaml").write_text("exclude: []\n")
    (tmp_path / "a.json").write_text(legacy.replace("VERSION", "1.0.0"))
    (tmp_path / "b.json").write_text(legacy.replace("VERSION", "2.0.0"))
    (tmp_path / "broken.yaml").write_text("a: [\n")
    shutil.copy(ROOT / "runconfigs" / "docs.json", tmp_path)

    assert "2.0.0" in call("registry", "show", str(tmp_path / "b.json")).out
    assert "docs" in call("workload", "show", str(tmp_path / "docs.json")).out
    assert call("workload", "show", str(tmp_path / "b.json")).status == 2


def test_a_file_that_is_not_a_registry_is_refused() -> None:
    outcome = call("registry", "list", str(ROOT / "runconfigs" / "docs.json"))

    assert outcome.status == 2
    assert "is not a registry" in outcome.err


def test_servers_of_one_name_are_not_mixed_up(tmp_path: Path) -> None:
    server = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata: {name: fetch, namespace: NS}\n"
    for namespace in ("dev", "prod"):
        (tmp_path / f"{namespace}.yaml").write_text(server.replace("NS", namespace) + "spec: {image: a/b:1}\n")
    (tmp_path / "mcpcfg.yaml").write_text("exclude: []\n")

    outcome = call("client", "config", "cursor", str(tmp_path))
    assert outcome.status == 2
    assert "several servers are called 'fetch'" in outcome.err
    outcome = call("client", "config", "cursor", str(tmp_path / "prod.yaml"))
    assert "mcp-fetch-proxy.prod" in outcome.out


def test_a_server_that_several_clusters_declare_appears_once_in_a_client_configuration() -> None:
    project = ROOT.parents[1] / "projects" / "three-clusters"
    outcome = call("client", "config", "cursor", str(project))
    assert outcome.status == 0
    assert set(json.loads(outcome.out)["mcpServers"]) == {"fetch", "gateway"}


@pytest.mark.parametrize("group", ["registry", "skill", "client", "workload", "cache"])
def test_no_line_of_help_is_cut(group: str) -> None:
    assert "..." not in call(group, "--help").out.partition("Commands:")[2]


def test_the_list_of_registries_counts_remote_servers_too() -> None:
    file = str(ROOT.parents[1] / "simulations" / "call" / "registry.json")

    heads, row = (re.split(r" {2,}", line) for line in call("registry", "list", file).out.splitlines())

    shown = dict(zip(heads, row, strict=True))
    assert (shown["CONTAINERS"], shown["REMOTE SERVERS"]) == ("1", "1")
    assert json.loads(call("registry", "list", file, "--format", "json").out)["registries"][0]["server_count"] == 1


def test_a_folder_in_place_of_a_record_is_named(tmp_path: Path) -> None:
    outcome = call("registry", "convert", str(tmp_path))
    assert outcome.status == 2
    assert f"{tmp_path}: is a folder; name a file" in outcome.err


def test_servers_of_a_cluster_that_share_an_address_are_named(tmp_path: Path) -> None:
    server = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata: {name: NAME}\nspec: {image: i}\n"
    file = tmp_path / "servers.yaml"
    file.write_text(server.replace("NAME", "fetch") + "---\n" + server.replace("NAME", "search"))
    shared = call("client", "config", "cursor", str(file), "--host", "localhost:8080")
    assert shared.status == 0
    assert "mcpcfg: fetch and search have one address, http://localhost:8080/mcp: only one of them can" in shared.err
    assert call("client", "config", "cursor", str(file)).err == ""


@pytest.mark.parametrize(
    "words", [("search", "--query", "github"), ("list", "--servers"), ("show",), ("show", "github")]
)
def test_the_registry_that_comes_with_mcpcfg_needs_no_path(words: tuple[str, ...]) -> None:
    outcome = call("registry", *words)

    assert outcome.status == 0
    assert "io.github.stacklok/github" in outcome.out


def test_a_server_of_the_registry_is_suggested_by_the_end_of_its_name() -> None:
    assert "did you mean io.github.stacklok/github?" in call("registry", "show", "githb").err


def test_a_registry_file_that_is_missing_is_no_server() -> None:
    assert "no such file or folder: none.json" in call("registry", "show", "none.json").err
