"""The generated files of record formats: JSON Schemas, and the table of Go types."""

from __future__ import annotations

import json
from typing import Any

from mcpcfg.compiler.models import (
    authz,
    catalog,
    client,
    middleware,
    permission_profile,
    registry,
    runconfig,
    secret,
    skill,
    webhook,
    workload,
)

from .client_page import client_page
from .record_schema import record_schema
from .record_shape import shape_table

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
"""Every record of document 000, by the name that ``mcpcfg schema`` knows it by."""


HELD: tuple[Any, ...] = (
    catalog.HeldTool,
    catalog.ServerExtension,
    runconfig.RunConfig,
    runconfig.ToolOverrideFile,
    webhook.WebhookFile,
    authz.CedarOptions,
    authz.DecisionPointOptions,
    *dict.fromkeys(middleware.PARAMETERS.values()),
)
"""Go types beside those: of values that no file holds by itself, and of files whose schemas are written elsewhere."""


def record_files() -> dict[str, str]:
    """Give the text of every generated file, by its path from the project's root."""
    models = [*SCHEMAS.values(), *HELD]
    out = {"schemas/_shapes.py": shape_table(models), "docs/reference/clients.md": client_page()}
    for name, model in SCHEMAS.items():
        document = record_schema(model, url=f"{name}.schema.json")
        out[f"schemas/{name}.schema.json"] = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    return out
