"""Infer the kinds of values in templates from the declarations of a composite tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from ....diagnostics.plain import mapping
from ....language.template.reference import EACH, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ....language.template.reference import Argument, DataPath
    from ..model import Step, Workflow

Kind: TypeAlias = Literal["text", "int", "float", "bool", "map", "list", "json", "unknown"]
"""The kind of a value. ``json`` is any value decoded from JSON, which is never an ``int``."""

_FUNCTION_KINDS: Final[dict[str, Kind]] = {
    **dict.fromkeys(("eq", "ne", "lt", "le", "gt", "ge", "not"), "bool"),
    **dict.fromkeys(("json", "quote", "print", "printf", "println", "html", "js", "urlquery"), "text"),
    "len": "int",
}
_TYPE_KINDS: Final[dict[str, Kind]] = {
    "string": "text",
    "integer": "float",
    "number": "float",
    "boolean": "bool",
    "object": "map",
    "array": "list",
}
_ITERATION: Final[dict[str, Kind]] = {
    "index": "int",
    "item": "json",
    "status": "text",
    "error": "text",
    "output": "map",
}

ROOTS: Final = ("params", "steps", "workflow", "forEach", "vars")
WORKFLOW_KEYS: Final[dict[str, Kind]] = {
    "id": "text",
    "duration_ms": "int",
    "step_count": "int",
    "status": "text",
    "start_time": "text",
}
STEP_KEYS: Final[dict[str, Kind]] = {"status": "text", "output": "map", "content": "map", "error": "text"}
LOOP_KEYS: Final[dict[str, Kind]] = {"iterations": "list", "count": "int", "completed": "int", "failed": "int"}
ANSWER_KEYS: Final[dict[str, Kind]] = {"action": "text", "content": "map", "skipped": "bool"}


def output_keys(step: Step) -> Mapping[str, Kind] | None:
    """Return the kinds of all output fields of a step by name, or ``None`` if the output may have any fields.

    The fields of a forEach or elicitation are known, but they only exist if the step runs.
    """
    return {"forEach": LOOP_KEYS, "elicitation": ANSWER_KEYS}.get(step.kind)


def kind_of(argument: Argument, workflow: Workflow) -> Kind:
    """Return the kind of the value of a template argument; ``unknown`` if the declarations do not determine it."""
    if argument.function is not None:
        return _FUNCTION_KINDS.get(argument.function, "unknown")
    if argument.path is not None:
        return kind_at(argument.path, workflow)
    constant = argument.constant
    if constant is UNKNOWN or constant is None:
        return "unknown"
    if isinstance(constant, bool):
        return "bool"
    kinds: dict[type, Kind] = {int: "int", float: "float", str: "text"}
    return kinds.get(type(constant), "unknown")


def kind_at(path: DataPath, workflow: Workflow) -> Kind:
    """Return the kind of the value at ``path`` of a template's data; ``unknown`` if nothing declares it."""
    if len(path) < 2:
        return "map" if not path or path[0] in ROOTS else "unknown"
    root, name, *rest = path
    match root:
        case "params":
            return _declared(workflow.properties.get(name), rest)
        case "steps":
            step = workflow.by_id.get(name)
            return "unknown" if step is None else _step_kind(step, rest)
        case "workflow" if not rest:
            return WORKFLOW_KEYS.get(name, "unknown")
        case "forEach":
            return "int" if name == "index" and not rest else "json"
    return "unknown"


def _step_kind(step: Step, rest: list[str]) -> Kind:
    if not rest:
        return "map"
    if len(rest) == 1:
        return STEP_KEYS.get(rest[0], "unknown")
    if rest[0] == "content":
        return "text" if len(rest) == 2 else "unknown"
    if rest[0] != "output" or (step.default_results is not None and rest[1] in step.default_results):
        return "unknown"
    if step.kind == "forEach":
        return _loop_kind(rest[1:])
    if step.kind == "elicitation":
        if rest[1] == "content" and len(rest) > 2:
            return _declared(mapping(step.schema.get("properties")).get(rest[2]), rest[3:])
        return ANSWER_KEYS.get(rest[1], "unknown")
    return "json"


def _loop_kind(rest: list[str]) -> Kind:
    if len(rest) == 1:
        return LOOP_KEYS.get(rest[0], "unknown")
    if rest[:2] == ["iterations", EACH]:
        return "map" if len(rest) == 2 else _ITERATION.get(rest[2], "unknown") if len(rest) == 3 else "json"
    return "unknown"


def _declared(schema: Any, rest: list[str]) -> Kind:
    for name in rest:
        node: Mapping[str, Any] = mapping(schema)
        schema = node.get("items") if name == EACH else mapping(node.get("properties")).get(name)
    kind = mapping(schema).get("type")
    return _TYPE_KINDS.get(kind, "json") if isinstance(kind, str) else "json"
