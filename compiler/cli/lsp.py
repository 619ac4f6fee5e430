"""``mcpcfg lsp``: run the language server on standard input and output."""

from __future__ import annotations

import click


@click.command("lsp")
@click.option("--stdio", is_flag=True, help="Use standard input and output; it always does.")
def command(*, stdio: bool) -> int:
    """Run the language server on standard input and output, for an editor.

    It shows findings while you type, pages of fields and rules, completions, definitions, references and fixes. It
    reads the project as mcpcfg check does, writes no file and opens no connection. docs/editor.md shows how to set up
    editors.
    """
    del stdio
    from ..editor.server import serve

    return serve()
