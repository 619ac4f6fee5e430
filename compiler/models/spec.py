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
"""The spec of a workload behind a proxy."""

WorkloadSpec: TypeAlias = ProxySpec | VirtualMCPServerSpec
"""The spec of a workload that clients connect to."""

MemberSpec: TypeAlias = ProxySpec | MCPServerEntrySpec
"""The spec of a kind that can be a member of a group."""

TemplatedSpec: TypeAlias = WorkloadSpec | MCPRegistrySpec | EmbeddingServerSpec
"""The spec of a kind with a pod template."""
