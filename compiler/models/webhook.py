"""Webhooks that see or change requests, in RunConfig and in files of their own."""

from __future__ import annotations

from typing import Annotated, Required, TypedDict

from .declare import Always, Nanoseconds


class WebhookTLSConfig(TypedDict, total=False):
    """TLS towards a webhook."""

    ca_bundle_path: Annotated[str, "File with the CA bundle."]
    client_cert_path: Annotated[str, "File with the client's certificate; goes with client_key_path."]
    client_key_path: Annotated[str, "File with the client's key; goes with client_cert_path."]
    insecure_skip_verify: Annotated[bool, "Whether certificates go unchecked, and HTTP is good enough."]


class Webhook(TypedDict, total=False):
    """A webhook."""

    name: Required[Annotated[str, "Name of the webhook.", Always()]]
    url: Required[Annotated[str, "Address of the webhook.", Always()]]
    timeout: Annotated[
        int,
        "Longest time of a call, as a Go duration, or in JSON in nanoseconds: 1s to 30s; 10s when 0 or missing.",
        Nanoseconds(text=True),
        Always(),
    ]
    failure_policy: Required[Annotated[str, "fail or ignore.", Always()]]
    tls_config: Annotated[WebhookTLSConfig, "TLS towards the webhook."]
    hmac_secret_ref: Annotated[str, "Secret that signs calls."]


class WebhookFile(TypedDict, total=False):
    """A file of webhooks."""

    validating: Annotated[list[Webhook], "Webhooks that see requests; they run last."]
    mutating: Annotated[list[Webhook], "Webhooks that change requests; they run first."]
