"""Which texts are warned of as secrets; how they are kept out of what is printed, `secret_text` knows."""

from __future__ import annotations

import re

from .placeholder import is_placeholder
from .secret_text import CREDENTIAL_FORM, CREDENTIALS_IN_URL, SENSITIVE_NAME, SHORTEST, SIGNS

HARMLESS_VALUE = r"(?i:|true|false|yes|no|none|null|unset|changeme|dummy|example|test|redacted|[0-9]{1,6}|[x*.<>_-]+|<.*>|/.*|[a-z]+://[^:@/]*(?:/.*)?)"
"""What stands under a sensitive name and is no secret: switches, numbers, fillers, paths, addresses."""


def looks_secret(name: str, value: str) -> bool:
    """Return whether a value that stands under ``name`` looks like a secret in plain text."""
    if len(value) < SHORTEST:
        return False
    if re.search(SENSITIVE_NAME, name) is not None:
        return re.fullmatch(HARMLESS_VALUE, value) is None and not is_placeholder(value)
    return gives_itself_away(value)


def may_hold_secret(text: str) -> bool:
    """Check quickly whether a name and value of which `looks_secret` is true may stand in ``text``."""
    small = text.lower()
    return any(sign in small for sign in SIGNS)


def gives_itself_away(value: str) -> bool:
    """Return whether a value is a secret by its own form, whatever its name."""
    if len(value) < SHORTEST:
        return False
    found = re.search(CREDENTIAL_FORM, value) is not None or (
        "@" in value and re.search(CREDENTIALS_IN_URL, value) is not None
    )
    return found and not is_placeholder(value)
