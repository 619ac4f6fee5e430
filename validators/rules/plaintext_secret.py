"""Rules about secrets in plain text: in environment variables, headers and arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ...compiler.diagnostics.secret.text import has_credential_form, looks_secret
from ..pod import containers_of
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.embeddingserver import EmbeddingServerSpec
    from ...compiler.models.mcpregistry import MCPRegistrySpec
    from ...compiler.models.mcpremoteproxy import MCPRemoteProxySpec
    from ...compiler.models.mcpserver import MCPServerSpec
    from ...compiler.models.mcpserverentry import MCPServerEntrySpec
    from ...compiler.models.mcptelemetryconfig import MCPTelemetryConfigSpec
    from ...compiler.models.spec import ProxySpec, WorkloadSpec
    from ...compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from ..rule import Check, Finding, Path, Resource, Workspace

IN_ENVIRONMENT = rule(
    "SEC001 plaintext-secret-in-environment",
    "lint",
    "An environment variable or argument holds what looks like a secret in plain text",
    is_secret=True,
)
IN_HEADER = rule(
    "SEC002 plaintext-secret-in-header", "lint", "A header holds what looks like a secret in plain text", is_secret=True
)

CREDENTIAL_HEADERS = ("authorization", "cookie")


@reads("env", "resourceOverrides", "podTemplateSpec")
def check_environment(
    resource: Resource[WorkloadSpec | EmbeddingServerSpec | MCPRegistrySpec], _: Workspace
) -> Iterator[Finding]:
    """Report environment variables whose plain values look like secrets."""
    for path, entries in _environments(resource.spec):
        for i, entry in enumerate(entries):
            name = entry.get("name") if isinstance(entry, dict) else None
            value = entry.get("value") if isinstance(entry, dict) else None
            if isinstance(name, str) and isinstance(value, str) and looks_secret(name, value):
                message = f"the value of {name} looks like a secret in plain text"
                hint = "keep it in a Secret"
                yield resource.finding(IN_ENVIRONMENT, (*path, i, "value"), message, hint=hint)


def _environments(spec: WorkloadSpec | EmbeddingServerSpec | MCPRegistrySpec) -> Iterator[tuple[Path, list[Any]]]:
    if "env" in spec:
        yield ("spec", "env"), cast("MCPServerSpec", spec)["env"]
    proxy = (cast("ProxySpec", spec).get("resourceOverrides") or {}).get("proxyDeployment") or {}
    if "env" in proxy:
        yield ("spec", "resourceOverrides", "proxyDeployment", "env"), proxy["env"]
    for path, container in containers_of(spec):
        if isinstance(container.get("env"), list):
            yield (*path, "env"), container["env"]


@reads("headerForward", "openTelemetry")
def check_headers(
    resource: Resource[MCPRemoteProxySpec | MCPServerEntrySpec | MCPTelemetryConfigSpec], _: Workspace
) -> Iterator[Finding]:
    """Report headers whose plain values look like secrets."""
    spec = resource.spec
    proxy, config = cast("MCPRemoteProxySpec | MCPServerEntrySpec", spec), cast("MCPTelemetryConfigSpec", spec)
    forward = (proxy.get("headerForward") or {}).get("addPlaintextHeaders")
    telemetry = (config.get("openTelemetry") or {}).get("headers")
    for path, headers, remedy in (
        (("spec", "headerForward", "addPlaintextHeaders"), forward, "addHeadersFromSecret"),
        (("spec", "openTelemetry", "headers"), telemetry, "sensitiveHeaders"),
    ):
        for name, value in (headers or {}).items():
            lowered = name.lower()
            named = lowered in CREDENTIAL_HEADERS and looks_secret("token", value)
            if named or looks_secret(lowered, value) or has_credential_form(value):
                message = f"the value of header {name} looks like a secret in plain text"
                yield resource.finding(IN_HEADER, (*path, name), message, hint=f"use {remedy}")


@reads("args", "podTemplateSpec")
def check_arguments(
    resource: Resource[EmbeddingServerSpec | MCPRegistrySpec | MCPServerSpec | VirtualMCPServerSpec], _: Workspace
) -> Iterator[Finding]:
    """Report arguments that contain a token of a known format. A flag such as ``--token`` alone does not count."""
    for path, args in _arguments(resource.spec):
        for i, arg in enumerate(args):
            if isinstance(arg, str) and has_credential_form(arg.partition("=")[2] or arg):
                message = "this argument looks like a secret in plain text"
                hint = "keep it in a Secret, and let the program read a variable"
                yield resource.finding(IN_ENVIRONMENT, (*path, i), message, hint=hint)


def _arguments(
    spec: EmbeddingServerSpec | MCPRegistrySpec | MCPServerSpec | VirtualMCPServerSpec,
) -> Iterator[tuple[Path, list[Any]]]:
    if "args" in spec:
        yield ("spec", "args"), cast("MCPServerSpec", spec)["args"]
    for path, container in containers_of(spec):
        for field in ("command", "args"):
            if isinstance(container.get(field), list):
                yield (*path, field), container[field]


CHECKS: dict[str, tuple[Check, ...]] = {
    "MCPServer": (check_environment, check_arguments),
    "MCPRemoteProxy": (check_environment, check_headers),
    "MCPServerEntry": (check_headers,),
    "EmbeddingServer": (check_environment, check_arguments),
    "MCPRegistry": (check_environment, check_arguments),
    "VirtualMCPServer": (check_environment, check_arguments),
    "MCPTelemetryConfig": (check_headers,),
}
