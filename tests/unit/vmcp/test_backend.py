"""Backends of the virtual server's configuration, each looked at."""

from __future__ import annotations

from typing import Any

from mcpcfg.compiler.vmcp.backend import backend_faults, called_tools, named_backends
from mcpcfg.compiler.vmcp.validate import _backends

SOUND = {"name": "a", "url": "https://a.example/mcp", "transport": "sse"}


def places(config: dict[str, Any]) -> list[str]:
    """Return rule and place of what cannot work with the backends of a configuration."""
    return [f"{one.rule.id} {'.'.join(map(str, one.path))}" for one in backend_faults(config)]


def test_a_backend_needs_a_unique_name_an_address_and_a_transport() -> None:
    backends = [
        SOUND,
        {**SOUND, "name": ""},
        SOUND,
        {**SOUND, "name": "b", "url": ""},
        {**SOUND, "name": "c", "url": "ftp://c"},
        {**SOUND, "name": "d", "transport": "stdio"},
        {**SOUND, "name": "e", "transport": ""},
        {**SOUND, "name": "f", "url": "${URL}", "transport": "${TRANSPORT}"},
        {**SOUND, "name": "g", "transport": "streamable-http"},
    ]
    lost = ("1.name", "2.name", "3.url", "4.url", "5.transport", "6.transport")
    assert places({"backends": backends}) == [f"VMC229 backends.{one}" for one in lost]


def test_every_setting_and_tool_that_names_a_backend_is_checked() -> None:
    step = {"type": "forEach", "step": {"type": "tool", "tool": "y.run"}}
    config: dict[str, Any] = {
        "backends": [SOUND],
        "aggregation": {
            "conflictResolution": "priority",
            "conflictResolutionConfig": {"priorityOrder": ["a", "p"]},
            "tools": [{"workload": "a"}, {"workload": "t"}, {}],
        },
        "outgoingAuth": {"backends": {"o": {}, "a": {}}},
        "operational": {"timeouts": {"perWorkload": {"w": "1s"}}},
        "compositeTools": [{"name": "c", "steps": [{"id": "1", "tool": "a.run"}, {"id": "2", "tool": "x.run"}, step]}],
    }
    assert [name for _, name in named_backends(config)] == ["a", "t", "", "a", "p", "o", "a", "w"]
    assert [name for _, name in called_tools(config["compositeTools"][0])] == ["a.run", "x.run", "y.run"]
    assert places(config)[:4] == [
        "VMC212 aggregation.tools.1.workload",
        "VMC212 aggregation.conflictResolutionConfig.priorityOrder.1",
        "VMC212 outgoingAuth.backends.o",
        "VMC212 operational.timeouts.perWorkload.w",
    ]
    prefixed = {"backends": [SOUND], "compositeTools": config["compositeTools"]}
    assert places(prefixed) == [f"VMC218 compositeTools.0.steps.{step}" for step in ("1.tool", "2.step.tool")]


def test_the_bundle_of_a_backend_is_checked_after_a_backend_without_a_bundle() -> None:
    backends = [
        {"name": "a"},
        {"name": "b", "type": "entry", "caBundlePath": "/etc/ca.crt"},
        {"name": "c", "caBundlePath": "/etc/ca.crt"},
        {"name": "d", "type": "entry", "caBundlePath": "../ca.crt"},
        {"name": "e", "type": "other"},
    ]
    assert [one.path for one in _backends(backends)] == [
        ("backends", 2, "caBundlePath"),
        ("backends", 3, "caBundlePath"),
        ("backends", 4, "type"),
    ]
