"""Secrets of the management API."""

from __future__ import annotations

from typing import Annotated, Literal, Required, TypedDict

from .declare import Always, MinLength, go_type


@go_type("v1.setupSecretsRequest")
class SecretProviderSetup(TypedDict, total=False):
    """Setup of the secrets provider."""

    provider_type: Required[Annotated[Literal["encrypted", "1password", "environment"], "The provider.", Always()]]
    password: Annotated[str, "Password of the encrypted provider; random when missing."]


@go_type("v1.setupSecretsResponse")
class ProviderSetupResult(TypedDict, total=False):
    """Response to the setup of the secrets provider."""

    provider_type: Required[Annotated[str, "The provider.", Always()]]
    message: Required[Annotated[str, "Message about the result.", Always()]]


@go_type("v1.createSecretRequest")
class SecretCreation(TypedDict, total=False):
    """A new secret."""

    key: Required[Annotated[str, "Name of the secret.", MinLength(1), Always()]]
    value: Required[Annotated[str, "Value of the secret.", MinLength(1), Always()]]


@go_type("v1.updateSecretRequest")
class SecretUpdate(TypedDict, total=False):
    """A new value of a secret."""

    value: Required[Annotated[str, "Value of the secret.", MinLength(1), Always()]]


@go_type("v1.createSecretResponse")
class SecretResult(TypedDict, total=False):
    """Response to creating or updating a secret."""

    key: Required[Annotated[str, "Name of the secret.", Always()]]
    message: Required[Annotated[str, "Message about the result.", Always()]]
