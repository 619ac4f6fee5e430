"""Placeholders in place of numbers, objects and quantities: nothing that needs them breaks, and each says why."""

from __future__ import annotations

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
def test_what_holds_placeholders_is_left_out_of_a_build(field: str, target: str) -> None:
    storage = "sessionStorage: {provider: redis, address: 'redis:6379'}"
    text = text_of("MCPServer", "fetch", f"{{{FILLED}, {storage}, {field}}}")
    outcome = call("build", "-t", target, "--keep-going", "-", stdin=text)
    assert outcome.status == 1
    assert "fetch" not in outcome.out
    assert "'fetch' holds placeholders" in outcome.err


def test_a_difference_leaves_them_out_too(tmp_path: Path) -> None:
    old, new = tmp_path / "old.yaml", tmp_path / "new.yaml"
    old.write_text(text_of("MCPServer", "fetch", f"{{{FILLED}}}"))
    new.write_text(text_of("MCPServer", "fetch", f"{{{FILLED}, resources: {{limits: {{cpu: '${{CPU}}'}}}}}}"))
    assert call("diff", str(old), str(new)).status == 0


def test_a_simulation_says_that_something_has_to_be_filled_in(tmp_path: Path) -> None:
    file = tmp_path / "server.yaml"
    file.write_text(text_of("MCPServer", "fetch", f"{{{FILLED}, authzConfig: {{type: inline, inline: '${{RULES}}'}}}}"))
    outcome = call("simulate", "authz", "fetch", str(file), "--resource", "x", "--principal", "ann")
    assert outcome.status == 2
    assert "placeholders" in outcome.err
    file.write_text(text_of("MCPServer", "fetch", f"{{{FILLED}, replicas: '${{REPLICAS}}'}}"))
    assert "placeholders" not in call("simulate", "authz", "fetch", str(file), "--resource", "x").err


def test_a_server_without_a_spec_is_not_converted(tmp_path: Path) -> None:
    file = tmp_path / "server.yaml"
    file.write_text("apiVersion: toolhive.stacklok.dev/v1alpha1\nkind: MCPServer\nmetadata: {name: fetch}\n")
    outcome = call("convert", "--to", "workload", str(file))
    assert outcome.status == 2
    assert "has no spec" in outcome.err


@pytest.mark.parametrize("tools", ["5", "1.5", "true", "{a: 1}", "text", "[5, {steps: 1}]"])
def test_composite_tools_that_are_no_list_are_not_drawn(tools: str) -> None:
    spec = f"{{incomingAuth: {{type: anonymous}}, groupRef: {{name: g}}, config: {{compositeTools: {tools}}}}}"
    assert call("graph", "-", stdin=text_of("VirtualMCPServer", "desk", spec)).status == 0
