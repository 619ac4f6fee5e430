"""Read a composite tool from plain data.

Values of a wrong type count as missing, because decoding reports them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ...diagnostics.budget import cache_by_text
from ...diagnostics.fault import Fault, Flaw
from ...diagnostics.named_tuple import NamedTuple
from ...diagnostics.plain import listed, mapping, text_at
from ...golang.duration import DurationError, parse_duration
from ...language.template.node import Template
from ...language.template.parser import parse
from ...language.template.reference import Usage, usage
from .depth import depths

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...diagnostics.finding import Rule
    from ...diagnostics.span import Path

TemplatePlace: TypeAlias = Literal[
    "argument", "nested", "condition", "message", "collection", "inner", "inner-nested", "output"
]

_DEEPEST = 100
"""Maximum nesting of steps and properties that is read, because the functions are recursive."""


class TemplateText(NamedTuple):
    """A text of a composite tool that the vMCP server expands.

    Attributes:
        place: The purpose of the text. ``nested`` is a text below the first level of arguments.
        step: The step that the text belongs to, or ``None`` for the output. Texts of an inner step belong to its loop.
        parsed: The parsed template, or the reason why it does not parse.
        usage: The references and calls of the template; empty if it does not parse.
    """

    path: Path
    text: str
    place: TemplatePlace
    step: Step | None
    parsed: Template | Flaw
    usage: Usage

    def fault(self, offset: int | None, broken: Rule, message: str, hint: str | None = None) -> Fault:
        """Return a fault of the rule ``broken`` with stage ``lint``, at an offset of the text in code points."""
        return Fault(self.path, broken, message, hint, "lint", offset)


class Handling(NamedTuple):
    """The ``onError`` block of a step. ``retry_delay`` is in nanoseconds."""

    action: str
    retry_count: int | None
    retry_delay: int | None


class Step:
    """A step of a composite tool.

    Attributes:
        raw: The mapping that the step was read from.
        kind: The type, or the default type ``tool`` if none is stated.
        timeout: The timeout in nanoseconds.
        is_skippable: True if the step has a condition or continues after an error, so it may end without a result.
        inner: The step that a forEach repeats, or ``None``.
    """

    __slots__ = (
        "arguments",
        "condition",
        "default_results",
        "depends_on",
        "id",
        "inner",
        "is_skippable",
        "kind",
        "message",
        "on_error",
        "path",
        "raw",
        "timeout",
        "tool",
        "type",
    )

    def __init__(self, raw: Mapping[str, Any], path: Path) -> None:
        self.raw = raw
        self.path = path
        self.id = text_at(raw, "id")
        self.type = text_at(raw, "type")
        self.kind = self.type or "tool"
        self.tool = text_at(raw, "tool")
        self.message = text_at(raw, "message")
        self.condition = text_at(raw, "condition")
        self.arguments = mapping(raw.get("arguments"))
        self.depends_on = tuple([name for name in listed(raw.get("dependsOn")) if isinstance(name, str)])
        results = raw.get("defaultResults")
        self.default_results: Mapping[str, Any] | None = results if isinstance(results, dict) else None
        self.on_error = _handling(raw.get("onError"))
        self.is_skippable = self.condition != "" or (self.on_error is not None and self.on_error.action == "continue")
        self.timeout = _duration(raw, "timeout")
        inner = raw.get("step")
        self.inner: Step | None = None
        if isinstance(inner, dict) and len(path) < _DEEPEST:
            self.inner = Step(inner, (*path, "step"))

    @property
    def schema(self) -> Mapping[str, Any]:
        """The JSON Schema of the answer to an elicitation."""
        return mapping(self.raw.get("schema"))

    @property
    def collection(self) -> str:
        """The template of the collection that a forEach iterates over."""
        return text_at(self.raw, "collection")

    @property
    def item_variable(self) -> str:
        """The name of the current item in a forEach; empty if it is not set."""
        return text_at(self.raw, "itemVar")

    @property
    def max_parallel(self) -> int:
        """The number of items that a forEach handles at once; 0 if it is not set."""
        return _integer(self.raw, "maxParallel") or 0

    @property
    def max_iterations(self) -> int:
        """The maximum number of items that a forEach handles; 0 if it is not set."""
        return _integer(self.raw, "maxIterations") or 0

    @property
    def named(self) -> str:
        """The text that names the step in messages."""
        return f'step "{self.id}"' if self.id else f"step {self.path[-1]}"


class Workflow:
    """A composite tool.

    Attributes:
        raw: The mapping that the composite tool was read from.
        timeout: The timeout in nanoseconds.
        properties: The schemas of the declared parameters, by name.
        skippable: The steps with a condition, or that continue after an error. They may end without a result.
        by_id: The steps by id. Of several steps with the same id, only the first one is included.
        output_properties: The properties of the output. Nested properties follow the property that contains them.
    """

    def __init__(self, raw: Mapping[str, Any]) -> None:
        output = raw.get("output")
        steps = listed(raw.get("steps"))
        self.raw = raw
        self.name = text_at(raw, "name")
        self.description = text_at(raw, "description")
        self.timeout = _duration(raw, "timeout")
        self.parameters = mapping(raw.get("parameters"))
        self.properties = mapping(self.parameters.get("properties"))
        self.steps = tuple([Step(mapping(step), ("steps", index)) for index, step in enumerate(steps)])
        self.skippable = tuple([step for step in self.steps if step.is_skippable])
        self.output: Mapping[str, Any] | None = output if isinstance(output, dict) else None
        self.output_properties = tuple(_output_properties(self.output)) if self.output else ()
        self.by_id: dict[str, Step] = {}
        for step in self.steps:
            if step.id:
                self.by_id.setdefault(step.id, step)
        self._templates: tuple[TemplateText, ...] | None = None
        self._depths: Mapping[str, int] | None = None

    @property
    def templates(self) -> tuple[TemplateText, ...]:
        """All texts that the vMCP server expands: those of each step, then those of the output."""
        if self._templates is None:
            templates: list[TemplateText] = []
            for step in self.steps:
                templates += _step_templates(step)
            self._templates = (*templates, *_output_templates(self)) if self.output else tuple(templates)
        return self._templates

    @property
    def depths(self) -> Mapping[str, int]:
        """The zero-based number of the group in which each step runs, by step id. Steps that never run are left out."""
        if self._depths is None:
            self._depths = depths({step.id: step.depends_on for step in self.by_id.values()})
        return self._depths


def read(tool: Mapping[str, Any]) -> Workflow:
    """Return the composite tool that a definition's ``spec`` or an entry of ``compositeTools`` describes."""
    return Workflow(tool)


def _handling(raw: Any) -> Handling | None:
    if not isinstance(raw, dict):
        return None
    delay = _duration(raw, "retryDelay") if "retryDelay" in raw else None
    return Handling(text_at(raw, "action"), _integer(raw, "retryCount"), delay)


def _template(path: Path, text: str, place: TemplatePlace, step: Step | None) -> TemplateText:
    parsed, used = _parsed(text)
    return TemplateText(path, text, place, step, parsed, used)


@cache_by_text(4096)  # projects repeat templates
def _parsed(text: str) -> tuple[Template | Flaw, Usage]:
    parsed = parse(text, name="validation")
    return parsed, usage(parsed) if isinstance(parsed, Template) else Usage(complete=False)


def _step_templates(step: Step) -> list[TemplateText]:
    templates: list[TemplateText] = []
    if step.condition:
        templates.append(_template((*step.path, "condition"), step.condition, "condition", step))
    if step.arguments:
        templates += _argument_templates(step, step, "argument", "nested")
    if step.message:
        templates.append(_template((*step.path, "message"), step.message, "message", step))
    if step.kind == "forEach" and step.collection:
        templates.append(_template((*step.path, "collection"), step.collection, "collection", step))
    if step.inner is not None and step.kind == "forEach":
        templates += _argument_templates(step.inner, step, "inner", "inner-nested")
    return templates


def _argument_templates(step: Step, owner: Step, first: TemplatePlace, deeper: TemplatePlace) -> list[TemplateText]:
    """Return the texts in the arguments of a step. Texts inside a mapping or list get the place ``deeper``."""
    level = len(step.path) + 2
    return [
        _template(path, text, first if len(path) == level else deeper, owner)
        for path, text in texts(step.arguments, (*step.path, "arguments"))
    ]


def _output_templates(workflow: Workflow) -> Iterator[TemplateText]:
    for path, prop in workflow.output_properties:
        value = prop.get("value")
        if isinstance(value, str) and value:
            yield _template((*path, "value"), value, "output", None)


def _output_properties(output: Mapping[str, Any]) -> list[tuple[Path, Mapping[str, Any]]]:
    stack: list[tuple[Path, Mapping[str, Any]]] = [(("output", "properties"), mapping(output.get("properties")))]
    properties_found: list[tuple[Path, Mapping[str, Any]]] = []
    while stack:
        path, properties = stack.pop()
        for name, prop in properties.items():
            if isinstance(prop, dict) and len(path) < _DEEPEST:
                properties_found.append(((*path, name), prop))
                stack.append(((*path, name, "properties"), mapping(prop.get("properties"))))
    return properties_found


def texts(value: Any, path: Path) -> Iterator[tuple[Path, str]]:
    """Yield the texts in ``value`` at any depth, in order. Keys of mappings are not included."""
    stack: list[tuple[Path, Any]] = [(path, value)]
    while stack:
        place, node = stack.pop()
        if isinstance(node, str):
            yield place, node
        elif len(place) < _DEEPEST:
            if isinstance(node, dict):
                stack += [((*place, key), child) for key, child in reversed(node.items())]
            elif isinstance(node, list):
                stack += [((*place, number), child) for number, child in reversed(list(enumerate(node)))]


def _integer(raw: Mapping[str, Any], key: str) -> int | None:
    value = raw.get(key)
    if isinstance(value, float) and value.is_integer():
        return int(value)  # so the API server stores it
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _duration(raw: Mapping[str, Any], key: str) -> int:
    text = raw.get(key)
    try:
        return parse_duration(text) if isinstance(text, str) and text else 0
    except DurationError:
        return 0
