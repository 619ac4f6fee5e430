"""Check the publisher extensions of a catalog record for questionable values."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Fault
from ...diagnostics.finding import rule
from ...diagnostics.shown import shown
from .loss import NAMESPACE, PUBLISHER_KEY

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...diagnostics.span import Path

EXTENSION_SIZE = rule(
    "CAT019 catalog-extension-too-large",
    "lint",
    "The publisher's extensions are larger than the public catalog accepts",
    severity="info",
)
EXTENSION_KEY = rule(
    "CAT020 catalog-extension-key-mismatch", "lint", "A publisher extension is not under the image or URL of its record"
)
EXTENSION_FIELD = rule(
    "CAT021 catalog-extension-field-ignored",
    "lint",
    "A publisher extension has fields that do not apply to its kind of server",
    severity="info",
)
MOST_EXTENSION_BYTES = 4096
"""The maximum size of the publisher extensions of a record in the public MCP registry."""
_IMAGE_FIELDS = ("permissions", "args", "provenance", "docker_tags")
_REMOTE_FIELDS = ("oauth_config", "env_vars")


def lint_extensions(record: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield faults for extensions that are too large for the public catalog, and for keys and fields without effect."""
    provided = (record["_meta"] or {}).get(PUBLISHER_KEY)
    if not provided:
        return
    base: Path = ("_meta", PUBLISHER_KEY)
    size = len(json.dumps(provided, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"))
    if size > MOST_EXTENSION_BYTES:
        message = f"{size} bytes are more than the {MOST_EXTENSION_BYTES} that the public catalog accepts"
        yield Fault(base, EXTENSION_SIZE, message, "leave out what clients can get from the server")
    entries = provided.get(NAMESPACE)
    if not isinstance(entries, dict) or not entries:
        return
    remote = bool(record["remotes"])
    expected = extension_keys(record)
    if expected and (len(entries) > 1 or not set(entries) & expected):
        for key in entries:
            if key not in expected or len(entries) > 1:
                message = f"{shown(key)} is not the one {'URL' if remote else 'image'} of the record"
                if key in expected:
                    message = f"there are {len(entries)} extensions, and it is random which one is used"
                hint = "keep one extension, and name it after the identifier or URL"
                yield Fault((*base, NAMESPACE, key), EXTENSION_KEY, message, hint, on_key=True)
    for key, extras in entries.items():
        if isinstance(extras, dict):
            for name in _IMAGE_FIELDS if remote else _REMOTE_FIELDS:
                if name in extras:
                    message = f'"{name}" has no effect for a {"remote server" if remote else "container"}'
                    hint = "remove it"
                    yield Fault((*base, NAMESPACE, key, name), EXTENSION_FIELD, message, hint, on_key=True)


def extension_keys(record: Mapping[str, Any]) -> set[str]:
    """Return the keys under which ToolHive looks for the extension of a record.

    They are the URL of its first remote, or else the images of its packages.
    """
    if record["remotes"]:
        return {record["remotes"][0]["url"]}
    return {package["identifier"] for package in record["packages"] or () if package["registryType"] == "oci"}
