"""``mcpcfg simulate tools``: list the tools that clients of a virtual server see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..option import PATH
from .answer import answer_options, write
from .input import find, value_file

if TYPE_CHECKING:
    from ...simulate.backend import Backend


@click.command("tools")
@click.option(
    "--backend-tools",
    type=PATH,
    metavar="FILE",
    help="File that maps each backend to its tools: names, or answers of tools/list.",
)
@answer_options("tools", "VMCP", by_release=True)
def command(
    subject: str, paths: tuple[str, ...], backend_tools: str | None, format_: str, **context: str | None
) -> int:
    """Show which tools clients of VMCP see, and which backend serves each.

    VMCP is the name of a VirtualMCPServer among the paths, or a file with a VirtualMCPServer or with the
    configuration of its process. Without --backend-tools, the tools are those that the configuration and registry files
    among the paths name.
    """
    from ...simulate.answer import tools
    from ...simulate.report import tools as simulated_tools

    given = find(subject, paths, tools.KINDS, can_be_subject=tools.can_be_subject, **context)
    stated = [] if backend_tools is None else _from_file(backend_tools)
    name, session = tools.session(given, subject, stated)
    return write(format_, lambda: simulated_tools.text(name, session), lambda: simulated_tools.data(name, session))


def _from_file(file: str) -> list[Backend]:
    from ...simulate.answer.subject import QuestionError
    from ...simulate.answer.tools import backends_in

    try:
        return backends_in(value_file(file, "--backend-tools"))
    except QuestionError as error:
        raise click.UsageError(f"--backend-tools: {file}: {error}") from error
