"""Authentication of a virtual server towards its backends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from ..diagnostics.placeholder import is_placeholder
from ..golang.value import SortedMap
from ..toolhive.constants import (
    HEADER_INJECTION_VARIABLE,
    STS_STRATEGY,
    TOKEN_EXCHANGE_VARIABLE,
    XAA_PROVIDER_VARIABLE,
    XAA_TARGET_VARIABLE,
)
from ..toolhive.release import EXPLICIT_PROVIDER_SINCE
from .build import Object, held, secret_env, strict_env_name
from .externalauth import subject_token_type

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..diagnostics.span import Path
    from ..models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from ..models.reference import SecretKeyRef
    from ..models.virtualmcpserver import (
        BackendAuthConfig,
        OutgoingAuthConfig,
        VirtualMCPServerSpec,
    )
    from ..toolhive.profile import Profile
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace

OIDC_REF = ("spec", "incomingAuth", "oidcConfigRef")
GROUP = ("spec", "groupRef", "name")

STRATEGIES = {
    "tokenExchange": "token_exchange",
    "headerInjection": "header_injection",
    "unauthenticated": "unauthenticated",
    "upstreamInject": "upstream_inject",
    "awsSts": STS_STRATEGY,
    "xaa": "xaa",
}
"""Types of MCPExternalAuthConfig that a virtual server can use, and what its process calls them."""

STRATEGIES_SINCE: Final = {"awsSts": "0.26.0", "xaa": "0.33.0"}
"""The first release that can use a type, where that is not the first one that is known."""

AMBIGUOUS: Final = "AmbiguousSubjectProvider"
REFUSED_SINCE: Final = "0.28.3"
"""The first release in which a virtual server does not use an MCPExternalAuthConfig that the operator refuses."""

SECRETS: Final = {
    "tokenExchange": ((TOKEN_EXCHANGE_VARIABLE, "clientSecretRef"),),
    "headerInjection": ((HEADER_INJECTION_VARIABLE, "valueSecretRef"),),
    "xaa": ((XAA_PROVIDER_VARIABLE, "idpClientSecretRef"), (XAA_TARGET_VARIABLE, "targetClientSecretRef")),
}
"""Type to the beginnings of the environment variables' names, each with the field with the Secret behind it."""

PROVIDED_SINCE: Final = {"tokenExchange": None, "awsSts": "0.26.0", "xaa": "0.33.0"}
"""Block of a strategy to the first release that names the upstream whose token it exchanges."""

XAA: Final = "xaa"
XAA_FIELDS: Final = (
    *("idpTokenUrl", "idpClientId", "targetTokenUrl", "insecureTargetTokenUrl", "targetClientId", "targetAudience"),
    *("targetResource", "scopes", "subjectProviderName", "subjectTokenType"),
)
"""Fields of ``xaa`` that the process reads as they stand."""

STS_FIELDS: Final = (
    *("region", "service", "fallbackRoleArn", "roleMappings", "roleClaim", "sessionDuration", "sessionNameClaim"),
    "subjectProviderName",
)
"""Fields of ``awsSts`` that the process reads as they stand."""


def is_inline(resource: Resource[VirtualMCPServerSpec]) -> bool:
    """Return whether backends and their authentication are written down instead of discovered."""
    return bool((resource.spec.get("outgoingAuth") or {}).get("source") == "inline")


def entries(resource: Resource[VirtualMCPServerSpec]) -> Iterator[tuple[Path, BackendAuthConfig]]:
    """Yield the default and the entries of ``outgoingAuth``, each with its place."""
    outgoing: OutgoingAuthConfig = resource.spec.get("outgoingAuth") or {}
    path: Path = ("spec", "outgoingAuth")
    if outgoing.get("default") is not None:
        yield (*path, "default"), outgoing["default"]
    for name, entry in (outgoing.get("backends") or {}).items():
        yield (*path, "backends", name), entry


def named_configs(
    workspace: Workspace, resource: Resource[VirtualMCPServerSpec]
) -> Iterator[tuple[Path, Resource[MCPExternalAuthConfigSpec]]]:
    """Yield the MCPExternalAuthConfigs that ``outgoingAuth`` names, each with the place of its name."""
    for place, entry in entries(resource):
        path = (*place, "externalAuthConfigRef", "name")
        if entry.get("type") != "externalAuthConfigRef":
            continue
        config: Resource[MCPExternalAuthConfigSpec] | None = workspace.target(resource, *path)
        if config is not None:
            yield path, config


def inherited_configs(
    workspace: Workspace, resource: Resource[VirtualMCPServerSpec]
) -> Iterator[tuple[Resource, Resource[MCPExternalAuthConfigSpec]]]:
    """Yield the members of the group whose own MCPExternalAuthConfig is written down in inline mode, each with it."""
    group = workspace.target(resource, "spec", "groupRef", "name") if is_inline(resource) else None
    if group is None:
        return
    named = resource.spec["outgoingAuth"].get("backends") or ()
    for member in workspace.members(group, resource):
        config: Resource[MCPExternalAuthConfigSpec] | None = workspace.target(
            member, "spec", "externalAuthConfigRef", "name"
        )
        if config is not None and member.name not in named:
            yield member, config


def strategies(resource: Resource) -> list[str]:
    """Return the types of MCPExternalAuthConfig that a virtual server can use."""
    return [kind for kind in STRATEGIES if resource.is_judged(since=STRATEGIES_SINCE.get(kind))]


def is_convertible(config: Resource[MCPExternalAuthConfigSpec]) -> bool:
    """Return whether a virtual server can use an MCPExternalAuthConfig, that is whether it has a `strategy`."""
    kind = config.spec.get("type", "")
    return kind in STRATEGIES and config.is_judged(since=STRATEGIES_SINCE.get(kind))


class Unusable(NamedTuple):
    """Why a virtual server cannot use an MCPExternalAuthConfig.

    Attributes:
        reason: The reason in the condition that the operator sets.
        clause: Continues a message after the name of the configuration.
        hint: What to do.
    """

    reason: str
    clause: str
    hint: str


def unusable(
    workspace: Workspace, resource: Resource[VirtualMCPServerSpec], config: Resource[MCPExternalAuthConfigSpec]
) -> Unusable | None:
    """Return why a virtual server cannot use an MCPExternalAuthConfig; ``None`` if it can."""
    kind = config.spec.get("type", "")
    if is_placeholder(kind):
        return None
    if _is_refused(workspace, config):
        return Unusable("ValidationFailed", "is refused itself", "fix the findings of that resource first")
    if not is_convertible(config):
        usable = resource.profile.spell(", ".join(strategies(resource)))
        return Unusable("ConversionFailed", f"is of type {kind}", f"a virtual server can use {usable}")
    found = strategy(config)
    if found is not None and with_provider(resource, found) is None:
        clause = "names no subjectProviderName, and authServerConfig has several upstream providers"
        return Unusable(AMBIGUOUS, clause, "set subjectProviderName to one of them")
    return None


def unusable_of_member(
    workspace: Workspace, resource: Resource[VirtualMCPServerSpec], member: Resource
) -> Unusable | None:
    """Return why a virtual server cannot use the authentication that a member refers to; ``None`` if it can.

    An entry of ``outgoingAuth.backends`` for the member makes up for an ambiguous provider, and for nothing else.
    """
    reference = workspace.reference(member, "spec", "externalAuthConfigRef", "name")
    if reference is None:
        return None
    if reference.problem is not None:
        hint = f"correct the reference of {member.kind} {member.name}"
        return Unusable("ConversionFailed", "does not exist", hint)
    if reference.target is None:
        return None
    found = unusable(workspace, resource, cast("Resource[MCPExternalAuthConfigSpec]", reference.target))
    named = (resource.spec.get("outgoingAuth") or {}).get("backends") or {}
    return None if found is not None and found.reason == AMBIGUOUS and member.name in named else found


def _is_refused(workspace: Workspace, config: Resource) -> bool:
    return workspace.is_refused(config) and config.is_judged(since=REFUSED_SINCE)


def strategy(config: Resource[MCPExternalAuthConfigSpec]) -> Object | None:
    """Convert an MCPExternalAuthConfig; ``None`` for a type that a virtual server cannot use.

    The result is shared between calls, and not to be changed.
    """
    return config.once(_converted)


def _converted(config: Resource[MCPExternalAuthConfigSpec]) -> Object | None:
    spec = config.spec
    kind = spec.get("type", "")
    if not is_convertible(config):
        return None
    made: Object = {"type": STRATEGIES[kind]}
    variables = {field: variable for field, variable, _ in secrets_of(config)}
    if kind == "tokenExchange":
        exchange = spec.get("tokenExchange") or {}
        made["tokenExchange"] = {
            "tokenUrl": exchange.get("tokenUrl", ""),
            "clientId": exchange.get("clientId"),
            "clientSecretEnv": variables.get("clientSecretRef", ""),
            "audience": exchange.get("audience"),
            "scopes": exchange.get("scopes"),
            "subjectTokenType": subject_token_type(exchange.get("subjectTokenType", "")),
            "subjectProviderName": exchange.get("subjectProviderName"),
        }
    elif kind == "headerInjection":
        header = spec.get("headerInjection") or {}
        made["headerInjection"] = {
            "headerName": header.get("headerName", ""),
            "headerValueEnv": variables.get("valueSecretRef", ""),
        }
    elif kind == "upstreamInject":
        inject = spec.get("upstreamInject") or {}
        made["upstreamInject"] = {"providerName": inject.get("providerName", "")}
    elif kind == "awsSts":
        sts = spec.get("awsSts") or {}
        made["awsSts"] = {field: sts.get(field) for field in STS_FIELDS}
    elif kind == "xaa":
        xaa = spec.get("xaa") or {}
        made["xaa"] = {field: xaa.get(field) for field in XAA_FIELDS} | {
            "idpClientSecretEnv": variables.get("idpClientSecretRef", ""),
            "targetClientSecretEnv": variables.get("targetClientSecretRef", ""),
        }
    return made


def respelt(outgoing: Object, profile: Profile) -> Object:
    """Return ``outgoingAuth`` as it is written, with types and blocks of strategies in the names of a profile."""
    made = dict(outgoing)
    if "default" in made:
        made["default"] = _respelt(made["default"], profile)
    if "backends" in made:
        made["backends"] = SortedMap({name: _respelt(one, profile) for name, one in made["backends"].items()})
    return made


def _respelt(strategy: Object, profile: Profile) -> Object:
    made = {profile.spell(key): value for key, value in strategy.items()}
    return made | {"type": profile.spell(made["type"])} if "type" in made else made


def secrets_of(config: Resource[MCPExternalAuthConfigSpec]) -> list[tuple[str, str, SecretKeyRef]]:
    """Return the Secrets of an MCPExternalAuthConfig: the field, the environment variable, and the reference."""
    kind = config.spec.get("type", "")
    block: dict[str, SecretKeyRef] = held(cast("Any", config.spec).get(kind))
    suffix = strict_env_name(config.name)
    return [
        (field, f"{config.profile.spell(variable)}_{suffix}", block[field])
        for variable, field in SECRETS.get(kind, ())
        if block.get(field)
    ]


def secret_entries(config: Resource[MCPExternalAuthConfigSpec] | None) -> list[Object]:
    """Return the environment entries of an MCPExternalAuthConfig's Secrets."""
    return [] if config is None else [secret_env(variable, ref) for _, variable, ref in secrets_of(config)]


def usable_strategy(workspace: Workspace, config: Resource[MCPExternalAuthConfigSpec]) -> Object | None:
    """Convert what a member of the group refers to; ``None`` where it cannot be used, its Secret missing included."""
    kind = config.spec.get("type", "")
    for field, _, _ in secrets_of(config):
        reference = workspace.reference(config, "spec", kind, field, "name")
        if reference is None or reference.problem is not None:
            return None
    return strategy(config)


def outgoing(workspace: Workspace, resource: Resource[VirtualMCPServerSpec], members: Sequence[Resource]) -> Object:
    """Return ``outgoingAuth``.

    In discovered mode the process finds out about members itself. In inline mode every member with an external auth
    configuration that can be used has an entry; entries of the spec replace and add to them.
    """
    given: OutgoingAuthConfig | None = resource.spec.get("outgoingAuth")
    if given is None:
        return {"source": "discovered"}
    inline = is_inline(resource)
    made: Object = {"source": given.get("source") or "discovered"}
    default = given.get("default")
    if default is not None:
        made["default"] = _backend(workspace, resource, default, ("spec", "outgoingAuth", "default"), inline=inline)
    backends: dict[str, Object | None] = {}
    if inline:
        for member in members:
            config: Resource[MCPExternalAuthConfigSpec] | None = workspace.target(
                member, "spec", "externalAuthConfigRef", "name"
            )
            found = usable_strategy(workspace, config) if config is not None else None
            if config is not None and found is not None:
                backends[member.name] = None if _is_refused(workspace, config) else found
    for name, backend in (given.get("backends") or {}).items():
        path = ("spec", "outgoingAuth", "backends", name)
        # After the members: an entry of the spec replaces that of its member.
        backends[name] = _backend(workspace, resource, backend, path, inline=inline)
    if inline:
        backends = {name: with_provider(resource, found) for name, found in backends.items()}
        if default is not None:
            made["default"] = with_provider(resource, made["default"])
    made["backends"] = backends
    return made


def _backend(
    workspace: Workspace, resource: Resource, given: BackendAuthConfig, path: tuple[str, ...], *, inline: bool
) -> Object | None:
    if given.get("type") == "discovered":
        return {"type": "discovered" if inline else "unauthenticated"}
    config: Resource[MCPExternalAuthConfigSpec] | None = workspace.target(
        resource, *path, "externalAuthConfigRef", "name"
    )
    found = strategy(config) if config is not None else None
    if inline and config is not None and _is_refused(workspace, config):
        return None
    if inline or found is None or XAA not in found:
        return found
    # In discovered mode the operator converts it another way, which leaves the variables out.
    return found | {XAA: {field: value for field, value in found[XAA].items() if not field.endswith("Env")}}


def with_provider(resource: Resource[VirtualMCPServerSpec], found: Object | None) -> Object | None:
    """Name the upstream whose token is exchanged, where the strategy does not: the first one of the auth server.

    From v0.34.0 on XAA takes no guess: where there are several upstreams, a strategy that names none is of no use.
    """
    server, key = resource.spec.get("authServerConfig"), _exchanging(resource, found)
    if server is None or found is None or key is None or found[key].get("subjectProviderName"):
        return found
    has_several = len(server.get("upstreamProviders") or ()) > 1
    if key == XAA and has_several and resource.is_judged(since=EXPLICIT_PROVIDER_SINCE):
        return None
    from .authserver import provider_name

    return found | {key: found[key] | {"subjectProviderName": provider_name(server)}}


def _exchanging(resource: Resource, found: Object | None) -> str | None:
    """Return the block of a strategy that exchanges the token of an upstream."""
    for key, since in PROVIDED_SINCE.items():
        if found is not None and found.get(key) is not None and resource.is_judged(since=since):
            return key
    return None


def mounted_configs(
    workspace: Workspace, resource: Resource[VirtualMCPServerSpec]
) -> Iterator[tuple[Path, Resource[MCPExternalAuthConfigSpec]]]:
    """Yield the MCPExternalAuthConfigs of `secret_environment`, each with the place in ``resource`` that names it."""
    yield from named_configs(workspace, resource)
    group = workspace.target(resource, *GROUP)
    if group is None or resource.spec.get("outgoingAuth") is None or is_inline(resource):
        return
    for member in workspace.members(group):
        config: Resource[MCPExternalAuthConfigSpec] | None = workspace.target(
            member, "spec", "externalAuthConfigRef", "name"
        )
        if config is not None:
            yield GROUP, config


def secret_environment(
    workspace: Workspace, resource: Resource[VirtualMCPServerSpec], members: Sequence[Resource]
) -> Iterator[Object]:
    """Yield the environment of secrets: of discovered members, of the spec's backends, of its default.

    Each of the first two is sorted and without repetition in itself; across them names may repeat.
    """
    given: OutgoingAuthConfig | None = resource.spec.get("outgoingAuth")
    if given is None:
        return
    if not is_inline(resource):
        ref = ("spec", "externalAuthConfigRef", "name")
        yield from _distinct(entry for member in members for entry in secret_entries(workspace.target(member, *ref)))
    path = ("spec", "outgoingAuth", "backends")
    named = (given.get("backends") or {}).keys()
    yield from _distinct(
        entry
        for name in named
        for entry in secret_entries(workspace.target(resource, *path, name, "externalAuthConfigRef", "name"))
    )
    default: Resource[MCPExternalAuthConfigSpec] | None = workspace.target(
        resource, "spec", "outgoingAuth", "default", "externalAuthConfigRef", "name"
    )
    yield from secret_entries(default)


def _distinct(entries: Iterator[Object]) -> list[Object]:
    by_name = {entry["name"]: entry for entry in entries}
    return [by_name[name] for name in sorted(by_name)]
