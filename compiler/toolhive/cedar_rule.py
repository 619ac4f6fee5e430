"""Rules of Cedar policies that a resource and an authorization file can both break."""

from __future__ import annotations

from typing import Final

from ..diagnostics.finding import rule

NEVER_MATCHES = rule("AZN006 idle-cedar-policy", "lint", "A Cedar policy can never apply to an MCP request")

IGNORED_REST = rule(
    "AZN005 ignored-cedar-policy", "lint", "A text contains several Cedar policies, but only the first is read"
)

ENTITY_TYPE: Final = r"[A-Za-z_][A-Za-z0-9_]*(?:::[A-Za-z_][A-Za-z0-9_]*)*"
"""The name of a Cedar type, with its namespaces."""
