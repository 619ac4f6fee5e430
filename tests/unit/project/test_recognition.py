"""Records are recognised by their content, and files of other programs are left alone."""

from __future__ import annotations

import json
from time import process_time
from typing import Any

import pytest

from mcpcfg.compiler.check.facts import read_facts
from mcpcfg.compiler.project import recognition
from mcpcfg.compiler.project.input_kind import recognize

OURS: list[tuple[str, dict[str, Any]]] = [
    ("registry", {"version": "1.0.0", "last_updated": "2025-01-01T00:00:00Z", "servers": {}}),
    ("registry", {"version": "1.0.0", "meta": {"last_updated": ""}, "data": {"servers": []}}),
    ("server", {"name": "io.acme/fetch", "description": "d", "version": "1", "packages": [{"registryType": "oci"}]}),
    ("server", {"$schema": "https://example.com/server.schema.json", "name": "io.acme/fetch"}),
    ("catalog-skill", {"namespace": "io.acme", "name": "pdf", "description": "d", "version": "1"}),
    ("workload", {"name": "fetch", "image": "fetch"}),
    ("workload", {"name": "docs", "url": "https://mcp.acme.io", "oauth_config": {}}),
    ("workload", {"image": "fetch", "proxy_port": 8080}),
    ("permission-profile", {"network": {"outbound": {"insecure_allow_all": True}}}),
    ("permission-profile", {"privileged": True, "read": ["/srv"]}),
    ("registry", {"version": "1.0.0", "data": {"servers": [{"name": "io.acme/fetch"}]}}),
    ("registry", {"meta": {"lastUpdated": ""}, "data": {"servers": []}}),
    ("registry", {"last_updated": "", "servers": {"fetch": {"image": "fetch:1", "transport": "stdio"}}}),
    ("catalog-skill", {"namespace": "io.acme", "name": "a", "description": "", "version": "1", "packages": []}),
    ("runconfig", {"schema_version": "v0.1.0", "image": "fetch:1", "name": "fetch"}),
    ("authserver", {"issuer": "https://auth.acme.example", "upstreams": [], "allowed_audiences": []}),
    ("audit", {"eventTypes": ["mcp_tool_call"]}),
    ("audit", {"enabled": True, "includeRequestData": True}),
]

OTHERS: list[dict[str, Any]] = [
    {"name": "web", "version": "1.0.0", "description": "d", "dependencies": {}},
    {"name": "web", "version": "1.0.0", "description": "d", "packages": {"": {}}},
    {"version": "3", "services": {"web": {"image": "nginx"}}},
    {"name": "web", "image": "nginx", "ports": [80], "command": "x", "restart": "always"},
    {"data": {"servers": 3}, "version": 2},
    {"network": {"timeout": 3}},
    {"network": "host"},
    {"namespace": "default", "name": "x", "description": "y"},
    {"$schema": "https://json-schema.org/draft-07/schema", "name": "x"},
    {"data": {"servers": [{"id": 7}]}, "meta": {"pagination": {}}},
    {"data": {"servers": []}, "meta": {}, "links": {}},
    {"last_updated": "2026-01-01", "servers": [{"host": "a.example.com"}]},
    {"namespace": "com.acme.plugin", "name": "x", "description": "y", "version": "1", "main": "a.js"},
    {"name": "x", "version": "1", "description": "y", "remotes": [{"url": "https://example.com"}]},
    {"schema_version": "1.4.0", "image": "x", "id": "A-1", "severity": []},
    {"name": "Shop", "image": "node:22"},
    {"name": "shop", "image": "node:22", "features": {}},
    {"name": "shop", "url": "https://example.com"},
    {"privileged": True},
    {"network": {"mode": "host"}},
    {"name": "x", "network": {}},
    {"issuer": "https://auth.acme.example", "upstreams": {"api": "http://api"}},
    {"issuer": "a", "upstreams": [], "port": 80, "routes": [], "plugins": []},
    {"eventTypes": ["order.created"], "enabled": True},
    {"eventTypes": ["mcp_tool_call"], "queue": "orders"},
]


@pytest.mark.parametrize(("kind", "data"), OURS)
def test_a_record_is_recognized(kind: str, data: dict[str, Any]) -> None:
    found = recognize(data)
    assert found is not None
    assert found.name == kind


@pytest.mark.parametrize("data", OTHERS)
def test_a_file_of_another_program_is_not_recognized(data: dict[str, Any]) -> None:
    assert recognize(data) is None


def test_one_distinctive_key_suffices_to_read_a_json_file() -> None:
    for key, value in (("cmd_arguments", ["-v"]), ("oauth_config", {}), ("permission_profile", {}), ("proxy_port", 1)):
        text = json.dumps({"name": "docs", "url": "https://mcp.acme.io", key: value})
        assert [kind for kind, _ in read_facts(text.encode(), "x.json").records] == ["workload"], key


def test_skills_are_found_among_entries_that_are_no_skills() -> None:
    skill = {"namespace": "io.acme", "name": "pdf", "description": "d", "version": "1"}
    assert recognition.recorded_skills({"skills": [3, skill, {}, skill | {"name": "xls"}]}) == {"pdf", "xls"}


def test_keys_of_a_text_with_an_open_string_are_found_in_linear_time() -> None:
    assert recognition.first_keys('{"a": {"b": 1}, "c" : "x', is_json=True) == {"a", "c"}
    begun = process_time()
    assert recognition.first_keys('{"a": 1, "' + '\\"' * 400_000, is_json=True) == {"a"}
    assert process_time() - begun < 2
