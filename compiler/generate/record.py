"""The models of JSON that gets a schema, records and outputs, and the models that become tables of Go structs."""

from __future__ import annotations

from typing import Any

from ..models import (
    agent,
    authz,
    catalog,
    client,
    middleware,
    output,
    permission_profile,
    registry,
    runconfig,
    secret,
    simulated,
    skill,
    webhook,
    workload,
)

SCHEMAS: dict[str, Any] = {
    "registry-legacy": registry.RegistryData,
    "registry": catalog.UpstreamRegistry,
    "server": catalog.ServerRecord,
    "publisher-extensions": catalog.PublisherExtensions,
    "catalog-skill": skill.RegistrySkill,
    "permission-profile": permission_profile.PermissionProfile,
    "workload-request": workload.WorkloadRequest,
    "workload-selection": workload.WorkloadSelection,
    "workload-created": workload.WorkloadCreated,
    "workload-details": workload.WorkloadRequest,
    "workload-summary": workload.WorkloadSummary,
    "registry-summary": registry.RegistrySummary,
    "registry-detail": registry.Registry,
    "registry-update": registry.RegistryUpdate,
    "registry-server-list": registry.RegistryServerList,
    "registry-server-result": registry.RegistryServerResult,
    "server-record-list": catalog.ServerRecordList,
    "registry-skill-list": catalog.RegistrySkillList,
    "client-registration": client.ClientRegistration,
    "client-selection": client.ClientSelection,
    "client-status": client.ClientStatus,
    "skill-install-request": skill.SkillInstallRequest,
    "skill-validate-request": skill.SkillValidateRequest,
    "skill-validation": skill.SkillValidation,
    "skill-content": skill.SkillContent,
    "skill-details": skill.SkillDetails,
    "installed-skill": skill.InstalledSkill,
    "secret-provider-setup": secret.SecretProviderSetup,
    "provider-setup-result": secret.ProviderSetupResult,
    "secret-creation": secret.SecretCreation,
    "secret-update": secret.SecretUpdate,
    "secret-result": secret.SecretResult,
}
"""Records of the management API, by schema name of ``mcpcfg schema``."""

ANSWERS: dict[str, Any] = {
    "client-status-list": client.ClientStatusList,
    "installed-skill-list": skill.InstalledSkillList,
    "registry-list": registry.RegistryList,
    "skill-installed": skill.SkillInstalled,
    "workload-list": workload.WorkloadList,
}
"""Responses of operations, which contain records."""

OUTPUTS: dict[str, Any] = {
    "output-build": output.BuildOutput,
    "output-check": output.CheckOutput,
    "output-diff": output.DiffOutput,
    "output-explain": output.ExplainOutput,
    "output-fix": output.FixOutput,
    "output-graph": output.GraphOutput,
    "output-release": output.ReleaseEntry,
    "output-release-crds": output.ReleaseCrdsOutput,
    "output-rule": output.RuleEntry,
    "output-search-registry": output.SearchOutput,
    "output-simulate-authz": simulated.SimulateAuthzOutput,
    "output-simulate-rate-limit": simulated.SimulateRateLimitOutput,
    "output-simulate-role": simulated.SimulateRoleOutput,
    "output-simulate-tools": simulated.SimulateToolsOutput,
    "output-simulate-workflow": simulated.SimulateWorkflowOutput,
    "output-upgrade": output.UpgradeOutput,
}
"""JSON that mcpcfg writes."""

TOOLS: dict[str, Any] = {
    "tool-build": agent.BuildArguments,
    "tool-check": agent.CheckArguments,
    "tool-diff": agent.DiffArguments,
    "tool-explain": agent.ExplainArguments,
    "tool-fix": agent.FixArguments,
    "tool-graph": agent.GraphArguments,
    "tool-search-registry": agent.SearchRegistryArguments,
    "tool-simulate": agent.SimulateArguments,
}
"""Arguments of the tools of the MCP server, by schema name. The server refuses other arguments."""

WITH_NULLS = frozenset({"workload-request", "workload-details"})
"""Records in which programs write null for missing values."""

GO_STRUCTS: tuple[Any, ...] = (
    catalog.StoredTool,
    catalog.ServerExtension,
    runconfig.RunConfig,
    runconfig.ToolOverrideFile,
    webhook.WebhookFile,
    authz.CedarOptions,
    authz.DecisionPointOptions,
    *dict.fromkeys(middleware.PARAMETERS.values()),
)
"""Models for the table of Go structs in addition to `SCHEMAS` and `ANSWERS`: values within files, and other files."""
