"""The list of rule modules, written out: which module looks at which kinds.

A module in ``validators/rules/`` offers ``RULES`` (the identities and pages of its rules), ``CHECKS`` (kind to the
functions that look at one resource of it) and may offer ``PROJECT_CHECKS`` (functions that look at all of them).
Modules are imported when a kind that they look at occurs. Rules of the reader and of admission have their identities
beside the code that finds them; they are listed under ``IDENTITIES``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcpcfg.compiler.finding import Rule

    from .rule import Check, ProjectCheck

PROJECT = "*"
"""Stands for a module with project-wide checks, whatever kinds occur."""

MODULES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("undecodable_value", ("VirtualMCPCompositeToolDefinition", "VirtualMCPServer")),
    (
        "dangling_reference",
        (
            "MCPOIDCConfig",
            "MCPTelemetryConfig",
            "MCPExternalAuthConfig",
            "EmbeddingServer",
            "MCPRegistry",
            "MCPServer",
            "MCPRemoteProxy",
            "MCPServerEntry",
            "VirtualMCPServer",
        ),
    ),
    ("telemetry_config", ("MCPTelemetryConfig",)),
    ("composite_tool", ("VirtualMCPCompositeToolDefinition", "VirtualMCPServer")),
    ("virtual_server_spec", ("VirtualMCPServer",)),
    ("virtual_server_reference", ("VirtualMCPServer",)),
    ("virtual_server_auth", ("VirtualMCPServer",)),
    ("virtual_server_process", ("VirtualMCPServer",)),
    ("embedded_auth_server", ("VirtualMCPServer",)),
    ("virtual_server_unread", ("VirtualMCPServer",)),
    ("virtual_server_tools", ("VirtualMCPServer",)),
    ("virtual_server_operation", ("VirtualMCPServer", "VirtualMCPCompositeToolDefinition")),
)
"""Module below ``validators.rules`` and the kinds that it looks at, in the order in which rules run."""

IDENTITIES: tuple[str, ...] = (
    "mcpcfg.compiler.syntax_rule",
    "mcpcfg.compiler.admission.rule",
    "mcpcfg.validators.rules.vmcp_file",
    "mcpcfg.compiler.admission.rule_identity",
    "mcpcfg.compiler.duplicate",
    "mcpcfg.compiler.verdict",
    "mcpcfg.compiler.emit.compilation",
    "mcpcfg.compiler.records.catalogue.registry",
    "mcpcfg.compiler.records.catalogue.catalog",
    "mcpcfg.compiler.records.catalogue.permission",
    "mcpcfg.compiler.records.catalogue.skill",
    "mcpcfg.compiler.records.catalogue.authz",
    "mcpcfg.compiler.records.catalogue.side_file",
    "mcpcfg.compiler.records.catalogue.runconfig",
    "mcpcfg.compiler.records.catalogue.runconfig_lint",
    "mcpcfg.compiler.records.catalogue.workload",
    "mcpcfg.compiler.records.catalogue.workload_lint",
)
"""Modules that hold the identities (``RULES``) of what the reader, admission and the record checks find."""


def checks(kinds: Iterable[str]) -> dict[str, tuple[Check, ...]]:
    """Give the checks of each of ``kinds``, in the order of ``MODULES``."""
    wanted = set(kinds)
    found: dict[str, list[Check]] = {}
    for name, looks_at in MODULES:
        for kind in looks_at:
            if kind in wanted:
                found.setdefault(kind, []).extend(_module(name).CHECKS[kind])
    return {kind: tuple(functions) for kind, functions in found.items()}


def project_checks() -> tuple[ProjectCheck, ...]:
    """Give the checks that look at all resources together."""
    return tuple(check for name, kinds in MODULES if PROJECT in kinds for check in _module(name).PROJECT_CHECKS)


def all_rules() -> dict[str, Rule]:
    """Give every rule by id, sorted by id. Imports every rule module: for ``rules``, ``explain`` and tests."""
    found: dict[str, Rule] = {}
    modules = [_module(name) for name, _ in MODULES] + [import_module(name) for name in IDENTITIES]
    for module in modules:
        for rule in module.RULES:
            found[rule.id] = rule
    return dict(sorted(found.items()))


def _module(name: str) -> Any:
    return import_module(f"mcpcfg.validators.rules.{name}")
