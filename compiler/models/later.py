"""What later releases of the operator took up: fields, allowed texts and kinds; which fields may be missing since.

The models are those of `RELEASE`. What a document of a later release has is no typo: admission names that
release instead of guessing what was meant.

Source: the CustomResourceDefinitions of ToolHive v0.21.0 to v0.44.0.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

NEWEST: Final = "0.44.0"
"""The newest release whose additions are listed here."""

ANY: Final = "*"
"""In a path: every entry of a list or mapping."""


class Addition(NamedTuple):
    """Names that one object of some kinds has from a release on.

    Attributes:
        release: The first release that has them.
        kinds: The kinds.
        path: The object, as fields separated by dots, ``ANY`` for the entries of lists and mappings. A leading ``@``
            stands for the embedded auth server, which two kinds hold at different places.
        names: Of fields; of texts that the field at ``path`` allows; or of fields that are required no longer.
    """

    release: str
    kinds: tuple[str, ...]
    path: str
    names: tuple[str, ...]


_AUTH: Final = ("MCPExternalAuthConfig",)
_VIRTUAL: Final = ("VirtualMCPServer",)
_PROXIES: Final = ("MCPServer", "MCPRemoteProxy")
_AUTH_SERVERS: Final = (*_AUTH, *_VIRTUAL)
_AUTH_SERVER: Final = {"MCPExternalAuthConfig": "spec.embeddedAuthServer", "VirtualMCPServer": "spec.authServerConfig"}
_OAUTH2: Final = "@.upstreamProviders.*.oauth2Config"
_OIDC: Final = "@.upstreamProviders.*.oidcConfig"
_CLAIMS: Final = ("groupClaimName", "groupEntityType", "roleClaimName")

FIELDS: Final[tuple[Addition, ...]] = (
    Addition("0.22.0", _AUTH_SERVERS, _OAUTH2, ("additionalAuthorizationParams",)),
    Addition("0.22.0", _AUTH_SERVERS, _OIDC, ("additionalAuthorizationParams",)),
    Addition("0.22.0", _VIRTUAL, "spec.config.audit", ("detectApplicationErrors",)),
    Addition("0.26.0", _AUTH, "spec.awsSts", ("subjectProviderName",)),
    Addition("0.26.0", ("MCPRegistry", "VirtualMCPServer"), "spec", ("imagePullSecrets",)),
    Addition("0.26.0", _VIRTUAL, "spec.config.outgoingAuth.backends.*", ("awsSts",)),
    Addition("0.26.0", _VIRTUAL, "spec.config.outgoingAuth.default", ("awsSts",)),
    Addition("0.27.0", _AUTH_SERVERS, "@.storage.redis", ("addr", "clusterMode")),
    Addition("0.27.0", _AUTH_SERVERS, _OAUTH2, ("dcrConfig",)),
    Addition("0.27.0", ("MCPServer",), "spec", ("webhookConfigRef",)),
    Addition("0.27.0", ("MCPServer",), "status", ("webhookConfigHash",)),
    Addition("0.27.1", _PROXIES, "spec.authzConfig.inline", ("primaryUpstreamProvider",)),
    Addition("0.27.1", _VIRTUAL, "spec.incomingAuth.authzConfig.inline", ("primaryUpstreamProvider",)),
    Addition("0.27.2", _AUTH_SERVERS, "@", ("baselineClientScopes",)),
    Addition("0.28.0", _AUTH_SERVERS, _OAUTH2, ("identityFromToken",)),
    Addition("0.28.0", (*_AUTH, "MCPOIDCConfig", "MCPToolConfig"), "status", ("referenceCount",)),
    Addition("0.28.0", _VIRTUAL, "spec.config", ("rateLimiting",)),
    Addition("0.28.3", _AUTH_SERVERS, "@", ("primaryUpstreamProvider",)),
    Addition("0.28.3", _PROXIES, "spec.authzConfig", _CLAIMS),
    Addition("0.28.3", _VIRTUAL, "spec.config.incomingAuth.authz", ("entitiesJson", *_CLAIMS)),
    Addition("0.28.3", _VIRTUAL, "spec.incomingAuth.authzConfig", _CLAIMS),
    Addition("0.29.0", _AUTH_SERVERS, "@", ("cimd",)),
    Addition("0.29.0", _AUTH, "spec", ("obo",)),
    Addition("0.30.0", _AUTH_SERVERS, "@", ("disableUpstreamTokenInjection",)),
    Addition("0.30.0", _PROXIES, "spec", ("authzConfigRef",)),
    Addition("0.30.0", ("MCPRemoteProxy",), "spec", ("replicas", "sessionStorage")),
    Addition("0.30.0", _VIRTUAL, "spec", ("passthroughHeaders",)),
    Addition("0.30.0", _VIRTUAL, "spec.config", ("passthroughHeaders",)),
    Addition("0.30.0", _VIRTUAL, "spec.incomingAuth", ("authzConfigRef",)),
    Addition("0.30.1", _AUTH_SERVERS, _OIDC, ("subjectClaim",)),
    Addition("0.30.1", (*_PROXIES, *_VIRTUAL), "status", ("authzConfigHash",)),
    Addition("0.31.0", _VIRTUAL, "spec.config", ("codeMode",)),
    Addition("0.32.0", _AUTH_SERVERS, "@", ("insecureAllowHTTP",)),
    Addition("0.32.0", _VIRTUAL, "spec.config.optimizer", ("embeddingModel", "embeddingProvider")),
    Addition("0.32.0", _VIRTUAL, "spec.config.outgoingAuth.backends.*", ("obo", "xaa")),
    Addition("0.32.0", _VIRTUAL, "spec.config.outgoingAuth.default", ("obo", "xaa")),
    Addition("0.33.0", _AUTH, "spec", ("xaa",)),
    Addition("0.34.0", _VIRTUAL, "spec.config.optimizer", ("embeddingHeaders",)),
    Addition("0.37.0", ("MCPRemoteProxy",), "spec", ("podTemplateSpec",)),
    Addition("0.41.0", _VIRTUAL, "spec.config.audit", ("maxDelegationDepth",)),
    Addition("0.41.0", _VIRTUAL, "spec.config.incomingAuth.oidc", ("caBundlePath",)),
    Addition("0.41.0", _VIRTUAL, "status.discoveredBackends.*", ("mcpRevision",)),
    Addition("0.42.1", ("VirtualMCPCompositeToolDefinition",), "spec", ("annotations",)),
    Addition("0.42.1", _VIRTUAL, "spec.config.aggregation", ("defaultToolVisibility",)),
    Addition("0.42.1", _VIRTUAL, "spec.config.compositeTools.*", ("annotations",)),
    Addition(
        "0.43.0",
        _AUTH_SERVERS,
        "@",
        (
            "allowConfidentialClientRegistration",
            "delegateClients",
            "forceConfidentialRedirectUris",
            "insecureAllowConfidentialOverLoopbackHTTP",
        ),
    ),
    Addition("0.43.0", _AUTH_SERVERS, _OAUTH2, ("allowPrivateIPs", "insecureAllowHTTP")),
    Addition("0.44.0", _AUTH_SERVERS, "@", ("trustedIssuers",)),
)
"""Fields; what stands below a new field is not listed."""

VALUES: Final[tuple[Addition, ...]] = (
    Addition("0.29.0", _AUTH, "spec.type", ("obo",)),
    Addition("0.33.0", _AUTH, "spec.type", ("xaa",)),
)
"""Texts that a field allows."""

OPTIONAL: Final[tuple[Addition, ...]] = (
    Addition("0.26.0", _AUTH_SERVERS, _OAUTH2, ("userInfo",)),
    Addition("0.27.0", _AUTH_SERVERS, _OAUTH2, ("clientId",)),
    Addition("0.27.0", _AUTH_SERVERS, "@.storage.redis", ("sentinelConfig",)),
    Addition("0.27.0", _AUTH_SERVERS, "@.storage.redis.aclUserConfig", ("usernameSecretRef",)),
)
"""Fields that were required before."""

KINDS: Final[dict[str, str]] = {"MCPWebhookConfig": "0.27.0", "MCPAuthzConfig": "0.30.0"}
"""Kind to the release that brought it."""


def places(addition: Addition) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each kind of an addition with the path of the object, ``ANY`` for the entries of lists and mappings."""
    for kind in addition.kinds:
        root, *steps = addition.path.split(".")
        yield kind, tuple([*_AUTH_SERVER[kind].split("."), *steps] if root == "@" else [root, *steps])


@lru_cache(maxsize=256)
def fields_of(kind: str, path: tuple[str | int, ...]) -> dict[str, str]:
    """Return the fields that the object at ``path`` of a ``kind`` has later, each with its first release."""
    return {
        name: addition.release
        for addition in FIELDS
        for of_kind, steps in places(addition)
        if of_kind == kind and _matches(steps, path)
        for name in addition.names
    }


def release_of(additions: tuple[Addition, ...], kind: str, path: tuple[str | int, ...], name: str | None) -> str | None:
    """Return the release from which on ``kind`` has ``name`` at ``path``, ``None`` where none that is listed has it."""
    for addition in additions:
        if name in addition.names and kind in addition.kinds:
            for of_kind, steps in places(addition):
                if of_kind == kind and _matches(steps, path):
                    return addition.release
    return None


def _matches(pattern: tuple[str, ...], path: tuple[str | int, ...]) -> bool:
    return len(pattern) == len(path) and all(want in (ANY, have) for want, have in zip(pattern, path, strict=True))
