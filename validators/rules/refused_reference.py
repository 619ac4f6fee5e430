"""Rules about references to configurations that exist but that the operator refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ...compiler.diagnostics.fault_to_finding import restaged, stated
from ...compiler.diagnostics.plain import value_at
from ..auth_server import EMBEDDED
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.diagnostics.finding import Stage
    from ...compiler.models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from ...compiler.models.mcpremoteproxy import MCPRemoteProxySpec
    from ...compiler.models.spec import MemberSpec, ProxySpec
    from ...compiler.workspace.workspace import Verdicts
    from ..rule import Check, Finding, Resource, Workspace

REFUSED = rule(
    "REF011 refused-configuration", "operator", "A reference leads to a configuration that the operator does not accept"
)
EMPTY = rule("REF012 empty-reference", "operator", "A reference has an empty name")

CHECKED = ("telemetryConfigRef", "oidcConfigRef", "authzConfigRef", "webhookConfigRef")
AUTHENTICATION = ("externalAuthConfigRef", "authServerRef")
EXTERNAL_AUTH_CHECKED_SINCE = "0.28.3"
"""The first release whose operator checks the target of externalAuthConfigRef. None checks that of authServerRef."""
UPSTREAM_BLOCK = "AUT010"
"""A rule about upstream providers whose fault EAS003 reports at the workload."""
MAY_BE_EMPTY = (
    ("toolConfigRef",),
    ("externalAuthConfigRef",),
    ("authzConfig", "configMap"),
    ("caBundleRef", "configMapRef"),
)


@reads(*CHECKED, *AUTHENTICATION)
def check_refused(resource: Resource[ProxySpec], workspace: Workspace) -> Iterator[Finding]:
    """Report references to configurations that the operator refuses, if the workload cannot run with them."""
    unchecked = ("authServerRef",) if resource.is_judged(since=EXTERNAL_AUTH_CHECKED_SINCE) else AUTHENTICATION
    for field in (*CHECKED, *AUTHENTICATION):
        if field not in resource.spec:
            continue
        resolved = workspace.resolved(resource, "spec", field, "name")
        refused_by = workspace.verdicts.refusal(resolved[1]) if resolved is not None else None
        if resolved is not None and refused_by is not None:
            reference, config = resolved
            stage: Stage | None = "operator"
            if field in unchecked:
                stage = _process_stage(cast("Resource[MCPExternalAuthConfigSpec]", config), workspace.verdicts)
            if stage is None:
                continue
            message = f'the operator does not accept {config.kind} "{config.name}" ({refused_by})'
            notes = (config.note("it is here"),)
            hint = "fix the findings of that resource first"
            yield restaged(resource.finding(REFUSED, reference.path, message, hint=hint, notes=notes), stage)


def _process_stage(config: Resource[MCPExternalAuthConfigSpec], verdicts: Verdicts) -> Stage | None:
    """Return the stage at which a refused configuration stops a workload whose operator does not check the reference.

    The result is ``None`` if nothing stops the workload, or if EAS003 reports the fault. Only an authorization server
    stops a process. From 0.43.0 on, the operator validates delegate clients and trusted issuers when it builds the
    workload's configuration.

    Source: validateDelegateClientsAndTrustedIssuers of the operator, v0.43.0 and v0.44.0.
    """
    server = config.spec.get(EMBEDDED)
    if config.spec.get("type") != EMBEDDED or server is None or verdicts.refusal(config) == UPSTREAM_BLOCK:
        return None
    faulty = {step for path in verdicts.errors(config) for step in path}
    validated = {"trustedIssuers", "delegateClients", "insecureAllowHTTP"}
    if server.get("delegateClients"):
        validated.add("issuer")
    return "operator" if faulty & validated else "process"


@reads(*(path[0] for path in MAY_BE_EMPTY))
def check_empty(resource: Resource[MemberSpec], _: Workspace) -> Iterator[Finding]:
    """Report references whose name is empty."""
    for path in MAY_BE_EMPTY:
        if value_at(resource.spec, (*path, "name")) == "":
            place = stated(resource, ("spec", *path, "name"))
            yield resource.finding(EMPTY, place, f"{'.'.join(path)} has an empty name", hint="name it, or remove it")


@reads("headerForward")
def check_headers(resource: Resource[MCPRemoteProxySpec], _: Workspace) -> Iterator[Finding]:
    """Report headers of a remote proxy whose Secret has an empty name."""
    for i, header in enumerate(resource.spec["headerForward"].get("addHeadersFromSecret") or ()):
        if header["valueSecretRef"].get("name") == "":
            place = ("spec", "headerForward", "addHeadersFromSecret", i, "valueSecretRef", "name")
            message = f'the Secret of header "{header.get("headerName", "")}" has an empty name'
            yield resource.finding(EMPTY, place, message, hint="name it, or remove the header")


CHECKS: dict[str, tuple[Check, ...]] = {
    "MCPServer": (check_refused, check_empty),
    "MCPRemoteProxy": (check_refused, check_empty, check_headers),
    "MCPServerEntry": (check_empty,),
}
