"""References to other objects, always in the namespace of the referring object."""

from __future__ import annotations

from typing import Annotated, Literal, Required, TypedDict

from ..toolhive.constants import CA_KEY
from .declare import Atomic, Cel, Default, Go, MinLength, RefTo, go_type, rules


class SecretKeyRef(TypedDict, total=False):
    """Reference to one key of a Secret."""

    name: Required[Annotated[str, "Name of the Secret.", RefTo("Secret", key="key")]]
    key: Required[Annotated[str, "Key within the Secret."]]


class SecretRef(TypedDict, total=False):
    """Reference to a key of a Secret that becomes an environment variable."""

    name: Required[Annotated[str, "Name of the Secret.", RefTo("Secret", key="key")]]
    key: Required[Annotated[str, "Key within the Secret."]]
    targetEnvName: Annotated[str, "Name of the environment variable; same as key when empty."]


@go_type("v1.LocalObjectReference")
class PullSecretReference(TypedDict, total=False):
    """Reference to a Secret with registry credentials (Kubernetes' LocalObjectReference)."""

    name: Annotated[str, "Name of the Secret.", Default(""), RefTo("Secret")]


@go_type("v1.ConfigMapKeySelector")
class CABundleKeySelector(TypedDict, total=False):
    """Reference to the key of a ConfigMap that holds a CA bundle (Kubernetes' ConfigMapKeySelector)."""

    name: Annotated[
        str,
        "Name of the ConfigMap.",
        Default(""),
        RefTo("ConfigMap", key="key", key_default=CA_KEY),
        Go(embedded="v1.LocalObjectReference"),
    ]
    key: Required[Annotated[str, "Key within the ConfigMap; ca.crt when empty."]]
    optional: Annotated[bool, "Whether ConfigMap and key may be missing.", Go(pointer=True)]


@rules(
    Cel(
        "has(self.configMapRef) && size(self.configMapRef.name) > 0",
        "configMapRef needs a name that is not empty",
        "configMapRef",
        since="0.50.0",
    )
)
class CABundleSource(TypedDict, total=False):
    """The source of a CA bundle."""

    configMapRef: Annotated[CABundleKeySelector, "ConfigMap that holds the bundle.", Atomic()]


@go_type("v1.SecretKeySelector")
class SecretKeySelector(TypedDict, total=False):
    """Reference to one key of a Secret (Kubernetes' SecretKeySelector)."""

    name: Annotated[
        str, "Name of the Secret.", Default(""), RefTo("Secret", key="key"), Go(embedded="v1.LocalObjectReference")
    ]
    key: Required[Annotated[str, "Key within the Secret."]]
    optional: Annotated[bool, "Whether Secret and key may be missing.", Go(pointer=True)]


class MCPGroupRef(TypedDict, total=False):
    """Reference to the group that a backend belongs to, or that a virtual server serves."""

    name: Required[Annotated[str, "Name of the MCPGroup.", MinLength(1), RefTo("MCPGroup")]]


class ToolConfigRef(TypedDict, total=False):
    """Reference to a shared tool configuration."""

    name: Required[Annotated[str, "Name of the MCPToolConfig.", RefTo("MCPToolConfig")]]


class ExternalAuthConfigRef(TypedDict, total=False):
    """Reference to a shared external authentication configuration."""

    name: Required[Annotated[str, "Name of the MCPExternalAuthConfig.", RefTo("MCPExternalAuthConfig")]]


class EmbeddingServerRef(TypedDict, total=False):
    """Reference to an embedding server for the optimizer."""

    name: Required[Annotated[str, "Name of the EmbeddingServer.", RefTo("EmbeddingServer")]]


class MCPAuthzConfigReference(TypedDict, total=False):
    """Reference to a shared authorization configuration."""

    name: Required[Annotated[str, "Name of the MCPAuthzConfig.", MinLength(1), RefTo("MCPAuthzConfig")]]


class WebhookConfigRef(TypedDict, total=False):
    """Reference to shared webhooks."""

    name: Required[Annotated[str, "Name of the MCPWebhookConfig.", RefTo("MCPWebhookConfig")]]


class AuthServerRef(TypedDict, total=False):
    """Reference to the object that configures an embedded authorization server."""

    kind: Required[Annotated[Literal["MCPExternalAuthConfig"], "Kind of the object.", Default("MCPExternalAuthConfig")]]
    name: Required[
        Annotated[
            str,
            "Name of the object; its type must be embeddedAuthServer.",
            MinLength(1),
            RefTo("MCPExternalAuthConfig"),
        ]
    ]


class MCPOIDCConfigReference(TypedDict, total=False):
    """Reference to a shared OIDC provider, and the settings of this server."""

    name: Required[Annotated[str, "Name of the MCPOIDCConfig.", MinLength(1), RefTo("MCPOIDCConfig")]]
    audience: Required[
        Annotated[
            str,
            "Audience that tokens must carry. Give each server its own audience; otherwise a token for"
            " one server is accepted by another.",
            MinLength(1),
        ]
    ]
    scopes: Annotated[
        list[str], "Scopes advertised in the well-known document (RFC 9728); openid when empty.", Atomic()
    ]
    resourceUrl: Annotated[str, "Public URL of the protected resource (RFC 9728); the in-cluster URL when empty."]


class MCPTelemetryConfigReference(TypedDict, total=False):
    """Reference to a shared telemetry configuration, and the settings of this server."""

    name: Required[Annotated[str, "Name of the MCPTelemetryConfig.", MinLength(1), RefTo("MCPTelemetryConfig")]]
    serviceName: Annotated[
        str, "service.name in this server's telemetry, unique for each server; the server's name when empty."
    ]


class WorkloadReference(TypedDict, total=False):
    """A workload that refers to a shared configuration."""

    kind: Required[Annotated[Literal["MCPServer", "VirtualMCPServer", "MCPRemoteProxy"], "Kind of the workload."]]
    name: Required[Annotated[str, "Name of the workload.", MinLength(1)]]
