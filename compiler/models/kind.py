"""The Kubernetes kinds."""

from __future__ import annotations

from .declare import Kind
from .mcpserver import MCPServerSpec, MCPServerStatus

_AGE = ("Age", "date", ".metadata.creationTimestamp")
_READY = ("Ready", "string", ".status.conditions[?(@.type=='Ready')].status")
_STATUS = ("Status", "string", ".status.phase")
_URL = ("URL", "string", ".status.url")

KINDS: tuple[Kind, ...] = (
    Kind(
        name="MCPServer",
        plural="mcpservers",
        short_names=("mcpserver", "mcpservers"),
        description="A container that speaks MCP, run behind a proxy.",
        spec=MCPServerSpec,
        status=MCPServerStatus,
        columns=(_STATUS, _READY, ("Replicas", "integer", ".status.readyReplicas"), _URL, _AGE),
    ),
)
"""All kinds, by name. Each has a list kind: its name and ``List``, with ``metadata`` and ``items``."""
