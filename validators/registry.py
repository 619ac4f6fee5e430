"""The list of rule modules, written out: which module looks at which kinds.

A module in ``validators/rules/`` offers ``RULES`` (the identities and pages of its rules), ``CHECKS`` (kind to the
functions that look at one resource of it) and may offer ``PROJECT_RULES`` (what looks at all of them together).
Modules are imported when a resource occurs that they apply to. Rules of the reader and of admission
have their identities beside the code that finds them; they are listed under ``IDENTITIES``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple

from ..compiler.toolhive.release import SECOND_VERSION_SINCE

if TYPE_CHECKING:
    from ..compiler.diagnostics.finding import Rule

ROOM: Final = "mcpcfg.validators.rules"
"""The package of the modules."""


class Module(NamedTuple):
    """One rule module.

    Attributes:
        name: Below ``validators/rules``.
        kinds: The kinds that it looks at.
        fields: Fields of ``spec`` without which it does not apply to a resource; it is imported when one of them
            occurs. None: it looks at every resource of its kinds.
        whole: Whether it has rules about all resources together; they run where it applies to any of them.
        since: The first release that has any of its faults: before it the module is not imported.
    """

    name: str
    kinds: tuple[str, ...]
    fields: tuple[str, ...] = ()
    whole: bool = False
    since: str | None = None


ORDER = (
    "ConfigMap",
    "Secret",
    "ServiceAccount",
    "Namespace",
    "MCPOIDCConfig",
    "MCPTelemetryConfig",
    "MCPToolConfig",
    "MCPAuthzConfig",
    "MCPWebhookConfig",
    "MCPExternalAuthConfig",
    "MCPGroup",
    "VirtualMCPCompositeToolDefinition",
    "EmbeddingServer",
    "MCPRegistry",
    "MCPServer",
    "MCPRemoteProxy",
    "MCPServerEntry",
    "VirtualMCPServer",
)
"""A kind comes after the kinds that it refers to, so that a rule can ask whether its target is refused."""

PROXIES = ("MCPServer", "MCPRemoteProxy")
WORKLOADS = (*PROXIES, "VirtualMCPServer")
REFERRING = (
    "MCPOIDCConfig",
    "MCPTelemetryConfig",
    "MCPWebhookConfig",
    "MCPExternalAuthConfig",
    "EmbeddingServer",
    "MCPRegistry",
    "MCPServer",
    "MCPRemoteProxy",
    "MCPServerEntry",
    "VirtualMCPServer",
)
VERSIONED = tuple(
    kind for kind in ORDER if kind not in {"ConfigMap", "Secret", "ServiceAccount", "Namespace", "MCPWebhookConfig"}
)
"""Those that are served in two versions."""
REFERENCES = ("authServerRef", "externalAuthConfigRef")
TEMPLATE = ("podTemplateSpec",)

MODULES: tuple[Module, ...] = (
    Module("rate_limit", ("MCPServer", "VirtualMCPServer"), ("rateLimiting", "config")),
    Module("undecodable_value", ("VirtualMCPCompositeToolDefinition", "VirtualMCPServer", "MCPWebhookConfig")),
    Module("webhook_config", ("MCPWebhookConfig",)),
    Module("dangling_reference", REFERRING),
    Module("missing_spec", (*WORKLOADS, "MCPServerEntry", "MCPExternalAuthConfig", "MCPRegistry")),
    Module("telemetry_config", ("MCPTelemetryConfig", *PROXIES), ("openTelemetry", "telemetryConfigRef")),
    Module("pod_template", (*WORKLOADS, "MCPRegistry", "EmbeddingServer"), TEMPLATE),
    Module("composite_tool", ("VirtualMCPCompositeToolDefinition", "VirtualMCPServer")),
    Module("virtual_server_spec", ("VirtualMCPServer",)),
    Module("virtual_server_reference", ("VirtualMCPServer",)),
    Module("virtual_server_auth", ("VirtualMCPServer",)),
    Module("pod_template_merge", ("VirtualMCPServer", "MCPRemoteProxy", "EmbeddingServer"), TEMPLATE),
    Module("virtual_server_process", ("VirtualMCPServer",)),
    Module(
        "refused_reference",
        (*PROXIES, "MCPServerEntry"),
        (
            "webhookConfigRef",
            "telemetryConfigRef",
            "oidcConfigRef",
            "toolConfigRef",
            "externalAuthConfigRef",
            "authServerRef",
            "authzConfig",
            "authzConfigRef",
            "caBundleRef",
            "headerForward",
        ),
    ),
    Module(
        "empty_secret",
        (*WORKLOADS, "EmbeddingServer"),
        (
            "secrets",
            "headerForward",
            "hfTokenSecretRef",
            *REFERENCES,
            "authServerConfig",
            "sessionStorage",
            "outgoingAuth",
        ),
    ),
    Module("external_auth_config", ("MCPExternalAuthConfig",), ("embeddedAuthServer", "awsSts", "obo")),
    Module(
        "auth_server_client",
        (*WORKLOADS, "MCPExternalAuthConfig"),
        ("authServerConfig", *REFERENCES, "embeddedAuthServer"),
        since="0.22.0",
    ),
    Module("auth_server_reference", PROXIES, REFERENCES),
    Module("auth_secret", PROXIES, ("externalAuthConfigRef",)),
    Module(
        "embedded_auth_server",
        (*WORKLOADS, "MCPExternalAuthConfig"),
        ("authServerConfig", *REFERENCES, "embeddedAuthServer"),
    ),
    Module("role_mapping", ("MCPRemoteProxy", "MCPExternalAuthConfig"), ("externalAuthConfigRef", "awsSts")),
    Module("oidc_ca_bundle", PROXIES, ("oidcConfigRef",)),
    Module("shared_authorization", ("MCPAuthzConfig",)),
    Module(
        "authorization",
        (*WORKLOADS, "MCPAuthzConfig"),
        ("authzConfig", "authzConfigRef", "incomingAuth", "config"),
    ),
    Module("tool_config", (*PROXIES, "MCPToolConfig"), ("toolConfigRef", "toolsFilter", "toolsOverride")),
    Module("remote_url", ("MCPRemoteProxy", "MCPServerEntry"), ("remoteUrl",)),
    Module("endpoint_prefix", ("MCPServer", "MCPRemoteProxy"), ("endpointPrefix",)),
    Module(
        "header",
        ("MCPRemoteProxy", "MCPServerEntry", "MCPTelemetryConfig", "MCPExternalAuthConfig"),
        ("headerForward", "openTelemetry", "tokenExchange", "headerInjection"),
    ),
    Module("environment", (*PROXIES, "EmbeddingServer"), ("env", "secrets", "resourceOverrides", *TEMPLATE)),
    Module("volume", ("MCPServer",), ("volumes",)),
    Module("permission_profile", ("MCPServer",), ("permissionProfile",)),
    Module("quantity", (*PROXIES, "EmbeddingServer"), ("resources", "modelCache")),
    Module("replica", PROXIES, ("replicas", "sessionStorage")),
    Module("mcp_registry", ("MCPRegistry",), ("volumes", "volumeMounts", "pgpassSecretRef", *TEMPLATE)),
    Module("registry_config", ("MCPRegistry",), ("configYAML",)),
    Module("deprecated_kind", VERSIONED, since=SECOND_VERSION_SINCE),
    Module("embedding_server", ("EmbeddingServer",), ("image", "env", "resourceOverrides", *TEMPLATE)),
    Module("image", ("MCPServer", "EmbeddingServer"), ("image",)),
    Module("control_character", ("MCPServer",), ("args", "env", "secrets", *TEMPLATE)),
    Module("transport_setting", ("MCPServer",)),
    Module(
        "ignored_setting",
        (*PROXIES, "MCPExternalAuthConfig"),
        ("audit", "authzConfig", "resourceOverrides", "tokenExchange", "embeddedAuthServer"),
    ),
    Module("auth_effect", (*PROXIES, "MCPExternalAuthConfig"), (*REFERENCES, "embeddedAuthServer")),
    Module("auth_target", ("MCPExternalAuthConfig",), ("tokenExchange",)),
    Module("oidc_provider", ("MCPOIDCConfig", *PROXIES), ("inline", "kubernetesServiceAccount", "oidcConfigRef")),
    Module(
        "oidc_start",
        ("MCPOIDCConfig", *WORKLOADS),
        ("inline", "kubernetesServiceAccount", "oidcConfigRef", "incomingAuth"),
    ),
    Module("telemetry_use", ("MCPRemoteProxy", "MCPTelemetryConfig"), ("telemetryConfigRef", "openTelemetry")),
    Module(
        "plaintext_secret",
        (*WORKLOADS, "MCPServerEntry", "EmbeddingServer", "MCPRegistry", "MCPTelemetryConfig"),
        ("env", "args", "resourceOverrides", "headerForward", "openTelemetry", *TEMPLATE),
    ),
    Module("virtual_server_unread", ("VirtualMCPServer",)),
    Module("virtual_server_tools", ("VirtualMCPServer",)),
    Module("virtual_server_member", ("VirtualMCPServer",)),
    Module("virtual_server_operation", ("VirtualMCPServer", "VirtualMCPCompositeToolDefinition")),
    Module("object_name", (*WORKLOADS, "MCPRegistry", "EmbeddingServer"), whole=True),
    Module("proxy_resource", ("MCPServer",), ("resources",)),
    # After all rules about one resource: it reports what none of them has.
    Module("refused_object", (*WORKLOADS, "MCPRegistry", "EmbeddingServer")),
    Module("shared_identity", WORKLOADS, ("oidcConfigRef", "telemetryConfigRef", "incomingAuth"), whole=True),
    Module("chart_value", ("HelmRelease", "Application"), whole=True),
    Module("service_route", (*WORKLOADS, "MCPRegistry", "EmbeddingServer"), whole=True),
    Module("unapplied_target", REFERRING, whole=True),
    Module("unused_configuration", ("MCPToolConfig", "MCPGroup", *REFERRING), whole=True),
)
"""In the order in which rules run. What the operator cannot read comes first: it then knows nothing else of it."""

IDENTITIES: tuple[str, ...] = (
    "mcpcfg.compiler.reading.rules",
    "mcpcfg.validators.custom_rule",
    "mcpcfg.compiler.admission.rule",
    "mcpcfg.compiler.admission.rule_definition",
    "mcpcfg.validators.rules.vmcp_file",
    "mcpcfg.compiler.admission.rule_identity",
    "mcpcfg.compiler.workspace.duplicate",
    "mcpcfg.compiler.project.settings_file",
    "mcpcfg.compiler.project.suppression",
    "mcpcfg.compiler.emit.compilation",
)
"""Modules that declare the rules (``RULES``) of what the reader and admission find; records have `RULE_MODULES`."""


def all_rules() -> dict[str, Rule]:
    """Return every rule by id, sorted by id. Imports every rule module: for ``rules``, ``explain`` and tests."""
    from ..compiler.diagnostics.finding import Rule
    from ..compiler.records.finding import RULE_MODULES

    of_records = (f"mcpcfg.compiler.records.{name}" for names in RULE_MODULES.values() for name in names)
    modules = [import_module(f"{ROOM}.{module.name}") for module in MODULES]
    modules += [import_module(name) for name in (*IDENTITIES, *of_records)]
    found = {rule.id: rule for module in modules for rule in vars(module).values() if isinstance(rule, Rule)}
    # Rule modules of resources list the rules of rooms below them as well, whose faults they report.
    found |= {rule.id: rule for module in modules for rule in getattr(module, "RULES", ())}
    return dict(sorted(found.items()))
