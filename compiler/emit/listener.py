"""The listener for HTTPS of the embedded authorization server: its certificate, its key, and its port.

Source: ``generateTLSListenerVolumes`` in the operator, and the release notes of v0.64.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..toolhive.constants import AUTH_SERVER_PATH
from ..toolhive.release import LISTENER_PORT_SINCE
from .volume import SECRET_FILE_MODE, Mounted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..diagnostics.span import Path
    from ..models.embeddedauth import EmbeddedAuthServerConfig
    from ..models.reference import SecretKeyRef
    from ..workspace.resource import Resource
    from .build import Object

LISTENER_PORT: Final = 8443
LISTENER_PATH: Final = f"{AUTH_SERVER_PATH}/tls"
_CERTIFICATE: Final = "tls.crt"
_KEY: Final = "tls.key"
_NAME: Final = "https-auth"


def files(server: EmbeddedAuthServerConfig, resource: Resource) -> Object | None:
    """Return ``tls_listener``, the files of the listener, or ``None`` without a listener."""
    if server.get("tlsListener") is None:
        return None
    folder = resource.profile.spell(LISTENER_PATH)
    return {"cert_file": f"{folder}/{_CERTIFICATE}", "key_file": f"{folder}/{_KEY}"}


def secrets(server: EmbeddedAuthServerConfig) -> Iterator[tuple[Path, SecretKeyRef]]:
    """Yield the references to the Secrets of the listener, each with its path in ``server``."""
    listener = server.get("tlsListener")
    if listener is not None:
        yield ("tlsListener", "certificateSecretRef"), listener["certificateSecretRef"]
        yield ("tlsListener", "privateKeySecretRef"), listener["privateKeySecretRef"]


def volume(server: EmbeddedAuthServerConfig, resource: Resource) -> list[Mounted]:
    """Return the mount of certificate and key, in a list. One Secret with both is a single source."""
    listener = server.get("tlsListener")
    if listener is None:
        return []
    certificate, key = listener["certificateSecretRef"], listener["privateKeySecretRef"]
    sources = [_source(certificate, _CERTIFICATE)]
    if certificate["name"] == key["name"]:
        sources[0]["secret"]["items"].append({"key": key["key"], "path": _KEY})
    else:
        sources.append(_source(key, _KEY))
    name = "authserver-tls-listener"
    mount = {"name": name, "mountPath": resource.profile.spell(LISTENER_PATH), "readOnly": True}
    return [Mounted({"name": name, "projected": {"sources": sources, "defaultMode": SECRET_FILE_MODE}}, mount)]


def _source(ref: SecretKeyRef, file: str) -> Object:
    return {"secret": {"name": ref["name"], "items": [{"key": ref["key"], "path": file}]}}


def container_ports(server: EmbeddedAuthServerConfig | None, resource: Resource) -> list[Object]:
    """Return the port of the container for the listener, in a list; empty before v0.64.0 or without a listener."""
    has_listener = server is not None and server.get("tlsListener") is not None
    if not (has_listener and resource.is_judged(since=LISTENER_PORT_SINCE)):
        return []
    return [{"name": _NAME, "containerPort": LISTENER_PORT, "protocol": "TCP"}]


def service_ports(server: EmbeddedAuthServerConfig | None) -> list[Object]:
    """Return the port of the Service for the listener, which it has from v0.64.0 on; empty without a listener."""
    if server is None or server.get("tlsListener") is None:
        return []
    ports = {"port": LISTENER_PORT, "targetPort": LISTENER_PORT}
    return [{"name": _NAME, **ports, "protocol": "TCP", "appProtocol": "https"}]
