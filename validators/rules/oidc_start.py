"""Rules about OIDC providers that keep a proxy from starting, and URLs that cannot be requested."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ...compiler.diagnostics.fault_to_finding import restaged
from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.plain import value_at
from ...compiler.diagnostics.shown import shown
from ...compiler.diagnostics.version import RECORDED
from ...compiler.toolhive.connection import NO_KEYS
from ...compiler.toolhive.release import PROVIDER_URLS_SINCE
from ..auth_server import embeds
from ..pod import OWN_CONTAINERS, containers_of
from ..remote_host import PLAIN
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcpoidcconfig import InlineOIDCSharedConfig, MCPOIDCConfigSpec
    from ...compiler.models.mcpserver import MCPServerSpec
    from ...compiler.models.spec import ProxySpec, WorkloadSpec
    from ...compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from ...compiler.workspace.workspace import Resolved
    from ..rule import Check, Finding, Path, Resource, Workspace

NO_FILE = rule(
    "OID016 missing-oidc-token-file",
    "process",
    "The token for an OIDC provider is in a file that the proxy does not have",
    verified=RECORDED,
)
UNUSABLE = rule(
    "OID017 unusable-oidc-url",
    "lint",
    "An address of an OIDC provider, or of the server that it protects, is not a usable URL",
)

INLINE: Path = ("spec", "inline")
ACCOUNT: Path = ("spec", "kubernetesServiceAccount")
ACCOUNT_FILE = "/var/run/secrets/kubernetes.io/serviceaccount/token"
ISSUER = "write the issuer: https://HOST"
ADDRESS = "write it as https://HOST/PATH"
OF_EVERY_POD = ("/var/run/secrets/", "/run/secrets/")


@reads("inline", "kubernetesServiceAccount")
def check_provider(resource: Resource[MCPOIDCConfigSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report URLs of an OIDC provider that cannot be requested.

    If no workload refers to the provider, also report that it has neither an issuer nor keys. Otherwise `check_proxy`
    reports it.
    """
    inline = resource.spec.get("inline")
    at, settings = (INLINE, inline) if inline else (ACCOUNT, resource.spec.get("kubernetesServiceAccount") or {})
    if inline and _has_no_keys(inline) and not workspace.is_referred(resource):
        message = "the issuer is empty, and there is no jwksUrl"
        yield restaged(resource.finding(NO_KEYS, (*INLINE, "issuer"), message, hint=ISSUER), "lint")
    field = "jwksUrl" if settings.get("jwksUrl") else "issuer"
    text = settings.get(field) or ""
    is_seen = bool(inline) and resource.is_judged(since=PROVIDER_URLS_SINCE)  # the operator refuses it (OID018)
    if text.lower().startswith(("http://", "https://")) and not is_seen and (fault := _fault(text)):
        yield resource.finding(UNUSABLE, (*at, field), f"{field} {shown(text)} {fault}", hint=ADDRESS)
    text = settings.get("introspectionUrl") or ""
    if text and (fault := _fault(text, needs_https=not (inline or {}).get("insecureAllowHTTP"))):
        yield resource.finding(
            UNUSABLE, (*at, "introspectionUrl"), f"introspectionUrl {shown(text)} {fault}", hint=ADDRESS
        )


def _fault(text: str, *, needs_https: bool = False) -> str | None:
    """Return why a URL cannot be requested, as a clause, or ``None``. A pattern saves parsing simple URLs."""
    if is_placeholder(text) or (PLAIN.fullmatch(text) is not None and (text.startswith("https") or not needs_https)):
        return None
    from ...compiler.toolhive.endpoint import endpoint_fault, remote_fault

    return remote_fault(text) or (endpoint_fault(text) if needs_https else None)


def _has_no_keys(inline: InlineOIDCSharedConfig) -> bool:
    return not inline.get("issuer") and not inline.get("jwksUrl")


@reads("oidcConfigRef")
def check_proxy(resource: Resource[ProxySpec], workspace: Workspace) -> Iterator[Finding]:
    """Report an OIDC provider or its token file that keeps the proxy from starting, and an invalid ``resourceUrl``."""
    yield from _resource_url(resource, workspace, ("spec", "oidcConfigRef", "resourceUrl"))
    resolved: Resolved[MCPOIDCConfigSpec] = workspace.resolved(resource, "spec", "oidcConfigRef", "name")
    inline = resolved[1].spec.get("inline") if resolved is not None else None
    if resolved is None or not inline or resolved[1].spec.get("type") != "inline":
        return
    reference, config = resolved
    if _has_no_keys(inline) and not embeds(resource, workspace):
        notes = (config.note("it is here", (*INLINE, "issuer")),)
        message = f'MCPOIDCConfig "{config.name}" has neither an issuer nor a jwksUrl'
        yield resource.finding(NO_KEYS, reference.path, message, hint=ISSUER, notes=notes)
    token = inline.get("jwksAuthTokenPath") or ""
    if token and not is_placeholder(token) and not f"{token}/".startswith(_mounted(resource)):
        message, place = f"nothing mounts its token {shown(token)} into the proxy", (*INLINE, "jwksAuthTokenPath")
        yield reference.finding_about_target(NO_FILE, place, message, hint=f"use {ACCOUNT_FILE}")


def _mounted(resource: Resource[ProxySpec]) -> tuple[str, ...]:
    if isinstance(resource.spec.get("podTemplateSpec"), str):
        return ("",)
    if resource.kind == "MCPServer":
        mounts: list[Any] = list(cast("MCPServerSpec", resource.spec).get("volumes") or ())
    else:
        container_name = resource.profile.spell(OWN_CONTAINERS[resource.kind][0])
        containers = [
            container for _, container in containers_of(resource.spec) if container.get("name") == container_name
        ]
        mounts = [
            mount
            for container in containers
            for mount in container.get("volumeMounts") or ()
            if isinstance(mount, dict)
        ]
    paths = [str(mount.get("mountPath") or "") for mount in mounts]
    if any(is_placeholder(path) for path in paths):
        return ("",)
    return (*OF_EVERY_POD, *(path.rstrip("/") + "/" for path in paths if path))


@reads("incomingAuth")
def check_virtual_server(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report an invalid ``resourceUrl`` of a virtual server."""
    yield from _resource_url(resource, workspace, ("spec", "incomingAuth", "oidcConfigRef", "resourceUrl"))


def _resource_url(resource: Resource[WorkloadSpec], workspace: Workspace, path: Path) -> Iterator[Finding]:
    text = value_at(resource.data, path)
    fault = _fault(text) if isinstance(text, str) and text else None
    if fault is not None and not embeds(resource, workspace):
        yield resource.finding(UNUSABLE, path, f"resourceUrl {shown(text)} {fault}", hint=ADDRESS)


CHECKS: dict[str, tuple[Check, ...]] = {
    "MCPOIDCConfig": (check_provider,),
    "MCPServer": (check_proxy,),
    "MCPRemoteProxy": (check_proxy,),
    "VirtualMCPServer": (check_virtual_server,),
}
