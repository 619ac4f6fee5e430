"""Rules about AWS role mappings that keep a proxy from starting, or that never match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.version import RECORDED
from ..aws_role import STS, role_problems
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from ...compiler.workspace.workspace import Resolved
    from ..rule import Check, Finding, Path, Resource, Workspace

INVALID_MAPPING = rule(
    "AUT030 unusable-role-mapping",
    "process",
    "A proxy cannot choose between the cloud roles that it is given",
    verified=RECORDED,
)
MATCHER = rule(
    "AUT031 invalid-role-matcher",
    "process",
    "A proxy uses a role mapping whose CEL expression does not compile",
    unmodelled="all",
    verified=RECORDED,
)
MATCHER_AT_REST = rule(
    "AUT032 odd-role-matcher", "lint", "The matcher of a role mapping does not compile, or never matches"
)
EXAMPLE = 'write a comparison, such as claims["sub"] == "alice"'


@reads("externalAuthConfigRef")
def check_proxy(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Report AWS role mappings that keep the proxy from starting."""
    resolved: Resolved[MCPExternalAuthConfigSpec] = workspace.resolved(
        resource, "spec", "externalAuthConfigRef", "name"
    )
    if resolved is None or resolved[1].spec.get("type") != "awsSts":
        return
    reference, config = resolved
    for path, message in role_problems(config):
        hint = "set one of the two: claim or matcher" if path else "set fallbackRoleArn, or mappings"
        yield reference.finding_about_target(INVALID_MAPPING, (*STS, *path), message, hint=hint)
    for path, message in _uncompilable(config):
        yield reference.finding_about_target(MATCHER, path, message, hint=EXAMPLE)


@reads("awsSts")
def check_config(resource: Resource[MCPExternalAuthConfigSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report matchers of AWS role mappings that never match, or that do not compile.

    If an MCPRemoteProxy refers to the configuration, `check_proxy` reports matchers that do not compile.
    """
    is_reported = any(reference.source.kind == "MCPRemoteProxy" for reference in workspace.referrers(resource))
    for path, message in _uncompilable(resource):
        if not is_reported:
            yield resource.finding(MATCHER_AT_REST, path, message, hint=EXAMPLE)
    for path, matcher in _matchers(resource):
        from ...compiler.language.cel.rule import matcher_type

        kind = matcher_type(matcher)
        if kind is not None and kind not in ("bool", "dyn"):
            message = f"the matcher returns {kind}, not true or false, so it never matches"
            yield resource.finding(MATCHER_AT_REST, path, message, hint=EXAMPLE)


def _matchers(config: Resource[MCPExternalAuthConfigSpec]) -> Iterator[tuple[Path, str]]:
    for i, mapping in enumerate(config.spec["awsSts"].get("roleMappings") or ()):
        matcher = mapping.get("matcher")
        if matcher and not is_placeholder(matcher):
            yield (*STS, "roleMappings", i, "matcher"), matcher


def _uncompilable(config: Resource[MCPExternalAuthConfigSpec]) -> Iterator[tuple[Path, str]]:
    for path, matcher in _matchers(config):
        from ...compiler.language.cel.rule import matcher_problem

        problem = matcher_problem(matcher)
        if problem is not None:
            yield path, f"the matcher {problem}"


CHECKS: dict[str, tuple[Check, ...]] = {"MCPRemoteProxy": (check_proxy,), "MCPExternalAuthConfig": (check_config,)}
