"""Advice on how to satisfy CEL rules of the kinds. Imported only if an object breaks one."""

from __future__ import annotations

from typing import Final

from ..toolhive.connection import REDIS_BLOCK

TYPE_BLOCK: Final = " goes with type "
"""Words in the messages of CEL rules that require a block for one type and forbid the block for others."""
_LIMIT: Final = "add shared: {maxTokens: 60, refillPeriod: 1m}"
_KNOWN_USERS: Final = "add oidcConfigRef, or use shared limits: users without tokens cannot be told apart"
REMEDIES: Final = {
    "a tool needs one limit at least: shared or perUser": _LIMIT,
    "allowPrivateIPs needs a jwksUrl": "add jwksUrl, the address of the keys",
    "at least one upstream provider or one grant of inboundGrants is needed": (
        "add upstreamProviders: [{name: …, type: oidc, oidcConfig: {issuerUrl: …, clientId: …}}]"
    ),
    "clusterMode needs an addr": "add addr: HOST:6379",
    "config.rateLimiting needs sessionStorage with provider redis": f"write {REDIS_BLOCK} in spec",
    "either authzConfig or authzConfigRef, not both": "remove one of them",
    "either discoveryUrl or registrationEndpoint, not both": "remove one of them",
    "either insecureSkipVerify or caCertSecretRef: the former ignores the certificate": "remove insecureSkipVerify",
    "exactly one of addr and sentinelConfig is needed": "state addr: HOST:6379, or sentinelConfig",
    "exactly one of clientId and dcrConfig is needed": "state clientId, or dcrConfig to register a client",
    "exactly one of discoveryUrl and registrationEndpoint is needed": "state discoveryUrl, or registrationEndpoint",
    "one limit at least is needed: shared, perUser or tools": _LIMIT,
    "one webhook at least is needed: validating or mutating": "add validating: [{name: …, url: https://…}]",
    "perUser limits of tools need authentication: oidcConfigRef or externalAuthConfigRef": _KNOWN_USERS,
    "perUser limits of tools need incomingAuth of type oidc": "write incomingAuth: {type: oidc, oidcConfigRef: …}",
    "config.rateLimiting.perUser needs incomingAuth of type oidc": (
        "write incomingAuth: {type: oidc, oidcConfigRef: …}, or use shared limits"
    ),
    "provider redis needs an address": "add address: HOST:6379",
    "proxyReadTimeout is negative": "write 0s or more",
    "rateLimiting needs sessionStorage with provider redis": f"write {REDIS_BLOCK} in spec",
    "rateLimiting.perUser needs authentication: oidcConfigRef or externalAuthConfigRef": _KNOWN_USERS,
    "timeout is shorter than 1s": "write 1s or more",
    "tls goes with provider redis alone": "remove tls, or write provider: redis",
    "type oidc needs an oidcConfigRef": "add oidcConfigRef: {name: …, audience: …}",
    "type unauthenticated goes with no configuration": "remove the block, or write the type that it configures",
}
"""Advice by the message of a rule. The messages of other rules say already what to write."""


def remedy(message: str, *, is_present: bool) -> str | None:
    """Return the advice on a broken CEL rule, or ``None``.

    Args:
        is_present: True if the object has the block that a rule requires for one type and forbids for others.
    """
    block, goes, _ = message.partition(TYPE_BLOCK)
    if goes:
        return f"remove {block}, or write type: {block}" if is_present else f"add {block}, or write another type"
    return REMEDIES.get(message)
