"""Webhooks that check or change requests, in RunConfig and in separate files."""

from __future__ import annotations

from typing import Annotated, Required, TypedDict

from .declare import Always, Nanoseconds


class WebhookTLSConfig(TypedDict, total=False):
    """TLS settings of the connection to a webhook."""

    ca_bundle_path: Annotated[str, "File with the CA bundle."]
    client_cert_path: Annotated[str, "File with the client certificate; requires client_key_path."]
    client_key_path: Annotated[str, "File with the key of the client certificate; requires client_cert_path."]
    insecure_skip_verify: Annotated[bool, "Whether certificates are not verified and plain HTTP is allowed."]


class Webhook(TypedDict, total=False):
    """A webhook that checks or changes requests."""

    name: Required[Annotated[str, "Name of the webhook.", Always()]]
    url: Required[Annotated[str, "Address of the webhook.", Always()]]
    timeout: Annotated[
        int,
        "Timeout of a call, 1s to 30s, as a Go duration or, in JSON, in nanoseconds; 10s when 0 or missing.",
        Nanoseconds(text=True),
        Always(),
    ]
    failure_policy: Required[Annotated[str, "fail or ignore.", Always()]]
    tls_config: Annotated[WebhookTLSConfig, "TLS settings of the connection to the webhook."]
    hmac_secret_ref: Annotated[str, "Secret that signs calls."]


class WebhookFile(TypedDict, total=False):
    """A file that configures webhooks."""

    validating: Annotated[list[Webhook], "Webhooks that may refuse requests. They run last."]
    mutating: Annotated[list[Webhook], "Webhooks that may change requests. They run first."]
