"""Session stores that replicas share, and the rate limits that are counted in them."""

from __future__ import annotations

from typing import Annotated, Literal, Required, TypedDict

from .dated import Since
from .declare import Always, Cel, Default, Duration, Go, Int32, ListMap, Minimum, MinLength, rules
from .redis import RedisTLSConfig
from .reference import SecretKeyRef


@rules(
    Cel("self.provider == 'redis' ? has(self.address) : true", "provider redis needs an address", "address"),
    Cel("!has(self.tls) || self.provider == 'redis'", "tls goes with provider redis alone", "tls", since="0.52.0"),
    Cel(
        "!has(self.tls) || !has(self.tls.caCertSecretRef) || !has(self.tls.insecureSkipVerify)"
        " || !self.tls.insecureSkipVerify",
        "either insecureSkipVerify or caCertSecretRef: the former ignores the certificate",
        "tls",
        since="0.52.0",
    ),
    Cel(
        "!has(self.tls) || !has(self.tls.caCertSecretRef) || (size(self.tls.caCertSecretRef.name) > 0"
        " && size(self.tls.caCertSecretRef.key) > 0)",
        "caCertSecretRef needs a name and a key that are not empty",
        "tls",
        since="0.52.0",
    ),
)
class SessionStorageConfig(TypedDict, total=False):
    """Session store that several replicas share."""

    provider: Required[Annotated[Literal["memory", "redis"], "Kind of store."]]
    address: Annotated[str, "Address of the Redis server; needed for provider redis.", MinLength(1)]
    db: Annotated[Int32, "Number of the Redis database.", Minimum(0), Default(0)]
    keyPrefix: Annotated[str, "Prefix of all Redis keys."]
    passwordRef: Annotated[SecretKeyRef, "Password of the Redis server."]
    tls: Annotated[RedisTLSConfig, "TLS settings of the connection; plain text when missing.", Since("0.52.0")]


class RateLimitBucket(TypedDict, total=False):
    """A token bucket: each request takes a token, and the bucket refills over time."""

    maxTokens: Required[Annotated[Int32, "Capacity of the bucket: the largest burst.", Minimum(1), Always()]]
    refillPeriod: Required[
        Annotated[
            str,
            "Time in which an empty bucket fills up, such as 1m0s or 30s.",
            Duration(),
            Always(),
            Go(type="v1.Duration", pointer=False),
        ]
    ]


@rules(Cel("has(self.shared) || has(self.perUser)", "a tool needs one limit at least: shared or perUser"))
class ToolRateLimitConfig(TypedDict, total=False):
    """Limits of one tool. The limits of the server also apply."""

    name: Required[Annotated[str, "Name of the tool.", MinLength(1), Always()]]
    shared: Annotated[RateLimitBucket, "Limit for all users together."]
    perUser: Annotated[RateLimitBucket, "Limit for each authenticated user."]


@rules(
    Cel(
        "has(self.shared) || has(self.perUser) || (has(self.tools) && size(self.tools) > 0)",
        "one limit at least is needed: shared, perUser or tools",
    )
)
class RateLimitConfig(TypedDict, total=False):
    """Rate limits of one server."""

    shared: Annotated[RateLimitBucket, "Limit for all users together."]
    perUser: Annotated[RateLimitBucket, "Limit for each user; requires authentication."]
    tools: Annotated[list[ToolRateLimitConfig], "Limits of single tools.", ListMap("name")]
