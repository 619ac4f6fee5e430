"""Where workloads refer to an embedded authorization server, and what configures one."""

from __future__ import annotations

from typing import Final

EMBEDDED: Final = "embeddedAuthServer"
"""The type of an MCPExternalAuthConfig that configures an authorization server, and the field that holds it."""
AUTH_SERVER: Final = ("spec", "authServerRef", "name")
EXTERNAL_AUTH: Final = ("spec", "externalAuthConfigRef", "name")
