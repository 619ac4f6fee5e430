"""Run the custom rules of a project: CEL expressions in its configuration."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ..compiler.diagnostics.address import TOPICS
from ..compiler.diagnostics.finding import Rule, rule
from ..compiler.diagnostics.named_tuple import NamedTuple
from ..compiler.language.fault import FaultError
from .placeholder import has_placeholder
from .registry import ORDER
from .rule import facts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ..compiler.diagnostics.fault import Flaw
    from ..compiler.diagnostics.finding import Finding
    from ..compiler.diagnostics.span import Path
    from ..compiler.language.cel.rule import Allowance
    from ..compiler.workspace.resource import Resource
    from ..compiler.workspace.workspace import Workspace
    from .custom_rule_definition import CustomRuleDefinition
    from .rule import ProjectRule

VARIABLES = ("self", "references")
NO_VALUE = rule("CFG010 custom-rule-without-value", "lint", "The expression of a custom rule fails for a resource")


class _CompiledRule(NamedTuple):
    settings: CustomRuleDefinition
    rule: Rule
    function: Callable[..., bool]


def is_taken(rule_id: str) -> bool:
    """Return whether the id of a custom rule begins with the letters of a built-in topic, which are reserved."""
    return rule_id[:3] in TOPICS.split()


def is_kind(kind: str) -> bool:
    """Return whether mcpcfg reads resources of the kind."""
    return kind in ORDER


def expression_faults(expression: str) -> tuple[Flaw, ...]:
    """Return the reasons why a CEL expression cannot be a custom rule, with offsets in the expression."""
    from ..compiler.language.cel.rule import compile_rule

    try:
        compile_rule(expression, VARIABLES)
    except FaultError as error:
        return error.faults
    return ()


def as_project_rules(rules: Iterable[CustomRuleDefinition]) -> list[ProjectRule]:
    """Return the custom rules as functions that check a workspace. Their expressions must compile."""
    from ..compiler.language.cel.rule import Allowance

    allowance = Allowance()
    return [partial(_findings, _compiled(rule, allowance)) for rule in rules]


def _findings(compiled: _CompiledRule, workspace: Workspace) -> Iterator[Finding]:
    """Yield a finding for each resource that violates the rule, and one for the first whose evaluation fails."""
    has_reported = False
    for resource, fault in facts_of([compiled.settings.kind], partial(_fault, compiled), workspace):
        if isinstance(fault, tuple):
            yield resource.finding(compiled.rule, fault, compiled.settings.message, hint=compiled.settings.hint)
        elif not has_reported:
            has_reported = True
            yield resource.finding(NO_VALUE, ("metadata", "name"), f"{compiled.rule.id} has no value: {fault}")


def _fault(compiled: _CompiledRule, resource: Resource, workspace: Workspace) -> str | Path | None:
    """Return the path of the violation, or the error of the evaluation; ``None`` for a sound or unfilled resource."""
    verdict = _verdict(compiled, resource, workspace)
    if verdict is True or has_placeholder(resource.data):
        return None
    return verdict if isinstance(verdict, str) else _place(resource, compiled.settings.field)


def _compiled(settings: CustomRuleDefinition, together: Allowance) -> _CompiledRule:
    from ..compiler.language.cel.rule import compile_rule

    heading = f"{settings.id} custom-rule"
    declared = rule(heading, "lint", settings.message, severity=settings.severity, unmodelled="all")
    return _CompiledRule(settings, declared, compile_rule(settings.expression, VARIABLES, together))


def _verdict(compiled: _CompiledRule, resource: Resource, workspace: Workspace) -> bool | str:
    from ..compiler.language.cel.value import CelError

    targets = (reference.target for reference in workspace.references(resource) if reference.problem is None)
    references = [target.data for target in targets if target is not None]
    try:
        return compiled.function(self=resource.data, references=references)
    except CelError as error:
        return str(error)


def _place(resource: Resource, field: tuple[str, ...]) -> Path:
    path: tuple[str | int, ...] = tuple(int(step) if step.isdigit() else step for step in field)
    while path and not resource.states(*path):
        path = path[:-1]
    return path or ("metadata", "name")
