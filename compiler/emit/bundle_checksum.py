"""The annotation that restarts pods if a CA bundle of their embedded authorization server changes.

Source: ``EmbeddedAuthServerCABundleChecksumForConfig`` in the operator.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from ..diagnostics.named_tuple import NamedTuple
from ..toolhive.constants import BUNDLES_CHECKSUM_ANNOTATION
from ..toolhive.release import UPSTREAM_CA_SINCE
from ..workspace.reference import declared_value
from . import authserver, cabundle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..diagnostics.span import Path
    from ..models.embeddedauth import EmbeddedAuthServerConfig
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace


class _Holder(NamedTuple):
    """A resource that describes an embedded authorization server, and the path of the description in it."""

    resource: Resource[Any]
    path: Path
    server: EmbeddedAuthServerConfig


def annotation(workspace: Workspace, resource: Resource[Any]) -> dict[str, str]:
    """Return the annotation of a workload's pods, or an empty mapping if a bundle is not declared or there are none.

    Its value is the SHA-256 of all bundles, each followed by a zero byte. A marker comes before those of issuers.
    """
    holder = _holder(workspace, resource)
    if holder is None or not resource.is_judged(since=UPSTREAM_CA_SINCE):
        return {}
    parts: list[bytes] = []
    for path, is_of_issuer in _bundles(holder.server):
        value = declared_value(workspace.reference(holder.resource, *holder.path, *path, "configMapRef", "name"))
        if value is None:
            return {}
        marker = b"trustedIssuers\0"
        if is_of_issuer and marker not in parts:
            parts.append(marker)
        parts += (value[0], b"\0")
    return {resource.profile.spell(BUNDLES_CHECKSUM_ANNOTATION): sha256(b"".join(parts)).hexdigest()} if parts else {}


def is_unknown(workspace: Workspace, resource: Resource[Any]) -> bool:
    """Return whether a workload has such bundles, but the files do not declare each of them."""
    holder = _holder(workspace, resource)
    has_bundles = holder is not None and any(_bundles(holder.server))
    return has_bundles and not annotation(workspace, resource)


def _holder(workspace: Workspace, resource: Resource[Any]) -> _Holder | None:
    server = authserver.of_workload(workspace, resource)
    if not server:
        return None
    if resource.kind == "VirtualMCPServer":
        return _Holder(resource, ("spec", "authServerConfig"), server)
    config = workspace.target(resource, *authserver.reference_of_proxy(resource))
    return None if config is None else _Holder(config, ("spec", "embeddedAuthServer"), server)


def _bundles(server: EmbeddedAuthServerConfig) -> Iterator[tuple[Path, bool]]:
    """Yield the path of each bundle in ``server``, and whether it is that of a trusted issuer."""
    for i, upstream in enumerate(server.get("upstreamProviders") or ()):
        block = "oidcConfig" if upstream.get("type") == "oidc" else "oauth2Config"
        if cabundle.provider_block(upstream).get("caBundleRef"):
            yield ("upstreamProviders", i, block, "caBundleRef"), False
    for i, issuer in enumerate(server.get("trustedIssuers") or ()):
        if issuer.get("caBundleRef"):
            yield ("trustedIssuers", i, "caBundleRef"), True
