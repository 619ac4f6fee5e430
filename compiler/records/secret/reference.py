"""Parse references to secrets, ``NAME,target=ENV``, and check their names.

Source: toolhive 0.21.0, secrets: secret parameters, scopes, providers.
"""

from __future__ import annotations

import re

from ...diagnostics.named_tuple import NamedTuple
from ...toolhive.constants import SECRET_PREFIX

RESERVED_PREFIX = "__thv_"
"""The prefix of ToolHive's internal secrets, which users cannot read."""
OWNED_PREFIXES = tuple(
    """
    BEARER_TOKEN_ OAUTH_CLIENT_SECRET_ OAUTH_REFRESH_TOKEN_ registry-user- registry-default- BUILD_AUTH_FILE_
    REGISTRY_OAUTH_
    """.split()
)
"""Prefixes of names that ToolHive generates itself."""

_REFERENCE = re.compile(r"([^,]+),target=([^\n]+)\Z")
_VAULT_SCHEME = "op://"
_VARIABLE_PART = re.compile(r"[A-Za-z0-9_]+\Z")
_ENVIRONMENT_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


class SecretReference(NamedTuple):
    """A reference to a secret.

    Attributes:
        target: The environment variable that gets the value.
    """

    name: str
    target: str

    def __str__(self) -> str:
        return f"{self.name},target={self.target}"


def parse_secret(text: str) -> SecretReference | None:
    """Return the reference in a text such as ``NAME,target=ENV``, or ``None`` if the text is not a reference."""
    match = _REFERENCE.match(text)
    return SecretReference(match[1], match[2]) if match else None


def is_environment_name(text: str) -> bool:
    """Return whether a text is a valid name of a shell variable."""
    return _ENVIRONMENT_NAME.match(text) is not None


def provider_fault(name: str, provider: str) -> str | None:
    """Return why a provider cannot store a secret with this name, as a clause after the name, or ``None``.

    Args:
        provider: ``encrypted``, ``1password``, ``environment``, or empty if it is unknown.
    """
    if name.startswith(_VAULT_SCHEME) and provider in {"", "1password"}:
        parts = name.removeprefix(_VAULT_SCHEME).split("/")
        # A fourth part names a section: op://VAULT/ITEM/SECTION/FIELD.
        is_whole = len(parts) in {3, 4} and all(parts)
        return None if is_whole else f"is not of the form {_VAULT_SCHEME}VAULT/ITEM/FIELD"
    if provider == "1password" and _VAULT_SCHEME not in name:
        return f"is not a 1Password name, which has the form {_VAULT_SCHEME}VAULT/ITEM/FIELD"
    if provider == "environment" and _VARIABLE_PART.match(name) is None:
        return f"cannot be kept in the environment: {SECRET_PREFIX}{name} is not a valid variable name"
    return None


def supplies(reference: str, variable: str) -> bool:
    """Return whether the service assumes that a secret reference sets ``variable``.

    For this question, the service splits the reference at every comma and equals sign, unlike its parser.
    """
    parts = reference.split(",")
    if len(parts) != 2:
        return False
    target = parts[1].split("=")
    return len(target) == 2 and target[1] == variable
