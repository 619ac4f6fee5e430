"""Check references that never have a value: unknown steps and parameters, steps that run later, unknown fields."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from ....diagnostics.finding import rule
from ....diagnostics.shown import shown
from ....diagnostics.suggestion import VAGUE, nearest
from ....language.template.reference import EACH
from .kind import ROOTS, STEP_KEYS, WORKFLOW_KEYS, output_keys

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ....diagnostics.fault import Fault
    from ....language.template.reference import DataReference
    from ..model import Step, TemplateText, Workflow

DEAD_REFERENCE = rule("CMP101 dead-template-reference", "lint", "A template reads a value that never exists")
UNDECLARED_PARAMETER = rule(
    "CMP102 undeclared-parameter", "lint", "A template reads a parameter that the composite tool does not declare"
)
TOO_EARLY = rule(
    "CMP103 step-read-too-early", "lint", "A step reads the result of a step that may not have run before it"
)

_MOST_CANDIDATES: Final = 200
"""Maximum number of steps or fields that a misspelt name is compared with, because comparisons take time."""
_OPEN_SCHEMA: Final = ("patternProperties", "$ref", "allOf", "anyOf", "oneOf", "if")


def reading_faults(workflow: Workflow) -> Iterator[Fault]:
    """Yield references that never have a value: to unknown names or fields, and to steps that run later.

    An undeclared parameter is yielded once, and any other fault once for each text.
    """
    depth = workflow.depths
    reported: set[tuple[str, ...]] = set()
    for text in workflow.templates:
        for reference in text.usage.references:
            for fault in _reference(workflow, text, reference, depth):
                # An undeclared parameter is reported once, and any other fault once for each text.
                place = () if fault.rule is UNDECLARED_PARAMETER else fault.path
                key = (fault.rule.id, fault.message, *map(str, place))
                if key not in reported:
                    reported.add(key)
                    yield fault


def _suggestion(name: str, names: Iterable[str], prefix: str) -> str | None:
    match = nearest(name, islice(names, _MOST_CANDIDATES), likeness=VAGUE)
    return f"did you mean {prefix}{match}?" if match else None


def _reference(
    workflow: Workflow, text: TemplateText, reference: DataReference, depth: Mapping[str, int]
) -> Iterator[Fault]:
    path = reference.path
    if not path or EACH in path[:2]:
        return
    root = path[0]
    if root not in ROOTS:
        message = f"templates have no .{root}"
        yield text.fault(reference.offset, DEAD_REFERENCE, message, _root_hint(workflow, root))
    elif len(path) > 1:
        match root:
            case "params":
                yield from _parameter(workflow, text, reference)
            case "steps":
                yield from _step(workflow, text, reference, depth)
            case "workflow" if path[1] not in WORKFLOW_KEYS:
                message = f"there is no .workflow.{path[1]}"
                hint = _suggestion(path[1], WORKFLOW_KEYS, ".workflow.")
                yield text.fault(reference.offset, DEAD_REFERENCE, message, hint)
            case "vars":
                message = f".vars.{path[1]} never exists: workflows have no variables of their own"
                yield text.fault(reference.offset, DEAD_REFERENCE, message)
            case "forEach":
                yield from _item(text, reference)


def _root_hint(workflow: Workflow, root: str) -> str | None:
    if root in workflow.properties:
        return f"the parameter is .params.{root}"
    if root in workflow.by_id:
        return f"the step is .steps.{root}"
    return _suggestion(root, ROOTS, ".")


def _item(text: TemplateText, reference: DataReference) -> Iterator[Fault]:
    name = reference.path[1]
    if text.place not in ("inner", "inner-nested") or text.step is None:
        message = f".forEach.{name} exists only in the arguments of the inner step of a forEach"
        yield text.fault(reference.offset, DEAD_REFERENCE, message)
        return
    item = text.step.item_variable or "item"
    if name not in (item, "index"):
        message = f"there is no .forEach.{name}: the item is .forEach.{item}"
        yield text.fault(reference.offset, DEAD_REFERENCE, message, f"write .forEach.{item}")


def _parameter(workflow: Workflow, text: TemplateText, reference: DataReference) -> Iterator[Fault]:
    name = reference.path[1]
    parameters = workflow.parameters
    if name in workflow.properties or any(key in parameters for key in _OPEN_SCHEMA):
        return
    if parameters.get("additionalProperties") not in (None, False):
        return
    if not workflow.properties:
        message = f".params.{name} is read, but the composite tool declares no parameters, so no client sends it"
        yield text.fault(reference.offset, UNDECLARED_PARAMETER, message, f"declare {name} in parameters.properties")
    else:
        message = f".params.{name} is read, but {shown(name)} is not a parameter of the composite tool"
        hint = _suggestion(name, workflow.properties, ".params.")
        yield text.fault(reference.offset, UNDECLARED_PARAMETER, message, hint)


# Steps.


def _step(
    workflow: Workflow, text: TemplateText, reference: DataReference, depth: Mapping[str, int]
) -> Iterator[Fault]:
    name, *rest = reference.path[1:]
    step = workflow.by_id.get(name)
    if step is None:
        message = f"{shown(name)} is read, but is not a step"
        yield text.fault(reference.offset, DEAD_REFERENCE, message, _suggestion(name, workflow.by_id, ".steps."))
        return
    yield from _order(workflow, text, reference, step, depth)
    if rest and rest[0] != EACH and rest[0] not in STEP_KEYS:
        message = f".steps.{name}.{rest[0]} never exists"
        hint = _suggestion(rest[0], STEP_KEYS, f".steps.{name}.") or f"outputs are under .steps.{name}.output"
        yield text.fault(reference.offset, DEAD_REFERENCE, message, hint)
    elif len(rest) > 1 and rest[0] == "output":
        yield from _output(text, reference, step, rest[1])


def _order(
    workflow: Workflow, text: TemplateText, reference: DataReference, step: Step, depth: Mapping[str, int]
) -> Iterator[Fault]:
    reader = text.step
    if reader is None or reader.id not in depth or step.id not in depth or depth[step.id] < depth[reader.id]:
        return
    if reader.id == step.id:
        message = f"{reader.named} reads its own result before it has one"
        yield text.fault(reference.offset, TOO_EARLY, message)
    elif depth[step.id] == depth[reader.id]:
        message = f"{reader.named} reads {step.named}, which runs at the same time"
        hint = f'add "{step.id}" to its dependsOn; references do not order steps'
        yield text.fault(reference.offset, TOO_EARLY, message, hint)
    else:
        message = f"{reader.named} reads {step.named}, which runs after it"
        advice = f'add "{step.id}" to its dependsOn; references do not order steps'
        waits = len(workflow.steps) > _MOST_CANDIDATES or reader.id in _ancestors(workflow, step)
        yield text.fault(reference.offset, TOO_EARLY, message, None if waits else advice)


def _ancestors(workflow: Workflow, step: Step) -> set[str]:
    ancestors: set[str] = set()
    todo = [step]
    while todo:
        for name in todo.pop().depends_on:
            if name in workflow.by_id and name not in ancestors:
                ancestors.add(name)
                todo.append(workflow.by_id[name])
    return ancestors


def _output(text: TemplateText, reference: DataReference, step: Step, field: str) -> Iterator[Fault]:
    keys = output_keys(step)
    if keys is None or field in keys or field == EACH or field in (step.default_results or {}):
        return
    if step.kind == "elicitation":
        message = f"the output of {step.named} has no {field}: the user's answer is under content"
        hint = f"write .steps.{step.id}.output.content.{field}"
    else:
        message = f"the output of {step.named} has no {field}: a forEach gives {', '.join(keys)}"
        hint = None
    yield text.fault(reference.offset, DEAD_REFERENCE, message, hint)
