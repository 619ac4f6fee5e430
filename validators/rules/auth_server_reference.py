"""Embedded authorization servers that a proxy cannot have: by type, by number, or for want of OIDC and storage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mcpcfg.compiler.finding import Rule
from mcpcfg.validators.rule import reads
from mcpcfg.validators.told import stated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from mcpcfg.compiler.models.spec import ProxySpec
    from mcpcfg.compiler.reference import Reference
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.source import Path
    from mcpcfg.compiler.workspace import Workspace
    from mcpcfg.validators.rule import Check

SOURCE = "Source: the controllers of MCPServer and MCPRemoteProxy in the operator, v0.21.0."

WRONG_TYPE = Rule(
    id="AUT001",
    name="wrong-auth-server-type",
    stage="operator",
    severity="error",
    title="authServerRef leads to a configuration that is no embedded authorization server.",
    doc=f"""`authServerRef` names an MCPExternalAuthConfig of another type than `embeddedAuthServer`.

Flagged: `authServerRef.name` of an MCPServer or MCPRemoteProxy whose target has another `type`.

Why it bites: the API server does not look at the target. The operator sets AuthServerRefValidated to False and the
workload to Failed, and starts no pod.

Example: `authServerRef: {{name: github-token}}`, where `github-token` is of type `bearerToken`.

Cure: refer to a configuration of type `embeddedAuthServer`. Authentication towards the server behind the proxy belongs
into `externalAuthConfigRef`.

{SOURCE}
""",
)
SEVERAL_UPSTREAMS = Rule(
    id="AUT002",
    name="several-upstreams",
    stage="operator",
    severity="error",
    title="An embedded authorization server of a proxy has more than one upstream provider.",
    doc=f"""A proxy's embedded authorization server has more than one upstream provider.

Flagged: `authServerRef.name` or `externalAuthConfigRef.name` of an MCPServer or MCPRemoteProxy whose target is of type
`embeddedAuthServer` and lists several `upstreamProviders`.

Why it bites: only a VirtualMCPServer can have several. The operator says MultiUpstreamNotSupported, sets the workload
to Failed, and starts no pod.

Example: `upstreamProviders` with `google` and `github`, used by one MCPServer.

Cure: leave one upstream, or put a VirtualMCPServer with this authorization server in front.

{SOURCE}
""",
)
TWO_SERVERS = Rule(
    id="AUT003",
    name="two-auth-servers",
    stage="operator",
    severity="error",
    title="authServerRef and externalAuthConfigRef both lead to an embedded authorization server.",
    doc=f"""`authServerRef` and `externalAuthConfigRef` both lead to an embedded authorization server.

Flagged: `externalAuthConfigRef.name` where both references lead to type `embeddedAuthServer`, also where both name the
same configuration.

Why it bites: a proxy can embed one. The operator cannot build the configuration, and starts no pod.

Example: both references name `login`.

Cure: keep `authServerRef`. `externalAuthConfigRef` is for authentication towards the server behind the proxy.

{SOURCE}
""",
)
WITHOUT_OIDC = Rule(
    id="AUT004",
    name="auth-server-needs-oidc",
    stage="operator",
    severity="error",
    title="An embedded authorization server is used without oidcConfigRef.",
    doc=f"""A workload embeds an authorization server, but has no `oidcConfigRef`.

Flagged: the reference to a configuration of type `embeddedAuthServer` on an MCPServer or MCPRemoteProxy without
`oidcConfigRef`.

Why it bites: the server issues tokens for the resource URL and the scopes that `oidcConfigRef` states, and the proxy
checks tokens by it. The operator cannot build the configuration, and starts no pod.

Example:

    spec:
      authServerRef: {{kind: MCPExternalAuthConfig, name: login}}

Cure: add an `oidcConfigRef` whose MCPOIDCConfig has the server's `issuer`, with the public `resourceUrl`.

{SOURCE}
""",
)
STORAGE = Rule(
    id="AUT005",
    name="auth-server-without-redis",
    stage="operator",
    severity="error",
    title="The Redis storage of an embedded authorization server does not say where Redis is.",
    doc=f"""An embedded authorization server keeps its state in Redis, but the storage does not say where Redis is.

Flagged: on the workload, the reference to a configuration whose `storage.type` is `redis` and that has no `redis`
block, or neither `sentinelAddrs` nor `sentinelService` in it.

Why it bites: the schema lets it pass and the configuration itself stays valid. The operator fails when it builds the
workload's configuration, and starts no pod.

Example:

    storage:
      type: redis
      redis:
        sentinelConfig: {{masterName: main}}

Cure: give `sentinelConfig.sentinelAddrs` or `sentinelConfig.sentinelService`.

{SOURCE}
""",
)
RULES = (WRONG_TYPE, SEVERAL_UPSTREAMS, TWO_SERVERS, WITHOUT_OIDC, STORAGE)

EMBEDDED: Final = "embeddedAuthServer"
AUTH_SERVER = ("spec", "authServerRef", "name")
EXTERNAL_AUTH = ("spec", "externalAuthConfigRef", "name")
UPSTREAMS: Path = ("spec", EMBEDDED, "upstreamProviders")


@reads("authServerRef", "externalAuthConfigRef")
def check(resource: Resource[ProxySpec], workspace: Workspace) -> Iterator[Finding]:
    """Tell what keeps a proxy from having the authorization server that it refers to."""
    auth: tuple[Reference, Resource[MCPExternalAuthConfigSpec]] | None = (
        workspace.leading(resource, *AUTH_SERVER) if "authServerRef" in resource.spec else None
    )
    external: tuple[Reference, Resource[MCPExternalAuthConfigSpec]] | None = (
        workspace.leading(resource, *EXTERNAL_AUTH) if "externalAuthConfigRef" in resource.spec else None
    )
    if auth is not None and not _is_embedded(auth[1]):
        yield _wrong_type(*auth)
        auth = None
    embedded = [found for found in (auth, external) if found is not None and _is_embedded(found[1])]
    for reference, config in embedded:
        yield from _upstreams(reference, config)
        yield from _storage(reference, config)
    if len(embedded) == 2:
        yield _two_servers(*embedded[1])
    if embedded and "oidcConfigRef" not in resource.spec:
        reference, config = embedded[0]
        message = f'MCPExternalAuthConfig "{config.name}" is an authorization server, which needs an oidcConfigRef'
        yield resource.finding(WITHOUT_OIDC, reference.path, message, hint="add oidcConfigRef with its issuer")


def _is_embedded(config: Resource[MCPExternalAuthConfigSpec]) -> bool:
    return config.spec.get("type") == EMBEDDED


def _wrong_type(reference: Reference, config: Resource[MCPExternalAuthConfigSpec]) -> Finding:
    kind = config.spec.get("type")
    return reference.source.finding(
        WRONG_TYPE,
        reference.path,
        f'MCPExternalAuthConfig "{config.name}" is of type {kind}, not {EMBEDDED}',
        hint="authentication towards the server behind the proxy goes into externalAuthConfigRef",
        notes=(config.note("its type is stated here", ("spec", "type")),),
    )


def _upstreams(reference: Reference, config: Resource[MCPExternalAuthConfigSpec]) -> Iterator[Finding]:
    upstreams = config.spec[EMBEDDED].get("upstreamProviders") or ()
    if len(upstreams) > 1:
        names = ", ".join(f'"{upstream.get("name")}"' for upstream in upstreams)
        yield reference.source.finding(
            SEVERAL_UPSTREAMS,
            reference.path,
            f'MCPExternalAuthConfig "{config.name}" has {len(upstreams)} upstream providers ({names}), '
            f"{reference.source.kind} takes one",
            hint="several upstream providers need a VirtualMCPServer",
            notes=(config.note("the second one is here", (*UPSTREAMS, 1)),),
        )


def _storage(reference: Reference, config: Resource[MCPExternalAuthConfigSpec]) -> Iterator[Finding]:
    from mcpcfg.compiler.vmcp.auth_server import storage_faults

    for fault in storage_faults(config.spec[EMBEDDED]):
        message = f'MCPExternalAuthConfig "{config.name}": {fault.message}'
        notes = (config.note("its storage is configured here", stated(config, ("spec", EMBEDDED, *fault.path))),)
        yield reference.source.finding(STORAGE, reference.path, message, hint=fault.hint, notes=notes)


def _two_servers(reference: Reference, config: Resource) -> Finding:
    resource = reference.source
    return resource.finding(
        TWO_SERVERS,
        reference.path,
        f'MCPExternalAuthConfig "{config.name}" is an authorization server, and authServerRef brings one already',
        hint="remove externalAuthConfigRef, or refer to a way to authenticate towards the server",
        notes=(resource.note("authServerRef is here", AUTH_SERVER),),
    )


CHECKS: dict[str, tuple[Check, ...]] = {"MCPServer": (check,), "MCPRemoteProxy": (check,)}
