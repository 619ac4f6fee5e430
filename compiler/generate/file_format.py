"""The file formats that have a generated schema and a reference page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..models.audit import AuditLogConfig
from ..models.authserver import EmbeddedAuthServerRunConfig
from ..models.authz import AuthzFile
from ..models.composite import CompositeToolConfig
from ..models.runconfig import RunConfig, ToolOverrideFile
from ..models.settings import SettingsFile
from ..models.skill import SkillFrontMatter
from ..models.virtualmcpserver import VirtualMCPServerSpec
from ..models.vmcp import VMCPConfig
from ..models.webhook import WebhookFile
from . import vmcp_demand
from .json_schema import Reading

if TYPE_CHECKING:
    from collections.abc import Mapping

_BY_GO = Reading(exact=False, closed=False)


@dataclass(frozen=True, slots=True)
class FileFormat:
    """A file format, with the model from which its schema is generated.

    Attributes:
        model: TypedDict of the file.
        reading: Strictness of the programs that read the file.
        demands: JSON Schema keywords that replace those of a model, by model name; ``None`` if nothing is replaced.
    """

    name: str
    model: type
    reading: Reading = _BY_GO
    demands: Mapping[str, Mapping[str, Any]] | None = None


FORMATS = (
    FileFormat("audit", AuditLogConfig),
    FileFormat("authserver", EmbeddedAuthServerRunConfig),
    FileFormat("authz", AuthzFile),
    FileFormat("mcpcfg", SettingsFile, Reading()),
    FileFormat("runconfig", RunConfig),
    FileFormat("skill", SkillFrontMatter, Reading(closed=False)),
    FileFormat("tool-override", ToolOverrideFile),
    FileFormat("vmcp", VMCPConfig, Reading(yaml=True), vmcp_demand.DEMANDS),
    FileFormat("webhook", WebhookFile),
)

VMCP = (VMCPConfig, CompositeToolConfig, VirtualMCPServerSpec)
"""Models that the operator decodes and writes as YAML for the vMCP process.

The spec of a VirtualMCPCompositeToolDefinition is a ``CompositeToolConfig``.
"""
