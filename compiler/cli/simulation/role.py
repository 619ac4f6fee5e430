"""``mcpcfg simulate role``: find the AWS role for a user's request."""

from __future__ import annotations

from typing import Any

import click

from ..option import PATH
from .answer import answer_options, write
from .input import find, mapping_file


@click.command("role")
@click.option("--claims", type=PATH, metavar="FILE", help="File with the claims of the user's token: an object.")
@answer_options("role", "CONFIG")
def command(subject: str, paths: tuple[str, ...], format_: str, **given: Any) -> int:
    """Choose the role that a user with these claims gets, and show the result of each mapping.

    CONFIG is the name of an MCPExternalAuthConfig of type awsSts among the paths, or of a server that refers to one,
    or a file with such a resource or with a RunConfig.
    """
    from ...simulate.answer import role
    from ...simulate.report import role as simulated_role

    subject_ = find(subject, paths, role.KINDS, namespace=given["namespace"], can_be_subject=role.can_be_subject)
    if given["claims"] is None:
        raise click.UsageError("state what the user's token claims: --claims FILE")
    choice = role.choice(subject_, subject, mapping_file(given["claims"], "--claims"))
    return write(format_, lambda: simulated_role.text(choice), lambda: simulated_role.data(choice))
