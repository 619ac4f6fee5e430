"""The connection to the Redis that stores sessions.

Source: ``SessionRedisTLSConfig`` and ``SessionRedisTLSVolumes`` in the operator.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..toolhive.constants import CA_KEY, SESSION_CA_PATH
from .volume import secret_file

if TYPE_CHECKING:
    from ..models.spec import ProxySpec
    from ..models.virtualmcpserver import VirtualMCPServerSpec
    from ..workspace.resource import Resource
    from .build import Object
    from .volume import Mounted


def session_tls(resource: Resource[ProxySpec | VirtualMCPServerSpec]) -> Object | None:
    """Return the TLS settings of the Redis that stores sessions; ``None`` stands for plain text."""
    storage = resource.spec.get("sessionStorage") or {}
    tls = storage.get("tls")
    if storage.get("provider") != "redis" or tls is None:
        return None
    file = f"{resource.profile.spell(SESSION_CA_PATH)}/{CA_KEY}"
    return {
        "insecureSkipVerify": bool(tls.get("insecureSkipVerify")),
        "caCertFile": file if tls.get("caCertSecretRef") else "",
    }


def session_ca(resource: Resource[ProxySpec | VirtualMCPServerSpec]) -> Mounted | None:
    """Return the mount of the CA certificate of the Redis that stores sessions, or ``None`` without one."""
    tls = session_tls(resource)
    if not tls or not tls["caCertFile"]:
        return None
    ref = resource.spec["sessionStorage"]["tls"]["caCertSecretRef"]
    return secret_file("session-redis-tls-ca", ref["name"], ref["key"], resource.profile.spell(SESSION_CA_PATH), CA_KEY)
