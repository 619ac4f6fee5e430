"""How a virtual server runs: sessions, keys, health checks, the optimizer, secrets that do not arrive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcpcfg.compiler.emit import vmcpauth
from mcpcfg.compiler.golang.strconv import NumberError, parse_float
from mcpcfg.compiler.plain import mapping
from mcpcfg.compiler.reading.placeholder import is_placeholder
from mcpcfg.compiler.vmcp.start import strategy_faults
from mcpcfg.validators.rule import reads
from mcpcfg.validators.told import has_placeholder, stated

from . import virtual_server_operation_page as page
from . import vmcp_strategy_page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcfg.compiler.finding import Finding, Note
    from mcpcfg.compiler.models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from mcpcfg.compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.source import Path
    from mcpcfg.compiler.workflow.fault import Fault
    from mcpcfg.compiler.workspace import Workspace
    from mcpcfg.validators.rule import Check

RULES = (*page.RULES, *vmcp_strategy_page.RULES)
CONFIG: Path = ("spec", "config")
GROUP: Path = ("spec", "groupRef", "name")
SERVER: Path = ("spec", "authServerConfig")
SHOWN = ('Tool::"find_tool"', 'Tool::"call_tool"')
"""What clients call with the optimizer on."""


@reads("replicas", "authServerConfig")
def check_sessions(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Tell what replicas and restarts lose."""
    del workspace
    spec = resource.spec
    replicas = spec.get("replicas")
    several = isinstance(replicas, int) and replicas > 1
    storage = spec.get("sessionStorage") or {}
    provider = storage.get("provider") or ""
    if several and provider != "redis" and not is_placeholder(provider):
        message = f"{replicas} replicas do not share their sessions without Redis"
        hint = "set sessionStorage.provider to redis"
        yield resource.finding(page.REPLICAS, ("spec", "replicas"), message, hint=hint)
    server = spec.get("authServerConfig")
    if server is None:
        return
    if (server.get("storage") or {}).get("type") != "redis":
        path = stated(resource, (*SERVER, "storage", "type"))
        message = "the authorization server keeps clients and tokens in memory: a restart loses them"
        yield resource.finding(page.VOLATILE, path, message, hint="set storage.type to redis", on="key")
    missing = [field for field in ("signingKeySecretRefs", "hmacSecretRefs") if not server.get(field)]
    if missing:
        message = f"keys are made up at each start: {' and '.join(missing)} missing"
        severity: Any = "warning" if several else None
        hint = "keep them in a Secret"
        yield resource.finding(page.EPHEMERAL_KEYS, SERVER, message, hint=hint, on="key", severity=severity)


@reads("serviceType")
def check_access(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Tell a virtual server that anybody may use."""
    del workspace
    kind = resource.spec.get("serviceType")
    if (resource.spec.get("incomingAuth") or {}).get("type") == "anonymous" and kind in ("LoadBalancer", "NodePort"):
        notes = (resource.note("clients are not authenticated", ("spec", "incomingAuth", "type")),)
        message = f"a Service of type {kind} lets anybody outside of the cluster call the tools"
        yield resource.finding(page.PUBLIC, ("spec", "serviceType"), message, notes=notes)


@reads("outgoingAuth")
def check_secrets(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Tell authentication of members that the operator writes down without its secret, and strategies that fail."""
    if workspace.is_refused(resource) or workspace.target(resource, *GROUP) is None:
        return
    for path, config in vmcpauth.named_configs(workspace, resource):
        for fault in config.once(_strategy_faults):
            notes = (config.note("it is configured here", ("spec", config.spec["type"])),)
            yield _of_strategy(resource, path, fault, notes)
    for member, config in vmcpauth.inherited_configs(workspace, resource):
        if vmcpauth.usable_strategy(workspace, config) is None:
            continue
        for fault in config.once(_strategy_faults):
            yield _of_strategy(resource, GROUP, fault)
        if vmcpauth.secret_reference(config):
            notes = (member.note(f"{member.kind} refers to MCPExternalAuthConfig {config.name}"),)
            variable = vmcpauth.secret_variable(config)
            message = f'the secret of group member "{member.name}" is not mounted: {variable} will be missing'
            hint = f"repeat its reference under outgoingAuth.backends.{member.name}"
            yield resource.finding(page.UNMOUNTED, GROUP, message, hint=hint, notes=notes)


def _strategy_faults(config: Resource[MCPExternalAuthConfigSpec]) -> list[Fault]:
    return list(strategy_faults(mapping(vmcpauth.strategy(config))))


def _of_strategy(resource: Resource, path: Path, fault: Fault, notes: tuple[Note, ...] = ()) -> Finding:
    rule = vmcp_strategy_page.OF_FAULT[fault.code]
    return resource.finding(rule, path, fault.message, hint=fault.hint, notes=notes)


def check_optimizer(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Tell settings of the optimizer that contradict others."""
    del workspace
    path: Path = (*CONFIG, "optimizer")
    optimizer = (resource.spec.get("config") or {}).get("optimizer") or {}
    reference = resource.spec.get("embeddingServerRef")
    if reference is not None and optimizer.get("embeddingService"):
        message = "the URL is overwritten by that of embeddingServerRef"
        yield resource.finding(page.OVERRIDDEN, (*path, "embeddingService"), message, hint="remove one of the two")
    if _is_zero(optimizer.get("hybridSearchSemanticRatio")):
        if optimizer.get("semanticDistanceThreshold"):
            message = "semanticDistanceThreshold is not looked at: the ratio is 0, which is a search by words alone"
            yield resource.finding(page.UNUSED_SEARCH, (*path, "semanticDistanceThreshold"), message)
        if reference is not None:
            message = "the embedding server runs for nothing: the ratio is 0, which is a search by words alone"
            yield resource.finding(page.UNUSED_SEARCH, (*path, "hybridSearchSemanticRatio"), message)
    if optimizer or reference is not None:
        yield from _hidden_by_policies(resource)


def _is_zero(text: Any) -> bool:
    try:
        return isinstance(text, str) and bool(text) and parse_float(text) == 0
    except NumberError:
        return False


def _hidden_by_policies(resource: Resource[VirtualMCPServerSpec]) -> Iterator[Finding]:
    path: Path = ("spec", "incomingAuth", "authzConfig", "inline", "policies")
    authz = (resource.spec.get("incomingAuth") or {}).get("authzConfig") or {}
    policies = [text for text in (authz.get("inline") or {}).get("policies") or () if isinstance(text, str)]
    permits = [text for text in policies if "permit" in text]
    only_others = permits and all("Tool::" in text and not any(name in text for name in SHOWN) for text in permits)
    if only_others and not has_placeholder(policies):
        message = "no policy permits find_tool or call_tool, the only tools that the optimizer shows"
        yield resource.finding(page.HIDDEN_BY_POLICY, path, message, hint="permit them too", on="key")


def check_circuit_breaker(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Tell a circuit breaker that is set up and off."""
    del workspace
    path: Path = (*CONFIG, "operational", "failureHandling", "circuitBreaker")
    handling = ((resource.spec.get("config") or {}).get("operational") or {}).get("failureHandling") or {}
    breaker = handling.get("circuitBreaker") or {}
    given = [field for field in ("failureThreshold", "timeout") if field in breaker and resource.states(*path, field)]
    if given and not breaker.get("enabled"):
        count = "counts" if len(given) == 1 else "count"
        message = f"{' and '.join(given)} of the circuit breaker {count} for nothing: it is not enabled"
        yield resource.finding(page.BREAKER_OFF, path, message, hint="add enabled: true", on="key")


def check_definition(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Tell a composite tool definition that nobody uses."""
    world = workspace.world
    if (
        (world.closed or world.complete)
        and not workspace.is_referred(resource)
        and workspace.has_any(("VirtualMCPServer",))
    ):
        message = f'no virtual server refers to "{resource.name}"'
        yield resource.finding(page.UNUSED_DEFINITION, ("metadata", "name"), message)


CHECKS: dict[str, tuple[Check, ...]] = {
    "VirtualMCPServer": (check_sessions, check_access, check_secrets, check_optimizer, check_circuit_breaker),
    "VirtualMCPCompositeToolDefinition": (check_definition,),
}
