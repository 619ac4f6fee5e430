"""``mcpcfg mcp``: run the MCP server on standard input and output."""

from __future__ import annotations

import click

from .option import FOLDER


@click.command("mcp")
@click.option("--root", type=FOLDER, default=".", metavar="DIR", help="Read files only below DIR.  [default: .]")
@click.option("--write", is_flag=True, help="Let the tool fix write the files that it fixes.")
def command(root: str, *, write: bool) -> int:
    """Run an MCP server on standard input and output, for an agent that writes these files.

    Its tools check, explain, fix, compile and compare files below the root. It opens no connection; ToolHive serves it
    over HTTP. It needs the extra mcp. docs/agents.md shows how to set up clients.
    """
    import os

    from ..diagnostics.span import InputError

    if not os.path.isdir(root):
        raise InputError(f"no such folder: {root}")
    try:
        from ..agent.server import serve
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in {"anyio", "mcp", "mcp_types"}:
            raise
        raise InputError(
            "the MCP server needs the extra mcp: pipx install --force 'PATH/TO/mcpcfg[mcp]' (pip, uv: docs/install.md)"
        ) from None
    return serve(root, may_write=write)
