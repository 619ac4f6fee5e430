"""Decide about a request with the policies of a server or file: ``simulate authz``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .subject import QuestionError

if TYPE_CHECKING:
    from ..authz import Authorization
    from .subject import AnswerSubject

KINDS = ("MCPServer", "MCPRemoteProxy", "VirtualMCPServer")
ACTIONS = {
    "call_tool": ("tool", "call"),
    "get_prompt": ("prompt", "get"),
    "read_resource": ("resource", "read"),
    "list_tools": ("tool", "list"),
    "list_prompts": ("prompt", "list"),
    "list_resources": ("resource", "list"),
}
"""The feature and operation of each request, by its name on the command line."""


def decision(
    subject: AnswerSubject, name: str, claims: dict[str, Any], action: str, resource: str, arguments: dict[str, Any]
) -> tuple[Authorization, str, bool]:
    """Decide whether the policies of a server allow a request. Without authorization, every request is allowed.

    Args:
        name: Name of the subject for messages.
        claims: Claims of the user's token.
        action: Name of the request, see `ACTIONS`.
        resource: Name of the tool or prompt, or URI of the resource; empty for a list.
        arguments: Arguments of the tool call.

    Returns:
        The decision, the upstream provider whose token contains the claims (empty for the user's own token), and
        whether the server has authorization.

    Raises:
        QuestionError: The policies cannot be read, or are not Cedar policies.
    """
    from ..authz import Authorization, authorize

    feature, operation = ACTIONS[action]
    document = _document(subject)
    if document is None:
        return Authorization(allowed=True), "", False
    cedar = _cedar(document, name)
    request = {"feature": feature, "operation": operation, "resource": resource, "arguments": arguments}
    server = "" if subject.resource is None else subject.resource.name
    upstream = cedar.get("primary_upstream_provider") or cedar.get("primaryUpstreamProvider")
    decided = authorize(cedar, claims, request, release=subject.release, server=server)
    return decided, upstream if isinstance(upstream, str) else "", True


def can_be_subject(data: dict[str, Any]) -> bool:
    """Return whether a document that is not a resource is an authorization configuration."""
    return isinstance(data.get("cedar"), dict) or "policies" in data or isinstance(data.get("authz_config"), dict)


def _document(given: AnswerSubject) -> dict[str, Any] | None:
    """Return the authorization configuration of the process or of the file; ``None`` if there is none."""
    if given.resource is None:
        inner = given.data.get("authz_config")
        return inner if isinstance(inner, dict) else given.data
    from ...emit.authz import authz_config, read_document, with_options
    from ...toolhive.release import AUTHZ_CONFIG_SINCE

    spec = given.resource.spec
    is_virtual = given.resource.kind == "VirtualMCPServer"
    authorization: dict[str, Any] = (spec.get("incomingAuth") or {}) if is_virtual else spec
    is_shared = bool(authorization.get("authzConfigRef")) and given.resource.is_judged(since=AUTHZ_CONFIG_SINCE)
    if not authorization.get("authzConfig") and not is_shared:
        return None
    if is_virtual:
        content: Any = _virtual_server_config(given)
    else:
        content = authz_config(given.workspace, given.resource)
    if content is None:
        kind = "MCPAuthzConfig" if is_shared else "ConfigMap"
        named = authorization["authzConfigRef"] if is_shared else authorization["authzConfig"].get("configMap") or {}
        raise QuestionError(
            f'the authorization of "{given.resource.name}" stands in the {kind} "{named.get("name")}", which cannot be '
            "read among the files; name the file that declares it too"
        )
    document: dict[str, Any] = content if is_virtual else read_document(with_options(content, {}, given.resource))
    return document


def _virtual_server_config(given: AnswerSubject) -> dict[str, Any] | None:
    from ...emit import vmcpincoming
    from ...toolhive.release import VIRTUAL_POLICIES_SINCE

    resource = given.resource
    assert resource is not None
    config: dict[str, Any] | None = vmcpincoming.incoming(given.workspace, resource).get("authz")
    if config is None or not resource.is_judged(since=VIRTUAL_POLICIES_SINCE):
        return config
    return {vmcpincoming.CEDAR_FIELDS.get(field, field): value for field, value in config.items()}


def _cedar(document: dict[str, Any], name: str) -> dict[str, Any]:
    cedar = document.get("cedar", document)
    if not isinstance(cedar, dict) or "policies" not in cedar:
        raise QuestionError(
            f"the authorization of {name} is of type {document.get('type')!r}: only Cedar policies can be simulated"
        )
    return cedar
