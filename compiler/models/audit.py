"""Audit logs: the switch in resources, and the configuration that processes read."""

from __future__ import annotations

from typing import Annotated, TypedDict

from .declare import Default


class AuditConfig(TypedDict, total=False):
    """Audit logging of a resource."""

    enabled: Annotated[bool, "Whether requests are logged, with the default configuration.", Default(value=False)]


class AuditLogConfig(TypedDict, total=False):
    """Audit logging of a process. Where the block exists, audit is on, regardless of ``enabled``."""

    enabled: Annotated[bool, "Not looked at by the process: the block itself turns audit on.", Default(value=False)]
    component: Annotated[str, "Name of the component in audit events."]
    eventTypes: Annotated[list[str], "Types of the events to log; all when empty."]
    excludeEventTypes: Annotated[list[str], "Types of the events not to log; stronger than eventTypes."]
    includeRequestData: Annotated[bool, "Whether requests are logged with their data.", Default(value=False)]
    includeResponseData: Annotated[bool, "Whether responses are logged with their data.", Default(value=False)]
    maxDataSize: Annotated[int, "Most bytes of data to log for one event.", Default(1024)]
    logFile: Annotated[str, "File to log to; standard output when empty."]
