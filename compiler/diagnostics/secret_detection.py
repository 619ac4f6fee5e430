"""Detect secrets to warn about. `secret_text` decides which texts are masked in output."""

from __future__ import annotations

import re

from .placeholder import is_placeholder
from .secret_text import CREDENTIAL_FORM, CREDENTIALS_IN_URL, SENSITIVE_NAME, SHORTEST, SIGNS

HARMLESS_VALUE = r"(?i:|true|false|yes|no|none|null|unset|changeme|dummy|example|test|redacted|[0-9]{1,6}|[x*.<>_-]+|<.*>|/.*|[a-z]+://[^:@/]*(?:/.*)?)"
"""Pattern of values under a sensitive name that are not secrets: switches, numbers, fillers, paths, URLs."""


def looks_secret(name: str, value: str) -> bool:
    """Return whether ``value`` looks like a secret in plain text, by its own form or by its ``name``.

    Short values, placeholders and harmless values such as ``true`` do not look like secrets.
    """
    if len(value) < SHORTEST:
        return False
    if re.search(SENSITIVE_NAME, name) is not None:
        return re.fullmatch(HARMLESS_VALUE, value) is None and not is_placeholder(value)
    return has_credential_form(value)


def may_hold_secret(text: str) -> bool:
    """Return whether `looks_secret` may be true for a value in ``text``. The check is fast."""
    small = text.lower()
    return any(sign in small for sign in SIGNS)


def has_credential_form(value: str) -> bool:
    """Return whether the form of the value alone shows that it is a secret."""
    if len(value) < SHORTEST:
        return False
    has_form = re.search(CREDENTIAL_FORM, value) is not None or (
        "@" in value and re.search(CREDENTIALS_IN_URL, value) is not None
    )
    return has_form and not is_placeholder(value)
