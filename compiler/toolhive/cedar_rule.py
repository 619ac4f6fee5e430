"""Rules of Cedar policies that a resource and an authorization file can both break."""

from __future__ import annotations

from ..diagnostics.finding import rule

NEVER_MATCHES = rule(
    "AZN006",
    "idle-cedar-policy",
    "A Cedar policy can never apply to an MCP request",
    stage="lint",
    checks="A policy whose head names a principal other than a `Client`, an action that MCP requests do not have, or a"
    " resource that is not a `Tool`, `Prompt`, `Resource` or `FeatureType`.",
    why="Nothing refuses it. With a `permit` that never applies requests stay denied; a `forbid` that never applies"
    " forbids nothing.",
    example='permit(principal == User::"alice", action, resource);',
    fix='Name principals as `Client::"SUBJECT"`, actions as `Action::"call_tool"`, tools as `Tool::"NAME"`; test other'
    " claims in a `when` clause.",
    source="How the authorization middleware of the proxy makes Cedar requests, v0.21.0.",
)

IGNORED_REST = rule(
    "AZN005",
    "ignored-cedar-policy",
    "A text contains several Cedar policies, but only the first is read",
    stage="lint",
    checks="An item of `authzConfig.inline.policies`, of a VirtualMCPServer too, or of `cedar.policies` in an"
    " authorization document (a file, or from a ConfigMap) or of an MCPAuthzConfig, that continues after its first"
    " policy.",
    why="Each item is read as a single policy, and the rest is silently skipped. A `forbid` there forbids nothing.",
    example="""
        policies:
          - |
            permit(principal, action, resource);
            forbid(principal, action == Action::"call_tool", resource == Tool::"delete");
        """,
    fix="Write each policy as an item of its own.",
    source="The authorization middleware of the proxy, v0.21.0.",
)
