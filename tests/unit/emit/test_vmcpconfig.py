"""The configuration of a virtual server, assembled once for its file and for the rules."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import sample
from admitted import only

from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.emit import vmcpconfig, vmcpincoming
from mcpcfg.compiler.project.discovery import discover

if TYPE_CHECKING:
    from pathlib import Path

    from mcpcfg.compiler.workspace.resource import Resource


def _element(kind: str, name: str, spec: dict[str, Any]) -> dict[str, Any]:
    api = "toolhive.stacklok.dev/v1beta1"
    return {"apiVersion": api, "kind": kind, "metadata": {"name": name, "namespace": "a"}, "spec": spec}


def _checked(folder: Path, server: dict[str, Any]) -> Any:
    group = {"groupRef": {"name": "g"}}
    fetch = {"image": "ghcr.io/acme/fetch:1.0", "transport": "streamable-http", "mcpPort": 8080, **group}
    items = [
        _element("MCPGroup", "g", {}),
        _element("MCPServer", "fetch", fetch),
        _element("VirtualMCPServer", "desk", {**group, "incomingAuth": {"type": "anonymous"}, **server}),
    ]
    file = folder / "all.json"
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    return check(discover((str(file),)), Options(closed=True))


def test_backends_of_inline_mode_have_the_metadata_of_the_members(tmp_path: Path) -> None:
    report = _checked(tmp_path, {"outgoingAuth": {"source": "inline"}})
    (desk,) = [one for one in report.loaded.resources if one.kind == "VirtualMCPServer"]
    (backend,) = vmcpconfig.config(report.workspace, desk)["backends"]
    assert backend["name"] == "fetch"
    assert backend["metadata"]["workload_type"] == "mcp_server"
    assert backend["metadata"]["group"] == "g"


def test_a_placeholder_in_one_part_does_not_hide_a_fault_in_another(tmp_path: Path) -> None:
    tools = [{"workload": "fetch", "overrides": "${OVERRIDES}"}]
    server = {
        "outgoingAuth": {"source": "inline", "backends": {"fetch": {"type": "discovered"}}},
        "config": {"aggregation": {"tools": tools}},
    }
    report = _checked(tmp_path, server)
    assert "VMC104" in {finding.rule for finding in report.findings}


@pytest.mark.parametrize(
    ("own", "stated", "expected"), [("b", "a", "b"), (None, "a", "a"), ("b", None, "b"), (None, None, "first")]
)
def test_policies_see_the_claims_of_the_stated_upstream(own: str | None, stated: str | None, expected: str) -> None:
    server = "authServerConfig: {issuer: https://a.example, upstreamProviders: [{name: first}]}"
    resource: Resource[Any] = only(sample.resource("VirtualMCPServer", "front", "groupRef: {name: g}", server))
    resource.data["spec"]["authServerConfig"]["primaryUpstreamProvider"] = own  # of a later release

    assert vmcpincoming._upstream(resource, stated) == {"primaryUpstreamProvider": expected}
