"""An entry of a list that a rule passes over hides none of those after it."""

from __future__ import annotations

import json
from pathlib import Path

import sample
from admitted import resources
from calling import call

from mcpcfg.compiler.workspace.workspace import Workspace
from mcpcfg.validators.rule import run_rules

FIXTURES = Path(__file__).parents[3] / "fixtures" / "rules"
TEMPLATE = "podTemplateSpec: {spec: {containers: [5, {name: other}, {name: embedding, image: x}, {name: embedding}]}}"
UPSTREAMS = """embeddedAuthServer:
    issuer: https://id.acme.io
    upstreamProviders:
    - {name: a, type: "${TYPE}", oidcConfig: {issuerUrl: https://a.example, clientId: c}}
    - name: b
      type: oidc
      oauth2Config:
        authorizationEndpoint: https://b.example/a
        tokenEndpoint: https://b.example/t
        userInfo: {endpointUrl: https://b.example/u}
        clientId: c"""


def paths(rule: str, *texts: str) -> list[tuple[str | int, ...] | None]:
    files = {f"{number}.yaml": text for number, text in enumerate(texts)}
    return [one.path for one in run_rules(Workspace(resources(files, "0.25.0"))) if one.rule == rule]


def test_every_dropped_field_of_a_pod_template_is_reported() -> None:
    at = ("spec", "podTemplateSpec", "spec", "containers")
    found = paths("EMB003", sample.resource("EmbeddingServer", "vectors", "model: a/b", TEMPLATE))
    assert found == [(*at, 1), (*at, 2, "image")]


def test_an_upstream_of_an_unknown_type_hides_none_after_it() -> None:
    text = sample.resource("MCPExternalAuthConfig", "auth", "type: embeddedAuthServer", UPSTREAMS)
    found = [one.path for one in run_rules(Workspace(resources({"a.yaml": text}, "0.25.0"))) if one.stage == "operator"]
    assert [path[:4] for path in found if path] == [("spec", "embeddedAuthServer", "upstreamProviders", 1)] * len(found)
    assert found


def test_a_duplicate_hides_no_unused_configuration(tmp_path: Path) -> None:
    tools = [sample.resource("MCPToolConfig", name, "toolsFilter: [a]", namespace="mcp") for name in "aab"]
    server = sample.resource("MCPServer", "fetch", "image: ghcr.io/acme/a:1", namespace="mcp")
    (tmp_path / "all.yaml").write_text("---\n".join([server, *tools]))
    found = json.loads(call("check", "--format", "json", str(tmp_path)).out)["findings"]
    assert [one["resource"] for one in found if one["rule"] == "REF020"] == ["a", "b"]


def test_a_tool_that_the_operator_cannot_decode_is_reported_at_its_reference() -> None:
    unreadable = (FIXTURES / "DEC001" / "invalid-default-results.yaml").read_text("utf-8")
    refs = "config: {compositeToolRefs: [{name: elsewhere}, {name: report}]}"
    desk = sample.resource(
        "VirtualMCPServer", "desk", "groupRef: {name: tools}", "incomingAuth: {type: anonymous}", refs
    )
    found = run_rules(Workspace(resources({"a.yaml": unreadable, "b.yaml": desk})))
    named = [one.path for one in found if one.message == 'VirtualMCPCompositeToolDefinition "report" is refused itself']
    assert named == [("spec", "config", "compositeToolRefs", 1, "name")]
