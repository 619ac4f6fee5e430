"""Models of record files to the table of Go types that ``golang.shape`` reads and writes by."""

from __future__ import annotations

import types
from typing import Any, Literal, get_args, get_origin, is_typeddict

from mcpcfg.compiler.models import declare

from .record_schema import fields, words

_SCALARS = {str: "string", bool: "bool", int: "int", float: "float"}
_PRINTED = {
    "int": "int",
    "map[string]interface {}": ("map", "any"),
    "time.Time": "time",
    "mcp.Tool": ("struct", "HeldTool"),
}
_HEADER = '''"""Go types of the record files: key, type, and whether it is written also when empty. Generated."""

from typing import Any

STRUCTS: dict[str, tuple[tuple[str, Any, bool], ...]] = {
'''


def shape_table(models: list[type]) -> str:
    """Write the module that holds the Go types of ``models`` and of all that they refer to."""
    structs: dict[str, tuple[tuple[str, Any, bool], ...]] = {}
    for model in models:
        _struct(model, structs)
    lines = [_HEADER]
    for name in sorted(structs):
        lines.append(f"    {name!r}: (\n")
        lines.extend(f"        {field!r},\n" for field in structs[name])
        lines.append("    ),\n")
    lines.append("}\n")
    return "".join(lines)


def _struct(model: type, structs: dict[str, tuple[tuple[str, Any, bool], ...]]) -> str:
    name = model.__name__
    if name not in structs:
        structs[name] = ()
        structs[name] = tuple(
            (key, _shape(hint, structs, pointer=not needed), any(isinstance(word, declare.Always) for word in said))
            for key, hint, needed in fields(model)
            for _, said in [words(hint)]
            if not any(isinstance(word, declare.SchemaOnly) for word in said)
        )
    return name


def _shape(hint: Any, structs: dict[str, Any], *, pointer: bool) -> Any:
    """Give the Go type; ``pointer`` says what a struct is where the model does not."""
    bare, said = words(hint)
    go = next((word for word in said if isinstance(word, declare.Go)), None)
    explicit = None if go is None else go.pointer
    if go is not None and go.type in _PRINTED:
        return _PRINTED[go.type]
    if any(isinstance(word, declare.PreserveUnknownFields) for word in said):
        return "raw"
    scalar = _scalar(bare, said)
    if scalar is not None:
        return ("ptr", scalar) if explicit else scalar
    origin = get_origin(bare)
    if origin is list:
        return ("list", _shape(get_args(bare)[0], structs, pointer=False))
    if origin is dict:
        return ("map", _shape(get_args(bare)[1], structs, pointer=False))
    if origin is types.UnionType:
        nullable = types.NoneType in get_args(bare)
        bare = get_args(bare)[0]
        if nullable and not is_typeddict(bare):
            return _shape(bare, structs, pointer=pointer)
    if getattr(bare, "__preserve_unknown_fields__", False):
        return "raw"
    struct = ("struct", _struct(bare, structs))
    return ("ptr", struct) if (pointer if explicit is None else explicit) else struct


def _scalar(bare: Any, said: list[Any]) -> str | None:
    for word in said:
        if isinstance(word, declare.Duration):
            return "duration-text"
        if isinstance(word, declare.Nanoseconds) and word.text:
            return "nanoseconds"
        if isinstance(word, declare.Format) and word.name == "int32":
            return "int32"
    if bare is Any:
        return "any"
    return "string" if get_origin(bare) is Literal else _SCALARS.get(bare)
