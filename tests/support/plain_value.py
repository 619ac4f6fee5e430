"""Values that fit a model: the least that it takes, with texts that the operator can use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcpcfg.compiler.generate.model import Model, Value

NAME = "there"
"""The name of every resource that another one refers to."""

NAMES = {"AuthServerRef.name": "login", "PermissionProfileRef.name": "network"}
"""Of references that lead to a resource of a certain type."""

_OIDC = {"name": NAME, "audience": "https://tools.example.com", "resourceUrl": "https://tools.example.com"}

COMPANIONS: dict[str, dict[str, Any]] = {
    "MCPRemoteProxySpec.authServerRef": {"oidcConfigRef": _OIDC},
    "MCPServerSpec.authServerRef": {"oidcConfigRef": _OIDC},
    "UpstreamProviderConfig.oauth2Config": {"type": "oauth2", "oidcConfig": None},
    "VirtualMCPServerSpec.authServerConfig": {"incomingAuth": {"type": "oidc", "oidcConfigRef": _OIDC}},
}
"""What the operator asks for beside a field; ``None`` for what may then not be there."""

_TEXTS = {
    "CABundleKeySelector.key": "ca.crt",
    "ConfigMapAuthzRef.key": "authz.json",
    "PermissionProfileRef.key": "profile.json",
    "EmbeddedAuthServerConfig.issuer": "https://kubernetes.default.svc",
    "UpstreamProviderConfig.name": "company",
    "providerName": "company",
    "CompositeToolConfig.name": "report",
    "VirtualMCPCompositeToolDefinitionSpec.name": "report",
    "WorkloadToolConfig.workload": "member",
    "StaticBackendConfig.type": "entry",
    "BackendAuthStrategy.type": "unauthenticated",
    "VMCPIncomingAuthConfig.type": "anonymous",
    "VMCPAuthzConfig.type": "none",
    "VMCPConfig.groupRef": NAME,
    "accessTokenPath": "access_token",
    "address": "redis:6379",
    "claim": "groups",
    "collection": "{{json .params.items}}",
    "condition": '{{eq .params.mode "fast"}}',
    "configYAML": "sources: [{name: s, format: toolhive, file: {path: /config/registry.json}}]\n"
    "registries: [{name: default, sources: [s]}]\n"
    "database: {host: db, user: u, database: d}\nauth: {mode: anonymous}\n",
    "cpu": "500m",
    "dependsOn": "first",
    "endpoint": "https://otel.example.com:4318",
    "endpointPrefix": "/api",
    "entitiesJson": "[]",
    "eventTypes": "mcp_tool_call",
    "excludeEventTypes": "mcp_ping",
    "expiresInPath": "expires_in",
    "headerName": "X-Api-Key",
    "hostPath": "/srv/data",
    "image": "ghcr.io/acme/server:1.0",
    "introspectionUrl": "https://login.example.com/introspect",
    "issuer": "https://login.example.com",
    "issuerUrl": "https://login.example.com",
    "itemVar": "item",
    "jwksAuthTokenPath": "/var/run/token",
    "jwksUrl": "https://login.example.com/keys",
    "keyPrefix": "mcp:",
    "logFile": "/var/log/audit.log",
    "masterName": "mymaster",
    "matcher": 'claims["sub"] == "x"',
    "memory": "64Mi",
    "mountPath": "/data",
    "policies": "permit(principal, action, resource);",
    "redirectUri": "https://tools.example.com/oauth/callback",
    "refillPeriod": "1m",
    "refreshTokenPath": "refresh_token",
    "resource": "https://tools.example.com",
    "resourceUrl": "https://tools.example.com",
    "samplingRate": "0.5",
    "sentinelAddrs": "sentinel:26379",
    "size": "10Gi",
    "targetEnvName": "TOKEN",
    "tokenUrl": "https://login.example.com/token",
    "tool": "member_search",
    "tools": "search",
    "url": "https://tools.example.com/mcp",
}
"""Texts of fields that stand for themselves, by model and field or by field alone."""

_PATTERNS = {
    "^(access_token": "access_token",
    "^https?://": "https://tools.example.com/mcp",
    "^https://": "https://login.example.com",
    "^([0-9]+(": "30s",
    "^[a-z0-9](": "company",
    "^[a-z]{2}": "eu-central-1",
    "^arn:": "arn:aws:iam::123456789012:role/mcp",
    "^(0(": "0.5",
    "^([0-9]*": "0.5",
}
"""Texts that match, by the beginning of the pattern."""

OBJECTS: dict[str, tuple[Any, ...]] = {
    "arguments": ({"query": "x"}, {"query": "{{.params.query}}", "n": 1, "deep": {"a": [None, True, 1.5]}}),
    "default": ("x", 1, [], {}),
    "defaultResults": ({"text": "none"}, "text", 5),
    "parameters": (
        {"type": "object", "properties": {"query": {"type": "string"}}},
        {"type": "object", "properties": {"query": {"type": "string", "default": "a"}}, "required": ["query"]},
        {"type": "string"},
        {"properties": None},
    ),
    "podTemplateSpec": (
        {"spec": {"containers": [{"name": "mcp", "env": [{"name": "A", "value": "b"}]}]}},
        {"metadata": None, "spec": {"priorityClassName": "high"}},
        {"metadata": {"labels": {"app": "other"}, "annotations": {"a": "b"}}},
        {"metadata": {"labels": None}, "spec": None},
        {"spec": {"containers": []}},
        {"spec": {"containers": [{"name": "vmcp", "resources": {"limits": {"cpu": 1, "memory": "1Gi"}}}]}},
        {"spec": {"containers": [{"image": "x"}], "affinity": {}}},
        {"spec": {"containers": None, "volumes": [{"name": "v", "emptyDir": {}}], "tolerations": [{}]}},
        {"spec": {"securityContext": {}, "serviceAccountName": "other", "nodeSelector": {"a": "b"}}},
        {"spec": "text"},
    ),
    "schema": ({"type": "object", "properties": {"ok": {"type": "boolean"}}}, {"type": "object", "required": "x"}),
    "volumeMounts": ({"name": "v", "mountPath": "/v"}, {"name": "v"}, "text"),
    "volumes": ({"name": "v", "emptyDir": {}}, {"emptyDir": {}}, {"name": "v", "emptyDir": 5}),
}
"""What stands where the model names no fields, by field; the first one is the plainest."""


_NEEDED = {
    "AWSStsConfig": ("fallbackRoleArn",),
    "CABundleKeySelector": ("name",),
    "CABundleSource": ("configMapRef",),
    "CompositeToolConfig": ("description", "steps"),
    "MCPTelemetryOTelConfig": ("endpoint", "tracing"),
    "OAuth2UpstreamConfig": ("redirectUri",),
    "OIDCUpstreamConfig": ("redirectUri",),
    "OpenTelemetryTracingConfig": ("enabled",),
    "OptimizerConfig": ("embeddingService",),
    "OutputProperty": ("description", "value"),
    "RoleMapping": ("claim",),
    "SecretKeySelector": ("name",),
    "TelemetryConfig": ("endpoint", "serviceName"),
    "ToolOverride": ("name",),
    "UpstreamProviderConfig": ("oidcConfig",),
    "VirtualMCPCompositeToolDefinitionSpec": ("description",),
    "WorkflowStepConfig": ("tool",),
}
"""Optional fields without which the operator refuses an object, by model."""


def plain_object(model: Model) -> dict[str, Any]:
    """Return the fields that a model requires, and those that the operator needs besides."""
    needed = _NEEDED.get(model.name, ())
    return {one.key: plain(one.value, model, one.key) for one in model.fields if one.required or one.key in needed}


def plain(value: Value, model: Model, key: str) -> Any:
    """Return the plainest value of the field ``key``; a list or map has one entry."""
    if value.models:
        return plain_object(value.models[0])
    if value.type == "list" and value.items is not None:
        return [plain(value.items, model, key)]
    if value.type == "map" and value.items is not None:
        return {"some-key" if value.items.type == "string" else NAME: plain(value.items, model, key)}
    if value.type in {"object", "any"}:
        return OBJECTS.get(key, ({},))[0]
    return text(value, model, key) if value.type == "string" else number(value)


def text(value: Value, model: Model, key: str) -> str:
    """Return a text that a field takes, of a reference the name of what is there."""
    if value.enum:
        return value.enum[0]
    place = f"{model.name}.{key}"
    if value.reference is not None:
        return NAMES.get(place, NAME)
    if (found := _TEXTS.get(place) or _TEXTS.get(key)) is not None or value.pattern is None:
        return found or key
    return next(found for start, found in _PATTERNS.items() if value.pattern.startswith(start))


def number(value: Value) -> bool | float:
    """Return a boolean, or the smallest number that is allowed, at least 1."""
    if value.type == "boolean":
        return True
    smallest = 1 if value.minimum is None else max(1, value.minimum)
    return smallest if value.type == "integer" else float(smallest)
