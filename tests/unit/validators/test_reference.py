"""Every field that names another object, in every way in which the name can lead nowhere."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from judging import own_references

from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.project.discovery import discover

if TYPE_CHECKING:
    from pathlib import Path

    from mcpcfg.compiler.diagnostics.finding import Finding

DANGLING = [f"REF{number:03}" for number in range(1, 11)]
CORE = ("Secret", "ConfigMap", "ServiceAccount")
KINDS = (
    "EmbeddingServer",
    "MCPExternalAuthConfig",
    "MCPOIDCConfig",
    "MCPRegistry",
    "MCPRemoteProxy",
    "MCPServer",
    "MCPServerEntry",
    "MCPTelemetryConfig",
    "VirtualMCPServer",
)
EMBEDDED: dict[str, Any] = {
    "issuer": "https://mcp.example.com",
    "upstreamProviders": [
        {
            "name": "idp",
            "type": "oidc",
            "oidcConfig": {
                "issuerUrl": "https://idp.example.com",
                "clientId": "mcp",
                "redirectUri": "https://mcp.example.com/oauth/callback",
            },
        }
    ],
}
OAUTH2 = {
    "name": "idp",
    "type": "oauth2",
    "oauth2Config": {
        "authorizationEndpoint": "https://idp.example.com/authorize",
        "tokenEndpoint": "https://idp.example.com/token",
        "userInfo": {"endpointUrl": "https://idp.example.com/me"},
        "clientId": "mcp",
        "redirectUri": "https://mcp.example.com/oauth/callback",
    },
}
USER = {"usernameSecretRef": {"name": "acl", "key": "user"}, "passwordSecretRef": {"name": "acl", "key": "word"}}
STORAGE = {
    "type": "redis",
    "redis": {"sentinelConfig": {"masterName": "main", "sentinelAddrs": ["redis:26379"]}, "aclUserConfig": USER},
}
REDIS = {"provider": "redis", "address": "redis:6379"}
SPECS: dict[str, dict[str, Any]] = {
    "EmbeddingServer": {"model": "m", "image": "example.com/text-embeddings-inference:1"},
    "MCPOIDCConfig": {"type": "inline", "inline": {"issuer": "https://mcp.example.com", "clientId": "mcp"}},
    "MCPRegistry": {"configYAML": "sources: []\n"},
    "MCPRemoteProxy": {"remoteUrl": "https://mcp.example.com/mcp"},
    "MCPServer": {"image": "example.com/fetch:1", "transport": "streamable-http"},
    "MCPServerEntry": {
        "remoteUrl": "https://mcp.example.com/mcp",
        "transport": "streamable-http",
        "groupRef": {"name": "other"},
    },
    "MCPTelemetryConfig": {
        "openTelemetry": {"enabled": True, "endpoint": "https://otel:4318", "tracing": {"enabled": True}}
    },
    "VirtualMCPServer": {"groupRef": {"name": "other"}, "incomingAuth": {"type": "anonymous"}},
}
"""A spec for each kind to which a reference is added."""

AROUND: dict[str, Any] = {
    "tokenExchange": {"tokenUrl": "https://idp.example.com/token", "clientId": "mcp", "audience": "backend"},
    "headerInjection": {"headerName": "X-Api-Key"},
    "bearerToken": {},
    "embeddedAuthServer": EMBEDDED,
    "authServerConfig": EMBEDDED,
    "authzConfig": {"type": "configMap"},
    "permissionProfile": {"type": "configmap"},
    "oidcConfigRef": {"audience": "mcp"},
    "authServerRef": {"kind": "MCPExternalAuthConfig"},
    "sessionStorage": REDIS,
    "incomingAuth": {"type": "oidc", "oidcConfigRef": {"name": "trusted", "audience": "mcp"}},
    "default": {"type": "externalAuthConfigRef"},
    "backends": {"member": {"type": "externalAuthConfigRef"}},
    "sensitiveHeaders": [{"name": "X-Api-Key"}],
    "addHeadersFromSecret": [{"headerName": "X-Api-Key"}],
    "tools": [{"workload": "member"}],
}
"""What has to stand beside a reference below this field."""

TARGETS: dict[str, dict[str, Any]] = {
    "Secret": {"stringData": {"key": "x" * 40}},
    "ConfigMap": {"data": {"key": "x", "ca.crt": "x", "authz.json": "x"}},
    "ServiceAccount": {},
    "MCPOIDCConfig": {"spec": SPECS["MCPOIDCConfig"]},
    "MCPExternalAuthConfig": {"spec": {"type": "unauthenticated"}},
    "MCPToolConfig": {"spec": {"toolsFilter": ["fetch"]}},
    "MCPTelemetryConfig": {"spec": {"prometheus": {"enabled": True}}},
    "MCPGroup": {"spec": {"description": "a group"}},
    "EmbeddingServer": {"spec": SPECS["EmbeddingServer"]},
    "VirtualMCPCompositeToolDefinition": {
        "spec": {"name": "t", "description": "does it", "steps": [{"id": "a", "tool": "member.fetch"}]}
    },
}


class Case(NamedTuple):
    """One field, and one way to lead nowhere."""

    kind: str
    steps: tuple[str, ...]
    target: str
    key: str | None
    problem: str

    def __str__(self) -> str:
        return f"{self.kind}.{'.'.join(self.steps[1:])}-{self.problem}"


def _cases() -> list[Case]:
    found = []
    for kind in KINDS:
        for field in own_references(kind):
            problems = ["none", "missing", "other-namespace"]
            problems += ["key-missing"] if field.key else []
            problems += ["wrong-kind", "not-admitted"] if field.kind not in CORE else []
            found += [Case(kind, tuple(field.steps), field.kind, field.key, problem) for problem in problems]
    return found


def _resource(kind: str, name: str, body: dict[str, Any], namespace: str = "default") -> dict[str, Any]:
    version = "v1" if kind in CORE else "toolhive.stacklok.dev/v1alpha1"
    return {
        "apiVersion": version,
        "kind": kind,
        "metadata": {"name": name, "namespace": namespace},
        **deepcopy(body),
    }


def _source(case: Case) -> tuple[dict[str, Any], tuple[str | int, ...]]:
    """Build a resource with the reference in it; return it with the place of the name."""
    spec = deepcopy(SPECS.get(case.kind, {"type": case.steps[1]}))
    if case.steps[1] == "authServerConfig":
        spec["incomingAuth"] = deepcopy(AROUND["incomingAuth"])
    source = _resource(case.kind, "source", {"spec": spec})
    value: Any = source
    path: list[str | int] = []
    for step, following in zip(case.steps, (*case.steps[1:], ""), strict=True):
        at: str | int = step
        if step == "*":
            at = 0 if isinstance(value, list) else "member"
        path.append(at)
        if following == "":
            value[at] = "it"
            if case.key:
                value[case.key] = "key"
            break
        if isinstance(value, dict) and at not in value:
            value[at] = deepcopy(AROUND.get(step, [{}] if following == "*" else {}))
        value = value[at]
        if step == "upstreamProviders" and "oauth2Config" in case.steps:
            value[0] = deepcopy(OAUTH2)
        if following == "storage":
            value["storage"] = deepcopy(STORAGE)
    return source, tuple(path)


def _targets(case: Case) -> list[dict[str, Any]]:
    body = deepcopy(TARGETS[case.target])
    if case.problem == "missing":
        return []
    if case.problem == "other-namespace":
        return [_resource(case.target, "it", body, "elsewhere")]
    if case.problem == "wrong-kind":
        other = "MCPToolConfig" if case.target == "MCPGroup" else "MCPGroup"
        return [_resource(other, "it", TARGETS[other])]
    if case.problem == "not-admitted":
        body["spec"]["nonsense"] = 1
    if case.problem == "key-missing":
        body = {field: {"another": "x"} for field in body}
    return [_resource(case.target, "it", body)]


def _findings(case: Case, folder: Path) -> tuple[list[Finding], tuple[str | int, ...]]:
    source, path = _source(case)
    around = [_resource("MCPGroup", "other", TARGETS["MCPGroup"])]
    around += [_resource("MCPOIDCConfig", "trusted", TARGETS["MCPOIDCConfig"])]
    around += [_resource("Secret", "acl", {"stringData": {"user": "proxy", "word": "x"}})]
    file = folder / "project.yaml"
    file.write_text("\n---\n".join(json.dumps(one) for one in (source, *around, *_targets(case))))
    reported = check(discover((str(file),), release="0.21.0")._replace(complete=True), Options(closed=True)).findings
    return [one for one in reported if one.subject is not None and one.subject.name == "source"], path


@pytest.mark.parametrize("case", _cases(), ids=str)
def test_a_dangling_reference_is_reported_at_its_name(case: Case, tmp_path: Path) -> None:
    findings, path = _findings(case, tmp_path)

    assert [one for one in findings if one.stage == "admission"] == []
    reported = [one for one in findings if one.rule in DANGLING]
    if case.problem == "none" or "permissionProfile" in case.steps:  # a profile from a ConfigMap is refused (PRF001)
        assert reported == []
        return
    place = (*path[:-1], case.key) if case.problem == "key-missing" else path
    assert [one.path for one in reported] == [place]
    assert (reported[0].stage, reported[0].severity) in {
        ("operator", "error"),
        ("process", "error"),
        ("lint", "warning"),
    }


def test_every_reference_of_a_kind_is_declared_in_the_models() -> None:
    fields = {(kind, ".".join(field.steps[1:])) for kind in KINDS for field in own_references(kind)}
    workloads = ("MCPServer", "MCPRemoteProxy")
    expected = {
        *((kind, "oidcConfigRef.name") for kind in workloads),
        *((kind, "externalAuthConfigRef.name") for kind in (*workloads, "MCPServerEntry")),
        *((kind, "authServerRef.name") for kind in workloads),
        *((kind, "telemetryConfigRef.name") for kind in (*workloads, "VirtualMCPServer")),
        *((kind, "toolConfigRef.name") for kind in workloads),
        *((kind, "groupRef.name") for kind in (*workloads, "MCPServerEntry", "VirtualMCPServer")),
        *((kind, "authzConfig.configMap.name") for kind in workloads),
        ("VirtualMCPServer", "incomingAuth.oidcConfigRef.name"),
        ("VirtualMCPServer", "config.aggregation.tools.*.toolConfigRef.name"),
        ("VirtualMCPServer", "config.compositeToolRefs.*.name"),
        ("VirtualMCPServer", "embeddingServerRef.name"),
        ("VirtualMCPServer", "outgoingAuth.default.externalAuthConfigRef.name"),
        ("VirtualMCPServer", "outgoingAuth.backends.*.externalAuthConfigRef.name"),
        ("MCPServerEntry", "caBundleRef.configMapRef.name"),
        ("MCPOIDCConfig", "inline.caBundleRef.configMapRef.name"),
        ("MCPTelemetryConfig", "openTelemetry.caBundleRef.configMapRef.name"),
        ("MCPServer", "secrets.*.name"),
        ("MCPExternalAuthConfig", "bearerToken.tokenSecretRef.name"),
        ("MCPExternalAuthConfig", "headerInjection.valueSecretRef.name"),
    }
    assert expected <= fields
