"""Webhooks of an MCPServer: their part of the RunConfig, and the files with their secrets.

Source: the operator's handling of MCPWebhookConfig, v0.27.0 to v0.44.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from ..diagnostics.named_tuple import NamedTuple
from ..golang.duration import parse_duration
from ..toolhive.constants import WEBHOOK_PATH
from .build import Object, omit_empty, strict_env_name
from .volume import Mounted

if TYPE_CHECKING:
    from ..models.mcpserver import MCPServerSpec
    from ..models.mcpwebhookconfig import MCPWebhookConfigSpec, WebhookSpec
    from ..models.reference import SecretKeyRef
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace

Direction: TypeAlias = Literal["mutating", "validating"]

DIRECTIONS: Final[tuple[Direction, ...]] = ("mutating", "validating")
"""The two lists of an MCPWebhookConfig, in the order in which they handle a request."""

FILES: Final = {
    "hmacSecretRef": ("HMAC", "hmac"),
    "caSecretRef": ("TLS_CA", "ca.crt"),
    "clientCertSecretRef": ("TLS_CLIENT_CERT", "tls.crt"),
    "clientKeySecretRef": ("TLS_CLIENT_KEY", "tls.key"),
}
"""For each field that names a Secret: the purpose in the identifier of its file, and the name of the file."""


class _File(NamedTuple):
    """A key of a Secret that is mounted as a file."""

    identifier: str
    secret: SecretKeyRef
    name: str

    def path(self, resource: Resource) -> str:
        return f"{resource.profile.spell(WEBHOOK_PATH)}/{self.identifier.lower()}/{self.name}"


def of_server(workspace: Workspace, resource: Resource[MCPServerSpec]) -> dict[Direction, list[Object]]:
    """Return the webhooks of an MCPServer in the form of RunConfig, by direction. Empty directions are left out.

    Without a reference to an MCPWebhookConfig, the result is empty.
    """
    config = _config(workspace, resource)
    if config is None:
        return {}
    webhooks = {
        direction: [run_config(resource, direction, webhook) for webhook in config.spec.get(direction) or ()]
        for direction in DIRECTIONS
    }
    return {direction: entries for direction, entries in webhooks.items() if entries}


def volumes(workspace: Workspace, resource: Resource[MCPServerSpec]) -> list[Mounted]:
    """Return the mounts of the webhooks' Secrets without duplicates, sorted by identifier."""
    config = _config(workspace, resource)
    files = {
        file.identifier: file
        for direction in DIRECTIONS
        for webhook in ((config.spec.get(direction) or ()) if config is not None else ())
        for file in _files(direction, webhook).values()
    }
    return [_mounted(resource, files[identifier]) for identifier in sorted(files)]


def _config(workspace: Workspace, resource: Resource[MCPServerSpec]) -> Resource[MCPWebhookConfigSpec] | None:
    return workspace.target(resource, "spec", "webhookConfigRef", "name")


def run_config(resource: Resource, direction: Direction, webhook: WebhookSpec) -> Object:
    """Return a webhook in the form of RunConfig. The profile of ``resource`` decides the paths of its files."""
    paths = {field: file.path(resource) for field, file in _files(direction, webhook).items()}
    tls: Object | None = None
    stated = webhook.get("tlsConfig")
    if stated is not None:
        is_mutual = "clientCertSecretRef" in paths and "clientKeySecretRef" in paths
        tls = {
            "ca_bundle_path": paths.get("caSecretRef"),
            "client_cert_path": paths["clientCertSecretRef"] if is_mutual else "",
            "client_key_path": paths["clientKeySecretRef"] if is_mutual else "",
            "insecure_skip_verify": bool(stated.get("insecureSkipVerify")),
        }
    timeout = webhook.get("timeout")
    return {
        "name": webhook.get("name"),
        "url": webhook.get("url"),
        "timeout": parse_duration(timeout) if timeout else 0,
        "failure_policy": (webhook.get("failurePolicy") or "fail").lower(),
        "tls_config": tls,
        "hmac_secret_ref": paths.get("hmacSecretRef"),
    }


def _files(direction: Direction, webhook: WebhookSpec) -> dict[str, _File]:
    tls: dict[str, Any] = {**(webhook.get("tlsConfig") or {})}
    refs: dict[str, SecretKeyRef | None] = tls | {"hmacSecretRef": webhook.get("hmacSecretRef")}
    return {
        field: _File(_identifier(direction, webhook.get("name", ""), purpose, ref), ref, name)
        for field, (purpose, name) in FILES.items()
        for ref in (refs.get(field),)
        if ref is not None
    }


def _identifier(direction: Direction, webhook: str, purpose: str, ref: SecretKeyRef) -> str:
    from ..golang.spew import STRING, object_hash

    digest = object_hash(f"{ref['name']}/{ref['key']}", STRING)
    return strict_env_name(f"WEBHOOK_{direction}_{webhook}_{purpose}_{digest}")


def _mounted(resource: Resource, file: _File) -> Mounted:
    from ..golang.spew import STRING, object_hash

    name = f"whsec-{object_hash(file.identifier, STRING)}"
    items = [{"key": file.secret["key"], "path": file.name}]
    volume = {"name": name, "secret": omit_empty({"secretName": file.secret["name"]}) | {"items": items}}
    return Mounted(volume, {"name": name, "mountPath": file.path(resource), "subPath": file.name, "readOnly": True})
