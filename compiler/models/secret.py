"""Secrets of the management API."""

from __future__ import annotations

from typing import Annotated, Literal, Required, TypedDict

from .declare import Always, MinLength, go_type


@go_type("v1.setupSecretsRequest")
class SecretProviderSetup(TypedDict, total=False):
    """Which provider keeps the secrets."""

    provider_type: Required[Annotated[Literal["encrypted", "1password", "environment"], "The provider.", Always()]]
    password: Annotated[str, "Password of the encrypted provider; drawn at random where it is missing."]


@go_type("v1.setupSecretsResponse")
class ProviderSetupResult(TypedDict, total=False):
    """Answer of the setup."""

    provider_type: Required[Annotated[str, "The provider.", Always()]]
    message: Required[Annotated[str, "What was done.", Always()]]


@go_type("v1.createSecretRequest")
class SecretCreation(TypedDict, total=False):
    """A new secret."""

    key: Required[Annotated[str, "Name of the secret.", MinLength(1), Always()]]
    value: Required[Annotated[str, "Its value.", MinLength(1), Always()]]


@go_type("v1.updateSecretRequest")
class SecretUpdate(TypedDict, total=False):
    """A new value of a secret."""

    value: Required[Annotated[str, "Its value.", MinLength(1), Always()]]


@go_type("v1.createSecretResponse")
class SecretResult(TypedDict, total=False):
    """Answer of creating and updating a secret."""

    key: Required[Annotated[str, "Name of the secret.", Always()]]
    message: Required[Annotated[str, "What was done.", Always()]]
