"""Authorization documents as the operator compiles them."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from calling import call

POLICY = "permit(principal, action, resource);"
CLAIMS = {"groupClaimName": "teams", "groupEntityType": "Team"}
API = "toolhive.stacklok.dev/v1beta1"


def element(kind: str, name: str, spec: dict[str, Any]) -> dict[str, Any]:
    return {"apiVersion": API, "kind": kind, "metadata": {"name": name, "namespace": "n"}, "spec": spec}


def built(target: str, release: str, *items: dict[str, Any]) -> str:
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": items})
    outcome = call("build", "--target", target, "--release", release, "-", stdin=text)
    assert outcome.status == 0, outcome.err
    return outcome.out


def config_map(document: Any) -> dict[str, Any]:
    data = {"authz.json": json.dumps(document)}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", "namespace": "n"}, "data": data}


@pytest.mark.parametrize("release", ["0.28.3", "0.44.0"])
@pytest.mark.parametrize("kind", ["MCPServer", "MCPRemoteProxy"])
def test_group_claims_are_in_the_run_config_and_its_middleware(kind: str, release: str) -> None:
    authz = {"type": "inline", "inline": {"policies": [POLICY]}, **CLAIMS}
    spec = {"image": "i:1"} if kind == "MCPServer" else {"remoteUrl": "https://mcp.example.com"}
    config = json.loads(built("runconfig", release, element(kind, "a", {**spec, "authzConfig": authz})))
    (middleware,) = [one["parameters"] for one in config["middleware_configs"] if one["type"] == "authorization"]

    expected = {
        "policies": [POLICY],
        "entities_json": "[]",
        "group_claim_name": "teams",
        "group_entity_type": "Team",
    }
    assert list(config["authz_config"]["cedar"].items()) == list(expected.items())
    assert middleware["config_data"] == config["authz_config"]


@pytest.mark.parametrize("cedar", ["cedar", "Cedar"])
def test_claims_of_the_spec_replace_those_of_a_config_map_and_rebuild_its_document(cedar: str) -> None:
    options = {"Policies": [POLICY], "group_claim_name": "old", "role_claim_name": "roles", "unknown": 1}
    document = {"version": "1.0", "type": "cedarv1", cedar: options}
    authz = {"type": "configMap", "configMap": {"name": "c"}}
    server = {"image": "i:1", "authzConfig": authz}
    made = json.loads(built("runconfig", "0.44.0", element("MCPServer", "a", server), config_map(document)))
    assert made["authz_config"] == document

    server["authzConfig"] = authz | CLAIMS
    made = json.loads(built("runconfig", "0.44.0", element("MCPServer", "a", server), config_map(document)))
    expected = {
        "policies": [POLICY],
        "entities_json": "",
        "group_claim_name": "teams",
        "role_claim_name": "roles",
        "group_entity_type": "Team",
    }
    assert list(made["authz_config"]["cedar"].items()) == list(expected.items())


def test_claims_of_the_spec_do_not_change_a_document_without_cedar_options() -> None:
    document = {"pdp": {"claim_mapping": "mpe", "http": {"url": "http://p"}}, "type": "httpv1", "version": "1.0"}
    authz = {"type": "configMap", "configMap": {"name": "c"}, **CLAIMS}
    server = element("MCPServer", "a", {"image": "i:1", "authzConfig": authz})
    assert json.loads(built("runconfig", "0.44.0", server, config_map(document)))["authz_config"] == document


def test_a_virtual_server_has_the_options_whose_keys_are_in_another_case() -> None:
    config = {"Policies": [POLICY], "GROUP_claim_name": "teams"}
    incoming = {
        "type": "oidc",
        "oidcConfigRef": {"name": "o", "audience": "a", "resourceUrl": "https://mcp.example.com"},
        "authzConfigRef": {"name": "p"},
    }
    text = built(
        "vmcp",
        "0.44.0",
        element("MCPGroup", "g", {}),
        element("MCPServer", "s", {"image": "i:1", "groupRef": {"name": "g"}}),
        element("MCPOIDCConfig", "o", {"type": "inline", "inline": {"issuer": "https://auth.example.com"}}),
        element("MCPAuthzConfig", "p", {"type": "cedarv1", "config": config}),
        element("VirtualMCPServer", "v", {"groupRef": {"name": "g"}, "incomingAuth": incoming}),
    )
    written = yaml.safe_load(yaml.safe_load(text)["files"]["config.yaml"])
    assert written["incomingAuth"]["authz"] == {"type": "cedar", "policies": [POLICY], "groupClaimName": "teams"}
