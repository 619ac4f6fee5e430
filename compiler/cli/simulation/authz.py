"""``mcpcfg simulate authz``: simulate an authorization decision."""

from __future__ import annotations

import json
from typing import Any

import click

from ...simulate.answer.authz import ACTIONS
from ..option import PATH
from .answer import answer_options, write
from .input import find, mapping_file


@click.command("authz")
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
@answer_options("authz", "SERVER", by_release=True)
def command(subject: str, paths: tuple[str, ...], format_: str, **given: Any) -> int:
    """Decide whether the Cedar policies of SERVER let a request pass, and show which policies decide.

    SERVER is the name of an MCPServer, MCPRemoteProxy or VirtualMCPServer among the paths, or a file with such a
    resource or with an authorization configuration.
    """
    from ...simulate.answer import authz
    from ...simulate.report import authz as simulated_authz

    given_ = find(
        subject,
        paths,
        authz.KINDS,
        namespace=given["namespace"],
        can_be_subject=authz.can_be_subject,
        release=given["release"],
    )
    claims = mapping_file(given["claims"], "--claims")
    if given["principal"] is not None:
        claims = {**claims, "sub": given["principal"]}
    if not claims:
        raise click.UsageError("state who asks: --principal NAME, or --claims FILE")
    feature, operation = authz.ACTIONS[given["action"]]
    if given["name"] is None and operation != "list":
        raise click.UsageError(f"state which {feature} is asked for: --resource NAME")
    arguments = dict(map(_argument, given["arguments"]))
    decision, upstream, is_decided = authz.decision(
        given_, subject, claims, given["action"], given["name"] or "", arguments
    )
    no_policies = f"allowed: {subject} has no authorization, every user may do everything\n"
    return write(
        format_,
        lambda: simulated_authz.text(decision, upstream) if is_decided else no_policies,
        lambda: simulated_authz.data(decision),
    )


def _argument(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise click.UsageError(f"--argument {text}: write NAME=VALUE")
    try:
        return name, json.loads(value)
    except (ValueError, RecursionError):
        return name, value
