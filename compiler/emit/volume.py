"""Volumes of a pod together with the mounts of its container."""

from __future__ import annotations

from ..diagnostics.named_tuple import NamedTuple
from .build import Object, omit_empty

SECRET_FILE_MODE = 0o400
"""The file mode with which the operator mounts keys, so only the owner can read them."""


class Mounted(NamedTuple):
    """A volume of a pod and its mount in the container."""

    volume: Object
    mount: Object


def config_map(name: str, source: str, path: str, items: dict[str, str] | None = None) -> Mounted:
    """Return a read-only mount of the ConfigMap ``source`` at ``path``.

    ``items`` maps its keys to file names; ``None`` mounts all keys.
    """
    volume: Object = {"name": name, "configMap": {"name": source}}
    if items:
        volume["configMap"]["items"] = [{"key": key, "path": file} for key, file in items.items()]
    return Mounted(volume, {"name": name, "mountPath": path, "readOnly": True})


def secret_file(name: str, source: str, key: str, folder: str, file: str) -> Mounted:
    """Return a mount of the key ``key`` of the Secret ``source`` as ``folder/file``, which only its owner can read."""
    items = [{"key": key, "path": file}]
    secret = omit_empty({"secretName": source}) | {"items": items, "defaultMode": SECRET_FILE_MODE}
    volume = {"name": name, "secret": secret}
    return Mounted(volume, {"name": name, "mountPath": f"{folder}/{file}", "subPath": file, "readOnly": True})


def config_map_file(name: str, source: str, key: str, folder: str, file: str) -> Mounted:
    """Return a read-only mount of the key ``key`` of the ConfigMap ``source`` as ``folder/file``."""
    volume = {"name": name, "configMap": {"name": source, "items": [{"key": key, "path": file}]}}
    return Mounted(volume, {"name": name, "mountPath": f"{folder}/{file}", "subPath": file, "readOnly": True})


def host_path(name: str, path: str, mount_path: str, *, read_only: bool) -> Mounted:
    """Return a mount of ``path`` on the node at ``mount_path`` in the container."""
    mount: Object = {"name": name, "mountPath": mount_path}
    if read_only:
        mount["readOnly"] = True
    return Mounted({"name": name, "hostPath": {"path": path}}, mount)
