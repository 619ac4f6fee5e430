"""Check the arguments of function calls in templates."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ....diagnostics.finding import rule
from ....diagnostics.shown import shown
from ....golang.strconv import format_float, quote
from ....language.template.reference import UNKNOWN
from .kind import kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....diagnostics.fault import Fault
    from ....language.template.reference import Argument, FunctionCall
    from ..model import TemplateText, Workflow
    from .kind import Kind

FAILING_CALL = rule(
    "CMP105 failing-template-call", "lint", "A template calls a function with arguments that it does not accept"
)

_COMPARE: Final = ("eq", "ne", "lt", "le", "gt", "ge")
_NAMES: Final[dict[Kind, str]] = {
    "text": "a text",
    "int": "an integer",
    "float": "a float",
    "bool": "a boolean",
    "map": "a mapping",
    "list": "a list",
    "json": "a JSON value",
}
_PLAIN_FORMAT: Final = re.compile(r"%[-+# 0]*+[0-9]*+(?:\.[0-9]*+)?([a-zA-Z%])")
_VERBS: Final[dict[Kind, str]] = {"text": "vTsqxX", "int": "vTdboOxXcqU", "float": "vTbeEfFgGxX", "bool": "vTt"}


def calling_faults(workflow: Workflow) -> Iterator[Fault]:
    """Yield function calls that fail, or that print an error or Go notation, because of their arguments."""
    for text in workflow.templates:
        for call in text.usage.calls:
            kinds = [kind_of(argument, workflow) for argument in call.arguments]
            if call.name in _COMPARE:
                yield from _comparison(text, call, kinds)
            elif call.name in ("quote", "fromJson"):
                yield from _text_wanted(text, call, kinds)
            elif call.name in ("index", "slice"):
                yield from _whole_number_wanted(text, call, kinds)
            elif call.name == "printf":
                yield from _format(text, call, kinds)


def _named(argument: Argument) -> str:
    if argument.path is not None:
        return "." + ".".join(argument.path)
    if argument.function is not None:
        return f"what {argument.function} gives"
    return _literal(argument)


def _literal(argument: Argument) -> str:
    value = argument.constant
    if isinstance(value, float):
        return format_float(value)
    return quote(value) if isinstance(value, str) else str(value).lower()


# Comparison.


def _comparison(text: TemplateText, call: FunctionCall, kinds: list[Kind]) -> Iterator[Fault]:
    """Yield a fault if Go cannot compare an argument with the first. ``eq a b c`` compares a with b and with c."""
    for argument, kind in zip(call.arguments[1:], kinds[1:], strict=True):
        sides = ((call.arguments[0], kinds[0]), (argument, kind))
        if _cannot_compare(kinds[0], kind):
            yield text.fault(call.offset, FAILING_CALL, *_comparison_message(call, sides))
            return


def _cannot_compare(first: Kind, second: Kind) -> bool:
    """Return whether Go fails to compare any two values of these kinds."""
    kinds = {first, second}
    if "unknown" in kinds or len(kinds) == 1:
        return False
    return kinds == {"json", "int"} if "json" in kinds else not kinds & {"map", "list"}


def _comparison_message(call: FunctionCall, sides: tuple[tuple[Argument, Kind], ...]) -> tuple[str, str | None]:
    (first, first_kind), (second, second_kind) = sorted(sides, key=lambda side: side[0].constant is not UNKNOWN)
    literal = second.constant
    given = next((side.path for side in (first, second) if side.path and side.path[0] == "params"), None)
    fails = f"{call.name} fails" if given is None else f"{call.name} fails when .{'.'.join(given[:2])} is given"
    message = f"{fails}: {_named(first)} is {_NAMES[first_kind]}, and {_named(second)} is {_NAMES[second_kind]}"
    if first_kind in ("float", "json") and isinstance(literal, int) and not isinstance(literal, bool):
        message = f"{fails}: JSON numbers are floats, and {literal} is an integer"
        return message, f"write {literal}.0"
    if first_kind == "int" and isinstance(literal, float) and literal.is_integer():
        return message, f"write {int(literal)}"
    if first_kind == "text" and literal is not UNKNOWN and not isinstance(literal, str):
        return message, f'write "{_literal(second)}"'
    if first_kind == "bool" and literal in ("true", "false"):
        return message, f"write {literal} without quotes"
    return message, None


# Other functions.


def _text_wanted(text: TemplateText, call: FunctionCall, kinds: list[Kind]) -> Iterator[Fault]:
    if len(kinds) == 1 and kinds[0] not in ("text", "json", "unknown"):
        message = (
            f"{call.name} fails: {_named(call.arguments[0])} is {_NAMES[kinds[0]]}, but {call.name} takes a string"
        )
        hint = "json writes any value" if call.name == "quote" else None
        yield text.fault(call.offset, FAILING_CALL, message, hint)


def _whole_number_wanted(text: TemplateText, call: FunctionCall, kinds: list[Kind]) -> Iterator[Fault]:
    for argument, kind in zip(call.arguments[1:], kinds[1:], strict=True):
        if kind == "float" and argument.path is not None:
            message = f"{call.name} fails: {_named(argument)} comes from JSON, where numbers are floats"
            yield text.fault(call.offset, FAILING_CALL, message)


def _format(text: TemplateText, call: FunctionCall, kinds: list[Kind]) -> Iterator[Fault]:
    """Yield printf calls whose verbs do not match the number or the types of the values.

    Only constant formats are checked, and only if their verbs have nothing but flags and a width.
    """
    pattern = call.arguments[0].constant if call.arguments else None
    if not isinstance(pattern, str) or _PLAIN_FORMAT.sub("", pattern).count("%"):
        return
    verbs = [verb for verb in _PLAIN_FORMAT.findall(pattern) if verb != "%"]
    if len(verbs) != len(kinds) - 1:
        message = f"printf has {len(verbs)} verbs in {shown(pattern)} and {len(kinds) - 1} values: it prints an error"
        yield text.fault(call.offset, FAILING_CALL, message)
        return
    for verb, argument, kind in zip(verbs, call.arguments[1:], kinds[1:], strict=True):
        if kind in _VERBS and verb not in _VERBS[kind]:
            message = f"printf prints an error: %{verb} does not take {_NAMES[kind]}, and {_named(argument)} is one"
            yield text.fault(call.offset, FAILING_CALL, message, "%v takes any value")
