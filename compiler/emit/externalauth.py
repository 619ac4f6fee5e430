"""Outgoing authentication of proxies: what an ``externalAuthConfigRef`` comes to in RunConfig."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..toolhive.constants import SECRET_PREFIX, TOKEN_EXCHANGE_VARIABLE, TOKEN_TYPE_URN, TOKEN_TYPES
from .build import Object, omit_empty, secret_env

if TYPE_CHECKING:
    from ..models.mcpexternalauthconfig import (
        AWSStsConfig,
        BearerTokenConfig,
        MCPExternalAuthConfigSpec,
        TokenExchangeConfig,
    )
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace

GO_ZERO_TIME = "0001-01-01T00:00:00Z"


def config(workspace: Workspace, resource: Resource) -> Resource[MCPExternalAuthConfigSpec] | None:
    """Return the MCPExternalAuthConfig of the resource's ``externalAuthConfigRef``."""
    return workspace.target(resource, "spec", "externalAuthConfigRef", "name")


def _spec(workspace: Workspace, resource: Resource, kind: str) -> MCPExternalAuthConfigSpec:
    """Return the spec of an external auth configuration of type ``kind``, an empty one where it is of another type."""
    found = config(workspace, resource)
    return {} if found is None or found.spec.get("type") != kind else found.spec


def token_exchange_of(workspace: Workspace, resource: Resource) -> TokenExchangeConfig | None:
    """Return the token exchange of the resource's external auth configuration, ``None`` where it is of another type."""
    return _spec(workspace, resource, "tokenExchange").get("tokenExchange")


def bearer_token_of(workspace: Workspace, resource: Resource) -> BearerTokenConfig | None:
    """Return the bearer token of the resource's external auth configuration, ``None`` where it is of another type."""
    return _spec(workspace, resource, "bearerToken").get("bearerToken")


def aws_sts_of(workspace: Workspace, resource: Resource) -> AWSStsConfig | None:
    """Return the AWS STS block of the resource's external auth configuration, ``None`` where it is of another type."""
    return _spec(workspace, resource, "awsSts").get("awsSts")


def subject_token_type(text: str) -> str:
    """Spell out the short forms of RFC 8693's subject token types; other texts stay as they are."""
    return TOKEN_TYPE_URN + text if text in TOKEN_TYPES else text


def token_exchange(block: TokenExchangeConfig) -> Object:
    """Return RunConfig's ``token_exchange_config``; the client secret comes by environment."""
    header = block.get("externalTokenHeaderName", "")
    shaped: Object = {
        "token_url": block.get("tokenUrl", ""),
        "client_id": block.get("clientId", ""),
        "client_secret": "",
        "audience": block.get("audience", ""),
    }
    return shaped | omit_empty(
        {
            "scopes": block.get("scopes"),
            "subject_token_type": subject_token_type(block.get("subjectTokenType", "")),
            "header_strategy": "custom" if header else "replace",
            "external_token_header_name": header,
        }
    )


def bearer_token(block: BearerTokenConfig) -> Object:
    """Return RunConfig's ``remote_auth_config`` for a bearer token: a reference by Secret name, never the value."""
    return {
        "use_pkce": False,
        "bearer_token": f"{block['tokenSecretRef']['name']},target=bearer_token",
        # time.Time has no empty value for omitempty: Go writes its zero.
        "cached_token_expiry": GO_ZERO_TIME,
        "cached_secret_expiry": GO_ZERO_TIME,
    }


def aws_sts(block: AWSStsConfig) -> Object:
    """Return RunConfig's ``aws_sts_config``."""
    mappings = [
        omit_empty({"claim": mapping.get("claim"), "matcher": mapping.get("matcher")})
        | {"role_arn": mapping.get("roleArn", "")}
        | ({"priority": mapping["priority"]} if mapping.get("priority") is not None else {})
        for mapping in block.get("roleMappings") or ()
    ]
    shaped: Object = {"region": block.get("region", ""), "service": block.get("service", "")}
    return shaped | omit_empty(
        {
            "fallback_role_arn": block.get("fallbackRoleArn"),
            "role_mappings": mappings,
            "role_claim": block.get("roleClaim"),
            "session_duration": block.get("sessionDuration"),
            "session_name_claim": block.get("sessionNameClaim"),
        }
    )


def token_exchange_env(workspace: Workspace, resource: Resource) -> list[Object]:
    """Return the environment entry of a token exchange's client secret."""
    ref = (token_exchange_of(workspace, resource) or {}).get("clientSecretRef")
    return [secret_env(resource.profile.spell(TOKEN_EXCHANGE_VARIABLE), ref)] if ref else []


def bearer_token_env(workspace: Workspace, resource: Resource) -> list[Object]:
    """Return the environment entry of a bearer token; the Secret's name is spelled as it is."""
    ref = (bearer_token_of(workspace, resource) or {}).get("tokenSecretRef")
    return [secret_env(f"{resource.profile.spell(SECRET_PREFIX)}{ref['name']}", ref)] if ref else []
