"""The objects that the Flux operator makes of a ResourceSet: its templates, filled in with each of its inputs.

Source: the ResourceSet API of the Flux operator (inputs, resources, resourcesTemplate, steps), as of 2026.
"""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..diagnostics.budget import SpentError
from ..diagnostics.fault import Flaw
from ..diagnostics.placeholder import UNKNOWN
from ..diagnostics.plain import listed, mapping, value_at
from ..diagnostics.secret_text import is_sensitive, is_withheld
from ..golang.yaml.resolve import resolve_plain
from ..language.template.executor import execute
from ..language.template.parser import parse
from ..language.template.value import NO_VALUE, ExecutionError, LimitError
from ..reading.document import read_documents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ..diagnostics.budget import Budget
    from ..diagnostics.span import Path
    from ..reading.document import Document

_INPUT: Final = re.compile(r"inputs((?:\.[A-Za-z0-9_]+)+)(?:\s*\|\s*(quote))?\Z")
_PLAIN: Final = re.compile(r"[A-Za-z0-9_./-]*\Z")
"""Texts that stand without quotes in the template, and are read anew once it is filled in."""
_WORD: Final = re.compile(r'"(?:[^"\\\n]|\\.)*+"?|`[^`]*+`?|(?<![\w.$])inputs(?!\w)')
"""A quoted text, which stays as it is, or the function."""
_ASKED: Final = re.compile(r"(?<![\w.$])inputs((?:\.[A-Za-z0-9_]+)+)")
_KIND: Final = re.compile(r"\bkind:\s*[\"']?([A-Za-z]+)")
_OPENING, _CLOSING = "\ue000", "\ue001"
"""What stands for braces, which are text in such a template, while it is worked out as one of Go's."""
ACTION: Final = 4
"""The steps that an action costs: it takes as long as copying four values."""
_DISABLED: Final = "fluxcd.controlplane.io/reconcile"


def is_resource_set(data: Any) -> bool:
    """Return whether a document is a ResourceSet."""
    if not isinstance(data, dict) or data.get("kind") != "ResourceSet":
        return False
    return str(data.get("apiVersion", "")).startswith("fluxcd.controlplane.io/")


class ExpandedSet(NamedTuple):
    """What is made of a ResourceSet.

    Attributes:
        objects: As parts of its document; what its inputs do not say is unknown in them.
        unknown: The kinds of others that there may be: of templates whose conditions, loops or functions cannot be
            worked out, or for which the budget is too small.
    """

    objects: Sequence[Document]
    unknown: frozenset[str]


def expand_resource_set(document: Document, budget: Budget) -> ExpandedSet:
    """Return what the Flux operator makes of a ResourceSet, as far as the budget of its file goes."""
    spec = mapping(document.data.get("spec"))
    inputs = _inputs(spec)
    objects: list[Document] = []
    unknown: set[str] = set()
    for above in _holders(spec):
        holder = mapping(value_at(document.data, above))
        try:
            objects.extend(_of_resources(document, above, inputs, budget))
        except SpentError:
            unknown |= {str(mapping(one).get("kind")) for one in listed(holder.get("resources"))}
        text = holder.get("resourcesTemplate")
        for values in inputs if isinstance(text, str) else ():
            found = _documents(str(text), values, document.file, budget)
            if found is None:
                unknown |= set(_KIND.findall(str(text)))
                break
            kept = (one for one in found if isinstance(one, dict) and not _is_disabled(one))
            objects += (document.part((*above, "resourcesTemplate"), data) for data in kept)
    return ExpandedSet(objects, frozenset(unknown))


def _holders(spec: Mapping[str, Any]) -> list[Path]:
    """Return the ways to what holds resources and templates: the spec, and each of its steps."""
    return [("spec",), *(("spec", "steps", number) for number, _ in enumerate(listed(spec.get("steps"))))]


def _inputs(spec: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return the sets of inputs; one that holds nothing where they are made elsewhere, or combined."""
    stated = [mapping(_without_secrets(one)) for one in listed(spec.get("inputs"))]
    is_combined = mapping(spec.get("inputStrategy")).get("name") not in (None, "Flatten")
    return [{}] if is_combined or not stated else stated


def _without_secrets(value: Any, name: str = "") -> Any:
    """Return inputs with unknown values under names that say that they are secret: findings would show them."""
    if isinstance(value, dict):
        return {key: _without_secrets(inner, str(key)) for key, inner in value.items()}
    if isinstance(value, list):
        return [_without_secrets(inner, name) for inner in value]
    return UNKNOWN if isinstance(value, str | int) and is_sensitive(name) and is_withheld(str(value)) else value


def _of_resources(
    document: Document, above: Path, inputs: Sequence[Mapping[str, Any]], budget: Budget
) -> Iterator[Document]:
    for number, template in enumerate(listed(mapping(value_at(document.data, above)).get("resources"))):
        for values in inputs:
            budget.spend(objects=1)
            data = _filled(template, values, budget)
            if isinstance(data, dict) and not _is_disabled(data):
                yield document.part((*above, "resources", number), data)


def _documents(template: str, inputs: Mapping[str, Any], file: str, budget: Budget) -> list[Any] | None:
    """Return the documents that a template makes of inputs; ``None`` where it cannot be worked out."""
    try:
        budget.spend(characters=len(template))
        text: str | None = _replaced(template, partial(_written, inputs=inputs, budget=budget))
        if "<<" in str(text):
            text = _executed(template, inputs, budget) if inputs else None
            budget.spend(characters=len(text or ""))
        documents, findings = read_documents(text, file, budget=budget) if text is not None else ([], [])
        budget.spend(objects=len(documents))
    except SpentError:
        return None
    return None if text is None or findings else [one.data for one in documents]


def _executed(template: str, inputs: Mapping[str, Any], budget: Budget) -> str | None:
    """Return what a template with conditions and loops makes of inputs that are all stated.

    ``None`` where it calls functions that are not those of Go's templates, or asks for what is not stated.
    """
    actions: list[str] = []
    _replaced(template, lambda action: actions.append(action) or "")  # type: ignore[func-returns-value] # collects
    asked = (match[1] for action in actions for match in _ASKED.finditer(action))
    if any(value_at(inputs, tuple(path.split(".")[1:])) is None for path in asked):
        return None  # the operator stops there
    text = template.replace("{{", _OPENING).replace("}}", _CLOSING)
    text = _replaced(text, lambda action: f"{{{{{_rooted(action)}}}}}")
    parsed = parse(text)
    if isinstance(parsed, Flaw):
        return None
    try:
        made = execute(parsed, {"inputs": inputs}, budget=budget)
    except (ExecutionError, LimitError):
        return None
    return None if str(NO_VALUE.value) in made else made.replace(_OPENING, "{{").replace(_CLOSING, "}}")


def _rooted(action: str) -> str:
    """Return an action with ``inputs``, a function of the Flux operator, as a field of the data."""
    return _WORD.sub(lambda match: "$.inputs" if match[0] == "inputs" else match[0], action)


def _is_disabled(data: Mapping[str, Any]) -> bool:
    return mapping(mapping(data.get("metadata")).get("annotations")).get(_DISABLED) == "disabled"


def _filled(value: Any, inputs: Mapping[str, Any], budget: Budget) -> Any:
    if isinstance(value, (dict, list)):
        budget.spend(steps=1 + len(value))
    if isinstance(value, dict):
        return {key: _filled(one, inputs, budget) for key, one in value.items()}
    if isinstance(value, list):
        return [_filled(one, inputs, budget) for one in value]
    if not isinstance(value, str) or "<<" not in value:
        return value
    budget.spend(characters=len(value))
    text = _replaced(value, partial(_text, inputs=inputs, budget=budget))
    is_plain = "quote" not in value and _PLAIN.match(text) is not None
    return resolve_plain(text, v3=False) if is_plain else text


def _replaced(text: str, write: Callable[[str], str]) -> str:
    """Return a text with what ``write`` makes of each action, whose text is what stands between the brackets."""
    parts: list[str] = []
    at = 0
    while (start := text.find("<<", at)) >= 0 and (end := text.find(">>", start + 2)) >= 0:
        parts += (text[at:start], write(text[start + 2 : end]))
        at = end + 2
    return "".join((*parts, text[at:]))


def _expression(action: str) -> str:
    """Return the expression of an action, without the dashes that trim space around it."""
    return action.removeprefix("-").removesuffix("-").strip()


def _text(action: str, inputs: Mapping[str, Any], budget: Budget) -> str:
    """Return what an expression stands for within a text."""
    found = _value(_expression(action), inputs)
    budget.spend(steps=ACTION, characters=len(found or ""))
    return UNKNOWN if found is None else found


def _written(action: str, inputs: Mapping[str, Any], budget: Budget) -> str:
    """Return what stands in a template in place of an expression; the beginning of one where it decides or repeats."""
    expression = _expression(action)
    if re.match(r"(?:if|else|end|range|with|define|template|block|\$|/\*)", expression):
        return "<<"
    found = _value(expression, inputs)
    budget.spend(steps=ACTION, characters=len(found or ""))
    if found is None:
        return UNKNOWN
    return f'"{found}"' if expression.endswith("quote") else found


@lru_cache(256)  # a template asks for the same inputs once for each of their sets
def _input_path(expression: str) -> Path | None:
    match = _INPUT.match(expression)
    return tuple(match[1].split(".")[1:]) if match is not None else None


def _value(expression: str, inputs: Mapping[str, Any]) -> str | None:
    """Return the text of an input; ``None`` where an expression is not known to be one."""
    path = _input_path(expression)
    value = value_at(inputs, path) if path is not None else None
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, (str, int)) and "\n" not in str(value) else None
