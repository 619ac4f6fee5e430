"""Rules about values that the API server stores but the operator cannot decode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.plain import value_at
from ...compiler.diagnostics.shown import shown
from ...compiler.golang.duration import DurationError, meant_duration, parse_duration
from ...compiler.vmcp.codec import misfits
from ..placeholder import has_placeholder
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcpwebhookconfig import MCPWebhookConfigSpec
    from ..rule import Check, Finding, Resource, Workspace

UNDECODABLE = rule(
    "DEC001 undecodable-value",
    "operator",
    "A stored value does not fit the Go type into which the operator decodes it",
    unmodelled="newer",
)


def check(resource: Resource, _: Workspace) -> Iterator[Finding]:
    """Report values that the operator cannot decode, such as invalid durations."""
    for misfit in misfits(resource.kind, resource.spec, resource.release):
        path = ("spec", *misfit.path)
        value = value_at(resource.data, path)
        if not has_placeholder(value):
            field = next((step for step in reversed(path) if isinstance(step, str)), "spec")
            message = f"{field} takes {misfit.expected}, not {shown(value)}"
            yield resource.finding(UNDECODABLE, path, message, hint=_hint(misfit.expected, value))


@reads("validating", "mutating")
def check_webhook(resource: Resource[MCPWebhookConfigSpec], _: Workspace) -> Iterator[Finding]:
    """Report a webhook timeout that the API server accepts as a duration and Go does not, such as ``3 days``."""
    webhooks_by_direction = {"validating": resource.spec.get("validating"), "mutating": resource.spec.get("mutating")}
    for direction, entries in webhooks_by_direction.items():
        for number, webhook in enumerate(entries or ()):
            timeout = webhook.get("timeout")
            if not timeout or is_placeholder(timeout):
                continue
            try:
                parse_duration(timeout)
            except DurationError:
                message = f"timeout takes a duration with units, such as 10s, not {shown(timeout)}"
                path = ("spec", direction, number, "timeout")
                yield resource.finding(UNDECODABLE, path, message, hint=_hint("a duration", timeout))


def _hint(expected: str, value: Any) -> str | None:
    if isinstance(value, str) and "duration" in expected:
        meant = meant_duration(value)
        return meant and f"write {meant}"
    is_number = isinstance(value, str) and "number" in expected and value.lstrip("-").isdecimal()
    return f"write {value} without quotes" if is_number else None


CHECKS: dict[str, tuple[Check, ...]] = {
    "VirtualMCPCompositeToolDefinition": (check,),
    "VirtualMCPServer": (check,),
    "MCPWebhookConfig": (check_webhook,),
}
