"""Workload requests: verdicts, run configurations byte for byte, and back again."""

import json
from typing import Any

import pytest

from mcpcfg.compiler.golang.json import compact
from mcpcfg.compiler.project import input_kind
from mcpcfg.compiler.records.permission.check import PRIVILEGED
from mcpcfg.compiler.records.registry.file import LoadedRegistry, decode_registry, load_registry
from mcpcfg.compiler.records.runconfig.text import runconfig_text
from mcpcfg.compiler.records.secret import check as secret
from mcpcfg.compiler.records.shape import decode
from mcpcfg.compiler.records.workload.check import (
    AUTHZ_FILE,
    CALLBACK_PORT,
    HEADER,
    NAME_REFUSED,
    NOTHING_TO_RUN,
    PROXY_MODE,
    PROXY_PORT,
    RESOURCE,
    RUNTIME,
    TRANSPORT,
    UNDECODABLE,
    UNKNOWN_FIELD,
    VOLUME,
    CheckedWorkload,
    check_workload,
)
from mcpcfg.compiler.records.workload.compile import compile_workload, drawn_port
from mcpcfg.compiler.records.workload.lint import (
    CANNOT_START,
    DEPRECATED,
    GROUP_NAME,
    IGNORED,
    NO_IMAGE,
    PATH_ON_HOST,
    PLAIN_SECRET,
    PORT_DRAWN,
    REMOTE_BY_NAME,
    TIME_IN_NAME,
    UNSAFE_URL,
    VARIABLE_OVERWRITTEN,
    VOLUME_SKIPPED,
)
from mcpcfg.compiler.records.workload.record import loaded_runconfig, proxy_url, workload_details, workload_summary
from mcpcfg.compiler.records.workload.registry_entry import (
    DEFAULT_CRASH,
    OVERRIDE_EMPTY,
    SECRET_MISSING,
    TOOL_UNKNOWN,
    VARIABLE_MISSING,
)
from mcpcfg.compiler.toolhive.machine import Machine
from mcpcfg.validators.registry import all_rules

from .conftest import CONFORMANCE, fixture_rows, recorded_rows

RULES = all_rules()


def registry_of(document: Any) -> LoadedRegistry:
    return load_registry(decode_registry(document))


def check(document: Any, registry: Any = None, **machine: Any) -> CheckedWorkload:
    checked = check_workload(document, None if registry is None else registry_of(registry), Machine(**machine))
    assert checked.refused == any((f.severity or f.rule.severity) == "error" for f in checked.faults)
    return checked


def compare(document: Any, registry: Any, text: str, details: Any) -> None:
    config = json.loads(text)
    machine = Machine(proxy_port=config["port"], target_port=config.get("target_port"))
    checked = check_workload(document, registry_of(registry), machine)
    compiled = compile_workload(checked.request, checked.lookup, machine)
    assert runconfig_text(compiled) + "\n" == text
    assert json.loads(compact(workload_details(compiled))) == details


@pytest.mark.parametrize("row", fixture_rows("workload"), ids=lambda row: row["name"])
def test_a_request_is_refused_or_compiled_as_recorded(row: dict[str, Any]) -> None:
    assert check(row["input"], row["registry"]).refused == row["refused"]
    if "runconfig" in row:
        compare(row["input"], row["registry"], row["runconfig"], row["details"])


def test_every_recorded_request_is_refused_or_compiled_as_recorded() -> None:
    for row, document in recorded_rows("workload"):
        beside = CONFORMANCE / "files" / row["file"].replace("workload.json", "registry.json")
        registry = json.loads(beside.read_text("utf-8"))
        assert check(document, registry).refused == bool(row["error"]), row["file"]
        if row.get("runconfig"):
            compare(document, registry, row["runconfig"], row["details"])


ENTRY = {
    "description": "Weather for cities",
    "image": "ghcr.io/acme/weather:1",
    "status": "Active",
    "tier": "Community",
    "transport": "sse",
    "tools": ["forecast", "alerts"],
}


def with_entry(**entry: Any) -> dict[str, Any]:
    return {"version": "1.0.0", "last_updated": "2025-06-01T00:00:00Z", "servers": {"weather": ENTRY | entry}}


def codes(checked: CheckedWorkload) -> set[str]:
    quiet = {PORT_DRAWN.id, DEPRECATED.id, PATH_ON_HOST.id}
    return {fault.rule.id for fault in checked.faults} - quiet


@pytest.mark.parametrize(
    ("request_", "rule"),
    [
        ({"name": "a", "image": "b", "proxy_port": "1"}, UNDECODABLE),
        ({"name": "a"}, NOTHING_TO_RUN),
        ({"name": "a b", "image": "ab"}, NAME_REFUSED),
        ({"image": "ab"}, NAME_REFUSED),
        ({"name": "a", "image": "ab", "proxy_mode": "http"}, PROXY_MODE),
        ({"name": "a", "url": "https://x/y", "oauth_config": {"resource": "//a"}}, RESOURCE),
        ({"name": "a", "url": "https://x/y", "oauth_config": {"callback_port": 80}}, CALLBACK_PORT),
        (
            {"name": "a", "url": "https://x", "header_forward": {"add_plaintext_headers": {"host": "x"}}},
            HEADER,
        ),
        (
            {"name": "a", "url": "https://x", "header_forward": {"add_headers_from_secret": {"X-Key": ""}}},
            HEADER,
        ),
        ({"name": "a", "image": "ab", "runtime_config": {"builder_image": "golang:1"}}, RUNTIME),
        ({"name": "a", "image": "ab", "transport": "http"}, TRANSPORT),
        ({"name": "a", "image": "ab", "volumes": ["/a:/b:rw"]}, VOLUME),
        ({"name": "a", "image": "ab", "tools_override": {"x": {}}}, OVERRIDE_EMPTY),
        ({"name": "a", "image": "ab", "authz_config": "x.json"}, AUTHZ_FILE),
        ({"name": "a", "image": "ab", "proxy_port": 70000}, PROXY_PORT),
        ({"name": "a", "image": "weather", "tools": ["x"]}, TOOL_UNKNOWN),
        ({"name": "a", "image": "ab", "target_prot": 1}, UNKNOWN_FIELD),
        ({"name": "a", "image": "ab", "target_port": 1}, IGNORED),
        ({"name": "a", "image": "My Server"}, NO_IMAGE),
        ({"name": "a", "image": "ab", "env_vars": {"MCP_PORT": "1"}}, VARIABLE_OVERWRITTEN),
        ({"name": "a", "url": "https://x/y", "transport": "stdio"}, CANNOT_START),
        ({"name": "a", "url": "http://x/y"}, UNSAFE_URL),
        ({"name": "a", "image": "ab", "secrets": [{"name": "", "target": "X"}]}, CANNOT_START),
        ({"name": "a", "image": "ab", "group": "Team"}, GROUP_NAME),
        ({"name": "a", "image": "ab", "volumes": ["/a:/c", "/b:/c"]}, VOLUME_SKIPPED),
        ({"name": "a", "image": "uvx://x"}, TIME_IN_NAME),
        (
            {"name": "a", "image": "ab", "secrets": [{"name": "__thv_x", "target": "X"}]},
            secret.SECRET_RESERVED,
        ),
        (
            {"name": "a", "image": "ab", "env_vars": {"X": "1"}, "secrets": [{"name": "x", "target": "X"}]},
            secret.SECRET_TWICE,
        ),
        ({"name": "a", "image": "ab", "permission_profile": {"privileged": True}}, PRIVILEGED),
    ],
)
def test_a_faulty_request_is_reported_by_its_rule(request_: dict[str, Any], rule: Any) -> None:
    assert codes(check(request_, with_entry())) == {rule.id}


@pytest.mark.parametrize(
    ("spec", "more", "rule"),
    [
        ({"required": True}, {}, VARIABLE_MISSING),
        ({"required": True}, {"env_vars": {"KEY": ""}}, None),
        ({"required": True}, {"secrets": [{"name": "k", "target": "KEY"}]}, None),
        ({"secret": True}, {"env_vars": {}}, SECRET_MISSING),
        ({"secret": True}, {"env_vars": {"KEY": "x"}}, PLAIN_SECRET),
        ({"default": "x"}, {}, DEFAULT_CRASH),
        ({"default": "x"}, {"env_vars": {}}, None),
    ],
)
def test_a_request_must_set_the_required_variables_of_its_registry_entry(spec: Any, more: Any, rule: Any) -> None:
    registry = with_entry(env_vars=[{"name": "KEY", "description": "a key", "required": False} | spec])
    found = codes(check({"name": "a", "image": "weather"} | more, registry))
    assert found == ({rule.id} if rule else set())


def test_a_request_without_a_name_gets_the_name_of_its_server_in_the_registry() -> None:
    checked = check({"image": "weather"}, with_entry())
    compiled = compile_workload(checked.request, checked.lookup, Machine())
    assert not codes(checked)
    assert {compiled[key] for key in ("name", "container_name", "base_name")} == {"weather"}
    assert compiled["port"] == drawn_port("weather", "proxy")


def test_the_name_of_a_server_with_a_slash_is_made_safe_for_the_container() -> None:
    registry = with_entry()
    registry["servers"] = {"io.acme/weather": registry["servers"]["weather"]}
    checked = check({"image": "io.acme/weather"}, registry)
    compiled = compile_workload(checked.request, checked.lookup, Machine())
    assert not codes(checked)
    assert (compiled["name"], compiled["container_name"]) == ("io.acme/weather", "io.acme-weather")


def test_a_remote_server_gives_no_name() -> None:
    remote = {"description": "Docs as a server", "url": "https://docs.acme.io/mcp", "transport": "sse"}
    registry = {"version": "1.0.0", "last_updated": "2025-06-01T00:00:00Z", "servers": {}}
    checked = check({"image": "docs"}, registry | {"remote_servers": {"docs": remote}})
    assert NAME_REFUSED.id in codes(checked)


def test_null_variables_of_the_registry_entry_are_ignored() -> None:
    registry = {"servers": {"weather": {**ENTRY, "env_vars": [None, {"name": "A", "default": "b"}]}}}
    checked = check({"name": "a", "image": "weather", "env_vars": {}}, registry)
    compiled = compile_workload(checked.request, checked.lookup, Machine())
    assert not checked.refused
    assert compiled["env_vars"]["A"] == "b"


def test_a_compiled_workload_has_the_defaults_of_its_registry_entry() -> None:
    registry = with_entry(
        target_port=9000,
        proxy_port=9001,
        args=["serve"],
        permissions={"read": ["/etc/hosts"]},
        env_vars=[{"name": "REGION", "description": "where", "required": False, "default": "eu"}],
    )
    checked = check({"name": "w", "image": "weather", "env_vars": {}, "volumes": ["/a:/b:ro", "/c"]}, registry)
    config = compile_workload(checked.request, checked.lookup, Machine())
    assert config["image"] == "ghcr.io/acme/weather:1"
    assert (config["port"], config["target_port"], config["transport"]) == (9001, 9000, "sse")
    assert config["cmd_args"] == ["serve"]
    assert config["env_vars"] == {
        "REGION": "eu",
        "MCP_TRANSPORT": "sse",
        "MCP_PORT": "9000",
        "FASTMCP_PORT": "9000",
    }
    assert config["permission_profile"]["read"] == ["/etc/hosts", "/a:/b"]
    assert config["permission_profile"]["write"] == ["/c"]
    assert config["registry_server_name"] == "weather"


def test_drawn_ports_are_the_same_each_time_and_differ_by_name() -> None:
    assert drawn_port("a", "proxy") == drawn_port("a", "proxy")
    assert len({drawn_port(str(i), "proxy") for i in range(100)}) > 95
    assert all(10000 <= drawn_port(str(i), "target") <= 65535 for i in range(100))


def test_an_authorization_file_goes_into_the_configuration_and_its_middleware() -> None:
    policies = {"version": "1.0", "type": "cedarv1", "cedar": {"policies": ["permit(principal, action, resource);"]}}
    machine = Machine(authz={"policies.json": policies}.get)
    checked = check_workload({"name": "a", "image": "ab", "authz_config": "policies.json"}, None, machine)
    assert not checked.refused
    config = compile_workload(checked.request, checked.lookup, machine)
    assert config["authz_config"] == policies
    assert [one["type"] for one in config["middleware_configs"]] == [
        "auth",
        "mcp-parser",
        "usagemetrics",
        "authorization",
        "recovery",
    ]


def test_no_secret_value_is_shown() -> None:
    document = {
        "name": "a",
        "image": "weather",
        "env_vars": {"KEY": "hunter2"},
        "secrets": [{"name": "k", "target": ""}],
    }
    registry = with_entry(env_vars=[{"name": "KEY", "description": "a key", "required": True, "secret": True}])
    assert not any("hunter2" in fault.message for fault in check(document, registry).faults)


@pytest.mark.parametrize(
    ("config", "url"),
    [
        ({"transport": "stdio", "port": 8080}, "http://127.0.0.1:8080/mcp"),
        ({"transport": "stdio", "proxy_mode": "sse", "port": 8080}, "http://127.0.0.1:8080/sse#my%20srv"),
        ({"transport": "sse", "port": 8080}, "http://127.0.0.1:8080/sse#my%20srv"),
        (
            {"transport": "streamable-http", "port": 8080, "remote_url": "https://x/y/mcp?q=1"},
            "http://127.0.0.1:8080/y/mcp",
        ),
        ({"transport": "streamable-http", "port": 8080, "remote_url": "https://x/"}, "http://127.0.0.1:8080"),
        ({"transport": "sse", "port": 8080, "remote_url": "https://x"}, "http://127.0.0.1:8080/sse#my%20srv"),
        ({"transport": "inspector", "port": 8080}, ""),
        ({"transport": "sse"}, ""),
    ],
)
def test_clients_reach_a_workload_at_its_url(config: Any, url: str) -> None:
    assert proxy_url(decode(config, "RunConfig")[0], "my srv") == url


def test_a_stored_configuration_is_summarised() -> None:
    stored = {
        "name": "n",
        "base_name": "b",
        "image": "i:1",
        "transport": "stdio",
        "port": 8080,
        "container_labels": {"toolhive-name": "b", "team": "x"},
    }
    config = loaded_runconfig(decode(stored, "RunConfig")[0])
    status = {"status": "running", "created_at": "2025-01-01T00:00:00Z", "status_context": 5}
    assert workload_summary(config, status) == {
        "name": "b",
        "package": "i:1",
        "url": "http://127.0.0.1:8080/mcp",
        "port": 8080,
        "transport_type": "stdio",
        "proxy_mode": "streamable-http",
        "status": "running",
        "created_at": "2025-01-01T00:00:00Z",
        "labels": {"team": "x"},
        "started_at": "0001-01-01T00:00:00Z",
    }
    remote = loaded_runconfig(decode(stored | {"remote_url": "https://x"}, "RunConfig")[0])
    assert workload_summary(remote)["labels"] == {"toolhive-name": "b", "team": "x"}
    assert workload_summary(remote)["status"] == "unknown"


@pytest.mark.parametrize("document", [None, [], 5, "x", {}, {"image": None}, {"secrets": [None]}])
def test_any_request_gives_faults_and_no_traceback(document: Any) -> None:
    assert check(document).refused
    assert input_kind.recognize(document) is None


def test_the_name_of_a_remote_server_gets_its_url_as_a_hint() -> None:
    remote = {"docs": {"url": "https://docs.example/sse", "description": "d", "transport": "sse", "tools": ["a"]}}
    registry = {"version": "1.0.0", "last_updated": "2025-06-01T00:00:00Z", "remote_servers": remote}
    hints = {one.rule.id: one.hint for one in check({"name": "a", "image": "docs"}, registry).faults}
    assert str(hints[REMOTE_BY_NAME.id]).endswith('"url": "https://docs.example/sse"')


def test_a_remote_server_of_the_registry_gets_the_oauth_settings_of_its_entry() -> None:
    oauth = {"issuer": "https://id.example", "scopes": ["read"], "client_id": "of-the-entry"}
    remote: dict[str, dict[str, object]] = {
        "docs": {"url": "https://docs.example/sse", "description": "d", "transport": "sse", "tools": ["a"]},
    }
    remote["docs"] |= {"oauth_config": oauth, "headers": [{"name": "X-Key", "description": "k", "required": False}]}
    registry = {"version": "1.0.0", "last_updated": "2025-06-01T00:00:00Z", "remote_servers": remote}
    machine = Machine(proxy_port=18080)
    checked = check_workload(
        {"name": "a", "image": "docs", "oauth_config": {"client_id": "mine"}}, registry_of(registry), machine
    )
    auth = compile_workload(checked.request, checked.lookup, machine)["remote_auth_config"]
    assert (auth["issuer"], auth["scopes"], auth["client_id"]) == ("https://id.example", ["read"], "mine")
    assert auth["resource"] == "https://docs.example/sse"
    assert [header["name"] for header in auth["headers"]] == ["X-Key"]
