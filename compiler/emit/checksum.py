"""Checksums by which pods are restarted when their configuration changes."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def content_checksum(data: Mapping[str, str], labels: Mapping[str, str]) -> str:
    """Return the SHA-256 of a ConfigMap's content, as lower-case hexadecimal.

    The text that is hashed has no separators: each data key, sorted, and its value; then each label likewise.
    """
    digest = sha256()
    for mapping in (data, labels):
        for key in sorted(mapping, key=str.encode):
            digest.update(key.encode() + mapping[key].encode())
    return digest.hexdigest()
