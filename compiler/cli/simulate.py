"""``mcpcfg simulate``: what would happen."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable

SUBJECTS = {
    "tools": "The tools that clients of a virtual server see, and where each goes.",
    "workflow": "A run of a composite tool.",
    "authz": "An authorization decision.",
    "role": "The role that a request gets.",
    "rate-limit": "Rates, bursts and which limit binds.",
}


@click.command("simulate")
@click.argument("subject", type=click.Choice(list(SUBJECTS)))
@click.option("--json-lines", is_flag=True, help="Read one question a line on standard input, write one answer a line.")
def command(subject: str, *, json_lines: bool) -> int:
    """Tell what would happen: tool names, a workflow's run, a decision, a role, a rate limit."""
    module = import_module(f"mcpcfg.compiler.simulate.{subject.replace('-', '')}")
    if not json_lines:
        raise click.UsageError("give the questions on standard input, with --json-lines")
    return _answer_lines(module.answer)


def _answer_lines(answer: Callable[[Any], Any]) -> int:
    status = 0
    for number, line in enumerate(sys.stdin, 1):
        if not line.strip():
            continue
        try:
            question = json.loads(line)
        except ValueError as error:
            click.echo(json.dumps({"error": f"line {number} is not JSON: {error}"}))
            status = 1
            continue
        click.echo(json.dumps(answer(question), ensure_ascii=False, sort_keys=True))
    return status
