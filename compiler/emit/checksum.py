"""Checksums that make pods restart when their configuration changes."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def content_checksum(data: Mapping[str, str], labels: Mapping[str, str]) -> str:
    """Return the SHA-256 of a ConfigMap's content, as lower-case hexadecimal.

    The hashed text has no separators. It holds each data key with its value, sorted by key, and then each label
    likewise.
    """
    digest = sha256()
    for mapping in (data, labels):
        for key in sorted(mapping, key=str.encode):
            digest.update(key.encode() + mapping[key].encode())
    return digest.hexdigest()
