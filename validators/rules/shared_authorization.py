"""Rules about MCPAuthzConfigs: configurations that the operator refuses, and keys that it never reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.fault_to_finding import finding_of
from ...compiler.diagnostics.shown import shown
from ...compiler.diagnostics.suggestion import did_you_mean
from ..placeholder import has_placeholder
from ..rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcpauthzconfig import MCPAuthzConfigSpec
    from ..rule import Check, Finding, Resource, Workspace

UNUSABLE = rule(
    "AUT050 unusable-authorization", "operator", "The operator does not accept an MCPAuthzConfig", since="0.30.0"
)
UNKNOWN_KEY = rule(
    "AUT058 unknown-authorization-key", "lint", "A key in the config of an MCPAuthzConfig is never read", since="0.30.0"
)


def check(resource: Resource[MCPAuthzConfigSpec], _: Workspace) -> Iterator[Finding]:
    """Report faults for which the operator refuses an MCPAuthzConfig, and keys that it never reads."""
    from ...compiler.emit.authz import CONFIG_KEYS
    from ...compiler.records.side_file.authz import refusals, unknown_keys

    kind, config = resource.spec.get("type", ""), resource.spec.get("config")
    if has_placeholder(kind) or has_placeholder(config):
        return
    key = CONFIG_KEYS.get(kind)
    if key is None:
        message = f"the type {shown(kind)} is neither cedarv1 nor httpv1"
        yield resource.finding(UNUSABLE, ("spec", "type"), message, hint=did_you_mean(kind, tuple(CONFIG_KEYS)))
        return
    document = {"version": "1.0", "type": kind, key: config}
    for fault in unknown_keys(document, resource.release):
        yield finding_of(resource, fault._replace(rule=UNKNOWN_KEY), ("spec", "config", *fault.path[1:]))
    for fault in refusals(document, resource.release):
        below = fault.path[1:] if fault.path[:1] == (key,) else ()
        if below == ("http", "url"):
            continue  # the operator only checks that the URL is not empty; the proxies check its form
        message = fault.message if below else f"the configuration of type {kind} is incomplete: {fault.message}"
        yield resource.finding(UNUSABLE, ("spec", "config", *below), message, hint=fault.hint)


CHECKS: dict[str, tuple[Check, ...]] = {"MCPAuthzConfig": (check,)}
