"""``mcpcfg simulate``: simulate the behavior of a configuration."""

from __future__ import annotations

from importlib import import_module

import click

SUBJECTS = {
    "tools": "The tools that clients of a virtual server see, and where each goes.",
    "workflow": "A run of a composite tool on given answers.",
    "authz": "An authorization decision, and which policies made it.",
    "role": "The role that a user's request gets, and why.",
    "rate-limit": "Rates, bursts and which limit binds.",
}


class SubjectGroup(click.Group):
    """A group whose subcommands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the subjects in the order of the table."""
        del ctx
        return list(SUBJECTS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a subject."""
        del ctx
        if cmd_name not in SUBJECTS:
            return None
        module = import_module(f"mcpcfg.compiler.cli.simulation.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the subjects from the table."""
        del ctx
        with formatter.section("Subjects"):
            formatter.write_dl(list(SUBJECTS.items()))


@click.group("simulate", cls=SubjectGroup, subcommand_metavar="SUBJECT ...")
def command() -> None:
    """Simulate what would happen: tool names, a workflow's run, a decision, a role, a rate limit."""
