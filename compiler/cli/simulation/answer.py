"""Output of the subcommands of ``mcpcfg simulate``, and their mode that answers one question per line."""

from __future__ import annotations

import json
import sys
from functools import partial, wraps
from typing import TYPE_CHECKING, Any

import click

from ...diagnostics.secret.source import masked_source
from ...diagnostics.secret.value import without_secrets
from ...diagnostics.shown import in_json
from ...diagnostics.span import InputError
from ...simulate.answer.subject import PLACEHOLDERS, QuestionError
from ...toolhive.release import OLDEST, whole_release
from ..option import PATH, namespace_option, release_option

if TYPE_CHECKING:
    from collections.abc import Callable

Command = Any


def answer_options(answer_module: str, metavar: str, *, by_release: bool = False) -> Callable[[Command], Command]:
    """Return a decorator that adds the arguments and options that all subcommands share to a command.

    The command gets ``subject``, ``paths``, ``namespace`` and ``format_``. With ``--json-lines``, it is not called.
    Instead, the function ``answer`` of the module answers each line of standard input.

    Args:
        answer_module: Module in ``compiler.simulate`` with the function ``answer(question)``, or
            ``answer(question, release)``.
        metavar: Name of the subject in the help.
        by_release: True if the answer depends on the release of the operator. The command then also gets ``release``.
            The recorded questions, which state no release, are of the oldest one.
    """

    def decorate(function: Command) -> Command:
        @click.argument("subject", metavar=metavar, required=False)
        @click.argument("paths", nargs=-1, type=PATH, metavar="[PATH]...")
        @namespace_option
        @click.option(
            "--format", "-f", "format_", type=click.Choice(["text", "json"]), default="text", help="Output format."
        )
        @click.option(
            "--json-lines", is_flag=True, help="Read one question a line on standard input, write one answer a line."
        )
        @wraps(function)
        def with_answer(*, json_lines: bool, **given: Any) -> int:
            if json_lines:
                from importlib import import_module

                answer = import_module(f"mcpcfg.compiler.simulate.{answer_module}").answer
                return _answer_lines(partial(_answer_by_release, answer, given["release"]) if by_release else answer)
            if given["subject"] is None:
                raise click.UsageError("state what to simulate: a name or a file; or use --json-lines")
            try:
                status: int = function(**given)
            except QuestionError as error:
                raise click.UsageError(str(error)) from None
            except (AttributeError, KeyError, TypeError, ValueError):
                from .input import UNFILLED

                if not click.get_current_context().meta.get(UNFILLED):
                    raise
                raise click.UsageError(PLACEHOLDERS) from None
            return status

        return release_option(with_answer) if by_release else with_answer

    return decorate


def _answer_by_release(answer: Callable[[Any, str], Any], release: str | None, question: dict[str, Any]) -> Any:
    stated = question.get("release")
    return answer(question, whole_release(stated if isinstance(stated, str) else release or OLDEST) or OLDEST)


def write(format_: str, text: Callable[[], str], data: Callable[[], Any]) -> int:
    """Print an answer without secrets, as JSON from ``data`` or as text from ``text``. Return the exit status 0."""
    if format_ == "json":
        click.echo(in_json(json.dumps(without_secrets(data()), ensure_ascii=False, indent=2)))
    else:
        click.echo(masked_source(text()), nl=False)
    return 0


def _answer_lines(answer: Callable[[Any], Any]) -> int:
    status = 0
    if sys.stdin is None:
        raise InputError("standard input is closed")
    for number, line in enumerate(sys.stdin.buffer, 1):
        if not line.strip():
            continue
        try:
            question = json.loads(line)
        except (ValueError, RecursionError) as error:
            click.echo(json.dumps({"error": f"line {number} is not JSON: {error}"}))
            status = 1
            continue
        if not isinstance(question, dict):
            click.echo(json.dumps({"error": f"line {number} is not an object"}))
            status = 1
            continue
        click.echo(in_json(json.dumps(answer(question), ensure_ascii=False, sort_keys=True)))
    return status
