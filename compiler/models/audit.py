"""Audit logs: the switch in resources, and the configuration that processes read."""

from __future__ import annotations

from typing import Annotated, TypedDict

from .dated import Since
from .declare import Default, Go, Minimum, Switch


class AuditConfig(TypedDict, total=False):
    """Audit logging of a resource."""

    enabled: Annotated[Switch, "Whether requests are logged."]


class AuditLogConfig(TypedDict, total=False):
    """Audit logging of a process. If the block exists, audit logging is on, regardless of ``enabled``."""

    enabled: Annotated[Switch, "Ignored: the block itself turns audit on."]
    component: Annotated[str, "Name of the component in audit events."]
    eventTypes: Annotated[list[str], "Types of the events to log; all when empty."]
    excludeEventTypes: Annotated[list[str], "Types of the events not to log. They take precedence over eventTypes."]
    includeRequestData: Annotated[Switch, "Whether the data of requests is logged."]
    includeResponseData: Annotated[Switch, "Whether the data of responses is logged."]
    detectApplicationErrors: Annotated[
        bool,
        "Whether JSON-RPC errors inside successful HTTP responses count as errors.",
        Default(value=True),
        Go(pointer=True),
        Since("0.22.0"),
    ]
    maxDataSize: Annotated[int, "Maximum bytes of data logged for one event.", Default(1024)]
    maxDelegationDepth: Annotated[
        int,
        "Maximum number of nested actors of a delegated token that are logged (RFC 8693).",
        Minimum(1),
        Default(10),
        Go(pointer=True),
        Since("0.41.0"),
    ]
    logFile: Annotated[str, "File to log to; standard output when empty."]
