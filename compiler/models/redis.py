"""Redis servers that store the state of the authorization server and sessions, as resources configure them."""

from __future__ import annotations

from typing import Annotated, Required, TypedDict

from ..toolhive.constants import SENTINEL_PORT
from .dated import During, Since
from .declare import Atomic, Cel, Default, Go, Int32, rules
from .duration import DurationText
from .reference import SecretKeyRef


class SentinelServiceRef(TypedDict, total=False):
    """The Service of the Sentinels."""

    name: Required[Annotated[str, "Name of the Service."]]
    namespace: Annotated[str, "Namespace of the Service; the workload's namespace when empty."]
    port: Annotated[Int32, "Port of the Service.", Default(SENTINEL_PORT)]


class RedisSentinelConfig(TypedDict, total=False):
    """A Redis server that Sentinels watch. If both are set, sentinelAddrs takes precedence over sentinelService."""

    masterName: Required[Annotated[str, "Name of the master that the Sentinels watch."]]
    sentinelAddrs: Annotated[list[str], "Addresses of the Sentinels.", Atomic()]
    sentinelService: Annotated[SentinelServiceRef, "Service of the Sentinels."]
    db: Annotated[Int32, "Number of the Redis database.", Default(0), Go(name="DB")]


class RedisACLUserConfig(TypedDict, total=False):
    """References to the Secrets with the name and the password of the Redis user."""

    usernameSecretRef: Annotated[SecretKeyRef, "Name of the user.", Go(pointer=True), During(Required, until="0.27.0")]
    passwordSecretRef: Required[Annotated[SecretKeyRef, "Password of the user.", Go(pointer=True)]]


class RedisTLSConfig(TypedDict, total=False):
    """TLS settings of a connection to Redis. The block itself turns TLS on."""

    insecureSkipVerify: Annotated[bool, "Whether certificates are not verified."]
    caCertSecretRef: Annotated[
        SecretKeyRef, "CA certificate; the system's CAs when missing.", Go(name="CACertSecretRef")
    ]


@rules(
    Cel(
        "(self.addr.size() > 0) != has(self.sentinelConfig)",
        "exactly one of addr and sentinelConfig is needed; this release refuses sentinelConfig alone, 0.27.1 takes it",
        since="0.27.0",
        until="0.27.1",
    ),
    Cel(
        "!self.clusterMode || self.addr.size() > 0",
        "clusterMode needs an addr; this release refuses a block without clusterMode, 0.27.1 takes it",
        since="0.27.0",
        until="0.27.1",
    ),
    Cel(
        "(has(self.addr) && self.addr.size() > 0) != has(self.sentinelConfig)",
        "exactly one of addr and sentinelConfig is needed",
        since="0.27.1",
    ),
    Cel(
        "!(has(self.clusterMode) && self.clusterMode) || (has(self.addr) && self.addr.size() > 0)",
        "clusterMode needs an addr",
        "clusterMode",
        since="0.27.1",
    ),
)
class RedisStorageConfig(TypedDict, total=False):
    """Connection to the Redis server that stores the state of the authorization server."""

    addr: Annotated[str, "Address of a single Redis, or of a cluster: host and port.", Since("0.27.0")]
    clusterMode: Annotated[bool, "Whether addr is the address of a Redis cluster.", Since("0.27.0")]
    sentinelConfig: Annotated[
        RedisSentinelConfig, "Sentinels that know the Redis master.", Go(pointer=True), During(Required, until="0.27.0")
    ]
    aclUserConfig: Required[
        Annotated[RedisACLUserConfig, "Redis user that logs in.", Go(name="ACLUserConfig", pointer=True)]
    ]
    dialTimeout: Annotated[DurationText, "Timeout of connecting.", Default("5s")]
    readTimeout: Annotated[DurationText, "Timeout of reading.", Default("3s")]
    writeTimeout: Annotated[DurationText, "Timeout of writing.", Default("3s")]
    tls: Annotated[
        RedisTLSConfig, "TLS settings of the connection to the master; plain text when missing.", Go(name="TLS")
    ]
    sentinelTls: Annotated[
        RedisTLSConfig,
        "TLS settings of the connections to the Sentinels; plain text when missing, even if tls is set.",
        Go(name="SentinelTLS"),
    ]
