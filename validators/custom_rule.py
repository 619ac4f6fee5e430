"""The project's own rules: CEL expressions from the configuration, reported like any other rule."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ..compiler.diagnostics.finding import Rule
from ..compiler.language.fault import FaultError
from .registry import ORDER
from .rule import Survey
from .told import has_placeholder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ..compiler.diagnostics.finding import Finding
    from ..compiler.diagnostics.span import Path
    from ..compiler.language.fault import Fault
    from ..compiler.workspace.resource import Resource
    from ..compiler.workspace.workspace import Workspace
    from .custom_rule_definition import CustomRule
    from .rule import Noted

VARIABLES = ("self", "references")
TOPICS = (
    "ADM AUT AZN BLD CAT CFG CMP DEC EAS EMB ENV FIL HDR IGN IMG MRG NAM OID POD PRF PRM REF REG RES RLM RUN SEC SES"
    " SKL SYN TEL TLC URL VMC VOL WRK"
)
"""Beginnings of the ids of our own rules."""
PAGE = """A rule of the project's own, from its configuration.

Flagged: every {kind} for which this CEL expression gives false: `{expression}`

Cure: {hint}
"""
NO_VALUE = Rule(
    id="CFG010",
    name="custom-rule-without-value",
    stage="lint",
    severity="warning",
    title="A rule of the project's own has no value for a resource.",
    doc="""A rule of the project's own cannot be worked out for a resource.

Flagged: the first resource for which the expression of an own rule fails: it asks for a field that is not there,
compares what cannot be compared, or takes too many steps.

Why it bites: the rule says nothing about such resources, neither that they are sound nor that they are not.

Example:

    customRules:
      - id: OWN001
        kind: MCPServer
        expression: self.spec.replicas <= 3
        message: more than three replicas

Cure: ask whether the field is there: `!has(self.spec.replicas) || self.spec.replicas <= 3`.

Source: the CEL language, evaluation errors.
""",
)
RULES = (NO_VALUE,)


class _Compiled(NamedTuple):
    settings: CustomRule
    rule: Rule
    function: Callable[..., bool]


def is_taken(id_: str) -> bool:
    """Return whether a rule of ours has this id, or may get it."""
    return id_[:3] in TOPICS.split()


def is_kind(kind: str) -> bool:
    """Return whether resources of this kind are read."""
    return kind in ORDER


def expression_faults(expression: str) -> tuple[Fault, ...]:
    """Report why an expression cannot be a rule, with places in its text; empty: it can."""
    from ..compiler.language.cel.rule import compile_rule

    try:
        compile_rule(expression, VARIABLES)
    except FaultError as error:
        return error.faults
    return ()


def as_surveys(rules: Iterable[CustomRule]) -> tuple[Survey, ...]:
    """Make surveys of the project's own rules. Their expressions are known to compile."""
    return tuple(_survey(_compiled(rule)) for rule in rules)


def _survey(compiled: _Compiled) -> Survey:
    kind = compiled.settings.kind
    return Survey(compiled.rule.id, (kind,), partial(_note, compiled), partial(_tell, compiled))


def _note(compiled: _Compiled, resource: Resource, workspace: Workspace) -> str | Path | None:
    """Record where a resource breaks the rule, or why the rule has no value for it."""
    verdict = _verdict(compiled, resource, workspace)
    if verdict is True or has_placeholder(resource.data):
        return None
    return verdict if isinstance(verdict, str) else _place(resource, compiled.settings.field)


def _tell(compiled: _Compiled, noted: Noted, workspace: Workspace) -> Iterator[Finding]:
    told = False
    for position, note in noted.get(compiled.settings.kind, ()):
        has_no_value = isinstance(note, str)
        if workspace.tells(position) and not (told and has_no_value):
            resource = workspace.inventory[position]
            if isinstance(note, str):
                yield resource.finding(NO_VALUE, ("metadata", "name"), f"{compiled.rule.id} has no value: {note}")
            else:
                yield resource.finding(compiled.rule, note, compiled.settings.message, hint=compiled.settings.hint)
        told = told or has_no_value


def _compiled(settings: CustomRule) -> _Compiled:
    from ..compiler.language.cel.rule import compile_rule

    hint = settings.hint or "see the rule in the configuration"
    rule = Rule(
        id=settings.id,
        name="custom-rule",
        stage="lint",
        severity=settings.severity,
        title=settings.message,
        doc=PAGE.format(kind=settings.kind, expression=settings.expression, hint=hint),
    )
    return _Compiled(settings, rule, compile_rule(settings.expression, VARIABLES))


def _verdict(compiled: _Compiled, resource: Resource, workspace: Workspace) -> bool | str:
    """Work the rule out; a text says why it has no value."""
    from ..compiler.language.cel.value import CelError

    found = (one.target for one in workspace.references(resource) if one.problem is None)
    references = [target.data for target in found if target is not None]
    try:
        return compiled.function(self=resource.data, references=references)
    except CelError as error:
        return str(error)


def _place(resource: Resource, field: tuple[str, ...]) -> Path:
    """Return the field that findings stand at: what the text states of it, or the name."""
    path: tuple[str | int, ...] = tuple(int(step) if step.isdigit() else step for step in field)
    while path and not resource.states(*path):
        path = path[:-1]
    return path or ("metadata", "name")
