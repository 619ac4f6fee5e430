"""The entry point of the command line. The module of a command is only imported if the command is called."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Any, ClassVar

import click

from ..diagnostics.span import InputError
from ..diagnostics.version import VERSION
from .status import FAULT, GONE, INTERRUPTED, WRONG

GROUPS: dict[str, dict[str, str]] = {
    "Check and fix": {
        "check": "Validate resources and records, and fix what can be fixed.",
        "merge": "Merge the shards of a check from several machines.",
        "upgrade": "Rewrite a project for a later release of the operator.",
    },
    "Compile": {
        "build": "Compile resources to what the operator would create.",
        "diff": "Show what changes in the compiled output.",
    },
    "Understand": {
        "explain": "Print the page of a rule, a kind or a field.",
        "graph": "Draw the resources and their references.",
        "simulate": "Simulate tool names, workflows, decisions, roles and rate limits.",
        "rules": "List the rules.",
        "releases": "List the releases of the operator that mcpcfg models.",
        "schema": "Print a JSON Schema, or the CRDs.",
    },
    "Records": {
        "registry": "List, search and convert registry files.",
        "skill": "Validate, show and list skills.",
        "client": "List client applications, and print their settings.",
        "workload": "Show and list workloads from their run configurations.",
        "convert": "Convert one kind of record into another.",
    },
    "Set up": {
        "init": "Create a working project.",
        "add": "Add a resource to a project that exists.",
        "lsp": "Run the language server, for editors.",
        "mcp": "Run the MCP server, for agents.",
        "completion": "Print the completion script of a shell.",
        "cache": "Show or clear the cache.",
    },
}
"""One-line help of each command, in groups. ``compiler/cli/<command>.py`` defines ``command``."""

COMMANDS = {name: text for commands in GROUPS.values() for name, text in commands.items()}


class LazyGroup(click.Group):
    """A group of commands that are imported when they are called. ``--help`` imports none.

    Attributes:
        table: One-line help by name of the command.
        groups: The same tables by heading of ``--help``.
        room: Name of the package that has a module for each command.
    """

    table = COMMANDS
    groups: ClassVar = GROUPS
    room = "mcpcfg.compiler.cli"

    def list_commands(self, _: click.Context) -> list[str]:
        """Return the names of the commands in the order of the table."""
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command and return the command, or ``None`` if there is no such command."""
        if cmd_name not in self.table:
            return super().get_command(ctx, cmd_name)
        from importlib import import_module

        command: click.Command = import_module(f"{self.room}.{cmd_name.replace('-', '_')}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the name, the command and the remaining arguments that ``args`` call.

        If the command does not exist, fail with a suggestion.
        """
        if args and args[0] not in self.table and not args[0].startswith("-"):
            from ..diagnostics.suggestion import nearest

            near = nearest(args[0], self.table)
            hint = f" Did you mean '{near}'?" if near else ""
            ctx.fail(f"No such command '{args[0]}'.{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands into the help in groups, with all descriptions in one column."""
        width = max(map(len, self.table))
        for title, commands in self.groups.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), text) for name, text in commands.items()])


# Longer lines of help are hard to read.
@click.group(cls=LazyGroup, context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 100})
@click.version_option(VERSION, prog_name="mcpcfg", message="%(prog)s %(version)s")
def program() -> None:
    """Check and compile the configuration of MCP servers on Kubernetes, before it reaches a cluster."""


def main(args: list[str] | None = None) -> None:
    """Run the command that ``args`` call, by default the arguments of the process, and exit.

    The exit status is 0 without findings, 1 with findings, 2 for a wrong call or an unusable file, and 3 for an
    internal error. The module ``status`` also defines those after an interruption and for a closed pipe.
    """
    try:
        status: Any = program.main(args=args, prog_name="mcpcfg", standalone_mode=False)
    except click.exceptions.Abort:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(GONE)
    except Exception as error:  # noqa: BLE001 - the last resort
        # The error may be that standard error cannot be written.
        with suppress(OSError):
            _print_error(error)
        sys.exit(WRONG if isinstance(error, click.ClickException | InputError | OSError) else FAULT)
    sys.exit(status if isinstance(status, int) else 0)


def _print_error(error: Exception) -> None:
    """Print on standard error why a command fails. An `OSError` is never printed as an internal error."""
    from ..diagnostics.shown import line, lines
    from ..disk.output_file import reason

    if isinstance(error, click.ClickException):
        _print_usage_error(error)
    elif isinstance(error, InputError):
        click.echo(lines(f"mcpcfg: {error}"), err=True)
    elif isinstance(error, OSError):
        what = f"{error.filename}" if error.filename is not None else "cannot write to standard output"
        click.echo(line(f"mcpcfg: {what}: {reason(error)}"), err=True)
    else:
        _print_internal_error(error)


def _print_usage_error(error: click.ClickException) -> None:
    import io

    from ..diagnostics.shown import lines

    message = io.StringIO()
    error.show(message)
    # click indents the values of a missing option by tabs.
    click.echo(lines(message.getvalue().expandtabs(2)), err=True, nl=False)


def _print_internal_error(error: Exception) -> None:
    import traceback

    from ..diagnostics.shown import lines

    trace = "".join(traceback.format_exception(error))
    reading = "".join(f"\n  {note}" for note in getattr(error, "__notes__", ()))
    message = f"mcpcfg: internal error: {type(error).__name__}: {error}{reading}"
    click.echo(lines(f"{trace}{message}\nPlease report it, with the lines above."), err=True)
