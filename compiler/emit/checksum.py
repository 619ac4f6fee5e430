"""Checksums that make pods restart when their configuration changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from hashlib import sha256
else:  # hashlib loads OpenSSL first, which takes milliseconds
    try:
        from _sha2 import sha256
    except ImportError:
        try:
            from _sha256 import sha256  # Python 3.11
        except ImportError:
            from hashlib import sha256


def hex_digest(text: str) -> str:
    """Return the SHA-256 of a text, as lower-case hexadecimal."""
    return sha256(text.encode()).hexdigest()


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
