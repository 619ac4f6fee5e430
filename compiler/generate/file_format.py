"""The file formats whose schema is generated from a model that other generators use too."""

from __future__ import annotations

from dataclasses import dataclass

from mcpcfg.compiler.models.audit import AuditLogConfig
from mcpcfg.compiler.models.authserver import EmbeddedAuthServerRunConfig
from mcpcfg.compiler.models.authz import AuthzFile
from mcpcfg.compiler.models.composite import CompositeToolConfig
from mcpcfg.compiler.models.runconfig import RunConfig, ToolOverrideFile
from mcpcfg.compiler.models.settings import Settings
from mcpcfg.compiler.models.skill import SkillFrontMatter
from mcpcfg.compiler.models.virtualmcpserver import VirtualMCPServerSpec
from mcpcfg.compiler.models.vmcp import VMCPConfig
from mcpcfg.compiler.models.webhook import WebhookFile

from .json_schema import Reading

_BY_GO = Reading(exact=False, closed=False)


@dataclass(frozen=True, slots=True)
class FileFormat:
    """One format: the name of its schema, its model, and how strictly it is read."""

    name: str
    model: type
    reading: Reading = _BY_GO


FORMATS = (
    FileFormat("audit", AuditLogConfig),
    FileFormat("authserver", EmbeddedAuthServerRunConfig),
    FileFormat("authz", AuthzFile),
    FileFormat("mcpcfg", Settings, Reading()),
    FileFormat("runconfig", RunConfig),
    FileFormat("skill", SkillFrontMatter, Reading(closed=False)),
    FileFormat("tool-override", ToolOverrideFile),
    FileFormat("vmcp", VMCPConfig, Reading(exact=False)),
    FileFormat("webhook", WebhookFile),
)

VMCP = (VMCPConfig, CompositeToolConfig, VirtualMCPServerSpec)
"""What the operator decodes and writes for the vMCP process; the specs of definitions are composite tools."""
