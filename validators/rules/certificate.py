"""Rules about certificates and private keys in Secrets and ConfigMaps of the project.

The operator mounts them without reading them, so a fault only shows when the process starts.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from ...compiler.diagnostics.named_tuple import NamedTuple
from ...compiler.diagnostics.placeholder import is_placeholder, is_stand_in
from ...compiler.diagnostics.version import MADE
from ...compiler.toolhive.release import PROXY_CA_BUNDLE_SINCE, VIRTUAL_CA_BUNDLE_SINCE
from ...compiler.workspace.reference import declared_value
from ..auth_server import EMBEDDED, EXTERNAL_AUTH
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from ...compiler.diagnostics.finding import Note
    from ...compiler.models.embeddedauth import EmbeddedAuthServerConfig
    from ...compiler.models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from ...compiler.models.mcpoidcconfig import MCPOIDCConfigSpec
    from ...compiler.models.mcpremoteproxy import MCPRemoteProxySpec
    from ...compiler.models.mcptelemetryconfig import MCPTelemetryConfigSpec
    from ...compiler.models.mcpwebhookconfig import MCPWebhookConfigSpec
    from ...compiler.models.spec import ProxySpec
    from ...compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from ...compiler.workspace.reference import Reference
    from ...compiler.workspace.workspace import Resolved
    from ..rule import Check, Finding, Path, Resource, Rule, Workspace

SOON: Final = timedelta(days=30)
"""A certificate that expires within this time is about to expire: most are renewed a month before they end."""

BUNDLE = rule(
    "CRT001 unreadable-ca-bundle",
    "process",
    "No certificate can be read from a CA bundle",
    verified=("0.21.0", "0.44.0"),
)
PAIR = rule(
    "CRT002 unusable-client-certificate",
    "process",
    "The client certificate of a webhook, or its private key, cannot be used",
    since="0.27.0",
)
SIGNING = rule(
    "CRT003 unusable-signing-key",
    "process",
    "An embedded authorization server cannot sign tokens with its key",
    verified=("0.21.0", "0.44.0"),
)
EXPIRED = rule("CRT004 expired-certificate", "lint", "A certificate has expired, or is about to")
EMPTY = rule(
    "REF028 empty-secret-value",
    "process",
    "A process needs a secret whose value is empty",
    verified=("0.21.0", "0.44.0"),
)
REQUIRED = {"headerInjection": "valueSecretRef", "tokenExchange": "clientSecretRef"}
"""For types of authentication to backends, the secret without which the virtual server does not read its file."""
INCOMING: Path = ("spec", "incomingAuth", "oidcConfigRef", "name")


class _File(NamedTuple):
    """A key of a declared Secret or ConfigMap that a process reads.

    Attributes:
        field: The path of the reference to it, in the resource that names it.
        reference: The reference to it.
        text: The value.
        place: The path of the value in the Secret or ConfigMap.
    """

    field: Path
    reference: Reference
    text: bytes
    place: Path

    def note(self) -> Note:
        """Return a note at the value."""
        assert self.reference.target is not None, "the value is declared"
        return self.reference.target.note("the value is here", self.place)

    def __str__(self) -> str:
        return f'key "{self.reference.key}" of {self.reference.kind} "{self.reference.name}"'


class _Fault(NamedTuple):
    """A fault of a file, before it is known which workload reads the file."""

    rule: Rule
    file: _File
    clause: str
    hint: str


def _file(workspace: Workspace, config: Resource, field: Path) -> _File | None:
    """Return the file that the reference at ``field`` leads to, or ``None`` if its value is unknown."""
    reference = workspace.reference(config, *field, "name")
    value = declared_value(reference)
    if reference is None or value is None or is_stand_in(value[0].decode("utf-8", "replace")):
        return None
    return None if _is_filled_in(reference, workspace) else _File(field, reference, *value)


def _is_filled_in(reference: Reference, workspace: Workspace) -> bool:
    """Return whether an object such as an ExternalSecret puts values into the declared Secret."""
    name, namespace = reference.name, reference.target and reference.target.namespace
    return any(
        (other.name == name or is_placeholder(other.name))
        and other.namespace == namespace
        and other.document.data.get("kind") != other.kind
        for other in workspace.of_kind(reference.kind)
    )


def _bundle_faults(
    workspace: Workspace, config: Resource, field: Path, *, may_be_empty: bool = False
) -> Iterator[_Fault]:
    from ...compiler.toolhive.key_file import bundle_fault, expiry

    file = _file(workspace, config, field)
    if file is None or (may_be_empty and not file.text):
        return
    clause = bundle_fault(file.text)
    if clause is not None:
        yield _Fault(BUNDLE, file, clause, "write a certificate: -----BEGIN CERTIFICATE-----")
    else:
        yield from _expired(file, expiry(file.text))


def _expired(file: _File, end: datetime | None) -> Iterator[_Fault]:
    """Yield a fault if the last certificate of a file expires within `SOON` after this version of mcpcfg was made."""
    made = date.fromisoformat(MADE)
    if end is not None and end.date() < made + SOON:
        when = "expired" if end.date() < made else "expires"
        yield _Fault(EXPIRED, file, f"contains a certificate that {when} on {end:%Y-%m-%d}", "renew the certificate")


def _empty_faults(workspace: Workspace, config: Resource, field: Path) -> Iterator[_Fault]:
    file = _file(workspace, config, field)
    if file is not None and not file.text:
        yield _Fault(EMPTY, file, "is empty", "write the secret, or remove the reference")


def _webhook_faults(workspace: Workspace, config: Resource[MCPWebhookConfigSpec]) -> Iterator[_Fault]:
    from ...compiler.emit.webhook import DIRECTIONS

    for direction in DIRECTIONS:
        for i, webhook in enumerate(config.spec.get(direction) or ()):
            at: Path = ("spec", direction, i)
            yield from _empty_faults(workspace, config, (*at, "hmacSecretRef"))
            yield from _bundle_faults(workspace, config, (*at, "tlsConfig", "caSecretRef"))
            tls = webhook.get("tlsConfig") or {}
            if tls.get("clientCertSecretRef") and tls.get("clientKeySecretRef"):
                yield from _pair_faults(workspace, config, (*at, "tlsConfig"))


def _pair_faults(workspace: Workspace, config: Resource, at: Path) -> Iterator[_Fault]:
    """Yield the fault of a client certificate and its key. If one of them is unknown, the other is checked alone."""
    from ...compiler.toolhive.key_file import certificate_fault, key_fault, key_pair_fault, leaf_expiry

    chain = _file(workspace, config, (*at, "clientCertSecretRef"))
    key = _file(workspace, config, (*at, "clientKeySecretRef"))
    if chain is not None and (clause := certificate_fault(chain.text)):
        yield _Fault(PAIR, chain, clause, "write the certificate, as kubectl create secret tls does")
    elif key is not None and (clause := key_fault(key.text)):
        yield _Fault(PAIR, key, clause, "write the private key of the certificate, without a password")
    elif chain is not None and key is not None and (clause := key_pair_fault(chain.text, key.text)):
        yield _Fault(PAIR, key, clause, "write the private key that the certificate was issued for")
    elif chain is not None:
        yield from _expired(chain, leaf_expiry(chain.text))


def _server_faults(
    workspace: Workspace, config: Resource, at: Path, server: EmbeddedAuthServerConfig
) -> Iterator[_Fault]:
    """Yield the faults of the files and variables of an authorization server.

    Other rules report short secrets. An empty CA bundle of Redis stands for the CAs of the system.
    """
    from ...compiler.toolhive.key_file import signing_key_fault

    for i in range(len(server.get("signingKeySecretRefs") or ())):
        file = _file(workspace, config, (*at, "signingKeySecretRefs", i))
        clause = signing_key_fault(file.text) if file is not None else None
        if file is not None and clause is not None:
            yield _Fault(
                SIGNING, file, clause, "generate one: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256"
            )
    storage = server.get("storage") or {}
    redis = (storage.get("redis") or {}) if storage.get("type") == "redis" else {}
    for block in ("tls", "sentinelTls") if redis.get("sentinelConfig") else ("tls",):
        field: Path = (*at, "storage", "redis", block, "caCertSecretRef")
        yield from _bundle_faults(workspace, config, field, may_be_empty=True)
    for i, upstream in enumerate(server.get("upstreamProviders") or ()):
        block = "oidcConfig" if upstream.get("type") == "oidc" else "oauth2Config"
        place: Path = (*at, "upstreamProviders", i, block)
        yield from _empty_faults(workspace, config, (*place, "clientSecretRef"))
        yield from _empty_faults(workspace, config, (*place, "dcrConfig", "initialAccessTokenRef"))


@reads("oidcConfigRef", "telemetryConfigRef", "webhookConfigRef", "authServerRef", "externalAuthConfigRef")
def check_proxy(resource: Resource[ProxySpec], workspace: Workspace) -> Iterator[Finding]:
    """Report files with certificates and keys that keep a proxy from starting."""
    if resource.kind == "MCPServer" or resource.is_judged(since=PROXY_CA_BUNDLE_SINCE):
        yield from _oidc(resource, workspace, ("spec", "oidcConfigRef", "name"))
    telemetry: Resolved[MCPTelemetryConfigSpec] = workspace.resolved(resource, "spec", "telemetryConfigRef", "name")
    if telemetry is not None and _exports(telemetry[1]):
        faults = _bundle_faults(workspace, telemetry[1], ("spec", "openTelemetry", "caBundleRef", "configMapRef"))
        yield from _shared(workspace, *telemetry, faults)
    webhooks: Resolved[MCPWebhookConfigSpec] = workspace.resolved(resource, "spec", "webhookConfigRef", "name")
    if webhooks is not None:
        yield from _shared(workspace, *webhooks, _webhook_faults(workspace, webhooks[1]))
    if resource.spec.keys().isdisjoint({"authServerRef", "externalAuthConfigRef"}):
        return
    from ...compiler.emit.authserver import reference_of_proxy

    auth: Resolved[MCPExternalAuthConfigSpec] = workspace.resolved(resource, *reference_of_proxy(resource))
    if auth is not None and auth[1].spec.get("type") == EMBEDDED:
        server = auth[1].spec.get("embeddedAuthServer") or {}
        yield from _shared(workspace, *auth, _server_faults(workspace, auth[1], ("spec", EMBEDDED), server))
    external: Resolved[MCPExternalAuthConfigSpec] = workspace.resolved(resource, *EXTERNAL_AUTH)
    if external is not None and external[1].spec.get("type") == "bearerToken":
        faults = _empty_faults(workspace, external[1], ("spec", "bearerToken", "tokenSecretRef"))
        yield from _shared(workspace, *external, faults)


@reads("headerForward")
def check_headers(resource: Resource[MCPRemoteProxySpec], workspace: Workspace) -> Iterator[Finding]:
    """Report an empty secret of a forwarded header."""
    for i in range(len(resource.spec["headerForward"].get("addHeadersFromSecret") or ())):
        field = ("spec", "headerForward", "addHeadersFromSecret", i, "valueSecretRef")
        yield from _own(resource, _empty_faults(workspace, resource, field))


@reads("outgoingAuth")
def check_outgoing(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report an empty secret that a virtual server needs for its backends, if its file names the variable."""
    from ...compiler.emit.vmcpauth import named_configs

    for path, config in named_configs(workspace, resource):
        field, reference = REQUIRED.get(config.spec.get("type", "")), workspace.reference(resource, *path)
        if field is not None and reference is not None:
            faults = _empty_faults(workspace, config, ("spec", config.spec.get("type", ""), field))
            yield from _shared(workspace, reference, config, faults)


@reads("incomingAuth", "authServerConfig")
def check_virtual_server(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report files with certificates and keys that keep a virtual server from starting."""
    if (
        resource.is_judged(since=VIRTUAL_CA_BUNDLE_SINCE)
        and resource.spec.get("incomingAuth", {}).get("type") == "oidc"
    ):
        yield from _oidc(resource, workspace, INCOMING)
    server = resource.spec.get("authServerConfig")
    if server:
        yield from _own(resource, _server_faults(workspace, resource, ("spec", "authServerConfig"), server))


def _oidc(resource: Resource, workspace: Workspace, path: Path) -> Iterator[Finding]:
    """Report a CA bundle of an OIDC provider. The operator refuses one in ``binaryData`` itself."""
    resolved: Resolved[MCPOIDCConfigSpec] = workspace.resolved(resource, *path)
    if resolved is not None and resolved[1].spec.get("type") == "inline":
        field = ("spec", "inline", "caBundleRef", "configMapRef")
        faults = _bundle_faults(workspace, resolved[1], field)
        yield from _shared(workspace, *resolved, (fault for fault in faults if fault.file.place[0] == "data"))


def _exports(config: Resource[MCPTelemetryConfigSpec]) -> bool:
    """Return whether an exporter is built that reads the CA bundle."""
    otel = config.spec.get("openTelemetry") or {}
    signals = (otel.get("tracing") or {}, otel.get("metrics") or {})
    return otel.get("enabled") is True and bool(otel.get("endpoint")) and any(s.get("enabled") is True for s in signals)


def _shared(
    workspace: Workspace, reference: Reference, config: Resource, faults: Iterator[_Fault]
) -> Iterator[Finding]:
    """Yield a finding at the reference of a workload for each fault of a file that ``config`` names."""
    if workspace.is_refused(config):
        return
    for fault in faults:
        message, note = f"{fault.file} {fault.clause}", "it is named here"
        yield reference.finding_about_target(
            fault.rule, fault.file.field, message, hint=fault.hint, note=note, more=(fault.file.note(),)
        )


def _own(resource: Resource, faults: Iterator[_Fault]) -> Iterator[Finding]:
    for fault in faults:
        message, notes = f"{fault.file} {fault.clause}", (fault.file.note(),)
        yield resource.finding(fault.rule, fault.file.field, message, hint=fault.hint, notes=notes)


CHECKS: dict[str, tuple[Check, ...]] = {
    "MCPServer": (check_proxy,),
    "MCPRemoteProxy": (check_proxy, check_headers),
    "VirtualMCPServer": (check_virtual_server, check_outgoing),
}
