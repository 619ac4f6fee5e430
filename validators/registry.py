"""The list of rule modules, and the kinds that each module checks.

A module in ``validators/rules/`` declares rules. It defines ``CHECKS``, which maps kinds to functions that check a
resource, ``PROJECT_RULES``, functions that check all resources together, or both. A module is imported when a resource
of its kinds has one of its fields. Lower rooms declare the rules of their own checks; `DECLARING` lists their modules.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal

from ..compiler.diagnostics.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import ModuleType

    from ..compiler.diagnostics.finding import Rule
    from ..compiler.workspace.workspace import Workspace

ROOM: Final = "mcpcfg.validators.rules"
"""The package of the rule modules."""


def _has_unapplied(workspace: Workspace) -> bool:
    return bool(workspace.context.unapplied)


def _is_complete(workspace: Workspace) -> bool:
    """Return whether all files were read that may use the resources of the project, or of an isolated file."""
    return any(view.context.complete for view in workspace.views())


def _has_first_version(workspace: Workspace) -> bool:
    return any(str(resource.data.get("apiVersion")).endswith("/v1alpha1") for resource in workspace.resources)


def _has_selectors(workspace: Workspace) -> bool:
    """Return whether the project has objects of other programs that select pods or Services."""
    if not workspace.context.others:
        return False
    from ..compiler.workspace.selection import SELECTING

    return any(other.kind in SELECTING for other in workspace.context.others)


def _has_naming(workspace: Workspace) -> bool:
    """Return whether the project has objects of other programs that name workloads or ServiceAccounts."""
    if not workspace.context.others:
        return False
    from ..compiler.workspace.selection import NAMING

    return any(other.kind in NAMING for other in workspace.context.others)


def _has_annotations(workspace: Workspace) -> bool:
    """Return whether a workload has annotations or labels."""
    fields = {"annotations", "labels"}
    return any(
        resource.kind in WORKLOADS and not resource.metadata.keys().isdisjoint(fields)
        for resource in workspace.resources
    )


def _has_logins(workspace: Workspace) -> bool:
    """Return whether the project has objects of other programs, and an authorization server."""
    fields = {"authServerConfig", "embeddedAuthServer"}
    return bool(workspace.context.others) and not all(
        fields.isdisjoint(resource.spec.keys()) for resource in workspace.resources
    )


def _may_address_services(workspace: Workspace) -> bool:
    fields = {"remoteUrl", "env", "config", "podTemplateSpec", "resourceOverrides"}
    specs = (resource.spec.keys() for resource in workspace.resources)
    return bool(workspace.context.others) or not all(map(fields.isdisjoint, specs))


class Module(NamedTuple):
    """A rule module, and the resources for which it is imported.

    Attributes:
        name: The name in ``validators/rules``.
        fields: Fields of ``spec``. The module is imported for resources with at least one of them. An empty tuple means
            every resource of its kinds.
        scope: ``resource`` if the module has checks of a resource, ``project`` if it has rules about all resources
            together, or ``both``.
        applies: A test of the project. If the project fails it, the rules about all resources together do not run.
        since: The first release with any of the module's faults. For earlier releases, the module is not imported.
    """

    name: str
    kinds: tuple[str, ...]
    fields: tuple[str, ...] = ()
    scope: Literal["resource", "project", "both"] = "resource"
    applies: Callable[[Workspace], bool] | None = None
    since: str | None = None


ORDER = tuple(
    """
    ConfigMap Secret ServiceAccount Namespace MCPOIDCConfig MCPTelemetryConfig MCPToolConfig MCPAuthzConfig
    MCPWebhookConfig MCPExternalAuthConfig MCPGroup VirtualMCPCompositeToolDefinition EmbeddingServer MCPRegistry
    MCPServer MCPRemoteProxy MCPServerEntry VirtualMCPServer
    """.split()
)
"""The kinds in the order of checks.

A kind comes after those that it refers to, so rules know which targets are refused.
"""

INSTALLING = ("Application", "Chart", "HelmChart", "HelmRelease", "Helmfile")
PROXIES = ("MCPServer", "MCPRemoteProxy")
WORKLOADS = (*PROXIES, "VirtualMCPServer")
REFERRING = tuple(
    """
    MCPOIDCConfig MCPTelemetryConfig MCPWebhookConfig MCPExternalAuthConfig EmbeddingServer MCPRegistry MCPServer
    MCPRemoteProxy MCPServerEntry VirtualMCPServer
    """.split()
)
VERSIONED = tuple(
    kind for kind in ORDER if kind not in {"ConfigMap", "Secret", "ServiceAccount", "Namespace", "MCPWebhookConfig"}
)
"""Kinds that are served in two versions."""
_AUTH_SERVER = "authServerConfig authServerRef externalAuthConfigRef embeddedAuthServer"


def _module(name: str, kinds: tuple[str, ...], fields: str = "", **others: Any) -> Module:
    return Module(name, kinds, tuple(fields.split()), **others)


MODULES: tuple[Module, ...] = (
    _module("rate_limit", ("MCPServer", "VirtualMCPServer"), "rateLimiting config"),
    _module("undecodable_value", ("VirtualMCPCompositeToolDefinition", "VirtualMCPServer", "MCPWebhookConfig")),
    _module("webhook_config", ("MCPWebhookConfig",)),
    _module("dangling_reference", REFERRING),
    _module("missing_spec", (*WORKLOADS, "MCPServerEntry", "MCPExternalAuthConfig", "MCPRegistry")),
    _module("telemetry", ("MCPTelemetryConfig", *PROXIES), "openTelemetry telemetryConfigRef"),
    _module("pod_template", (*WORKLOADS, "MCPRegistry", "EmbeddingServer"), "podTemplateSpec"),
    _module("composite_tool", ("VirtualMCPCompositeToolDefinition", "VirtualMCPServer")),
    _module("virtual_server_spec", ("VirtualMCPServer",)),
    _module("virtual_server_reference", ("VirtualMCPServer",)),
    _module("virtual_server_auth", ("VirtualMCPServer",)),
    _module("pod_template_merge", ("VirtualMCPServer", "MCPRemoteProxy", "EmbeddingServer"), "podTemplateSpec"),
    _module("virtual_server_process", ("VirtualMCPServer",)),
    _module(
        "refused_reference",
        (*PROXIES, "MCPServerEntry"),
        "webhookConfigRef telemetryConfigRef oidcConfigRef toolConfigRef externalAuthConfigRef authServerRef"
        " authzConfig authzConfigRef caBundleRef headerForward",
    ),
    _module(
        "empty_secret",
        (*WORKLOADS, "EmbeddingServer"),
        "secrets headerForward hfTokenSecretRef authServerRef externalAuthConfigRef authServerConfig"
        " sessionStorage outgoingAuth",
    ),
    _module(
        "inbound_grant",
        (*WORKLOADS, "MCPExternalAuthConfig"),
        _AUTH_SERVER,
        since="0.46.0",
    ),
    _module("external_auth_config", ("MCPExternalAuthConfig",), "embeddedAuthServer awsSts obo"),
    _module(
        "auth_server_client",
        (*WORKLOADS, "MCPExternalAuthConfig"),
        _AUTH_SERVER,
        since="0.22.0",
    ),
    _module("auth_server_reference", PROXIES, "authServerRef externalAuthConfigRef"),
    _module("auth_secret", PROXIES, "externalAuthConfigRef"),
    _module(
        "embedded_auth_server",
        (*WORKLOADS, "MCPExternalAuthConfig"),
        _AUTH_SERVER,
    ),
    _module(
        "certificate",
        WORKLOADS,
        "oidcConfigRef telemetryConfigRef webhookConfigRef headerForward authServerRef externalAuthConfigRef"
        " incomingAuth outgoingAuth authServerConfig",
    ),
    _module("role_mapping", ("MCPRemoteProxy", "MCPExternalAuthConfig"), "externalAuthConfigRef awsSts"),
    _module("oidc_ca_bundle", PROXIES, "oidcConfigRef"),
    _module("shared_authorization", ("MCPAuthzConfig",)),
    _module("authorization", (*WORKLOADS, "MCPAuthzConfig"), "authzConfig authzConfigRef incomingAuth config"),
    _module("tool_config", (*PROXIES, "MCPToolConfig"), "toolConfigRef toolsFilter toolsOverride"),
    _module("remote_url", ("MCPRemoteProxy", "MCPServerEntry"), "remoteUrl"),
    _module("endpoint_prefix", ("MCPServer", "MCPRemoteProxy"), "endpointPrefix"),
    _module(
        "header",
        ("MCPRemoteProxy", "MCPServerEntry", "MCPTelemetryConfig", "MCPExternalAuthConfig"),
        "headerForward openTelemetry tokenExchange headerInjection",
    ),
    _module("environment", (*PROXIES, "EmbeddingServer"), "env secrets resourceOverrides podTemplateSpec"),
    _module("volume", ("MCPServer",), "volumes"),
    _module("permission_profile", ("MCPServer",), "permissionProfile"),
    _module(
        "quantity",
        (*PROXIES, "EmbeddingServer", "MCPRegistry", "VirtualMCPServer"),
        "resources modelCache podTemplateSpec",
    ),
    _module("replica", WORKLOADS, "replicas sessionStorage"),
    _module("mcp_registry", ("MCPRegistry",), "volumes volumeMounts pgpassSecretRef podTemplateSpec"),
    _module("registry_config", ("MCPRegistry",), "configYAML"),
    _module("deprecated_kind", ("MCPRegistry",), since="0.29.2"),
    _module("embedding_server", ("EmbeddingServer",), "image env resourceOverrides podTemplateSpec"),
    _module("image", ("MCPServer", "EmbeddingServer", "MCPRegistry", "VirtualMCPServer"), "image podTemplateSpec"),
    _module("control_character", ("MCPServer",), "args env secrets podTemplateSpec"),
    _module("transport_setting", ("MCPServer",)),
    _module(
        "ignored_setting",
        (*PROXIES, "MCPExternalAuthConfig"),
        "audit authzConfig resourceOverrides tokenExchange embeddedAuthServer",
    ),
    _module(
        "auth_effect", (*PROXIES, "MCPExternalAuthConfig"), "authServerRef externalAuthConfigRef embeddedAuthServer"
    ),
    _module("auth_target", ("MCPExternalAuthConfig",), "tokenExchange"),
    _module("oidc_provider", ("MCPOIDCConfig", *PROXIES), "inline kubernetesServiceAccount oidcConfigRef"),
    _module("oidc_start", ("MCPOIDCConfig", *WORKLOADS), "inline kubernetesServiceAccount oidcConfigRef incomingAuth"),
    _module(
        "plaintext_secret",
        (*WORKLOADS, "MCPServerEntry", "EmbeddingServer", "MCPRegistry", "MCPTelemetryConfig"),
        "env args resourceOverrides headerForward openTelemetry podTemplateSpec",
    ),
    _module("virtual_server_unread", ("VirtualMCPServer",)),
    _module("virtual_server_tools", ("VirtualMCPServer",)),
    _module("virtual_server_member", ("VirtualMCPServer",)),
    _module("virtual_server_operation", ("VirtualMCPServer", "VirtualMCPCompositeToolDefinition")),
    _module("object_name", (*WORKLOADS, "MCPRegistry", "EmbeddingServer"), scope="both"),
    _module("proxy_resource", ("MCPServer",), "resources"),
    # After all rules about one resource, because it only reports faults that none of them reports.
    _module("refused_object", (*WORKLOADS, "MCPRegistry", "EmbeddingServer")),
    _module("deprecated_version", VERSIONED, scope="project", applies=_has_first_version),
    _module("annotation", WORKLOADS, scope="project", applies=_has_annotations),
    _module("shared_identity", WORKLOADS, "oidcConfigRef telemetryConfigRef incomingAuth", scope="project"),
    _module("chart_address", INSTALLING, scope="project"),
    _module("chart_image", INSTALLING, scope="project"),
    _module("chart_value", INSTALLING, scope="project"),
    _module("release_skew", INSTALLING, scope="project"),
    _module("lost_health_check", ("Kustomization",), scope="project"),
    _module(
        "service_route", (*WORKLOADS, "MCPRegistry", "EmbeddingServer"), scope="project", applies=_may_address_services
    ),
    _module("login_route", ("VirtualMCPServer", "MCPServer", "MCPRemoteProxy"), scope="project", applies=_has_logins),
    _module("object_selector", (*WORKLOADS, "MCPRegistry", "EmbeddingServer"), scope="project", applies=_has_selectors),
    _module("object_target", (*WORKLOADS, "MCPRegistry", "EmbeddingServer"), scope="project", applies=_has_naming),
    _module("unapplied_target", REFERRING, scope="project", applies=_has_unapplied),
    _module("unused_configuration", ("MCPToolConfig", "MCPGroup", *REFERRING), scope="project", applies=_is_complete),
)
"""The modules in the order in which their rules run.

Values that the operator cannot decode come first, because they hide all other faults.
"""

DECLARING: tuple[str, ...] = tuple(
    """
    compiler.admission.describe compiler.admission.describe_bound compiler.admission.explain_metadata
    compiler.admission.identity compiler.check.flux_folder compiler.check.flux_kustomization compiler.disk.files
    compiler.emit.target compiler.project.crd_files compiler.project.settings_file compiler.project.unapplied
    compiler.project.suppression compiler.reading.bound compiler.reading.character compiler.reading.data
    compiler.reading.json_text compiler.reading.problem compiler.reading.tree compiler.toolhive.cedar_rule
    compiler.toolhive.connection compiler.toolhive.tool_name compiler.vmcp.aggregation compiler.vmcp.auth_client
    compiler.vmcp.auth_server compiler.vmcp.authentication compiler.vmcp.backend compiler.vmcp.load
    compiler.vmcp.operational compiler.vmcp.optimizer compiler.vmcp.rate_limit compiler.vmcp.start
    compiler.vmcp.strategy compiler.vmcp.validate compiler.vmcp.workflow.default_result
    compiler.vmcp.workflow.lint.calling compiler.vmcp.workflow.lint.condition compiler.vmcp.workflow.lint.handling
    compiler.vmcp.workflow.lint.literal compiler.vmcp.workflow.lint.missing compiler.vmcp.workflow.lint.output
    compiler.vmcp.workflow.lint.reading compiler.vmcp.workflow.serve compiler.vmcp.workflow.step
    compiler.vmcp.workflow.validate compiler.workspace.duplicate validators.custom_rule validators.rules.vmcp_file
    """.split()
)
"""Modules outside `MODULES` that declare rules. Records have their own list, `RULE_MODULES`."""


def rules_of(module: ModuleType) -> Iterator[Rule]:
    """Yield the rules that a module declares or imports by name."""
    from ..compiler.diagnostics.finding import Rule

    yield from (value for value in vars(module).values() if isinstance(value, Rule))


@cache
def all_rules() -> Mapping[str, Rule]:
    """Return every rule, sorted by id, for ``rules``, ``explain`` and tests. All rule modules are imported."""
    from ..compiler.records.finding import RULE_MODULES

    names = [f"{ROOM}.{module.name}" for module in MODULES] + [f"mcpcfg.{name}" for name in DECLARING]
    names += (f"mcpcfg.compiler.records.{name}" for group in RULE_MODULES.values() for name in group)
    return {rule.id: rule for rule in sorted(rule for name in names for rule in rules_of(import_module(name)))}
