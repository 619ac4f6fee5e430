"""Placeholders in place of numbers, objects and quantities: nothing that needs them breaks, and each says why."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from calling import call
from drawing import resource as text_of

if TYPE_CHECKING:
    from pathlib import Path

FILLED = "image: 'ghcr.io/acme/fetch:1.0'"


@pytest.mark.parametrize(
    "field",
    [
        "resources: {limits: {cpu: '${CPU}'}}",
        "resources: {requests: {memory: '${MEMORY}'}}",
        "rateLimiting: {shared: {maxTokens: 1, refillPeriod: '${PERIOD}'}}",
        "rateLimiting: {tools: [{name: a, shared: {maxTokens: 1, refillPeriod: '${PERIOD}'}}]}",
        "replicas: '${REPLICAS}'",
        "authzConfig: {type: inline, inline: '${RULES}'}",
    ],
)
@pytest.mark.parametrize("target", ["kubernetes", "backend", "runconfig", "status"])
def test_a_resource_whose_output_depends_on_a_placeholder_is_not_compiled(field: str, target: str) -> None:
    storage = "sessionStorage: {provider: redis, address: 'redis:6379'}"
    text = text_of("MCPServer", "fetch", f"{{{FILLED}, {storage}, {field}}}")
    outcome = call("build", "-t", target, "--keep-going", "-", stdin=text)
    assert outcome.status == 1
    assert "fetch" not in outcome.out
    assert "'fetch' holds placeholders" in outcome.err


POLICIES = {"authz.json": '{"version": "1.0", "type": "cedarv1", "cedar": {"policies": [], "entities_json": "[]"}}'}
POLICY_MAP = f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: policies\ndata: {json.dumps(POLICIES)}\n"


@pytest.mark.parametrize(
    ("field", "others"),
    [
        ("oidcConfigRef: {name: '${OIDC}', audience: a}", ()),
        ("toolConfigRef: {name: '${TOOLS}'}", ()),
        ("authzConfig: {type: configMap, configMap: {name: '${POLICIES}'}}", (POLICY_MAP,)),
        ("authzConfig: {type: configMap, configMap: {name: policies, key: '${KEY}'}}", (POLICY_MAP,)),
    ],
)
def test_a_resource_with_a_placeholder_in_a_reference_is_not_compiled(field: str, others: tuple[str, ...]) -> None:
    text = "---\n".join((text_of("MCPServer", "fetch", f"{{{FILLED}, {field}}}"), *others))
    outcome = call("build", "-t", "runconfig", "-", stdin=text)
    assert (outcome.status, outcome.out) == (1, "")
    assert "MCPServer 'fetch' holds placeholders and is not compiled" in outcome.err


@pytest.mark.parametrize(
    ("field", "leads_to"),
    [
        ("authzConfig: {type: configMap, configMap: {name: policies}}", "ConfigMap 'policies'"),
        ("oidcConfigRef: {name: shared, audience: a}", "MCPOIDCConfig 'shared'"),
    ],
)
def test_a_resource_that_needs_an_object_outside_the_files_is_not_compiled(
    tmp_path: Path, field: str, leads_to: str
) -> None:
    (tmp_path / "mcpcfg.yaml").write_text("external: {MCPOIDCConfig: [shared]}\n")
    (tmp_path / "server.yaml").write_text(text_of("MCPServer", "fetch", f"{{{FILLED}, {field}}}"))
    assert call("check", str(tmp_path)).status == 0
    outcome = call("build", "-t", "runconfig", str(tmp_path))
    assert (outcome.status, outcome.out) == (1, "")
    assert f"MCPServer 'fetch' depends on {leads_to}, which is in no file, and is not compiled" in outcome.err
    assert "nothing was compiled: supply what is missing above, or" in outcome.err


@pytest.mark.parametrize(
    ("name", "why"),
    [("'${AUTH}'", "which holds placeholders"), ("elsewhere", "which depends on MCPExternalAuthConfig 'elsewhere'")],
)
def test_a_virtual_server_is_not_compiled_if_a_members_configuration_is_unknown(
    tmp_path: Path, name: str, why: str
) -> None:
    member = f"{{{FILLED}, transport: streamable-http, groupRef: {{name: g}}, externalAuthConfigRef: {{name: {name}}}}}"
    server = "{groupRef: {name: g}, incomingAuth: {type: anonymous}, outgoingAuth: {source: inline}}"
    texts = (
        text_of("MCPGroup", "g", "{}"),
        text_of("MCPServer", "m", member),
        text_of("VirtualMCPServer", "v", server),
    )
    (tmp_path / "mcpcfg.yaml").write_text("external: {MCPExternalAuthConfig: [elsewhere]}\n")
    (tmp_path / "all.yaml").write_text("---\n".join(texts))
    outcome = call("build", "-t", "vmcp", str(tmp_path))
    assert (outcome.status, outcome.out) == (1, "")
    assert f"VirtualMCPServer 'v' depends on MCPServer 'm', {why}" in outcome.err


def test_a_server_is_compiled_if_only_another_member_has_a_placeholder() -> None:
    texts = (
        text_of("MCPGroup", "g", "{}"),
        text_of("MCPServer", "fetch", f"{{{FILLED}, groupRef: {{name: g}}}}"),
        text_of(
            "MCPServer", "other", f"{{{FILLED}, groupRef: {{name: g}}, externalAuthConfigRef: {{name: '${{A}}'}}}}"
        ),
    )
    outcome = call("build", "-t", "runconfig", "--keep-going", "-", stdin="---\n".join(texts))
    assert json.loads(outcome.out)["name"] == "fetch"
    assert "'other' " in outcome.err


def test_a_virtual_server_of_an_unknown_group_is_left_out_of_a_build() -> None:
    text = text_of("VirtualMCPServer", "v", "{groupRef: {name: '${GROUP}'}, incomingAuth: {type: anonymous}}")
    outcome = call("build", "-t", "vmcp", "-", stdin=text)
    assert (outcome.status, outcome.out) == (1, "")
    assert "VirtualMCPServer 'v' holds placeholders" in outcome.err


@pytest.mark.parametrize(
    "field",
    [
        "groupRef: {name: '${GROUP}'}",
        "secrets: [{name: '${SECRET}', key: token, targetEnvName: TOKEN}]",
        "secrets: [{name: elsewhere, key: token, targetEnvName: TOKEN}]",
    ],
)
def test_a_reference_that_is_compiled_by_name_only_does_not_need_its_target(field: str) -> None:
    text = text_of("MCPServer", "fetch", f"{{{FILLED}, {field}}}")
    assert '"fetch"' in call("build", "-t", "runconfig", "-", stdin=text).out


@pytest.mark.parametrize(
    "pod",
    [
        "{containers: [{name: mcp, resources: {limits: {cpu: '${X}m'}}}]}",
        "{securityContext: {runAsUser: '${X}'}}",
        "{hostNetwork: $X}",
        "{containers: '${X}'}",
        "'${X}'",
        "{containers: [{name: mcp, ports: [{containerPort: $X}, {containerPort: $Y}]}]}",
    ],
)
def test_a_pod_template_with_placeholders_is_sound_and_left_out_of_a_build(pod: str) -> None:
    text = text_of("MCPServer", "fetch", f"{{{FILLED}, podTemplateSpec: {{spec: {pod}}}}}")
    assert call("check", "-", stdin=text).status == 0
    outcome = call("build", "-t", "kubernetes", "--keep-going", "-", stdin=text)
    assert (outcome.status, outcome.out) == (1, "")


@pytest.mark.parametrize(
    ("kind", "spec"),
    [
        (
            "MCPRegistry",
            (
                "{configYAML: '{sources: [{name: a, managed: {}}], registries: [{name: a, sources: [a]}],"
                " auth: {mode: anonymous}, database: {host: db, port: 5432, user: app, database: a,"
                " dynamicAuth: {awsRds: {region: eu}}}}',"
                " volumeMounts: [{name: a, mountPath: /a, readOnly: '${X}'}]}"
            ),
        ),
        (
            "MCPTelemetryConfig",
            "{openTelemetry: {insecure: $X, caBundleRef: {configMapRef: {name: rules, key: a}}}}",
        ),
        ("MCPServer", f"{{{FILLED}, authzConfig: {{type: configMap, configMap: {{name: rules, key: $X}}}}}}"),
    ],
)
def test_a_placeholder_is_no_error(kind: str, spec: str) -> None:
    beside = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: rules}\ndata: {a: b}\n"
    assert call("check", "-", stdin=text_of(kind, "fetch", spec) + beside).status == 0


def test_a_placeholder_as_the_type_of_a_backend_is_not_reported() -> None:
    spec = (
        "{incomingAuth: {type: anonymous}, groupRef: {name: g},"
        " outgoingAuth: {source: inline, backends: {a: {type: '${X}'}}}}"
    )
    others = text_of("MCPGroup", "g") + "---\n" + text_of("MCPServer", "a", f"{{{FILLED}, groupRef: {{name: g}}}}")
    assert call("check", "-", stdin=f"{others}---\n{text_of('VirtualMCPServer', 'desk', spec)}").status == 0


@pytest.mark.parametrize(("field", "value"), [("proxy_port", "${PORT}"), ("transport", "${TRANSPORT}")])
def test_a_workload_request_with_placeholders_is_sound_and_left_out_of_a_build(
    field: str, value: str, tmp_path: Path
) -> None:
    file = tmp_path / "workload.json"
    file.write_text(json.dumps({"name": "fetch", "image": "ghcr.io/acme/fetch:1.0", field: value}))
    assert call("check", "--as", "workload", str(file)).status == 0
    outcome = call("build", "-t", "runconfig", "--as", "workload", str(file))
    assert (outcome.status, outcome.out) == (1, "")
    assert "holds placeholders" in outcome.err


def test_a_placeholder_in_a_record_is_no_finding(tmp_path: Path) -> None:
    entry: dict[str, object] = {
        "description": "$WORDS",
        "image": "${IMAGE}",
        "status": "$X",
        "tier": "$X",
        "transport": "$X",
    }
    entry |= {"tools": ["${TOOL}"], "target_port": "${PORT}"}
    file = tmp_path / "registry.json"
    file.write_text(json.dumps({"version": "${VERSION}", "last_updated": "${NOW}", "servers": {"fetch": entry}}))
    assert call("check", "--as", "registry", str(file)).status == 0


def test_diff_omits_resources_with_placeholders(tmp_path: Path) -> None:
    old, new = tmp_path / "old.yaml", tmp_path / "new.yaml"
    old.write_text(text_of("MCPServer", "fetch", f"{{{FILLED}}}"))
    new.write_text(text_of("MCPServer", "fetch", f"{{{FILLED}, resources: {{limits: {{cpu: '${{CPU}}'}}}}}}"))
    assert call("diff", str(old), str(new)).status == 0


def test_simulate_reports_a_placeholder_that_it_depends_on(tmp_path: Path) -> None:
    file = tmp_path / "server.yaml"
    file.write_text(text_of("MCPServer", "fetch", f"{{{FILLED}, authzConfig: {{type: inline, inline: '${{RULES}}'}}}}"))
    outcome = call("simulate", "authz", "fetch", str(file), "--resource", "x", "--principal", "ann")
    assert outcome.status == 2
    assert "placeholders" in outcome.err
    file.write_text(text_of("MCPServer", "fetch", f"{{{FILLED}, replicas: '${{REPLICAS}}'}}"))
    assert "placeholders" not in call("simulate", "authz", "fetch", str(file), "--resource", "x").err


def test_a_server_without_a_spec_is_not_converted(tmp_path: Path) -> None:
    file = tmp_path / "server.yaml"
    file.write_text("apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata: {name: fetch}\n")
    outcome = call("convert", "--to", "workload", str(file))
    assert outcome.status == 2
    assert "has no spec" in outcome.err


@pytest.mark.parametrize("tools", ["5", "1.5", "true", "{a: 1}", "text", "[5, {steps: 1}]"])
def test_graph_ignores_composite_tools_that_are_no_list(tools: str) -> None:
    spec = f"{{incomingAuth: {{type: anonymous}}, groupRef: {{name: g}}, config: {{compositeTools: {tools}}}}}"
    assert call("graph", "-", stdin=text_of("VirtualMCPServer", "desk", spec)).status == 0


@pytest.mark.parametrize("data", ["", "data: {}\n"])
def test_a_resource_is_not_compiled_if_its_config_map_is_declared_without_data(data: str) -> None:
    shell = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: policies}}\n{data}"
    server = text_of(
        "MCPServer", "fetch", f"{{{FILLED}, authzConfig: {{type: configMap, configMap: {{name: policies}}}}}}"
    )
    both = f"{server}---\n{shell}"
    assert call("check", "-", stdin=both).status == 0
    outcome = call("build", "-t", "runconfig", "-", stdin=both)
    assert (outcome.status, outcome.out) == (1, "")
    assert "depends on ConfigMap 'policies', which is declared without data" in outcome.err
