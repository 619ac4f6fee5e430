"""The objects that the Flux operator makes of a ResourceSet: its templates, filled in with each of its inputs.

Source: the ResourceSet API of the Flux operator (inputs, resources, resourcesTemplate, steps), as of 2026.
"""

from __future__ import annotations

import re
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.placeholder import UNKNOWN
from ..diagnostics.plain import listed, mapping, value_at
from ..reading.document import read_documents
from ..reading.scalar import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..diagnostics.span import Path
    from ..reading.document import Document

_MOST: Final = 1_000
"""Objects of one ResourceSet."""
_EXPRESSION: Final = re.compile(r"<<-?\s*(.*?)\s*-?>>", re.DOTALL)
_INPUT: Final = re.compile(r"inputs((?:\.[A-Za-z0-9_]+)+)(?:\s*\|\s*(quote))?\Z")
_PLAIN: Final = re.compile(r"[A-Za-z0-9_./-]*\Z")
"""Texts that stand without quotes in the template, and are read anew once it is filled in."""
_DISABLED: Final = "fluxcd.controlplane.io/reconcile"


def is_resource_set(data: Any) -> bool:
    """Return whether a document is a ResourceSet."""
    if not isinstance(data, dict) or data.get("kind") != "ResourceSet":
        return False
    return str(data.get("apiVersion", "")).startswith("fluxcd.controlplane.io/")


def objects(document: Document) -> Iterator[Document]:
    """Yield the objects of a ResourceSet as parts of its document; what its inputs do not say is unknown in them.

    Of a template with conditions or loops nothing is known.
    """
    spec = mapping(document.data.get("spec"))
    steps = [("spec", "steps", number) for number, _ in enumerate(listed(spec.get("steps")))]
    made = (one for above in (("spec",), *steps) for one in _of_holder(document, above, _inputs(spec)))
    yield from islice(made, _MOST)


def _inputs(spec: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return the sets of inputs; one that holds nothing where they are made elsewhere, or combined."""
    stated = [mapping(one) for one in listed(spec.get("inputs"))]
    is_combined = mapping(spec.get("inputStrategy")).get("name") not in (None, "Flatten")
    return [{}] if is_combined or not stated else stated


def _of_holder(document: Document, above: Path, inputs: Sequence[Mapping[str, Any]]) -> Iterator[Document]:
    holder = mapping(value_at(document.data, above))
    for number, template in enumerate(listed(holder.get("resources"))):
        for values in inputs:
            data = _filled(template, values)
            if isinstance(data, dict) and not _is_disabled(data):
                yield document.part((*above, "resources", number), data)
    text = holder.get("resourcesTemplate")
    for values in inputs if isinstance(text, str) else ():
        whole = _EXPRESSION.sub(partial(_written, inputs=values), str(text))
        documents, findings = read_documents(whole, document.file) if "<<" not in whole else ([], [])
        for one in documents if not findings else ():
            if isinstance(one.data, dict) and not _is_disabled(one.data):
                yield document.part((*above, "resourcesTemplate"), one.data)


def _is_disabled(data: Mapping[str, Any]) -> bool:
    return mapping(mapping(data.get("metadata")).get("annotations")).get(_DISABLED) == "disabled"


def _filled(value: Any, inputs: Mapping[str, Any]) -> Any:
    if isinstance(value, dict):
        return {key: _filled(one, inputs) for key, one in value.items()}
    if isinstance(value, list):
        return [_filled(one, inputs) for one in value]
    if not isinstance(value, str) or "<<" not in value:
        return value
    text = _EXPRESSION.sub(partial(_text, inputs=inputs), value)
    is_plain = "quote" not in value and _PLAIN.match(text) is not None
    return plain(text, "kubernetes") if is_plain else text


def _text(match: re.Match[str], inputs: Mapping[str, Any]) -> str:
    """Return what an expression stands for within a text."""
    found = _value(match[1], inputs)
    return UNKNOWN if found is None else found


def _written(match: re.Match[str], inputs: Mapping[str, Any]) -> str:
    """Return what stands in a template in place of an expression; the beginning of one where it decides or repeats."""
    expression = match[1]
    if re.match(r"(?:if|else|end|range|with|define|template|block|\$|/\*)", expression):
        return "<<"
    found = _value(expression, inputs)
    if found is None:
        return UNKNOWN
    return f'"{found}"' if expression.endswith("quote") else found


def _value(expression: str, inputs: Mapping[str, Any]) -> str | None:
    """Return the text of an input; ``None`` where an expression is not known to be one."""
    match = _INPUT.match(expression)
    value = value_at(inputs, tuple(match[1].split(".")[1:])) if match is not None else None
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, (str, int)) and "\n" not in str(value) else None
