"""Outgoing authentication of proxies: the RunConfig fields made from an ``externalAuthConfigRef``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..toolhive.constants import SECRET_PREFIX, TOKEN_EXCHANGE_VARIABLE, TOKEN_TYPE_URN, TOKEN_TYPES
from .build import Object, secret_env

if TYPE_CHECKING:
    from ..models.mcpexternalauthconfig import (
        AWSStsConfig,
        BearerTokenConfig,
        MCPExternalAuthConfigSpec,
        TokenExchangeConfig,
    )
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace


def config(workspace: Workspace, resource: Resource) -> Resource[MCPExternalAuthConfigSpec] | None:
    """Return the MCPExternalAuthConfig that the resource refers to, or ``None``."""
    return workspace.target(resource, "spec", "externalAuthConfigRef", "name")


def _spec(workspace: Workspace, resource: Resource, kind: str) -> MCPExternalAuthConfigSpec:
    resolved = config(workspace, resource)
    return {} if resolved is None or resolved.spec.get("type") != kind else resolved.spec


def token_exchange_of(workspace: Workspace, resource: Resource) -> TokenExchangeConfig | None:
    """Return the ``tokenExchange`` block that the resource refers to, or ``None`` for another type or no reference."""
    return _spec(workspace, resource, "tokenExchange").get("tokenExchange")


def bearer_token_of(workspace: Workspace, resource: Resource) -> BearerTokenConfig | None:
    """Return the ``bearerToken`` block that the resource refers to, or ``None`` for another type or no reference."""
    return _spec(workspace, resource, "bearerToken").get("bearerToken")


def run_config(workspace: Workspace, resource: Resource) -> Object:
    """Return the fields of a RunConfig for the MCPExternalAuthConfig that a proxy refers to: one of three, or none."""
    resolved = config(workspace, resource)
    spec = resolved.spec if resolved is not None else {}
    kind = spec.get("type")
    if kind == "tokenExchange" and (exchange := spec.get("tokenExchange")):
        return {"token_exchange_config": token_exchange(exchange)}
    if kind == "awsSts" and (sts := spec.get("awsSts")):
        return {"aws_sts_config": aws_sts(sts)}
    if kind == "bearerToken" and (bearer := spec.get("bearerToken")):
        return {"remote_auth_config": bearer_token(bearer)}
    return {}


def subject_token_type(text: str) -> str:
    """Return the full URN of a short subject token type of RFC 8693. Other texts stay unchanged."""
    return TOKEN_TYPE_URN + text if text in TOKEN_TYPES else text


def token_exchange(block: TokenExchangeConfig) -> Object:
    """Return ``token_exchange_config`` of a RunConfig. The client secret is passed as an environment variable."""
    header = block.get("externalTokenHeaderName", "")
    return {
        "token_url": block.get("tokenUrl"),
        "client_id": block.get("clientId"),
        "audience": block.get("audience"),
        "scopes": block.get("scopes"),
        "subject_token_type": subject_token_type(block.get("subjectTokenType", "")),
        "header_strategy": "custom" if header else "replace",
        "external_token_header_name": header,
    }


def bearer_token(block: BearerTokenConfig) -> Object:
    """Return ``remote_auth_config`` of a RunConfig for a bearer token. It names the Secret, never the value."""
    return {"bearer_token": f"{block['tokenSecretRef']['name']},target=bearer_token"}


def aws_sts(block: AWSStsConfig) -> Object:
    """Return ``aws_sts_config`` of a RunConfig."""
    mappings = [
        {
            "claim": mapping.get("claim"),
            "matcher": mapping.get("matcher"),
            "role_arn": mapping.get("roleArn"),
            "priority": mapping.get("priority"),
        }
        for mapping in block.get("roleMappings") or ()
    ]
    return {
        "region": block.get("region"),
        "service": block.get("service"),
        "fallback_role_arn": block.get("fallbackRoleArn"),
        "role_mappings": mappings,
        "role_claim": block.get("roleClaim"),
        "session_duration": block.get("sessionDuration"),
        "session_name_claim": block.get("sessionNameClaim"),
    }


def token_exchange_env(workspace: Workspace, resource: Resource) -> list[Object]:
    """Return the environment entry with the client secret of a token exchange, or an empty list without one."""
    ref = (token_exchange_of(workspace, resource) or {}).get("clientSecretRef")
    return [secret_env(resource.profile.spell(TOKEN_EXCHANGE_VARIABLE), ref)] if ref else []


def bearer_token_env(workspace: Workspace, resource: Resource) -> list[Object]:
    """Return the environment entry with a bearer token, or an empty list without one.

    The name of the variable ends with the unchanged name of the Secret, unlike the names of other variables.
    """
    ref = (bearer_token_of(workspace, resource) or {}).get("tokenSecretRef")
    return [secret_env(f"{resource.profile.spell(SECRET_PREFIX)}{ref['name']}", ref)] if ref else []
