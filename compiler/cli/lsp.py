"""``mcpcfg lsp``: run the language server on standard input and output."""

from __future__ import annotations

import click


@click.command("lsp")
@click.option("--stdio", is_flag=True, help="Use standard input and output; it always does.")
def command(*, stdio: bool) -> int:
    """Run the language server on standard input and output, for an editor.

    Findings as one types, pages of fields and rules, completion, definitions and references, and fixes. It reads the
    project as mcpcfg check does, writes no file and opens no connection. docs/editor.md shows how editors are set up.
    """
    del stdio
    from ..editor.server import serve

    return serve()
