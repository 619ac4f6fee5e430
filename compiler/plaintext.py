"""Tells texts that look like secrets from texts that do not. Values are never printed."""

from __future__ import annotations

import re

from .reading.placeholder import is_placeholder

TELLING_NAME = re.compile(
    r"(?:^|[_.\-])(?:pass(?:word|wd|phrase)?|secret|token|api[_\-]?key|access[_\-]?key|private[_\-]?key|credentials?)$",
    re.IGNORECASE,
)
"""Ends of names under which secrets are kept; ``TOKEN_URL`` or ``SECRET_NAME`` end otherwise."""

TELLING_VALUE = re.compile(
    r"gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,}|glpat-[A-Za-z0-9_\-]{20,}|xox[abprs]-[A-Za-z0-9-]{10,}"
    r"|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[A-Za-z0-9_\-]{35}|sk-[A-Za-z0-9_\-]{20,}|hf_[A-Za-z0-9]{30,}"
    r"|eyJ[A-Za-z0-9_\-]{8,}\.eyJ[A-Za-z0-9_\-]{8,}\.|-----BEGIN [A-Z ]*PRIVATE KEY-----"
)
"""Forms of tokens and keys that give themselves away."""

HARMLESS_VALUE = r"(?i:|true|false|yes|no|none|null|unset|changeme|dummy|example|test|redacted|[0-9]{1,6}|[x*.<>_-]+|<.*>|/.*|[a-z]+://[^:@/]*(?:/.*)?)"
"""What stands under a telling name and is no secret: switches, numbers, fillers, paths, addresses.

This one and the next are compiled when the first such text comes.
"""

CREDENTIALS_IN_URL = r"(?i:[a-z][a-z0-9+.\-]*://[^\s:@/]*:[^\s@/$]+@)"
SHORTEST = 6

SIGNS = (
    *("pass", "secret", "token", "key", "credential", "@", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
    *("glpat-", "xox", "akia", "asia", "aiza", "sk-", "hf_", "eyj", "-----begin"),
)
"""What a telling name, or a value that gives itself away, has in it, in lower case."""


def looks_secret(name: str, value: str) -> bool:
    """Tell whether a value that stands under ``name`` looks like a secret in plain text."""
    if len(value) < SHORTEST:
        return False
    if TELLING_NAME.search(name) is not None:
        return re.fullmatch(HARMLESS_VALUE, value) is None and not is_placeholder(value)
    return gives_itself_away(value)


def may_hold_secret(text: str) -> bool:
    """Tell, quickly, whether a name and value of which `looks_secret` is true may stand in ``text``."""
    small = text.lower()
    return any(sign in small for sign in SIGNS)


def gives_itself_away(value: str) -> bool:
    """Tell whether a value is a secret by its own form, whatever its name."""
    if len(value) < SHORTEST:
        return False
    found = TELLING_VALUE.search(value) is not None or (
        "@" in value and re.search(CREDENTIALS_IN_URL, value) is not None
    )
    return found and not is_placeholder(value)
