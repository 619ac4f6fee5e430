"""mcpcfg checks and builds its own deployment, and what the deployment says of the server is true."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from calling import call

from mcpcfg.compiler.agent.tool import TOOLS
from mcpcfg.compiler.diagnostics.version import VERSION
from mcpcfg.compiler.toolhive.release import RELEASES

FOLDER = Path(__file__).parents[1] / "deploy" / "toolhive"
NAMES = [tool.name for tool in TOOLS]
NETWORK = {"outbound": {"insecure_allow_all": False, "allow_host": [], "allow_port": []}}


@pytest.fixture(autouse=True)
def _in_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)


def read(name: str) -> Any:
    return json.loads((FOLDER / name).read_text("utf-8"))


def test_the_deployment_has_no_errors_and_no_warnings() -> None:
    outcome = call("check", ".", "--closed", "--fail-on", "warning", "--format", "json")

    report = json.loads(outcome.out)
    assert outcome.status == 0
    assert report["summary"]["documents"] == 11
    assert [finding["rule"] for finding in report["findings"]] == ["REG011"]


@pytest.mark.parametrize("release", [release for release in RELEASES if release >= "0.23.0"])
def test_every_release_with_the_version_takes_the_deployment(release: str) -> None:
    assert call("check", ".", "--release", release).status == 0


@pytest.mark.parametrize("target", ["kubernetes", "backend", "runconfig", "status"])
def test_the_deployment_compiles(target: str) -> None:
    outcome = call("build", ".", "--target", target)

    assert outcome.status == 0
    assert "mcpcfg" in outcome.out


def test_the_policy_selects_the_pod_of_the_server() -> None:
    compiled = call("build", ".", "--target", "backend").out
    label = re.findall(r"matchLabels: \{app: (.+)\}", (FOLDER / "network-policy.yaml").read_text("utf-8"))

    assert label == ["mcpcfg"]
    assert f"app: {label[0]}\n" in compiled


@pytest.mark.parametrize(
    ("principal", "tool", "allowed"),
    [
        ("system:serviceaccount:agents:coder", "check", True),
        ("system:serviceaccount:other:coder", "check", False),
        ("alice", "check", False),
    ],
)
def test_agents_alone_call_tools(principal: str, tool: str, *, allowed: bool) -> None:
    pytest.importorskip("cedarpy")
    asked = ("simulate", "authz", "mcpcfg", ".", "--principal", principal, "--resource", tool, "--format", "json")

    assert json.loads(call(*asked).out)["allowed"] is allowed


def test_records_name_the_tools_of_the_server() -> None:
    record = read("server.json")
    image = record["packages"][0]["identifier"]
    extension = record["_meta"]["io.modelcontextprotocol.registry/publisher-provided"]["io.github.stacklok"][image]
    legacy = read("registry-legacy.json")["servers"]["mcpcfg"]
    listed = re.search(r"toolsFilter: \[(.*)\]", (FOLDER / "tools.yaml").read_text("utf-8"))

    assert extension["tools"] == legacy["tools"] == NAMES
    assert listed is not None
    assert set(listed[1].split(", ")) < set(NAMES)
    assert image == legacy["image"] == f"registry.example.com/mcpcfg:{VERSION}"
    assert record["version"] == VERSION
    assert extension["permissions"]["network"] == legacy["permissions"]["network"] == NETWORK
    assert read("permission-profile.json")["network"] == NETWORK
    assert read("registry.json")["data"]["servers"] == [record]


def test_both_formats_of_the_registry_say_the_same() -> None:
    converted = json.loads(call("registry", "convert", "registry.json", "--to", "legacy").out)

    entry = converted["servers"]["com.example/mcpcfg"]
    legacy = read("registry-legacy.json")["servers"]["mcpcfg"]
    assert {key: entry[key] for key in ("image", "transport", "args", "tools", "tags", "description")} == {
        key: legacy[key] for key in ("image", "transport", "args", "tools", "tags", "description")
    }
