"""Checks and compiles the configuration of MCP servers on Kubernetes, before it reaches a cluster."""

from .compiler import VERSION

__version__ = VERSION
__all__ = ["__version__"]
