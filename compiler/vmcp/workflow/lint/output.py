"""Check outputs that never have their declared type, and values that are printed in Go's notation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ....diagnostics.fault import Fault
from ....diagnostics.finding import rule
from ....diagnostics.shown import shown
from .kind import kind_at
from .printed import can_print, literal, pieces, printed_paths

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ....diagnostics.span import Path
    from ..model import TemplateText, Workflow
    from .kind import Kind
    from .printed import OutputPiece

OUTPUT_NEVER_FITS = rule("CMP107 output-never-fits", "lint", "A value is printed in a form that can never be read back")

_TRUTHS: Final = ("1", "t", "T", "TRUE", "true", "True", "0", "f", "F", "FALSE", "false", "False")
"""The texts that Go's ``strconv.ParseBool`` accepts."""
_CHARACTERS: Final = {
    "integer": frozenset("+-0123456789"),
    "number": frozenset("+-0123456789abcdefABCDEFxXpP_.inftyINFTYnaNA"),
}
_OPENINGS: Final = {"object": "{n", "array": "[n"}
_KINDS: Final[dict[str, frozenset[Kind]]] = {
    "integer": frozenset(("map", "list", "bool")),
    "number": frozenset(("map", "list", "bool")),
    "object": frozenset(("map", "list", "bool", "int", "float")),
    "array": frozenset(("map", "bool", "int", "float")),
}


def output_faults(workflow: Workflow) -> Iterator[Fault]:
    """Yield outputs that never have their declared type."""
    templates = {text.path: text for text in workflow.templates if text.place == "output"}
    for path, prop in workflow.output_properties:
        text = templates.get((*path, "value"))
        parts = None if text is None else pieces(text, workflow)
        if text is not None and parts is not None:
            yield from _output(path, prop, text, parts)


def _output(path: Path, prop: Mapping[str, object], text: TemplateText, parts: list[OutputPiece]) -> Iterator[Fault]:
    kind = prop.get("type")
    if not isinstance(kind, str) or not _never_converts(kind, parts):
        return
    instead = "its default is always used" if prop.get("default") is not None else "the workflow always fails"
    message = f"the output {shown(path[-1])} is never a value of type {kind}: {instead}"
    hint = f"print only a value of type {kind}, or change the type"
    if kind in _OPENINGS and any(part.kind in ("map", "list") for part in parts):
        hint = "print it with json, as in {{json .steps.a.output}}"
    elif text.text != text.text.strip() and kind != "string":
        hint = "remove spaces and line breaks around the template; in YAML, end the block with |- or >-"
    yield Fault(text.path, OUTPUT_NEVER_FITS, message, hint, "lint")


def _never_converts(kind: str, parts: list[OutputPiece]) -> bool:
    """Return whether an output that consists of ``parts`` can never be converted to type ``kind``."""
    always = literal(parts)
    if always is not None:
        from ....language.template.value import ExecutionError
        from ..coercion import coerced

        try:
            coerced(always, kind)
        except ExecutionError:
            return kind in ("integer", "number", "boolean", "object", "array")
        return False
    if kind == "boolean":
        return not can_print(parts, _TRUTHS)
    if any(part.text is None and part.kind in _KINDS.get(kind, ()) for part in parts):
        # A value that is part of a JSON text may stand where such a value may stand.
        return kind in _CHARACTERS or len(parts) == 1
    if kind in _CHARACTERS:
        return any(part.text is not None and not _CHARACTERS[kind].issuperset(part.text) for part in parts)
    first = parts[0].text
    return kind in _OPENINGS and first is not None and first.strip() != "" and first.strip()[0] not in _OPENINGS[kind]


def printing_faults(workflow: Workflow) -> Iterator[Fault]:
    """Yield mappings and lists that reach tools and loops in Go's notation, which they cannot parse."""
    for text in workflow.templates:
        if text.place in ("condition", "message", "output"):
            continue
        for path in printed_paths(text):
            kind = kind_at(path, workflow)
            if kind in ("map", "list"):
                name = "." + ".".join(path)
                example = "map[a:1]" if kind == "map" else "[1 2]"
                message = f"{name} is printed as Go prints it, like {example}, which is not JSON"
                yield Fault(text.path, OUTPUT_NEVER_FITS, message, f"write {{{{json {name}}}}}", "lint")
