"""Authentication and authorization of the clients of a virtual server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..toolhive.constants import CEDAR_CLAIMS, VMCP_PORT
from ..toolhive.release import VIRTUAL_POLICIES_SINCE
from . import oidc
from .vmcpauth import OIDC_REF

if TYPE_CHECKING:
    from ..golang.value import RawJson
    from ..models.authz import AuthzConfigRef
    from ..models.virtualmcpserver import IncomingAuthConfig, VirtualMCPServerSpec
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace
    from .build import Object

AUTHZ = ("spec", "incomingAuth", "authzConfig")
AUTHZ_REF = ("spec", "incomingAuth", "authzConfigRef")
CEDAR_FIELDS: Final = {"policies": "policies", "entitiesJson": "entities_json"} | CEDAR_CLAIMS
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

        document = authz.shared_document(workspace, resource, AUTHZ_REF)
        if document is not None:
            made["authz"] = _cedar(document, resource) | _upstream(resource, None)
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

        made = _cedar(authz.config_map_document(workspace, resource, AUTHZ) or {}, resource)
    else:
        return {"type": given.get("type", ""), "policies": None}
    made |= {field: given[field] for field in CEDAR_CLAIMS if given.get(field)}  # type: ignore[literal-required]
    return made | _upstream(resource, inline.get("primaryUpstreamProvider"))


def _cedar(document: Object | RawJson, resource: Resource) -> Object:
    """Return ``authz`` of a Cedar document."""
    from ..records.side_file.authz import cedar_document
    from .authz import read_document

    cedar = (cedar_document(read_document(document), resource.release) or {}).get("cedar") or {}
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
