"""Authentication of a virtual server towards its backends."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..toolhive.constants import HEADER_INJECTION_VARIABLE, LATER_STRATEGIES, TOKEN_EXCHANGE_VARIABLE
from .build import Object, secret_env
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
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace

OIDC_REF = ("spec", "incomingAuth", "oidcConfigRef")
GROUP = ("spec", "groupRef", "name")

STRATEGIES = {
    "tokenExchange": "token_exchange",
    "headerInjection": "header_injection",
    "unauthenticated": "unauthenticated",
    "upstreamInject": "upstream_inject",
}
"""Types of MCPExternalAuthConfig that a virtual server can use, and what its process calls them."""

SECRETS = {
    "tokenExchange": (TOKEN_EXCHANGE_VARIABLE, "clientSecretRef"),
    "headerInjection": (HEADER_INJECTION_VARIABLE, "valueSecretRef"),
}
"""Type to the beginning of the environment variable's name and the field with the Secret behind it."""


_NO_PART_OF_A_NAME = re.compile(r"[^A-Za-z0-9_]")


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


def is_convertible(config: Resource[MCPExternalAuthConfigSpec]) -> bool:
    """Return whether a virtual server can use an MCPExternalAuthConfig, that is whether it has a `strategy`."""
    kind = config.spec.get("type", "")
    return kind in STRATEGIES or (kind in LATER_STRATEGIES and config.is_judged(since=LATER_STRATEGIES[kind]))


def strategy(config: Resource[MCPExternalAuthConfigSpec]) -> Object | None:
    """Convert an MCPExternalAuthConfig; ``None`` for a type that a virtual server cannot use.

    The result is shared between calls, and not to be changed.
    """
    return config.once(_converted)


def _converted(config: Resource[MCPExternalAuthConfigSpec]) -> Object | None:
    spec = config.spec
    kind = spec.get("type", "")
    if kind == "awsSts" and is_convertible(config):
        return {"type": "aws_sts", "awsSts": spec.get("awsSts") or {}}
    if kind not in STRATEGIES:
        return None
    made: Object = {"type": STRATEGIES[kind]}
    if kind == "tokenExchange":
        exchange = spec.get("tokenExchange") or {}
        made["tokenExchange"] = {
            "tokenUrl": exchange.get("tokenUrl", ""),
            "clientId": exchange.get("clientId"),
            "clientSecretEnv": secret_variable(config) if exchange.get("clientSecretRef") else "",
            "audience": exchange.get("audience"),
            "scopes": exchange.get("scopes"),
            "subjectTokenType": subject_token_type(exchange.get("subjectTokenType", "")),
            "subjectProviderName": exchange.get("subjectProviderName"),
        }
    elif kind == "headerInjection":
        header = spec.get("headerInjection") or {}
        made["headerInjection"] = {
            "headerName": header.get("headerName", ""),
            "headerValueEnv": secret_variable(config) if header.get("valueSecretRef") else "",
        }
    elif kind == "upstreamInject":
        inject = spec.get("upstreamInject") or {}
        made["upstreamInject"] = {"providerName": inject.get("providerName", "")}
    return made


def secret_variable(config: Resource[MCPExternalAuthConfigSpec]) -> str:
    """Name the environment variable that carries the secret of an MCPExternalAuthConfig."""
    variable, _ = SECRETS[config.spec["type"]]
    return f"{config.profile.spell(variable)}_{_NO_PART_OF_A_NAME.sub('_', config.name.upper())}"


def secret_reference(config: Resource[MCPExternalAuthConfigSpec]) -> SecretKeyRef | None:
    """Return the reference to an MCPExternalAuthConfig's secret, ``None`` or an empty one where it has none."""
    spec = config.spec
    if spec.get("type") == "tokenExchange":
        return (spec.get("tokenExchange") or {}).get("clientSecretRef")
    return (spec.get("headerInjection") or {}).get("valueSecretRef") if spec.get("type") == "headerInjection" else None


def secret_entry(config: Resource[MCPExternalAuthConfigSpec] | None) -> Object | None:
    """Return the environment entry of an MCPExternalAuthConfig's secret, ``None`` where it has none."""
    ref = secret_reference(config) if config is not None else None
    return secret_env(secret_variable(config), ref) if config is not None and ref else None


def usable_strategy(workspace: Workspace, config: Resource[MCPExternalAuthConfigSpec]) -> Object | None:
    """Convert what a member of the group refers to; ``None`` where it cannot be used, its Secret missing included."""
    kind = config.spec.get("type", "")
    if kind in SECRETS:
        reference = workspace.reference(config, "spec", kind, SECRETS[kind][1], "name")
        if reference.problem is not None if reference is not None else secret_reference(config):
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
            if found is not None:
                backends[member.name] = found
    for name, backend in (given.get("backends") or {}).items():
        path = ("spec", "outgoingAuth", "backends", name)
        # After the members: an entry of the spec replaces that of its member.
        backends[name] = _backend(workspace, resource, backend, path, inline=inline)
    server = resource.spec.get("authServerConfig")
    if inline and server is not None:
        from .authserver import provider_name

        provider = provider_name(server)
        backends = {name: _with_provider(found, provider) for name, found in backends.items()}
        if default is not None:
            made["default"] = _with_provider(made["default"], provider)
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
    return strategy(config) if config is not None else None


def _with_provider(found: Object | None, provider: str) -> Object | None:
    """Name the provider whose token is exchanged, where the strategy does not."""
    exchange = found.get("tokenExchange") if found else None
    if found is None or exchange is None or exchange.get("subjectProviderName"):
        return found
    return found | {"tokenExchange": exchange | {"subjectProviderName": provider}}


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
        yield from _distinct(secret_entry(workspace.target(member, *ref)) for member in members)
    path = ("spec", "outgoingAuth", "backends")
    named = (given.get("backends") or {}).keys()
    yield from _distinct(
        secret_entry(workspace.target(resource, *path, name, "externalAuthConfigRef", "name")) for name in named
    )
    default: Resource[MCPExternalAuthConfigSpec] | None = workspace.target(
        resource, "spec", "outgoingAuth", "default", "externalAuthConfigRef", "name"
    )
    entry = secret_entry(default)
    if entry is not None:
        yield entry


def _distinct(entries: Iterator[Object | None]) -> list[Object]:
    by_name = {entry["name"]: entry for entry in entries if entry is not None}
    return [by_name[name] for name in sorted(by_name)]
