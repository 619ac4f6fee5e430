"""Specs that several kinds have in common, for the annotations of rules and compile steps."""

from __future__ import annotations

from typing import TypeAlias

from .embeddingserver import EmbeddingServerSpec
from .mcpregistry import MCPRegistrySpec
from .mcpremoteproxy import MCPRemoteProxySpec
from .mcpserver import MCPServerSpec
from .mcpserverentry import MCPServerEntrySpec
from .virtualmcpserver import VirtualMCPServerSpec

ProxySpec: TypeAlias = MCPServerSpec | MCPRemoteProxySpec
"""Of a workload behind a proxy."""

WorkloadSpec: TypeAlias = ProxySpec | VirtualMCPServerSpec
"""Of a workload that clients connect to."""

MemberSpec: TypeAlias = ProxySpec | MCPServerEntrySpec
"""Of what a group may hold."""

TemplatedSpec: TypeAlias = WorkloadSpec | MCPRegistrySpec | EmbeddingServerSpec
"""Of what has a pod template."""
