"""``mcpcfg completion``: print the completion script of a shell."""

from __future__ import annotations

import click

SHELLS = {
    "bash": 'eval "$(mcpcfg completion bash)" in ~/.bashrc',
    "zsh": 'eval "$(mcpcfg completion zsh)" in ~/.zshrc',
    "fish": "mcpcfg completion fish > ~/.config/fish/completions/mcpcfg.fish",
}
"""Instruction that installs the completion script, by shell."""


@click.command("completion", epilog="; ".join(f"{shell}: {use}" for shell, use in SHELLS.items()))
@click.argument("shell", type=click.Choice(list(SHELLS)))
def command(shell: str) -> int:
    """Print the completion script of SHELL."""
    from click.shell_completion import get_completion_class

    from .main import program

    completion = get_completion_class(shell)
    assert completion is not None
    click.echo(completion(program, {}, "mcpcfg", "_MCPCFG_COMPLETE").source())
    return 0
