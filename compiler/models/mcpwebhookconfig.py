"""MCPWebhookConfig: webhooks that check or change requests, shared by servers."""

from __future__ import annotations

from typing import Annotated, Literal, Required, TypedDict

from .declare import Cel, Default, Format, Go, MaxLength, MinLength, go_type, rules
from .reference import SecretKeyRef
from .status import ConfigStatus, ReferencingWorkloads


@go_type("v1alpha1.WebhookTLSConfig")
class WebhookTLSSpec(TypedDict, total=False):
    """TLS settings of the connection to a webhook."""

    caSecretRef: Annotated[
        SecretKeyRef, "CA bundle of the webhook; the system's CAs when missing.", Go(name="CASecretRef")
    ]
    clientCertSecretRef: Annotated[SecretKeyRef, "Client certificate; requires clientKeySecretRef."]
    clientKeySecretRef: Annotated[SecretKeyRef, "Key of the client certificate; requires clientCertSecretRef."]
    insecureSkipVerify: Annotated[bool, "Whether certificates are not verified; for development only."]


class WebhookSpec(TypedDict, total=False):
    """A webhook that checks or changes requests."""

    name: Required[Annotated[str, "Name of the webhook, unique in the object.", MinLength(1), MaxLength(63)]]
    url: Required[Annotated[str, "Address of the webhook.", Format("uri"), Go(name="URL")]]
    timeout: Annotated[
        str,
        "Timeout of a call, at most 30s; 10s when missing.",
        Format("duration"),
        Go(type="v1.Duration", pointer=True),
    ]
    failurePolicy: Annotated[
        Literal["fail", "ignore"],
        "Whether a request fails or continues if the webhook does not answer.",
        Default("fail"),
        Go(type="v1alpha1.WebhookFailurePolicy"),
    ]
    tlsConfig: Annotated[WebhookTLSSpec, "TLS settings of the connection to the webhook.", Go(name="TLSConfig")]
    hmacSecretRef: Annotated[SecretKeyRef, "Key that signs calls.", Go(name="HMACSecretRef")]


@rules(
    Cel(
        "(has(self.validating) ? size(self.validating) : 0) + (has(self.mutating) ? size(self.mutating) : 0) > 0",
        "one webhook at least is needed: validating or mutating",
    )
)
class MCPWebhookConfigSpec(TypedDict, total=False):
    """The webhooks that requests pass before they reach a server."""

    validating: Annotated[list[WebhookSpec], "Webhooks that may refuse requests. They run last."]
    mutating: Annotated[list[WebhookSpec], "Webhooks that may change requests. They run first."]


class MCPWebhookConfigStatus(ConfigStatus, total=False):
    """The last observed state of the webhooks."""

    referencingWorkloads: ReferencingWorkloads
