"""``mcpcfg simulate authz``: simulate an authorization decision."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from ...diagnostics.version import RELEASE
from ..complete import PATH
from ..option import namespace_option
from .answer import answer_options, write
from .input import find, mapping_file

if TYPE_CHECKING:
    from .input import Subject

KINDS = ("MCPServer", "MCPRemoteProxy", "VirtualMCPServer")
ACTIONS = {
    "call_tool": ("tool", "call"),
    "get_prompt": ("prompt", "get"),
    "read_resource": ("resource", "read"),
    "list_tools": ("tool", "list"),
    "list_prompts": ("prompt", "list"),
    "list_resources": ("resource", "list"),
}


@click.command("authz")
@click.argument("subject", metavar="SERVER", required=False)
@click.argument("paths", nargs=-1, type=PATH, metavar="[PATH]...")
@click.option("--principal", metavar="NAME", help="User that asks: the claim sub of the token.")
@click.option("--claims", type=PATH, metavar="FILE", help="File with the claims of the user's token: an object.")
@click.option(
    "--action", type=click.Choice(list(ACTIONS)), default="call_tool", show_default=True, help="Request to decide."
)
@click.option(
    "--resource", "name", metavar="NAME", help="Name of the tool or prompt, or URI of the resource, that is requested."
)
@click.option(
    "--argument",
    "arguments",
    metavar="NAME=VALUE",
    multiple=True,
    help="Argument of the tool call; VALUE is JSON or a text. Repeatable.",
)
@namespace_option
@answer_options("authz")
def command(subject: str, paths: tuple[str, ...], format_: str, **given: Any) -> int:
    """Decide whether the Cedar policies of SERVER let a request pass, and show which decide it.

    SERVER is the name of an MCPServer, MCPRemoteProxy or VirtualMCPServer among the paths, or a file that holds one,
    or a file with an authorization configuration.
    """
    from ...report import simulated_authz
    from ...simulate.authz import Authorization, authorize

    given_ = find(subject, paths, KINDS, namespace=given["namespace"], stands_alone=_is_authorization)
    claims = mapping_file(given["claims"], "--claims")
    if given["principal"] is not None:
        claims = {**claims, "sub": given["principal"]}
    if not claims:
        raise click.UsageError("state who asks: --principal NAME, or --claims FILE")
    feature, operation = ACTIONS[given["action"]]
    if given["name"] is None and operation != "list":
        raise click.UsageError(f"state which {feature} is asked for: --resource NAME")
    request = {
        "feature": feature,
        "operation": operation,
        "resource": given["name"] or "",
        "arguments": dict(map(_argument, given["arguments"])),
    }
    document = _document(given_)
    if document is None:
        return write(
            format_,
            lambda: f"allowed: {subject} has no authorization, every user may do everything\n",
            lambda: simulated_authz.data(Authorization(allowed=True)),
        )
    cedar = _cedar(document, subject)
    release, server = (RELEASE, "") if given_.resource is None else (_release(given_), given_.resource.name)
    decision = authorize(cedar, claims, request, release=release, server=server)
    upstream = cedar.get("primary_upstream_provider") or cedar.get("primaryUpstreamProvider")
    return write(
        format_,
        lambda: simulated_authz.text(decision, upstream if isinstance(upstream, str) else ""),
        lambda: simulated_authz.data(decision),
    )


def _is_authorization(data: dict[str, Any]) -> bool:
    return isinstance(data.get("cedar"), dict) or "policies" in data or isinstance(data.get("authz_config"), dict)


def _release(given: Subject) -> str:
    return given.loaded.project.settings.profile.judging_release


def _document(given: Subject) -> dict[str, Any] | None:
    """Return the authorization configuration of the proxy, or ``None`` if it has none."""
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
        raise click.UsageError(
            f'the authorization of "{given.resource.name}" stands in the {kind} "{named.get("name")}", which cannot be '
            "read among the files; name the file that declares it too"
        )
    document: dict[str, Any] = content if is_virtual else read_document(with_options(content, {}, given.resource))
    return document


def _virtual_server_config(given: Subject) -> dict[str, Any] | None:
    """Return the authorization configuration of a virtual server, with the keys of an authorization file."""
    from ...emit import vmcpincoming
    from ...toolhive.release import VIRTUAL_POLICIES_SINCE

    resource = given.resource
    assert resource is not None
    config: dict[str, Any] | None = vmcpincoming.incoming(given.workspace, resource).get("authz")
    if config is None or not resource.is_judged(since=VIRTUAL_POLICIES_SINCE):
        return config
    return {vmcpincoming.CEDAR_FIELDS.get(field, field): value for field, value in config.items()}


def _cedar(document: dict[str, Any], subject: str) -> dict[str, Any]:
    cedar = document.get("cedar", document)
    if not isinstance(cedar, dict) or "policies" not in cedar:
        raise click.UsageError(
            f"the authorization of {subject} is of type {document.get('type')!r}: only Cedar policies can be simulated"
        )
    return cedar


def _argument(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise click.UsageError(f"--argument {text}: write NAME=VALUE")
    try:
        return name, json.loads(value)
    except (ValueError, RecursionError):
        return name, value
