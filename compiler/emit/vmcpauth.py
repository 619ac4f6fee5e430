"""Authentication of a virtual server to its backends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from ..diagnostics.named_tuple import NamedTuple
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
from .build import Object, mapping_or_empty, secret_env, strict_env_name
from .externalauth import subject_token_type

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..diagnostics.span import Path
    from ..models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from ..models.reference import SecretKeyRef
    from ..models.virtualmcpserver import BackendAuthConfig, OutgoingAuthConfig, VirtualMCPServerSpec
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
"""The types of MCPExternalAuthConfig that a virtual server can use, with their names in its process."""

STRATEGIES_SINCE: Final = {"awsSts": "0.26.0", "xaa": "0.33.0"}
"""The first release that can use a type, for types that some modelled releases cannot use."""
AMBIGUOUS: Final = "AmbiguousSubjectProvider"
"""The reason in the operator's condition if it is unclear whose token XAA exchanges."""
REFUSED_SINCE: Final = "0.28.3"
"""The first release in which a virtual server does not use an MCPExternalAuthConfig that the operator refuses."""

SECRETS: Final = {
    "tokenExchange": ((TOKEN_EXCHANGE_VARIABLE, "clientSecretRef"),),
    "headerInjection": ((HEADER_INJECTION_VARIABLE, "valueSecretRef"),),
    "xaa": ((XAA_PROVIDER_VARIABLE, "idpClientSecretRef"), (XAA_TARGET_VARIABLE, "targetClientSecretRef")),
}
"""For each type, the prefixes of its environment variables, with the fields that name their Secrets."""

PROVIDED_SINCE: Final = {"tokenExchange": None, "awsSts": "0.26.0", "xaa": "0.33.0"}
"""Blocks that exchange an upstream's token, with the first release in which they name the upstream, if not all do."""

XAA: Final = "xaa"
XAA_FIELDS: Final = (
    *("idpTokenUrl", "idpClientId", "targetTokenUrl", "insecureTargetTokenUrl", "targetClientId", "targetAudience"),
    *("targetResource", "scopes", "subjectProviderName", "subjectTokenType"),
)
"""Fields of ``xaa`` that the process reads unchanged."""

STS_FIELDS: Final = (
    *("region", "service", "fallbackRoleArn", "roleMappings", "roleClaim", "sessionDuration", "sessionNameClaim"),
    "subjectProviderName",
)
"""Fields of ``awsSts`` that the process reads unchanged."""


def is_inline(resource: Resource[VirtualMCPServerSpec]) -> bool:
    """Return whether the spec lists the backends and their authentication. Otherwise, the process discovers them."""
    return bool((resource.spec.get("outgoingAuth") or {}).get("source") == "inline")


def entries(resource: Resource[VirtualMCPServerSpec]) -> Iterator[tuple[Path, BackendAuthConfig]]:
    """Yield the entries of ``outgoingAuth``, each with its path: first the default, then the backends."""
    outgoing: OutgoingAuthConfig = resource.spec.get("outgoingAuth") or {}
    path: Path = ("spec", "outgoingAuth")
    if outgoing.get("default") is not None:
        yield (*path, "default"), outgoing["default"]
    for name, entry in (outgoing.get("backends") or {}).items():
        yield (*path, "backends", name), entry


def named_configs(
    workspace: Workspace, resource: Resource[VirtualMCPServerSpec]
) -> Iterator[tuple[Path, Resource[MCPExternalAuthConfigSpec]]]:
    """Yield the MCPExternalAuthConfigs that ``outgoingAuth`` names, each with the path of its name."""
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
    """Yield each member with its MCPExternalAuthConfig in inline mode, unless ``outgoingAuth.backends`` replaces it."""
    if is_inline(resource):
        named = resource.spec["outgoingAuth"].get("backends") or ()
        yield from (pair for pair in member_configs(workspace, resource) if pair[0].name not in named)


def member_configs(
    workspace: Workspace, resource: Resource[VirtualMCPServerSpec]
) -> Iterator[tuple[Resource, Resource[MCPExternalAuthConfigSpec]]]:
    """Yield group members that name an MCPExternalAuthConfig themselves, each with that configuration."""
    group = workspace.target(resource, "spec", "groupRef", "name")
    for member in workspace.members(group, resource) if group is not None else ():
        config: Resource[MCPExternalAuthConfigSpec] | None = workspace.target(
            member, "spec", "externalAuthConfigRef", "name"
        )
        if config is not None:
            yield member, config


def strategies(resource: Resource) -> list[str]:
    """Return the types of MCPExternalAuthConfig that a virtual server can use in the resource's release."""
    return [kind for kind in STRATEGIES if resource.is_judged(since=STRATEGIES_SINCE.get(kind))]


def is_convertible(config: Resource[MCPExternalAuthConfigSpec]) -> bool:
    """Return whether a virtual server can use an MCPExternalAuthConfig of this type in its release."""
    kind = config.spec.get("type", "")
    return kind in STRATEGIES and config.is_judged(since=STRATEGIES_SINCE.get(kind))


class Unusable(NamedTuple):
    """The reason why a virtual server cannot use an MCPExternalAuthConfig.

    Attributes:
        reason: The reason in the condition that the operator sets.
        clause: Text that continues a message after the name of the configuration.
        hint: Advice for the user.
    """

    reason: str
    clause: str
    hint: str


def unusable(
    workspace: Workspace, resource: Resource[VirtualMCPServerSpec], config: Resource[MCPExternalAuthConfigSpec]
) -> Unusable | None:
    """Return why a virtual server cannot use an MCPExternalAuthConfig; ``None`` if it can, or its type is unknown."""
    kind = config.spec.get("type", "")
    if is_placeholder(kind):
        return None
    if _is_refused(workspace, config):
        return Unusable("ValidationFailed", "is refused itself", "fix the findings of that resource first")
    if not is_convertible(config):
        usable = resource.profile.spell(", ".join(strategies(resource)))
        return Unusable("ConversionFailed", f"is of type {kind}", f"a virtual server can use {usable}")
    converted = strategy(config)
    if converted is not None and with_provider(resource, converted) is None:
        clause = "names no subjectProviderName, and authServerConfig has several upstream providers"
        return Unusable(AMBIGUOUS, clause, "set subjectProviderName to one of them")
    return None


def unusable_member(
    workspace: Workspace, resource: Resource[VirtualMCPServerSpec], member: Resource
) -> Unusable | None:
    """Return why a virtual server cannot use the authentication of a group member, or ``None`` if it can or has none.

    An entry for the member in ``outgoingAuth.backends`` removes only one reason: an ambiguous upstream provider.
    """
    reference = workspace.reference(member, "spec", "externalAuthConfigRef", "name")
    if reference is None:
        return None
    if reference.problem is not None:
        hint = f"correct the reference of {member.kind} {member.name}"
        return Unusable("ConversionFailed", "does not exist", hint)
    if reference.target is None:
        return None
    problem = unusable(workspace, resource, cast("Resource[MCPExternalAuthConfigSpec]", reference.target))
    named = (resource.spec.get("outgoingAuth") or {}).get("backends") or {}
    return None if problem is not None and problem.reason == AMBIGUOUS and member.name in named else problem


def _is_refused(workspace: Workspace, config: Resource) -> bool:
    return workspace.is_refused(config) and config.is_judged(since=REFUSED_SINCE)


def strategy(config: Resource[MCPExternalAuthConfigSpec]) -> Object | None:
    """Return an MCPExternalAuthConfig converted for a virtual server, or ``None``. Callers must not change it."""
    return config.once(_converted)


def _converted(config: Resource[MCPExternalAuthConfigSpec]) -> Object | None:
    spec = config.spec
    kind = spec.get("type", "")
    if not is_convertible(config):
        return None
    result: Object = {"type": STRATEGIES[kind]}
    variables = {field: variable for field, variable, _ in secrets_of(config)}
    if kind == "tokenExchange":
        exchange = spec.get("tokenExchange") or {}
        result["tokenExchange"] = {
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
        result["headerInjection"] = {
            "headerName": header.get("headerName", ""),
            "headerValueEnv": variables.get("valueSecretRef", ""),
        }
    elif kind == "upstreamInject":
        inject = spec.get("upstreamInject") or {}
        result["upstreamInject"] = {"providerName": inject.get("providerName", "")}
    elif kind == "awsSts":
        sts = spec.get("awsSts") or {}
        result["awsSts"] = {field: sts.get(field) for field in STS_FIELDS}
    elif kind == "xaa":
        xaa = spec.get("xaa") or {}
        result["xaa"] = {field: xaa.get(field) for field in XAA_FIELDS} | {
            "idpClientSecretEnv": variables.get("idpClientSecretRef", ""),
            "targetClientSecretEnv": variables.get("targetClientSecretRef", ""),
        }
    return result


def respelt(outgoing: Object, profile: Profile) -> Object:
    """Return ``outgoingAuth`` with the types and blocks of strategies spelled as in a profile."""
    result = dict(outgoing)
    if "default" in result:
        result["default"] = _respelt(result["default"], profile)
    if "backends" in result:
        result["backends"] = SortedMap(
            {name: _respelt(backend, profile) for name, backend in result["backends"].items()}
        )
    return result


def _respelt(strategy: Object, profile: Profile) -> Object:
    result = {profile.spell(key): value for key, value in strategy.items()}
    return result | {"type": profile.spell(result["type"])} if "type" in result else result


def secrets_of(config: Resource[MCPExternalAuthConfigSpec]) -> list[tuple[str, str, SecretKeyRef]]:
    """Return the field, the environment variable and the reference of each Secret in an MCPExternalAuthConfig."""
    kind = config.spec.get("type", "")
    block: dict[str, SecretKeyRef] = mapping_or_empty(cast("Any", config.spec).get(kind))
    suffix = strict_env_name(config.name)
    return [
        (field, f"{config.profile.spell(variable)}_{suffix}", block[field])
        for variable, field in SECRETS.get(kind, ())
        if block.get(field)
    ]


def secret_entries(config: Resource[MCPExternalAuthConfigSpec] | None) -> list[Object]:
    """Return the environment entries for the Secrets of an MCPExternalAuthConfig; empty for ``None``."""
    return [] if config is None else [secret_env(variable, ref) for _, variable, ref in secrets_of(config)]


def usable_strategy(workspace: Workspace, config: Resource[MCPExternalAuthConfigSpec]) -> Object | None:
    """Return the strategy made from a group member's MCPExternalAuthConfig.

    The result is ``None`` if a Secret of the configuration does not exist, or if a virtual server cannot use its type.
    """
    kind = config.spec.get("type", "")
    for field, _, _ in secrets_of(config):
        reference = workspace.reference(config, "spec", kind, field, "name")
        if reference is None or reference.problem is not None:
            return None
    return strategy(config)


def outgoing(workspace: Workspace, resource: Resource[VirtualMCPServerSpec], members: Sequence[Resource]) -> Object:
    """Return ``outgoingAuth`` of the process. A backend whose strategy is ``None`` cannot be used.

    In discovered mode, the process finds the members itself. In inline mode, every member with a usable external auth
    configuration has an entry. An entry of the spec replaces that of its member.
    """
    given: OutgoingAuthConfig | None = resource.spec.get("outgoingAuth")
    if given is None:
        return {"source": "discovered"}
    inline = is_inline(resource)
    result: Object = {"source": given.get("source") or "discovered"}
    default = given.get("default")
    if default is not None:
        result["default"] = _backend(workspace, resource, default, ("spec", "outgoingAuth", "default"), inline=inline)
    backends: dict[str, Object | None] = {}
    if inline:
        for member in members:
            config: Resource[MCPExternalAuthConfigSpec] | None = workspace.target(
                member, "spec", "externalAuthConfigRef", "name"
            )
            converted = usable_strategy(workspace, config) if config is not None else None
            if config is not None and converted is not None:
                backends[member.name] = None if _is_refused(workspace, config) else converted
    for name, backend in (given.get("backends") or {}).items():
        path = ("spec", "outgoingAuth", "backends", name)
        # After the members: an entry of the spec replaces that of its member.
        backends[name] = _backend(workspace, resource, backend, path, inline=inline)
    if inline:
        backends = {name: with_provider(resource, converted) for name, converted in backends.items()}
        if default is not None:
            result["default"] = with_provider(resource, result["default"])
    result["backends"] = backends
    return result


def _backend(
    workspace: Workspace, resource: Resource, given: BackendAuthConfig, path: tuple[str, ...], *, inline: bool
) -> Object | None:
    if given.get("type") == "discovered":
        return {"type": "discovered" if inline else "unauthenticated"}
    config: Resource[MCPExternalAuthConfigSpec] | None = workspace.target(
        resource, *path, "externalAuthConfigRef", "name"
    )
    converted = strategy(config) if config is not None else None
    if inline and config is not None and _is_refused(workspace, config):
        return None
    if inline or converted is None or XAA not in converted:
        return converted
    # In discovered mode, the operator converts XAA with other code, which leaves the variables out.
    return converted | {XAA: {field: value for field, value in converted[XAA].items() if not field.endswith("Env")}}


def with_provider(resource: Resource[VirtualMCPServerSpec], converted: Object | None) -> Object | None:
    """Return ``converted`` with the upstream whose token it exchanges, if any. The default is the first upstream.

    From v0.34.0 on, XAA has no default if there are several upstreams. The result is then ``None``.
    """
    server, key = resource.spec.get("authServerConfig"), _exchange_key(resource, converted)
    if server is None or converted is None or key is None or converted[key].get("subjectProviderName"):
        return converted
    has_several = len(server.get("upstreamProviders") or ()) > 1
    if key == XAA and has_several and resource.is_judged(since=EXPLICIT_PROVIDER_SINCE):
        return None
    from .authserver import provider_name

    return converted | {key: converted[key] | {"subjectProviderName": provider_name(server)}}


def _exchange_key(resource: Resource, converted: Object | None) -> str | None:
    for key, since in PROVIDED_SINCE.items():
        if converted is not None and converted.get(key) is not None and resource.is_judged(since=since):
            return key
    return None


def mounted_configs(
    workspace: Workspace, resource: Resource[VirtualMCPServerSpec]
) -> Iterator[tuple[Path, Resource[MCPExternalAuthConfigSpec]]]:
    """Yield the MCPExternalAuthConfigs of `secret_environment`, with the path of their name or of the group's name."""
    yield from named_configs(workspace, resource)
    if resource.spec.get("outgoingAuth") is not None and not is_inline(resource):
        yield from ((GROUP, config) for _, config in member_configs(workspace, resource))


def secret_environment(
    workspace: Workspace, resource: Resource[VirtualMCPServerSpec], members: Sequence[Resource]
) -> Iterator[Object]:
    """Yield environment entries with secrets: those of discovered members, of the spec's backends, then of its default.

    The entries of members are sorted and distinct, and so are those of backends. A name may occur in both groups.
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
