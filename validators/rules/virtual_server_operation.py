"""Rules about running a virtual server.

They find sessions and keys that are lost on a restart, access without authentication, missing secrets of members,
settings of the optimizer and of circuit breakers without effect, and unused composite tools.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...compiler.diagnostics.fault_to_finding import finding_of, restaged, stated
from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.plain import listed, mapping
from ...compiler.diagnostics.version import RECORDED
from ...compiler.emit import vmcpauth
from ...compiler.golang.strconv import NumberError, parse_float
from ...compiler.toolhive.constants import VMCP_CONTAINER
from ...compiler.toolhive.release import OPTIMIZER_GUARDED_SINCE, VIRTUAL_TEMPLATE_SINCE
from ...compiler.vmcp.strategy import strategy_faults
from ..auth_server import EPHEMERAL_KEYS, MEMORY
from ..placeholder import has_placeholder
from ..pod import containers_of
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.diagnostics.fault import Fault
    from ...compiler.diagnostics.finding import Note
    from ...compiler.models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from ...compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from ..rule import Check, Finding, Path, Resource, Workspace

PUBLIC = rule(
    "VMC223 anonymous-outside-cluster",
    "lint",
    "A virtual server without authentication is reachable from outside the cluster",
)
UNMOUNTED = rule(
    "VMC224 unmounted-member-secret",
    "process",
    "The secret of a member's authentication does not reach the process",
    verified=RECORDED,
)
HIDDEN_BY_POLICY = rule(
    "VMC225 optimizer-hidden-by-policies",
    "lint",
    "Cedar policies name backend tools, but clients see only the optimizer's two",
    until=OPTIMIZER_GUARDED_SINCE,
)
OVERRIDDEN = rule("VMC226 embedding-service-overridden", "lint", "An embedding service is set twice")
UNUSED_SEARCH = rule("VMC227 optimizer-setting-unused", "lint", "A setting of the optimizer's search has no effect")
BREAKER_OFF = rule("VMC228 circuit-breaker-off", "lint", "A circuit breaker is configured, but not enabled")
NO_TEMPORARY_FOLDER = rule(
    "VMC243 optimizer-without-temporary-folder",
    "lint",
    "The optimizer of a virtual server has no writable folder for temporary files",
    severity="info",
    since=VIRTUAL_TEMPLATE_SINCE,
)
UNUSED_DEFINITION = rule(
    "CMP201 unused-composite-definition", "lint", "No virtual server uses a composite tool definition", severity="info"
)

CONFIG: Path = ("spec", "config")
GROUP: Path = ("spec", "groupRef", "name")
SERVER: Path = ("spec", "authServerConfig")
OPTIMIZER_TOOLS = ('Tool::"find_tool"', 'Tool::"call_tool"')
"""The only tools that clients can call if the optimizer is enabled, as Cedar entities."""


@reads("authServerConfig")
def check_sessions(resource: Resource[VirtualMCPServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report keys and sessions of an embedded authorization server that its restart loses."""
    spec = resource.spec
    replicas = spec.get("replicas")
    several = isinstance(replicas, int) and replicas > 1
    server = spec.get("authServerConfig")
    if server is None:
        return
    kept_in = (server.get("storage") or {}).get("type") or ""
    if kept_in != "redis" and not is_placeholder(kept_in):
        path = stated(resource, (*SERVER, "storage", "type"))
        message = "the authorization server keeps clients and tokens in memory: a restart loses them"
        yield resource.finding(MEMORY, path, message, hint="set storage.type to redis", on="key")
    missing = [field for field in ("signingKeySecretRefs", "hmacSecretRefs") if not server.get(field)]
    if missing:
        message = f"keys are generated at every start: {' and '.join(missing)} missing"
        severity: Any = "warning" if several else None
        hint = "keep them in a Secret"
        yield resource.finding(EPHEMERAL_KEYS, SERVER, message, hint=hint, on="key", severity=severity)


@reads("serviceType")
def check_access(resource: Resource[VirtualMCPServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report a virtual server that clients outside the cluster can call without authentication."""
    kind = resource.spec.get("serviceType")
    if (resource.spec.get("incomingAuth") or {}).get("type") == "anonymous" and kind in ("LoadBalancer", "NodePort"):
        notes = (resource.note("clients are not authenticated", ("spec", "incomingAuth", "type")),)
        message = f"a Service of type {kind} lets anybody outside the cluster call the tools"
        hint = "set incomingAuth.type to oidc, or serviceType to ClusterIP"
        yield resource.finding(PUBLIC, ("spec", "serviceType"), message, hint=hint, notes=notes)


@reads("outgoingAuth")
def check_secrets(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report outgoing authentication that fails, because it is invalid or because its secret is not mounted."""
    if workspace.is_refused(resource) or workspace.target(resource, *GROUP) is None:
        return
    for path, config in vmcpauth.named_configs(workspace, resource):
        for fault in config.once(_strategy_faults):
            notes = (config.note("it is configured here", ("spec", config.spec["type"])),)
            yield _strategy_findings(resource, path, fault, notes)
    for member, config in vmcpauth.inherited_configs(workspace, resource):
        if vmcpauth.with_provider(resource, vmcpauth.usable_strategy(workspace, config)) is None:
            continue  # the member has no strategy
        for fault in config.once(_strategy_faults):
            yield _strategy_findings(resource, GROUP, fault)
        for _, variable, _ in vmcpauth.secrets_of(config):
            if _is_set(resource, workspace, variable):
                continue
            notes = (member.note(f"{member.kind} refers to MCPExternalAuthConfig {config.name}"),)
            message = f'the secret of group member "{member.name}" is not mounted: {variable} will be missing'
            hint = f"repeat its reference under outgoingAuth.backends.{member.name}"
            finding = resource.finding(UNMOUNTED, GROUP, message, hint=hint, notes=notes)
            # Secrets of type xaa are read with each request, not at start.
            yield restaged(finding, "lint") if config.spec["type"] == "xaa" else finding


def _is_set(resource: Resource[VirtualMCPServerSpec], workspace: Workspace, variable: str) -> bool:
    """Return whether the pod of a virtual server has an environment variable, or an unknown value may set it."""
    if any(entry["name"] == variable for entry in vmcpauth.secret_environment(workspace, resource, ())):
        return True
    named = [container.get("name") for _, container in containers_of(resource.spec)]
    if has_placeholder([resource.spec["outgoingAuth"], named]) or isinstance(resource.spec.get("podTemplateSpec"), str):
        return True  # a placeholder may stand for the variable
    for _, container in containers_of(resource.spec):
        if container.get("name") == VMCP_CONTAINER:
            set_here = [entry.get("name") for entry in container.get("env") or () if isinstance(entry, dict)]
            return variable in set_here or bool(container.get("envFrom")) or has_placeholder(set_here)
    return False


def _strategy_faults(config: Resource[MCPExternalAuthConfigSpec]) -> list[Fault]:
    # HDR004 reports the name of a header, at the name itself.
    return [x for x in strategy_faults(mapping(vmcpauth.strategy(config))) if "headerInjection" not in x.path]


def _strategy_findings(resource: Resource, path: Path, fault: Fault, notes: tuple[Note, ...] = ()) -> Finding:
    return finding_of(resource, fault, path, notes=notes)


def check_optimizer(resource: Resource[VirtualMCPServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report settings of the optimizer that contradict each other, and policies that deny its tools."""
    path: Path = (*CONFIG, "optimizer")
    optimizer = (resource.spec.get("config") or {}).get("optimizer") or {}
    reference = resource.spec.get("embeddingServerRef")
    if reference is not None and optimizer.get("embeddingService"):
        message = "the URL is overwritten by that of embeddingServerRef"
        yield resource.finding(OVERRIDDEN, (*path, "embeddingService"), message, hint="remove one of the two")
    if _is_zero(optimizer.get("hybridSearchSemanticRatio")):
        if optimizer.get("semanticDistanceThreshold"):
            message = "semanticDistanceThreshold is ignored: with ratio 0 the search uses keywords only"
            hint = "remove it, or set hybridSearchSemanticRatio above 0"
            yield resource.finding(UNUSED_SEARCH, (*path, "semanticDistanceThreshold"), message, hint=hint)
        if reference is not None:
            message = "the embedding server is not used: with ratio 0 the search uses keywords only"
            hint = "remove embeddingServerRef, or set the ratio above 0"
            yield resource.finding(UNUSED_SEARCH, (*path, "hybridSearchSemanticRatio"), message, hint=hint)
    if optimizer or reference is not None:
        yield from _hidden_by_policies(resource)
        place: Path = path if optimizer else ("spec", "embeddingServerRef")
        if resource.is_judged(since=VIRTUAL_TEMPLATE_SINCE) and not _may_write_temporary_files(resource.spec):
            message = (
                "the root file system is read-only, so the search of the optimizer has no place for temporary files"
            )
            hint = "mount an emptyDir at /tmp of the container vmcp in podTemplateSpec"
            yield resource.finding(NO_TEMPORARY_FOLDER, place, message, hint=hint, on="key")


def _may_write_temporary_files(spec: VirtualMCPServerSpec) -> bool:
    """Return whether the pod template may mount a folder for temporary files, or make the root writable."""
    template = spec.get("podTemplateSpec")
    if isinstance(template, str):
        return True
    for _, container in containers_of(spec):
        name = str(container.get("name"))
        if name != VMCP_CONTAINER and not is_placeholder(name):
            continue
        variables = [mapping(variable) for variable in listed(container.get("env"))]
        folders = {str(each.get("value")) for each in variables if each.get("name") in ("TMPDIR", "SQLITE_TMPDIR")}
        stated = [mapping(mount) for mount in listed(container.get("volumeMounts"))]
        mounts = [str(mount.get("mountPath")).rstrip("/") for mount in stated if mount.get("readOnly") is not True]
        is_mounted = any(mount in {"/tmp", "/var/tmp", *folders} for mount in mounts)  # noqa: S108 - paths in the container
        root = mapping(container.get("securityContext")).get("readOnlyRootFilesystem")
        if is_mounted or root not in (None, True) or has_placeholder(mounts) or container.get("envFrom"):
            return True
    return False


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
    only_others = permits and all(
        "Tool::" in text and not any(name in text for name in OPTIMIZER_TOOLS) for text in permits
    )
    if only_others and not has_placeholder(policies):
        message = "no policy permits find_tool or call_tool, the only tools that the optimizer exposes"
        yield resource.finding(HIDDEN_BY_POLICY, path, message, hint="permit them too", on="key")


def check_circuit_breaker(resource: Resource[VirtualMCPServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report a circuit breaker that is configured but disabled."""
    path: Path = (*CONFIG, "operational", "failureHandling", "circuitBreaker")
    handling = ((resource.spec.get("config") or {}).get("operational") or {}).get("failureHandling") or {}
    breaker = handling.get("circuitBreaker") or {}
    given = [field for field in ("failureThreshold", "timeout") if field in breaker and resource.states(*path, field)]
    if given and not breaker.get("enabled"):
        count = "has" if len(given) == 1 else "have"
        message = f"{' and '.join(given)} of the circuit breaker {count} no effect: it is not enabled"
        yield resource.finding(BREAKER_OFF, path, message, hint="add enabled: true", on="key")


def check_definition(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Report a composite tool definition that nothing uses."""
    context = workspace.context
    if (
        (context.closed or context.complete)
        and not workspace.is_referred(resource)
        and workspace.has_any(("VirtualMCPServer",))
    ):
        message = f'no virtual server refers to "{resource.name}"'
        hint = "name it in compositeToolRefs of a VirtualMCPServer, or remove it"
        yield resource.finding(UNUSED_DEFINITION, ("metadata", "name"), message, hint=hint)


CHECKS: dict[str, tuple[Check, ...]] = {
    "VirtualMCPServer": (check_sessions, check_access, check_secrets, check_optimizer, check_circuit_breaker),
    "VirtualMCPCompositeToolDefinition": (check_definition,),
}
