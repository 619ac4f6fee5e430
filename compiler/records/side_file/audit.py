"""Check audit configurations in files and run configurations.

Source: toolhive 0.21.0 and 0.44.0, package audit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Fault
from ...diagnostics.finding import rule
from ...diagnostics.shown import shown
from ...diagnostics.suggestion import as_question, nearest
from ...toolhive.audit_event import EVENT_TYPES
from ...toolhive.release import NEWEST_MODELLED
from ..shape import decode
from ..unknown_key import decoding_faults

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

UNDECODABLE = rule(
    "FIL001 file-undecodable", "process", "A value of a configuration file does not fit its key", unmodelled="newer"
)
UNKNOWN_FIELD = rule("FIL002 file-unknown-field", "lint", "A key of a configuration file is not known")
AUDIT_EVENT = rule("FIL020 audit-event-unknown", "process", "An audit configuration names an event that does not exist")
AUDIT_SIZE = rule(
    "FIL021 audit-size-negative",
    "process",
    "The maximum data size of an audit event is negative, or its maximum depth not positive",
)
AUDIT_SWITCH = rule("FIL022 audit-switched-on", "lint", "An audit configuration is disabled, but takes effect anyway")
AUDIT_CONFLICT = rule("FIL023 audit-event-excluded", "lint", "An audit event is both included and excluded")


def check_audit(document: Any, release: str = NEWEST_MODELLED) -> list[Fault]:
    """Return the faults of an audit configuration file that ``release`` reads."""
    config, misfits, unknown = decode(document, "AuditLogConfig", release)
    faults = decoding_faults("AuditLogConfig", misfits, unknown, UNDECODABLE, UNKNOWN_FIELD)
    if misfits:
        return faults
    if isinstance(document, dict) and document.get("enabled") is False:
        message = "auditing is enabled although this is false, because the configuration exists"
        faults.append(
            Fault(("enabled",), AUDIT_SWITCH, message, "remove the whole configuration if nothing is to be audited")
        )
    return [*faults, *audit_faults(config)]


def audit_faults(config: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the faults of a decoded audit configuration."""
    for key in ("eventTypes", "excludeEventTypes"):
        for number, event in enumerate(config[key] or ()):
            if event not in EVENT_TYPES:
                match = nearest(event, EVENT_TYPES) or nearest(f"mcp_{event}", EVENT_TYPES)
                hint = as_question(match)
                yield Fault((key, number), AUDIT_EVENT, f"{shown(event)} is not a known event type", hint)
    for number, event in enumerate(config["excludeEventTypes"] or ()):
        if event in (config["eventTypes"] or ()):
            message = f"{shown(event)} is also included, but is left out"
            yield Fault(("excludeEventTypes", number), AUDIT_CONFLICT, message, "remove it from one of the two")
    if config["maxDataSize"] < 0:
        hint = "remove it, for the default of 1024 bytes"
        yield Fault(("maxDataSize",), AUDIT_SIZE, f"{config['maxDataSize']} is below 0", hint)
    depth = config.get("maxDelegationDepth")
    if depth is not None and depth < 1:
        yield Fault(("maxDelegationDepth",), AUDIT_SIZE, f"{depth} is below 1")
