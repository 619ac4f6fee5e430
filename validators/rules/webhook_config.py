"""Rules about webhooks that the operator refuses, or that work unexpectedly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.plain import value_at
from ...compiler.golang.duration import DurationError, parse_duration
from ..placeholder import has_placeholder
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcpwebhookconfig import MCPWebhookConfigSpec, WebhookSpec
    from ..rule import Check, Finding, Resource, Workspace

REFUSED = rule("AUT051 webhook-refused", "operator", "The operator does not accept a webhook", since="0.27.0")
HALF_CERTIFICATE = rule(
    "AUT052 webhook-certificate-unused",
    "lint",
    "A webhook has a client certificate without its key, or a key without its certificate",
    since="0.27.0",
)

FIELDS = {"failure_policy": "failurePolicy"}
"""Name of a field of a webhook in the resource, by its name in a RunConfig, if the two differ."""


@reads("validating", "mutating")
def check(resource: Resource[MCPWebhookConfigSpec], _workspace: Workspace) -> Iterator[Finding]:
    """Report webhooks that the operator refuses. Like the operator, check them as they are written into a RunConfig."""
    from ...compiler.emit.webhook import DIRECTIONS, run_config
    from ...compiler.records.shape import decode
    from ...compiler.records.side_file.webhook import refusals

    for direction in DIRECTIONS:
        for number, webhook in enumerate(resource.spec.get(direction) or ()):
            path = ("spec", direction, number)
            yield from _half_certificate(resource, path, webhook)
            if not _is_readable(webhook):
                continue
            written, _, _ = decode(run_config(resource, direction, webhook), "Webhook", resource.release)
            for fault in refusals(written):
                place = (*path, *(FIELDS.get(str(step), step) for step in fault.path))
                if not has_placeholder(value_at(resource.data, place)):
                    yield resource.finding(REFUSED, place, fault.message, hint=_hint(fault.path))


def _is_readable(webhook: WebhookSpec) -> bool:
    """Return whether the operator can decode the timeout of a webhook. If it cannot, DEC001 reports the timeout."""
    timeout = webhook.get("timeout")
    try:
        return not timeout or parse_duration(timeout) is not None
    except DurationError:
        return False


def _hint(path: tuple[str | int, ...]) -> str | None:
    if path == ("url",):
        return "use https, or set tlsConfig.insecureSkipVerify for a webhook inside the cluster"
    return "10s is the default" if path == ("timeout",) else None


def _half_certificate(
    resource: Resource[MCPWebhookConfigSpec], path: tuple[str | int, ...], webhook: WebhookSpec
) -> Iterator[Finding]:
    tls = webhook.get("tlsConfig") or {}
    certificate, key = tls.get("clientCertSecretRef"), tls.get("clientKeySecretRef")
    if (certificate is None) != (key is None):
        given, missing = "clientCertSecretRef", "clientKeySecretRef"
        if certificate is None:
            given, missing = missing, given
        message = f"{given} has no effect without {missing}"
        yield resource.finding(HALF_CERTIFICATE, (*path, "tlsConfig", given), message, hint=f"add {missing}")


CHECKS: dict[str, tuple[Check, ...]] = {"MCPWebhookConfig": (check,)}
