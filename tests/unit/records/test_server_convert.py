"""The table of conversions between run configurations, requests, registry entries and MCPServers, both ways."""

from __future__ import annotations

from typing import Any

import pytest

from mcpcfg.compiler.admission.admit import admit_document
from mcpcfg.compiler.golang.yaml.sigs import dump
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.records.permission.builtin import NETWORK_PROFILE, NONE_PROFILE
from mcpcfg.compiler.records.registry.convert import ConvertError, _runtime_variables
from mcpcfg.compiler.records.runconfig.lint import _volumes
from mcpcfg.compiler.records.shape import decode, encode
from mcpcfg.compiler.records.workload.compile import RegistryLookup
from mcpcfg.compiler.records.workload.record import loaded_runconfig
from mcpcfg.compiler.records.workload.server import (
    Converted,
    entry_to_server,
    kubernetes_name,
    request_to_server,
    runconfig_to_server,
    server_to_request,
)

NETWORK = encode(NETWORK_PROFILE, "PermissionProfile")


def from_runconfig(**fields: Any) -> Converted:
    config, misfits, unknown = decode({"image": "a/b:1", "base_name": "b", **fields}, "RunConfig")
    assert not misfits
    assert not unknown
    return runconfig_to_server(loaded_runconfig(config))


def from_request(lookup: RegistryLookup | None = None, **fields: Any) -> Converted:
    request, misfits, unknown = decode({"name": "b", "image": "a/b:1", **fields}, "WorkloadRequest")
    assert not misfits
    assert not unknown
    return request_to_server(request, lookup or RegistryLookup())


def lost(converted: Converted) -> list[str]:
    return ["/".join(map(str, loss.path)) for loss in converted.losses]


@pytest.mark.parametrize(
    ("fields", "spec"),
    [
        ({"transport": "sse"}, {"transport": "sse"}),
        ({"transport": "sse", "port": 8080, "target_port": 80}, {"transport": "sse", "proxyPort": 8080, "mcpPort": 80}),
        ({"transport": "stdio", "proxy_mode": "sse"}, {"transport": "stdio", "proxyMode": "sse"}),
        ({"transport": "sse", "cmd_args": ["-v"]}, {"transport": "sse", "args": ["-v"]}),
        (
            {"transport": "sse", "env_vars": {"B": "2", "A": "1"}},
            {"transport": "sse", "env": [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}]},
        ),
        (
            {"transport": "sse", "volumes": ["/a:/b", "/c:/d:ro"]},
            {
                "transport": "sse",
                "volumes": [
                    {"name": "volume-0", "hostPath": "/a", "mountPath": "/b"},
                    {"name": "volume-1", "hostPath": "/c", "mountPath": "/d", "readOnly": True},
                ],
            },
        ),
        (
            {"transport": "sse", "permission_profile": NETWORK},
            {"transport": "sse", "permissionProfile": {"type": "builtin", "name": "none"}},
        ),
        (
            {"transport": "sse", "authz_config": {"cedar": {"policies": ["p"], "entities_json": "[]"}}},
            {
                "transport": "sse",
                "authzConfig": {"type": "inline", "inline": {"policies": ["p"], "entitiesJson": "[]"}},
            },
        ),
        ({"transport": "sse", "audit_config": {}}, {"transport": "sse", "audit": {"enabled": True}}),
        ({"transport": "sse", "authz_config": {"pdp": {}}}, {"transport": "sse"}),
    ],
)
def test_a_run_configuration_is_exported_field_by_field(fields: dict[str, Any], spec: dict[str, Any]) -> None:
    made = from_runconfig(**fields).document
    assert made["kind"] == "MCPServer"
    assert made["metadata"] == {"name": "b"}
    assert made["spec"] == {"image": "a/b:1"} | spec


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("secrets", ["a,target=A"]),
        ("oidc_config", {"Issuer": "https://a.io"}),
        ("telemetry_config", {"endpoint": "otel:4318"}),
        ("tools_filter", ["a"]),
        ("tools_override", {"a": {"name": "b"}}),
        ("group", "team"),
        ("container_labels", {"team": "a"}),
        ("header_forward", {"add_plaintext_headers": {"A": "b"}}),
        ("validating_webhooks", [{"name": "a", "url": "https://a.io", "failure_policy": "fail"}]),
        ("isolate_network", True),
        ("permission_profile", NETWORK),
        ("audit_config", {"component": "a"}),
    ],
)
def test_fields_that_the_export_drops_are_reported(field: str, value: Any) -> None:
    assert lost(from_runconfig(transport="sse", **{field: value})) == [field]


def test_losses_are_reported_for_the_default_group_too() -> None:
    assert lost(from_runconfig(transport="sse", group="default", stateless=True)) == ["stateless"]


def test_default_values_are_no_loss() -> None:
    profile = encode(NONE_PROFILE, "PermissionProfile")
    labels = {"toolhive": "true", "toolhive-name": "b"}
    assert lost(from_runconfig(permission_profile=profile, container_labels=labels, group="default")) == []


@pytest.mark.parametrize("fields", [{"remote_url": "https://a.io"}, {"image": ""}, {"volumes": ["/a"]}])
def test_a_configuration_that_cannot_be_an_mcpserver_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ConvertError):
        from_runconfig(transport="sse", **fields)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ({"base_name": "A_b.c"}, "a-b-c"),
        ({"base_name": "", "container_name": "-x-"}, "x"),
        ({"base_name": "", "name": "é"}, ""),
    ],
)
def test_the_name_is_converted_to_a_valid_kubernetes_name(names: dict[str, str], expected: str) -> None:
    assert from_runconfig(transport="sse", **names).document["metadata"]["name"] == expected
    assert len(kubernetes_name("a" * 300)) == 253


REQUESTS: list[dict[str, Any]] = [
    {"transport": "stdio", "proxy_mode": "sse", "permission_profile": NETWORK},
    {"transport": "sse", "proxy_port": 8080, "target_port": 80, "permission_profile": NETWORK},
    {"transport": "streamable-http", "cmd_arguments": ["-v"], "env_vars": {"A": "1"}, "permission_profile": NETWORK},
    {"transport": "sse", "volumes": ["/a:/b", "/c:/d:ro"], "permission_profile": NETWORK},
]


@pytest.mark.parametrize("fields", REQUESTS)
def test_a_request_becomes_an_mcpserver_and_comes_back(fields: dict[str, Any]) -> None:
    made = from_request(**fields)
    assert lost(made) == []
    back = server_to_request(made.document)
    assert lost(back) == []
    expected = {"name": "b", "image": "a/b:1", **fields}
    assert {key: back.document[key] for key in expected} == expected


@pytest.mark.parametrize("fields", REQUESTS)
def test_converted_resources_are_admitted(fields: dict[str, Any]) -> None:
    (document,), _ = read_documents(dump(from_request(**fields).document), "a.yaml")
    resource, findings = admit_document(document)
    assert [one.message for one in findings] == []
    assert resource is not None
    assert resource.admitted


def test_fields_of_a_request_that_need_separate_resources_are_reported_as_lost() -> None:
    made = from_request(
        secrets=[{"name": "a", "target": "A"}],
        tools=["a"],
        oidc={"issuer": "https://a.io"},
        group="team",
        host="0.0.0.0",
        permission_profile={"read": ["/a:/a"]},
        env_vars={"MCP_TRANSPORT": "stdio"},
    )
    assert lost(made) == ["permission_profile", "secrets/0", "tools", "oidc", "group", "host"]
    assert "env" not in made.document["spec"]


def entry(**fields: Any) -> dict[str, Any]:
    found: dict[str, Any] = decode({"image": "a/b:1", "transport": "stdio", **fields}, "ImageServer")[0]
    return found


def test_a_converted_request_has_the_data_of_its_registry_entry() -> None:
    known = entry(transport="sse", target_port=80, args=["-v"], permissions={"network": {"outbound": {}}})
    spec = from_request(RegistryLookup(known), image="b").document["spec"]
    assert spec == {
        "image": "a/b:1",
        "transport": "sse",
        "mcpPort": 80,
        "args": ["-v"],
        "permissionProfile": {"type": "builtin", "name": "none"},
    }
    with pytest.raises(ConvertError):
        from_request(RegistryLookup(known, remote=True))


def test_a_converted_entry_has_its_defaults_and_reports_required_variables() -> None:
    variables = [
        {"name": "A", "description": "", "default": "1"},
        {"name": "B", "description": "", "required": True},
        {"name": "C", "description": "", "secret": True},
        {"name": "D", "description": ""},
    ]
    made = entry_to_server("io.acme/b", entry(env_vars=variables))
    assert made.document["metadata"]["name"] == "io-acme-b"
    assert made.document["spec"]["env"] == [{"name": "A", "value": "1"}]
    assert made.document["spec"]["permissionProfile"]["name"] == "network"
    assert lost(made) == ["env_vars/1", "env_vars/2"]


def test_a_variable_of_an_entry_that_is_null_is_lost() -> None:
    made = entry_to_server("io.acme/b", entry(env_vars=[None]))
    assert [loss.path for loss in made.losses] == [("env_vars", 0)]


def test_fields_without_a_counterpart_in_a_request_are_lost() -> None:
    spec = {
        "image": "a",
        "mcpPort": 80,
        "resources": {"limits": {"cpu": "1"}},
        "sessionAffinity": "ClientIP",
        "permissionProfile": {"type": "configmap", "name": "p"},
        "secrets": [{"name": "s", "key": "k"}],
        "toolConfigRef": {"name": "t"},
    }
    made = server_to_request({"metadata": {"name": "a"}, "spec": spec}, filled=["sessionAffinity"])
    assert lost(made) == [
        "spec/resources",
        "spec/mcpPort",
        "spec/secrets/0",
        "spec/permissionProfile",
        "spec/toolConfigRef",
    ]
    assert made.document["secrets"] == [{"name": "s", "target": "k"}]
    assert made.document["transport"] == "stdio"


def test_every_engine_argument_that_sets_a_variable_is_read() -> None:
    def argument(name: str, value: str, **more: Any) -> dict[str, Any]:
        plain = {"type": "named", "description": "", "variables": None, "isRequired": False}
        return plain | {"name": name, "value": value} | more

    key = {"key": {"isSecret": True, "default": ""}}
    found = _runtime_variables(
        [
            argument("--rm", ""),
            argument("-e", "NO_VALUE"),
            argument("-e", "A=1"),
            argument("--env", "B={key}", variables=key, isRequired=True),
            argument("-e", "C={}"),
        ]
    )
    assert [(one["name"], one["default"], one["secret"], one["required"]) for one in found] == [
        ("A", "1", False, False),
        ("B", "", True, True),
        ("C", "{}", False, False),
    ]


def test_volumes_after_an_invalid_volume_are_checked() -> None:
    profile = {"read": ["/a:/x", "/b:/x"], "write": None}
    volumes = ["/a:/b:/c:/d", "/a:/x", "/b:/x"]
    found = _volumes({"permission_profile": profile, "remote_url": "", "volumes": volumes})
    assert [one.path for one in found] == [("volumes", 0), ("volumes", 2)]
