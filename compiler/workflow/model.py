"""A composite tool, read from plain data.

What has the wrong type counts as missing: whoever reads the data tells that.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from mcpcfg.compiler.golang.duration import DurationError, parse_duration
from mcpcfg.compiler.golang.template.node import LONGEST_KEPT, Template
from mcpcfg.compiler.golang.template.parser import parse
from mcpcfg.compiler.golang.template.reference import Usage, usage
from mcpcfg.compiler.plain import listed, mapping, text_at

from .depth import depths

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mcpcfg.compiler.golang.template.token import SyntaxFault
    from mcpcfg.compiler.source import Path

Place: TypeAlias = Literal[
    "argument", "nested", "condition", "message", "collection", "inner", "inner-nested", "output"
]

_DEEPEST = 100


class TemplateText(NamedTuple):
    """A text of a composite tool that the vMCP server expands.

    Attributes:
        path: Where it stands.
        text: The template.
        place: What it is for; ``nested`` are texts below the first level of arguments.
        step: The step that it belongs to; None for the output.
        parsed: The template, or why it is none.
        usage: What it reads and calls; nothing where it does not parse.
    """

    path: Path
    text: str
    place: Place
    step: Step | None
    parsed: Template | SyntaxFault
    usage: Usage


class Handling(NamedTuple):
    """``onError`` of a step."""

    action: str
    retry_count: int | None
    retry_delay: int | None


class Step(NamedTuple):
    """One step; ``raw`` is the mapping that it was read from. Durations are nanoseconds."""

    raw: Mapping[str, Any]
    path: Path
    id: str
    type: str
    tool: str
    message: str
    condition: str
    collection: str
    item_variable: str
    arguments: Mapping[str, Any]
    schema: Mapping[str, Any]
    depends_on: tuple[str, ...]
    default_results: Mapping[str, Any] | None
    on_error: Handling | None
    timeout: int
    max_parallel: int
    max_iterations: int
    inner: Step | None

    @property
    def kind(self) -> str:
        """The type, with the default filled in."""
        return self.type or "tool"

    @property
    def is_skippable(self) -> bool:
        """Whether validation expects that it may leave no output of its own."""
        return self.condition != "" or (self.on_error is not None and self.on_error.action == "continue")

    @property
    def named(self) -> str:
        """How messages call it."""
        return f'step "{self.id}"' if self.id else f"step {self.path[-1]}"


@dataclass(frozen=True)
class Workflow:
    """A composite tool."""

    raw: Mapping[str, Any]
    name: str
    description: str
    timeout: int
    parameters: Mapping[str, Any]
    steps: tuple[Step, ...]
    output: Mapping[str, Any] | None
    by_id: Mapping[str, Step]

    @cached_property
    def templates(self) -> tuple[TemplateText, ...]:
        """Every text that is expanded, in the order of the fields."""
        return (*(text for step in self.steps for text in _step_templates(step)), *_output_templates(self))

    @cached_property
    def output_properties(self) -> tuple[tuple[Path, Mapping[str, Any]], ...]:
        """The properties of the output, nested ones after the one that holds them."""
        return tuple(_output_properties(self.output)) if self.output else ()

    @cached_property
    def depths(self) -> Mapping[str, int]:
        """The number of the group in which each step runs; steps that can never run are left out."""
        return depths({step.id: step.depends_on for step in self.by_id.values()})

    @cached_property
    def properties(self) -> Mapping[str, Any]:
        """The declared parameters: name and schema."""
        return mapping(self.parameters.get("properties"))


def read(tool: Mapping[str, Any]) -> Workflow:
    """Read a composite tool from the data of a definition's ``spec``, or of an entry of ``compositeTools``."""
    steps = tuple([_step(mapping(raw), ("steps", index)) for index, raw in enumerate(listed(tool.get("steps")))])
    by_id: dict[str, Step] = {}
    for step in steps:
        if step.id:
            by_id.setdefault(step.id, step)
    output = tool.get("output")
    return Workflow(
        raw=tool,
        name=text_at(tool, "name"),
        description=text_at(tool, "description"),
        timeout=_duration(tool, "timeout"),
        parameters=mapping(tool.get("parameters")),
        steps=steps,
        output=output if isinstance(output, dict) else None,
        by_id=by_id,
    )


def _step(raw: Mapping[str, Any], path: Path) -> Step:
    inner = raw.get("step")
    results = raw.get("defaultResults")
    return Step(
        raw=raw,
        path=path,
        id=text_at(raw, "id"),
        type=text_at(raw, "type"),
        tool=text_at(raw, "tool"),
        message=text_at(raw, "message"),
        condition=text_at(raw, "condition"),
        collection=text_at(raw, "collection"),
        item_variable=text_at(raw, "itemVar"),
        arguments=mapping(raw.get("arguments")),
        schema=mapping(raw.get("schema")),
        depends_on=tuple([name for name in listed(raw.get("dependsOn")) if isinstance(name, str)]),
        default_results=results if isinstance(results, dict) else None,
        on_error=_handling(raw.get("onError")),
        timeout=_duration(raw, "timeout"),
        max_parallel=_integer(raw, "maxParallel") or 0,
        max_iterations=_integer(raw, "maxIterations") or 0,
        inner=_step(inner, (*path, "step")) if isinstance(inner, dict) and len(path) < _DEEPEST else None,
    )


def _handling(raw: Any) -> Handling | None:
    if not isinstance(raw, dict):
        return None
    delay = _duration(raw, "retryDelay") if "retryDelay" in raw else None
    return Handling(text_at(raw, "action"), _integer(raw, "retryCount"), delay)


def _template(path: Path, text: str, place: Place, step: Step | None) -> TemplateText:
    parsed, used = _parsed_again(text) if len(text) <= LONGEST_KEPT else _parsed(text)
    return TemplateText(path, text, place, step, parsed, used)


def _parsed(text: str) -> tuple[Template | SyntaxFault, Usage]:
    parsed = parse(text, name="validation")
    return parsed, usage(parsed) if isinstance(parsed, Template) else Usage(complete=False)


_parsed_again = lru_cache(4096)(_parsed)


def _step_templates(step: Step) -> Iterator[TemplateText]:
    if step.condition:
        yield _template((*step.path, "condition"), step.condition, "condition", step)
    yield from _argument_templates(step, step, inner=False)
    if step.message:
        yield _template((*step.path, "message"), step.message, "message", step)
    if step.collection and step.kind == "forEach":
        yield _template((*step.path, "collection"), step.collection, "collection", step)
    if step.inner is not None and step.kind == "forEach":
        yield from _argument_templates(step.inner, step, inner=True)


def _argument_templates(step: Step, owner: Step, *, inner: bool) -> Iterator[TemplateText]:
    first: Place = "inner" if inner else "argument"
    deeper: Place = "inner-nested" if inner else "nested"
    for path, text in texts(step.arguments, (*step.path, "arguments")):
        yield _template(path, text, first if len(path) == len(step.path) + 2 else deeper, owner)


def _output_templates(workflow: Workflow) -> Iterator[TemplateText]:
    for path, prop in workflow.output_properties:
        value = prop.get("value")
        if isinstance(value, str) and value:
            yield _template((*path, "value"), value, "output", None)


def _output_properties(output: Mapping[str, Any]) -> list[tuple[Path, Mapping[str, Any]]]:
    stack: list[tuple[Path, Mapping[str, Any]]] = [(("output", "properties"), mapping(output.get("properties")))]
    found: list[tuple[Path, Mapping[str, Any]]] = []
    while stack:
        path, properties = stack.pop()
        for name, prop in properties.items():
            if isinstance(prop, dict) and len(path) < _DEEPEST:
                found.append(((*path, name), prop))
                stack.append(((*path, name, "properties"), mapping(prop.get("properties"))))
    return found


def texts(value: Any, path: Path) -> Iterator[tuple[Path, str]]:
    """Give the texts in ``value`` at any depth, mapping keys excepted, in order."""
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
