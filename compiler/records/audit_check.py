"""Audit configurations: files of their own, and those inside of run configurations.

Source: toolhive 0.21.0, package audit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .catalogue import side_file as rule
from .fault import Fault, nearest, shown
from .permission_check import misfit_faults, unknown_faults
from .shape import decode

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

EVENTS = (
    "mcp_initialize",
    "mcp_tool_call",
    "mcp_tools_list",
    "mcp_resource_read",
    "mcp_resources_list",
    "mcp_prompt_get",
    "mcp_prompts_list",
    "mcp_notification",
    "mcp_ping",
    "mcp_logging",
    "mcp_completion",
    "mcp_roots_list_changed",
    "mcp_request",
    "http_request",
    "vmcp_workflow_started",
    "vmcp_workflow_completed",
    "vmcp_workflow_failed",
    "vmcp_workflow_timed_out",
    "vmcp_workflow_step_started",
    "vmcp_workflow_step_completed",
    "vmcp_workflow_step_failed",
    "vmcp_workflow_step_skipped",
)
"""What can be chosen; ``sse_connection`` happens too, and cannot."""


def check_audit(document: Any) -> list[Fault]:
    """Check an audit configuration file."""
    config, misfits, unknown = decode(document, "AuditLogConfig")
    faults = [*misfit_faults(misfits, rule.UNDECODABLE.id), *unknown_faults(unknown, rule.UNKNOWN_FIELD.id)]
    if misfits:
        return faults
    if isinstance(document, dict) and document.get("enabled") is False:
        message = "audit is on although this is false, for the configuration is there"
        faults.append(Fault(("enabled",), rule.AUDIT_SWITCH.id, message))
    return [*faults, *audit_faults(config)]


def audit_faults(config: Mapping[str, Any]) -> Iterator[Fault]:
    """Look at a decoded audit configuration."""
    for key in ("eventTypes", "excludeEventTypes"):
        for number, event in enumerate(config[key] or ()):
            if event not in EVENTS:
                meant = nearest(event, list(EVENTS)) or nearest(f"mcp_{event}", list(EVENTS))
                hint = f'did you mean "{meant}"?' if meant else None
                yield Fault((key, number), rule.AUDIT_EVENT.id, f"{shown(event)} is no event that can be chosen", hint)
    for number, event in enumerate(config["excludeEventTypes"] or ()):
        if event in (config["eventTypes"] or ()):
            message = f"{shown(event)} is asked for as well, and is left out"
            yield Fault(("excludeEventTypes", number), rule.AUDIT_CONFLICT.id, message)
    if config["maxDataSize"] < 0:
        yield Fault(("maxDataSize",), rule.AUDIT_SIZE.id, f"{config['maxDataSize']} is below 0")
