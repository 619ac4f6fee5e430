"""Authentication and authorization of the clients of a virtual server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..toolhive.constants import VMCP_PORT
from ..toolhive.release import VIRTUAL_POLICIES_SINCE
from . import oidc
from .vmcpauth import OIDC_REF

if TYPE_CHECKING:
    from ..models.authz import AuthzConfigRef
    from ..models.virtualmcpserver import IncomingAuthConfig, VirtualMCPServerSpec
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace
    from .build import Object

AUTHZ = ("spec", "incomingAuth", "authzConfig")
AUTHZ_REF = ("spec", "incomingAuth", "authzConfigRef")
CLAIMS: Final = ("groupClaimName", "roleClaimName", "groupEntityType")
"""What a reference states for its document, inline or not."""
CEDAR_FIELDS = {
    "policies": "policies",
    "entitiesJson": "entities_json",
    "groupClaimName": "group_claim_name",
    "roleClaimName": "role_claim_name",
    "groupEntityType": "group_entity_type",
}
"""Field of ``authz`` to the key of a Cedar document in a ConfigMap."""
CLIENT_SECRET_ENV = "VMCP_OIDC_CLIENT_SECRET"  # noqa: S105 - the name of a variable


def incoming(workspace: Workspace, resource: Resource[VirtualMCPServerSpec]) -> Object:
    """Return ``incomingAuth``."""
    given: IncomingAuthConfig = resource.spec.get("incomingAuth") or {}
    made: Object = {"type": given.get("type", "")}
    resolved = oidc.resolve(workspace, resource, OIDC_REF, VMCP_PORT)
    if resolved is not None:
        made["oidc"] = {
            "issuer": resolved.issuer,
            "clientId": resolved.client_id,
            "clientSecretEnv": CLIENT_SECRET_ENV if resolved.client_secret_ref else "",
            "audience": resolved.audience,
            "resource": resolved.resource_url,
            "jwksUrl": resolved.jwks_url,
            "introspectionUrl": resolved.introspection_url,
            "scopes": resolved.scopes,
            "protectedResourceAllowPrivateIp": resolved.protected_resource_allow_private_ip,
            "jwksAllowPrivateIp": resolved.jwks_allow_private_ip,
            "insecureAllowHttp": resolved.insecure_allow_http,
            "caBundlePath": resolved.ca_cert_path,
        }
    stated = given.get("authzConfig")
    if stated is not None:
        made["authz"] = _authz(workspace, resource, stated)
    elif given.get("authzConfigRef") is not None:
        from . import authz

        found = authz.shared_document(workspace, resource, AUTHZ_REF)
        if found is not None:
            made["authz"] = _cedar(found) | _upstream(resource, None)
    return made


def _authz(workspace: Workspace, resource: Resource[VirtualMCPServerSpec], given: AuthzConfigRef) -> Object:
    """Return ``authz``; before v0.28.3 a document in a ConfigMap is not read, and its type handed on as it stands.

    Fields that the release does not have are left out when the configuration is written.
    """
    inline = given.get("inline") or {}
    if given.get("type") == "inline":
        made: Object = {"type": "cedar", "policies": inline.get("policies"), "entitiesJson": inline.get("entitiesJson")}
    elif resource.is_judged(since=VIRTUAL_POLICIES_SINCE):
        from . import authz  # reads JSON, which inline policies do not need

        found = authz.config_map_document(workspace, resource, AUTHZ)
        made = _cedar(authz.read_document(found) if found is not None else {})
    else:
        return {"type": given.get("type", ""), "policies": None}
    made |= {field: given[field] for field in CLAIMS if given.get(field)}
    return made | _upstream(resource, inline.get("primaryUpstreamProvider"))


def _cedar(document: Object) -> Object:
    """Return ``authz`` of a Cedar document."""
    cedar = document.get("cedar") or {}
    return {"type": "cedar"} | {field: cedar.get(key) for field, key in CEDAR_FIELDS.items()}


def _upstream(resource: Resource[VirtualMCPServerSpec], stated: str | None) -> Object:
    """Return whose claims policies see, where there is an auth server: the upstream that is stated, or the first."""
    server = resource.spec.get("authServerConfig")
    if server is None:
        return {}
    from . import authserver

    return {
        "primaryUpstreamProvider": server.get("primaryUpstreamProvider") or stated or authserver.provider_name(server)
    }
