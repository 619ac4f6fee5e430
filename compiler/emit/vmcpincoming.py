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
"""The keys of a Cedar document in a ConfigMap, by the field of ``authz``."""
CLIENT_SECRET_ENV = "VMCP_OIDC_CLIENT_SECRET"  # noqa: S105 - the name of a variable


def incoming(workspace: Workspace, resource: Resource[VirtualMCPServerSpec]) -> Object:
    """Return ``incomingAuth`` of the process's configuration."""
    given: IncomingAuthConfig = resource.spec.get("incomingAuth") or {}
    result: Object = {"type": given.get("type", "")}
    resolved = oidc.resolve(workspace, resource, OIDC_REF, VMCP_PORT)
    if resolved is not None:
        result["oidc"] = {
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
        result["authz"] = _authz(workspace, resource, stated)
    elif given.get("authzConfigRef") is not None:
        from . import authz

        document = authz.shared_document(workspace, resource, AUTHZ_REF)
        if document is not None:
            result["authz"] = _cedar(document, resource) | _upstream(resource, None)
    return result


def _authz(workspace: Workspace, resource: Resource[VirtualMCPServerSpec], given: AuthzConfigRef) -> Object:
    """Return ``authz`` of the process's configuration.

    Before v0.28.3, the process does not read a document in a ConfigMap, so only the field ``type`` is written. Fields
    that the release does not have are removed when the configuration is written.
    """
    inline = given.get("inline") or {}
    if given.get("type") == "inline":
        result: Object = {
            "type": "cedar",
            "policies": inline.get("policies"),
            "entitiesJson": inline.get("entitiesJson"),
        }
    elif resource.is_judged(since=VIRTUAL_POLICIES_SINCE):
        from . import authz  # imports the reader of JSON, which inline policies do not need

        result = _cedar(authz.config_map_document(workspace, resource, AUTHZ) or {}, resource)
    else:
        return {"type": given.get("type", ""), "policies": None}
    result |= {field: given[field] for field in CEDAR_CLAIMS if given.get(field)}  # type: ignore[literal-required]
    return result | _upstream(resource, inline.get("primaryUpstreamProvider"))


def _cedar(document: Object | RawJson, resource: Resource) -> Object:
    """Return ``authz`` made from a Cedar document. For any other document, its fields are ``None``."""
    from ..records.side_file.authz import cedar_document
    from .authz import read_document

    cedar = (cedar_document(read_document(document), resource.release) or {}).get("cedar") or {}
    return {"type": "cedar"} | {field: cedar.get(key) for field, key in CEDAR_FIELDS.items()}


def _upstream(resource: Resource[VirtualMCPServerSpec], stated: str | None) -> Object:
    """Return the field that names the upstream provider whose claims policies see.

    ``authServerConfig`` takes precedence over ``stated``. If neither names a provider, the first upstream is used.
    Without an auth server, the result is empty.
    """
    server = resource.spec.get("authServerConfig")
    if server is None:
        return {}
    from . import authserver

    return {
        "primaryUpstreamProvider": server.get("primaryUpstreamProvider") or stated or authserver.provider_name(server)
    }
