"""Tell which variables and headers of records a rule warns about as secrets in plain text."""

from __future__ import annotations

from ...diagnostics.secret.text import has_credential_form, looks_secret
from .reference import parse_secret

CREDENTIAL_HEADERS = ("authorization", "cookie", "proxy-authorization")


def is_likely_secret(name: str, value: str) -> bool:
    """Return whether the value of a variable or header looks like a secret. References to secrets do not."""
    lowered = name.lower()
    named = lowered in CREDENTIAL_HEADERS and looks_secret("token", value)
    return parse_secret(value) is None and (named or looks_secret(lowered, value) or has_credential_form(value))
