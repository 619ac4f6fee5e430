"""Rules about CA bundles of OIDC providers that a workload cannot mount."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.toolhive.release import PROXY_CA_BUNDLE_SINCE
from ...compiler.workspace.reference import declared_keys
from ..dangling import MOST_KEYS
from ..placeholder import are_certain
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcpoidcconfig import MCPOIDCConfigSpec
    from ...compiler.models.reference import CABundleSource
    from ...compiler.workspace.reference import Reference
    from ...compiler.workspace.workspace import Resolved
    from ..rule import Check, Finding, Path, Resource, Rule, Workspace

UNUSABLE = rule(
    "OID001 invalid-oidc-ca-bundle",
    "operator",
    "The CA bundle of a workload's OIDC provider does not name a usable ConfigMap",
)
MISSING = rule(
    "OID002 missing-oidc-ca-bundle",
    "operator",
    "The ConfigMap with the CA bundle of an MCPServer's OIDC provider, or its key, does not exist",
    unmodelled="all",
)

NOT_MOUNTED = rule(
    "OID003 unmounted-oidc-ca-bundle",
    "process",
    "An MCPRemoteProxy does not get the CA bundle of its OIDC provider",
    until=PROXY_CA_BUNDLE_SINCE,
)
WITHOUT = "use a provider without caBundleRef for the proxy"

LONGEST_NAME = 48
"""Maximum characters of a ConfigMap's name: a volume name of 63 characters has the prefix ``oidc-ca-bundle-``."""
BUNDLE: Path = ("spec", "inline", "caBundleRef")


@reads("oidcConfigRef")
def check(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Report the CA bundle of the OIDC provider if the workload cannot mount it."""
    resolved: Resolved[MCPOIDCConfigSpec] = workspace.resolved(resource, "spec", "oidcConfigRef", "name")
    if resolved is None:
        return
    reference, config = resolved
    inline = config.spec.get("inline")
    if config.spec.get("type") != "inline" or not inline or "caBundleRef" not in inline:
        return
    problem = _problem(inline["caBundleRef"])
    if problem is not None:
        yield _finding(UNUSABLE, reference, *problem)
    elif resource.kind == "MCPServer" or resource.is_judged(since=PROXY_CA_BUNDLE_SINCE):
        missing = _missing(workspace, config)
        if missing is not None:
            yield _finding(MISSING, reference, *missing)
    else:
        yield _finding(NOT_MOUNTED, reference, "its CA bundle is not mounted into an MCPRemoteProxy", WITHOUT)


def _problem(bundle: CABundleSource) -> tuple[str, str] | None:
    ref = bundle.get("configMapRef")
    if ref is None:
        return "its caBundleRef has no configMapRef", "name a ConfigMap, or remove caBundleRef"
    name = ref.get("name", "")
    if not name:
        return "its CA bundle names no ConfigMap", "name the ConfigMap, or remove caBundleRef"
    if len(name.encode()) > LONGEST_NAME:
        message = (
            f'the name "{name}" of its CA bundle has {len(name)} characters, at most {LONGEST_NAME} can be mounted'
        )
        return message, "choose a shorter name for the ConfigMap"
    return None


def _missing(workspace: Workspace, config: Resource) -> tuple[str, str] | None:
    """Return why the ConfigMap of a CA bundle cannot be read, and a hint, or ``None`` if it can."""
    reference = workspace.reference(config, *BUNDLE, "configMapRef", "name")
    if reference is None:
        return None
    name = f'ConfigMap "{reference.name}" with its CA bundle'
    target = reference.target
    if reference.problem == "key-missing" or (
        target is not None
        and target.admitted
        and declared_keys(target) is not None
        and reference.key not in target.entries("data")
        and are_certain([reference.key or ""])
    ):
        keys = target.entries("data") if target is not None else ()
        listed_keys = ", ".join(sorted(keys)[:MOST_KEYS])
        advice = f"it has: {listed_keys}" if keys else "create the ConfigMap with that key, or correct caBundleRef"
        return f'{name} has no key "{reference.key}" in data', advice
    if reference.problem is None:
        return None
    return f"{name} does not exist", "create the ConfigMap with that key, or correct caBundleRef"


def _finding(rule: Rule, reference: Reference, message: str, hint: str) -> Finding:
    note = "the CA bundle is configured here"
    return reference.finding_about_target(rule, BUNDLE, message, hint=hint, note=note)


CHECKS: dict[str, tuple[Check, ...]] = {"MCPServer": (check,), "MCPRemoteProxy": (check,)}
