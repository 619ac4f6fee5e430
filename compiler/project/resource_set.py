"""Generate the objects of a ResourceSet as the Flux operator does: fill its inputs into its templates.

Source: the ResourceSet API of the Flux operator (inputs, resources, resourcesTemplate, steps), as of 2026.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.budget import SpentError, cache_by_text, changed_texts
from ..diagnostics.fault import Flaw
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.placeholder import UNKNOWN
from ..diagnostics.plain import listed, mapping, value_at
from ..diagnostics.secret.text import is_sensitive, is_withheld
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
"""Pattern of a text that YAML writes without quotes. Flux parses such a text again, so its type may change."""
_WORD: Final = re.compile(r'"(?:[^"\\\n]|\\.)*+"?|`[^`]*+`?|(?<![\w.$])inputs(?!\w)')
"""Pattern that matches the word ``inputs``, and quoted texts, in which this word is not replaced."""
_ASKED: Final = re.compile(r"(?<![\w.$])inputs((?:\.[A-Za-z0-9_]+)+)")
_KIND: Final = re.compile(r"\bkind:\s*[\"']?([A-Za-z]+)")
_OPENING, _CLOSING = "\ue000", "\ue001"
"""Replacements for ``{{`` and ``}}`` in a ResourceSet, whose delimiters are ``<<`` and ``>>``."""
ACTION: Final = 4
"""Budget steps for one action, which takes as long as copying four values."""
_DISABLED: Final = "fluxcd.controlplane.io/reconcile"
"""Annotation. With the value ``disabled``, the Flux operator does not apply the object."""


def is_resource_set(data: Any) -> bool:
    """Return whether a document is a ResourceSet."""
    if not isinstance(data, dict) or data.get("kind") != "ResourceSet":
        return False
    return str(data.get("apiVersion", "")).startswith("fluxcd.controlplane.io/")


class ExpandedSet(NamedTuple):
    """The objects that a ResourceSet generates, and the kinds of those that cannot be generated here.

    Attributes:
        objects: Generated objects, as parts of the document of the ResourceSet. Unknown values are placeholders.
        unknown: Kinds of further objects. Their templates have unsupported conditions, loops or functions, or the
            budget is too small for them.
    """

    objects: Sequence[Document]
    unknown: frozenset[str]


def expand_resource_set(document: Document, budget: Budget) -> ExpandedSet:
    """Return the objects that the Flux operator generates from a ResourceSet; ``budget`` is that of the file."""
    spec = mapping(document.data.get("spec"))
    inputs = _input_sets(spec)
    objects: list[Document] = []
    unknown: set[str] = set()
    for above in _template_paths(spec):
        holder = mapping(value_at(document.data, above))
        try:
            objects.extend(_filled_resources(document, above, inputs, budget))
        except SpentError:
            unknown |= {str(mapping(resource).get("kind")) for resource in listed(holder.get("resources"))}
        text = holder.get("resourcesTemplate")
        for values in inputs if isinstance(text, str) else ():
            data_of_documents = _template_documents(str(text), values, document.file, budget)
            if data_of_documents is None:
                unknown |= set(_KIND.findall(str(text)))
                break
            enabled = (data for data in data_of_documents if isinstance(data, dict) and not _is_disabled(data))
            objects += (document.part((*above, "resourcesTemplate"), data) for data in enabled)
    return ExpandedSet(objects, frozenset(unknown))


def _template_paths(spec: Mapping[str, Any]) -> list[Path]:
    return [("spec",), *(("spec", "steps", number) for number, _ in enumerate(listed(spec.get("steps"))))]


def _input_sets(spec: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return the sets of inputs that a ResourceSet states in ``spec.inputs``.

    The result is one empty set, so all inputs are unknown, if the ResourceSet states none or its strategy combines
    sets.
    """
    stated = [mapping(_without_secrets(inputs)) for inputs in listed(spec.get("inputs"))]
    is_combined = mapping(spec.get("inputStrategy")).get("name") not in (None, "Flatten")
    return [{}] if is_combined or not stated else stated


def _without_secrets(value: Any, name: str = "") -> Any:
    """Return inputs with a placeholder for each value under the name of a secret, because findings quote values."""
    if isinstance(value, dict):
        return {key: _without_secrets(inner, str(key)) for key, inner in value.items()}
    if isinstance(value, list):
        return [_without_secrets(inner, name) for inner in value]
    return UNKNOWN if isinstance(value, str | int) and is_sensitive(name) and is_withheld(str(value)) else value


def _filled_resources(
    document: Document, above: Path, inputs: Sequence[Mapping[str, Any]], budget: Budget
) -> Iterator[Document]:
    for number, template in enumerate(listed(mapping(value_at(document.data, above)).get("resources"))):
        for values in inputs:
            budget.spend(objects=1)
            data = _fill_in(template, values, budget)
            if isinstance(data, dict) and not _is_disabled(data):
                yield document.part((*above, "resources", number), data)


def _template_documents(template: str, inputs: Mapping[str, Any], file: str, budget: Budget) -> list[Any] | None:
    """Return the data of the documents that a template generates, or ``None`` if it fails or exceeds the budget."""
    try:
        budget.spend(characters=len(template))
        text: str | None = _replace_actions(template, partial(_template_text, inputs=inputs, budget=budget))
        if "<<" in str(text):
            text = _execute_template(template, inputs, budget) if inputs else None
            budget.spend(characters=len(text or ""))
        documents, findings = read_documents(text, file, budget=budget) if text is not None else ([], [])
        budget.spend(objects=len(documents))
    except SpentError:
        return None
    return None if text is None or findings else [document.data for document in documents]


def _execute_template(template: str, inputs: Mapping[str, Any], budget: Budget) -> str | None:
    """Return the text that a template with conditions and loops generates from inputs.

    Return ``None`` if the template is invalid, fails, exceeds a limit, or uses an input that is not stated or a
    function that Go's templates do not have.
    """
    actions: list[str] = []
    _replace_actions(template, lambda action: actions.append(action) or "")  # type: ignore[func-returns-value] # collects
    requested = (match[1] for action in actions for match in _ASKED.finditer(action))
    if any(value_at(inputs, tuple(path.split(".")[1:])) is None for path in requested):
        return None  # The Flux operator reports an error for a missing input.
    text = template.replace("{{", _OPENING).replace("}}", _CLOSING)
    text = _replace_actions(text, lambda action: f"{{{{{_with_input_field(action)}}}}}")
    parsed = parse(text)
    if isinstance(parsed, Flaw):
        return None
    try:
        output = execute(parsed, {"inputs": inputs}, budget=budget)
    except (ExecutionError, LimitError):
        return None
    return None if str(NO_VALUE.value) in output else output.replace(_OPENING, "{{").replace(_CLOSING, "}}")


def _with_input_field(action: str) -> str:
    """Replace ``inputs``, a template function of the Flux operator, by the field ``$.inputs`` in an action."""
    return _WORD.sub(lambda match: "$.inputs" if match[0] == "inputs" else match[0], action)


def _is_disabled(data: Mapping[str, Any]) -> bool:
    return mapping(mapping(data.get("metadata")).get("annotations")).get(_DISABLED) == "disabled"


def _fill_in(value: Any, inputs: Mapping[str, Any], budget: Budget) -> Any:
    """Return a resource with the ``<< inputs.… >>`` actions in its texts replaced by the inputs.

    A replaced text that does not use ``quote`` may become a number or a boolean, because Flux reads it as YAML again.

    Raises:
        SpentError: The budget is too small.
    """

    def fill(template: str) -> Any:
        if "<<" not in template:
            return template
        budget.spend(characters=len(template))
        text = _replace_actions(template, partial(_value_text, inputs=inputs, budget=budget))
        is_unquoted = "quote" not in template and _PLAIN.match(text) is not None
        return resolve_plain(text, v3=False) if is_unquoted else text

    return changed_texts(value, fill, budget)


def _replace_actions(text: str, write: Callable[[str], str]) -> str:
    parts: list[str] = []
    at = 0
    while (start := text.find("<<", at)) >= 0 and (end := text.find(">>", start + 2)) >= 0:
        parts += (text[at:start], write(text[start + 2 : end]))
        at = end + 2
    return "".join((*parts, text[at:]))


def _expression(action: str) -> str:
    return action.removeprefix("-").removesuffix("-").strip()


def _value_text(action: str, inputs: Mapping[str, Any], budget: Budget) -> str:
    """Return the text that replaces an action in a value of a resource: the named input, or a placeholder."""
    value = _input_text(_expression(action), inputs)
    budget.spend(steps=ACTION, characters=len(value or ""))
    return UNKNOWN if value is None else value


def _template_text(action: str, inputs: Mapping[str, Any], budget: Budget) -> str:
    """Return the text that replaces an action in a template.

    This is the named input or a placeholder. For a condition or a loop it is ``<<``, which tells the caller that the
    whole template must be executed.

    Raises:
        SpentError: The budget is too small.
    """
    expression = _expression(action)
    if re.match(r"(?:if|else|end|range|with|define|template|block|\$|/\*)", expression):
        return "<<"
    value = _input_text(expression, inputs)
    budget.spend(steps=ACTION, characters=len(value or ""))
    if value is None:
        return UNKNOWN
    return f'"{value}"' if expression.endswith("quote") else value


@cache_by_text(256)  # The same expressions are read again for each set of inputs.
def _input_path(expression: str) -> Path | None:
    match = _INPUT.match(expression)
    return tuple(match[1].split(".")[1:]) if match is not None else None


def _input_text(expression: str, inputs: Mapping[str, Any]) -> str | None:
    """Return the text of the named input; ``None`` if it is unknown, no scalar, or has several lines."""
    path = _input_path(expression)
    value = value_at(inputs, path) if path is not None else None
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, (str, int)) and "\n" not in str(value) else None
