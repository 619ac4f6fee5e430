"""``mcpcfg simulate role``: find the role of a user's request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..complete import PATH
from ..option import namespace_option
from .answer import answer_options, write
from .input import find, mapping_file

if TYPE_CHECKING:
    from .input import Subject

KINDS = ("MCPExternalAuthConfig", "MCPServer", "MCPRemoteProxy")


@click.command("role")
@click.argument("subject", metavar="CONFIG", required=False)
@click.argument("paths", nargs=-1, type=PATH, metavar="[PATH]...")
@click.option("--claims", type=PATH, metavar="FILE", help="File with the claims of the user's token: an object.")
@namespace_option
@answer_options("role")
def command(subject: str, paths: tuple[str, ...], format_: str, **given: Any) -> int:
    """Choose the role that a user with these claims gets, and show how each mapping decided.

    CONFIG is the name of an MCPExternalAuthConfig of type awsSts among the paths, or of a server that refers to one,
    or a file that holds one, or a RunConfig.
    """
    from ...report import simulated_role
    from ...simulate.role import choose_role

    subject_ = find(subject, paths, KINDS, namespace=given["namespace"], stands_alone=_is_role_config)
    if given["claims"] is None:
        raise click.UsageError("state what the user's token claims: --claims FILE")
    choice = choose_role(_config(subject_, subject), mapping_file(given["claims"], "--claims"))
    return write(format_, lambda: simulated_role.text(choice), lambda: simulated_role.data(choice))


def _is_role_config(data: dict[str, Any]) -> bool:
    return isinstance(data.get("aws_sts_config"), dict) or "role_mappings" in data or "fallback_role_arn" in data


def _config(given: Subject, subject: str) -> dict[str, Any]:
    if given.resource is None:
        inner = given.data.get("aws_sts_config")
        return inner if isinstance(inner, dict) else given.data
    config = given.resource
    if config.kind != "MCPExternalAuthConfig":
        target = given.workspace.target(config, "spec", "externalAuthConfigRef", "name")
        if target is None:
            raise click.UsageError(f"{subject} refers to no MCPExternalAuthConfig among the files")
        config = target
    block = config.spec.get("awsSts")
    if not isinstance(block, dict):
        raise click.UsageError(
            f'MCPExternalAuthConfig "{config.name}" is of type {config.spec.get("type")}; roles are chosen by awsSts'
        )
    from ...simulate.role import config_of_spec

    return config_of_spec(block)
