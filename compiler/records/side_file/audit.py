"""Audit configurations: files of their own, and those inside of run configurations.

Source: toolhive 0.21.0 and 0.44.0, package audit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Fault
from ...diagnostics.shown import shown
from ...diagnostics.suggestion import as_question, nearest
from ...diagnostics.version import RELEASE
from ...toolhive.audit_event import EVENT_TYPES
from ..permission.check import misfit_faults
from ..shape import decode
from ..unknown_key import unknown_faults
from . import rules as rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def check_audit(document: Any, release: str = RELEASE) -> list[Fault]:
    """Check an audit configuration file as a release reads it."""
    config, misfits, unknown = decode(document, "AuditLogConfig", release)
    faults = [
        *misfit_faults(misfits, rule.UNDECODABLE),
        *unknown_faults(unknown, "AuditLogConfig", rule.UNKNOWN_FIELD),
    ]
    if misfits:
        return faults
    if isinstance(document, dict) and document.get("enabled") is False:
        message = "auditing is enabled although this is false, because the configuration exists"
        faults.append(
            Fault(
                ("enabled",),
                rule.AUDIT_SWITCH,
                message,
                "remove the whole configuration if nothing is to be audited",
            )
        )
    return [*faults, *audit_faults(config)]


def audit_faults(config: Mapping[str, Any]) -> Iterator[Fault]:
    """Check a decoded audit configuration."""
    for key in ("eventTypes", "excludeEventTypes"):
        for number, event in enumerate(config[key] or ()):
            if event not in EVENT_TYPES:
                meant = nearest(event, EVENT_TYPES) or nearest(f"mcp_{event}", EVENT_TYPES)
                hint = as_question(meant)
                yield Fault((key, number), rule.AUDIT_EVENT, f"{shown(event)} is not a known event type", hint)
    for number, event in enumerate(config["excludeEventTypes"] or ()):
        if event in (config["eventTypes"] or ()):
            message = f"{shown(event)} is also included, but is left out"
            yield Fault(("excludeEventTypes", number), rule.AUDIT_CONFLICT, message, "remove it from one of the two")
    if config["maxDataSize"] < 0:
        hint = "remove it, for the default of 1024 bytes"
        yield Fault(("maxDataSize",), rule.AUDIT_SIZE, f"{config['maxDataSize']} is below 0", hint)
    depth = config.get("maxDelegationDepth")
    if depth is not None and depth < 1:
        yield Fault(("maxDelegationDepth",), rule.AUDIT_SIZE, f"{depth} is below 1")
