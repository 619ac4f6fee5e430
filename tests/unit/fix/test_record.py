"""Faults of records are fixed by the one change that each needs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mcpcfg.compiler.fix.fix import fix_file
from mcpcfg.compiler.project.discovery import Project
from mcpcfg.compiler.project.input_kind import kind_named
from mcpcfg.compiler.project.settings import ProjectSettings

EXAMPLES = json.loads((Path(__file__).parents[3] / "fixtures" / "records" / "rules.json").read_text("utf-8"))
PROJECT = Project((), None, complete=True, settings=ProjectSettings(), root=".")


def patched(value: Any, patch: Any) -> Any:
    """Lay a JSON merge patch (RFC 7396) over a value."""
    if not isinstance(patch, dict):
        return patch
    out = dict(value) if isinstance(value, dict) else {}
    for key, inner in patch.items():
        out[key] = patched(out.get(key), inner)
    return {key: inner for key, inner in out.items() if inner is not None}


ISSUING = "embedded_auth_server_config"
UPSTREAM = {"issuer_url": "https://id.acme.example", "client_id": "abc", "redirect_uri": "https://acme.example/cb"}


@pytest.mark.parametrize(
    ("rule", "patch", "title", "change"),
    [
        ("REG002-server", None, "put version into quotes", '"version": 1.0, -> "version": "1.0",'),
        ("REG007-server", None, "put packages[0].transport.url into quotes", '"url": 5 -> "url": "5"'),
        (
            "REG017-server",
            None,
            "rename enviromentVariables to environmentVariables",
            '"enviromentVariables": [] -> "environmentVariables": []',
        ),
        ("FIL001", None, "take maxDataSize out of its quotes", '"maxDataSize": "1024", -> "maxDataSize": 1024,'),
        ("FIL020", {"eventTypes": ["MCP_tool_call"]}, "write mcp_tool_call for eventTypes[0]", None),
        (
            "FIL030",
            {"validating": [{"name": "a", "url": "https://a.example", "timeout": "5s", "failure_policy": "Fail"}]},
            "write fail for validating[0].failure_policy",
            '"failure_policy": "Fail" -> "failure_policy": "fail"',
        ),
        ("PRM001", None, "write read as a list", '"read": "/etc/hosts", -> "read": ["/etc/hosts"],'),
        (
            "PRM020",
            {"secrets": ["a , target=B"]},
            "leave out the blanks of the reference",
            '"a , target=B" -> "a,target=B"',
        ),
        ("REG002", None, "write servers.weather.tools as a list", '"tools": "forecast", -> "tools": ["forecast"],'),
        ("REG003", None, "write Active for servers.weather.status", '"status": "active", -> "status": "Active",'),
        (
            "REG004",
            {"version": "v1.0.0", "servers": {"weather": {}}},
            "leave out the v of the version",
            '"version": "v1.0.0", -> "version": "1.0.0",',
        ),
        ("REG007", None, "put servers.ab.image into quotes", '"image": 5 -> "image": "5"'),
        ("REG017", None, "rename env_var to env_vars", '"env_var": [] -> "env_vars": []'),
        ("RUN001", None, "write the timeout in nanoseconds", '"timeout": "5m" -> "timeout": 300000000000'),
        ("RUN003", None, "write stdio for transport", '"transport": "STDIO", -> "transport": "stdio",'),
        (
            "RUN011",
            {"middleware_configs": [{"type": "Auth", "parameters": {}}]},
            "write auth for middleware_configs[0].type",
            None,
        ),
        (
            "RUN013",
            {"token_exchange_config": {"header_strategy": "Custom"}},
            "write custom for token_exchange_config.header_strategy",
            None,
        ),
        (
            "RUN021",
            {ISSUING: {"upstreams": [{"name": "okta", "type": "OIDC", "oidc_config": UPSTREAM}]}},
            f"write oidc for {ISSUING}.upstreams[0].type",
            '"type": "OIDC", -> "type": "oidc",',
        ),
        ("RUN025", {ISSUING: {"storage": {"type": "Redis"}}}, f"write redis for {ISSUING}.storage.type", None),
        ("RUN040", None, "rename targt_port to target_port", '"targt_port": 8080 -> "target_port": 8080'),
        ("RUN041", {"schema_version": "0.1.0"}, "write v0.1.0 for schema_version", None),
        ("RUN053", None, "write telemetry_config.samplingRate as a share of one", None),
        (
            "RUN055",
            None,
            "begin endpoint_prefix with a slash",
            '"endpoint_prefix": "tools" -> "endpoint_prefix": "/tools"',
        ),
        ("WRK001", None, "take proxy_port out of its quotes", '"proxy_port": "8080", -> "proxy_port": 8080,'),
        ("WRK004", {"proxy_mode": "SSE"}, "write sse for proxy_mode", '"proxy_mode": "SSE" -> "proxy_mode": "sse"'),
        ("WRK010", None, "leave out :rw", '"/srv/data:/data:rw" -> "/srv/data:/data"'),
    ],
    ids=lambda value: value if isinstance(value, str) and value[3:].isdecimal() else "",
)
def test_a_fault_of_a_record_is_fixed(rule: str, patch: Any, title: str, change: str | None) -> None:
    row = EXAMPLES["rules"][rule]
    base = EXAMPLES["bases"][row["base"]]
    text = json.dumps(patched(base["document"], row["patch"] if patch is None else patch), indent=2)
    done = fix_file(text.encode(), "a.json", PROJECT, unsafe=True, read_as=kind_named(base["kind"]))
    lines = zip(text.splitlines(), done.text.decode().splitlines(), strict=True)
    changed = [f"{old.strip()} -> {new.strip()}" for old, new in lines if old != new]
    assert done.titles == (title,)
    assert change in (None, *changed)
    assert len(changed) == 1
