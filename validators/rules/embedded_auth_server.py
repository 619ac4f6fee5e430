"""Embedded authorization servers that the started process refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpcfg.compiler.vmcp.auth_server import start_faults
from mcpcfg.validators.page import rule
from mcpcfg.validators.told import has_placeholder, tell, value_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.source import Path
    from mcpcfg.compiler.workspace import Workspace
    from mcpcfg.validators.rule import Check

SOURCE = "start-up checks of the embedded authorization server, v0.21.0."
CRASH = (
    "the operator does not look, and writes the configuration; the process refuses it, and the pod crashes in a loop."
)

URL = rule(
    "EAS001",
    "auth-server-url-refused",
    "The URL of an embedded authorization server is not one that it may have.",
    flagged="an `issuer` or `authorizationEndpointBaseUrl` that is neither https nor http on localhost, or that has a"
    " query, a fragment or a slash at its end. The schema lets http pass for every host.",
    why=CRASH,
    example="issuer: http://auth.example.com",
    cure="use https.",
    source=SOURCE,
    stage="process",
)
NAME = rule(
    "EAS002",
    "upstream-called-default",
    "One of several upstream providers is called default.",
    flagged="`default` as the name of an upstream provider where there are several.",
    why=CRASH + " The name is kept for a provider that is the only one.",
    example="upstreamProviders:\n- name: default\n  …\n- name: github\n  …",
    cure="give it a name of its own.",
    source=SOURCE,
    stage="process",
)
BLOCK = rule(
    "EAS003",
    "upstream-without-config",
    "An upstream provider lacks the block that its type asks for.",
    flagged="an upstream provider of type `oidc` without `oidcConfig`, or of type `oauth2` without `oauth2Config`."
    " For a VirtualMCPServer nobody compares the two before the process does.",
    why=CRASH,
    example="- name: github\n  type: oidc\n  oauth2Config: {…}",
    cure="change the type, or the block.",
    source=SOURCE,
    stage="process",
)
REDIRECT = rule(
    "EAS004",
    "upstream-without-redirect",
    "An upstream provider has no redirectUri.",
    flagged="an upstream provider whose `oidcConfig` or `oauth2Config` has no `redirectUri`. The documentation"
    " promises a default, which nothing fills in at v0.21.0.",
    why=CRASH,
    example="oidcConfig: {issuerUrl: https://idp.example.com, clientId: mcp}",
    cure="write the resource URL and `/oauth/callback`, and register that at the provider.",
    source=SOURCE,
    stage="process",
)
RULES = (URL, NAME, BLOCK, REDIRECT)

OF_FAULT = {"server-url": URL, "upstream-name": NAME, "upstream-block": BLOCK, "upstream-redirect": REDIRECT}
SERVER: Path = ("spec", "authServerConfig")


def check(resource: Resource, workspace: Workspace) -> Iterator[Finding]:
    """Tell what the process of a virtual server refuses in its authorization server."""
    server = resource.spec.get("authServerConfig")
    if server is None or workspace.is_refused(resource):
        return
    for fault in start_faults(server):
        if not has_placeholder(value_at(server, fault.path)):
            yield tell(resource, OF_FAULT[fault.code], (*SERVER, *fault.path), fault)


CHECKS: dict[str, tuple[Check, ...]] = {"VirtualMCPServer": (check,)}
