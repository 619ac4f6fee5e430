"""Incoming OIDC authentication, resolved from an ``oidcConfigRef`` and its MCPOIDCConfig."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.plain import value_at
from ..toolhive.constants import CA_KEY, CLUSTER_DOMAIN, CLUSTER_ISSUER
from .build import Object, secret_env

if TYPE_CHECKING:
    from ..diagnostics.span import Path
    from ..models.mcpoidcconfig import InlineOIDCSharedConfig, KubernetesServiceAccountOIDCConfig, MCPOIDCConfigSpec
    from ..models.reference import SecretKeyRef
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace
    from .volume import Mounted

SERVICE_ACCOUNT_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount"


class OIDC(NamedTuple):
    """Resolved settings of incoming authentication. Missing settings are empty texts."""

    issuer: str
    audience: str
    jwks_url: str
    client_id: str
    ca_cert_path: str
    auth_token_file: str
    jwks_allow_private_ip: bool
    protected_resource_allow_private_ip: bool
    insecure_allow_http: bool
    introspection_url: str
    resource_url: str
    scopes: list[str]
    client_secret_ref: SecretKeyRef | None
    ca_config_map: tuple[str, str] | None


def resolve(workspace: Workspace, resource: Resource, ref_path: Path, port: int) -> OIDC | None:
    """Return the settings of the reference at ``ref_path``, such as ``("spec", "oidcConfigRef")``.

    The result is ``None`` if the reference is missing or dangling, or if its target is of type inline without an
    ``inline`` block. As in the operator, the host of the default resource URL is the resource's name, which is not
    the name of its Service.
    """
    ref: Any = value_at(resource.data, ref_path)
    config: Resource[MCPOIDCConfigSpec] | None = (
        workspace.target(resource, *ref_path, "name") if isinstance(ref, dict) else None
    )
    if config is None:
        return None
    host = f"{resource.name}.{resource.printed_namespace}.{CLUSTER_DOMAIN}"
    common = {
        "audience": ref.get("audience", ""),
        "resource_url": ref.get("resourceUrl") or f"http://{host}:{port}",
        "scopes": list(ref.get("scopes") or ()),
    }
    inline = config.spec.get("inline")
    if config.spec.get("type") == "inline":
        return _inline(inline, common) if inline is not None else None
    return _service_account(config.spec.get("kubernetesServiceAccount") or {}, common)


def _inline(inline: InlineOIDCSharedConfig, common: dict[str, Any]) -> OIDC:
    bundle = (inline.get("caBundleRef") or {}).get("configMapRef")
    ca = (bundle["name"], bundle.get("key") or CA_KEY) if bundle else None
    return OIDC(
        issuer=inline.get("issuer", ""),
        jwks_url=inline.get("jwksUrl", ""),
        client_id=inline.get("clientId", ""),
        ca_cert_path=f"/config/certs/{ca[0]}/{ca[1]}" if ca else "",
        auth_token_file=inline.get("jwksAuthTokenPath", ""),
        jwks_allow_private_ip=bool(inline.get("jwksAllowPrivateIP")),
        protected_resource_allow_private_ip=bool(inline.get("protectedResourceAllowPrivateIP")),
        insecure_allow_http=bool(inline.get("insecureAllowHTTP")),
        introspection_url=inline.get("introspectionUrl", ""),
        client_secret_ref=inline.get("clientSecretRef"),
        ca_config_map=ca,
        **common,
    )


def _service_account(account: KubernetesServiceAccountOIDCConfig, common: dict[str, Any]) -> OIDC:
    # The field is a pointer in Go, and a missing field means true.
    cluster_auth = account.get("useClusterAuth") is not False
    return OIDC(
        issuer=account.get("issuer") or CLUSTER_ISSUER,
        jwks_url=account.get("jwksUrl", ""),
        client_id="",
        ca_cert_path=f"{SERVICE_ACCOUNT_FOLDER}/ca.crt" if cluster_auth else "",
        auth_token_file=f"{SERVICE_ACCOUNT_FOLDER}/token" if cluster_auth else "",
        jwks_allow_private_ip=cluster_auth,
        protected_resource_allow_private_ip=False,
        insecure_allow_http=False,
        introspection_url=account.get("introspectionUrl", ""),
        client_secret_ref=None,
        ca_config_map=None,
        **common,
    )


def run_config(oidc: OIDC, scopes: list[str]) -> Object:
    """Return ``oidc_config`` with Go's field names. The proxy reads the client secret from its environment."""
    return {
        "Issuer": oidc.issuer,
        "Audience": oidc.audience,
        "JWKSURL": oidc.jwks_url,
        "ClientID": oidc.client_id,
        "CACertPath": oidc.ca_cert_path,
        "AuthTokenFile": oidc.auth_token_file,
        "AllowPrivateIP": oidc.jwks_allow_private_ip,
        "InsecureAllowHTTP": oidc.insecure_allow_http,
        "IntrospectionURL": oidc.introspection_url,
        "ResourceURL": oidc.resource_url,
        # A nil slice in Go is written as null.
        "Scopes": scopes or None,
    }


def ca_volume(oidc: OIDC | None) -> Mounted | None:
    """Return the mount of an inline issuer's CA bundle, or ``None`` without an issuer or a bundle."""
    if oidc is None or oidc.ca_config_map is None:
        return None
    from .volume import config_map

    name, key = oidc.ca_config_map
    return config_map(f"oidc-ca-bundle-{name}", name, f"/config/certs/{name}", {key: key})


def client_secret_env(workspace: Workspace, resource: Resource, ref_path: Path, env: str) -> list[Object]:
    """Return the environment entry with an inline client secret; empty if the Secret or its key does not exist.

    An undeclared Secret counts as existing, except in a closed world.
    """
    config: Resource[MCPOIDCConfigSpec] | None = workspace.target(resource, *ref_path, "name")
    if config is None or config.spec.get("type") != "inline":
        return []
    ref = (config.spec.get("inline") or {}).get("clientSecretRef")
    if not ref:
        return []
    reference = workspace.reference(config, "spec", "inline", "clientSecretRef", "name")
    if reference is None or reference.problem is not None:
        return []
    return [secret_env(resource.profile.spell(env), ref)]
