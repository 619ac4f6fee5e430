"""Check literal texts: templates that are not expanded or not checked elsewhere, and constant collections of loops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ....diagnostics.fault import Fault
from ....diagnostics.finding import rule
from ....language.template.node import Template
from ....language.template.parser import parse
from ....language.template.reference import usage
from ..model import texts
from ..validate import template_faults
from .handling import ALWAYS_FAILS
from .printed import literal, pieces

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....diagnostics.span import Path
    from ..model import Step, TemplateText, Workflow

NOT_EXPANDED = rule("CMP111 text-not-expanded", "lint", "A text looks like a template, but is used as it is")

_ROOTS: Final = ("params", "steps", "workflow", "forEach")
_DEFAULT_ITERATIONS: Final = 100
"""Default of ``maxIterations`` in the vMCP server."""
_LARGEST_SCHEMA: Final = 100 * 1024
"""Maximum size of the schema of an elicitation, in bytes of JSON. The vMCP server refuses a larger schema."""
_DEEPEST_SCHEMA: Final = 10
"""Maximum nesting of the schema of an elicitation. The vMCP server refuses deeper ones."""


def literal_faults(workflow: Workflow) -> Iterator[Fault]:
    """Yield templates that are not expanded, and templates whose syntax errors only show when a step runs.

    Constant collections that make a loop fail, and schemas that are too large for an elicitation, are yielded too.
    """
    skippable = bool(workflow.skippable)
    for text in workflow.templates:
        if text.place in ("nested", "inner-nested") or (text.place == "output" and not skippable):
            for fault in template_faults(text):
                yield fault._replace(stage="lint", message=f"{fault.message}, and nothing reports it before it is used")
        if text.place == "collection" and text.step is not None:
            yield from _collection(workflow, text, text.step)
    for step in workflow.steps:
        if "defaultResults" in step.raw:
            yield from _not_expanded(step.raw["defaultResults"], (*step.path, "defaultResults"))
        if step.kind == "elicitation":
            yield from _not_expanded(step.raw.get("schema"), (*step.path, "schema"))
            yield from _schema_size(step)
    for path, prop in workflow.output_properties:
        yield from _not_expanded(prop.get("default"), (*path, "default"))


def _not_expanded(value: Any, path: Path) -> Iterator[Fault]:
    for place, text in texts(value, path):
        if "{{" not in text:
            continue
        parsed = parse(text)
        if isinstance(parsed, Template) and any(
            reference.path[:1] in {(root,) for root in _ROOTS} for reference in usage(parsed).references
        ):
            message = "this text is not a template: it is used as it is, braces included"
            hint = "templates are expanded in arguments, condition, message, collection and values of the output"
            yield Fault(place, NOT_EXPANDED, message, hint, "lint")


def _collection(workflow: Workflow, text: TemplateText, step: Step) -> Iterator[Fault]:
    """Yield a constant collection that makes its loop fail: it is empty, not a JSON list, or too long."""
    parts = pieces(text, workflow)
    always = None if parts is None else literal(parts)
    if always is None:
        return
    from ....language.template.builtin import decode_json
    from ....language.template.value import ExecutionError

    try:
        items = decode_json(always)
    except ExecutionError:
        items = always
    most = step.max_iterations or _DEFAULT_ITERATIONS
    if items is None or items == []:
        yield Fault(text.path, ALWAYS_FAILS, f"{step.named} has an empty collection", None, "lint")
    elif not isinstance(items, list):
        message = f"{step.named} always fails: its collection is not a JSON list"
        yield Fault(text.path, ALWAYS_FAILS, message, 'write a list such as ["a", "b"]', "lint")
    elif len(items) > most > 0:
        message = f"{step.named} always fails: its collection has {len(items)} items, but maxIterations is {most}"
        yield Fault(text.path, ALWAYS_FAILS, message, None, "lint")


def _schema_size(step: Step) -> Iterator[Fault]:
    from ....golang import json as go_json
    from ....golang.strconv import NumberError

    try:
        size = len(go_json.compact(step.schema).encode("utf-8", "replace"))
    except (NumberError, RecursionError, TypeError):
        return
    if size > _LARGEST_SCHEMA:
        message = f"{step.named} always fails: its schema has {size} bytes, more than {_LARGEST_SCHEMA}"
        yield Fault((*step.path, "schema"), ALWAYS_FAILS, message, None, "lint")
    level: list[Any] = [step.schema]
    for _ in range(_DEEPEST_SCHEMA + 1):
        level = [child for node in level for child in _children(node)]
    if level:
        message = f"{step.named} always fails: its schema is nested more than {_DEEPEST_SCHEMA} levels deep"
        yield Fault((*step.path, "schema"), ALWAYS_FAILS, message, None, "lint")


def _children(node: Any) -> list[Any]:
    if isinstance(node, dict):
        return list(node.values())
    return node if isinstance(node, list) else []
