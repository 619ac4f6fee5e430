"""Models of record files to JSON Schemas (draft 2020-12), as editors and our own checks read them."""

from __future__ import annotations

import types
import typing
from typing import Annotated, Any, Literal, NotRequired, Required, get_args, get_origin

from mcpcfg.compiler.models import declare

if typing.TYPE_CHECKING:
    from collections.abc import Iterator

HOST_OR_DOMAIN = [{"format": "hostname"}, {"pattern": r"^\.[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?$"}]
"""What a model calls the format ``allowed-host``."""

_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number"}
_WORDS = {
    declare.Minimum: "minimum",
    declare.Maximum: "maximum",
    declare.MinLength: "minLength",
    declare.MaxLength: "maxLength",
    declare.MinItems: "minItems",
    declare.MaxItems: "maxItems",
}


def record_schema(model: type, *, url: str) -> dict[str, Any]:
    """Describe the files that ``model`` declares; ``url`` is the ``$id``."""
    definitions: dict[str, Any] = {}
    body = _object(model, definitions)
    out = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": url, "title": model.__name__, **body}
    if definitions:
        out["$defs"] = dict(sorted(definitions.items()))
    return out


def fields(model: type) -> Iterator[tuple[str, Any, bool]]:
    """Yield key, annotation and whether it is required, in the order of declaration.

    The keys are not asked of ``__required_keys__``: it stays empty where annotations are kept as text.
    """
    for key, hint in typing.get_type_hints(model, include_extras=True).items():
        yield key, hint, get_origin(hint) is Required


def words(hint: Any) -> tuple[Any, list[Any]]:
    """Take an annotation apart: the bare type, and every word said of it, the outermost last."""
    said: list[Any] = []
    while True:
        origin = get_origin(hint)
        if origin is Annotated:
            hint, *more = get_args(hint)
            said[:0] = more
        elif origin in (Required, NotRequired):
            (hint,) = get_args(hint)
        else:
            return hint, said


def _object(model: type, definitions: dict[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {"description": (model.__doc__ or "").strip(), "type": "object"}
    properties: dict[str, Any] = {}
    required: list[str] = []
    for key, hint, needed in fields(model):
        properties[key] = _schema(hint, definitions)
        if needed:
            required.append(key)
    out["properties"] = properties
    if required:
        out["required"] = required
    if alternatives := getattr(model, "__any_of__", ()):
        out["anyOf"] = [{"required": [key]} for key in alternatives]
    if extra := getattr(model, "__extra__", None):
        out["additionalProperties"] = _schema(extra, definitions)
    return out


def _schema(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    bare, said = words(hint)
    out: dict[str, Any] = {}
    if text := next((word for word in reversed(said) if isinstance(word, str)), None):
        out["description"] = text
    if any(isinstance(word, declare.Unchecked) for word in said):
        return out
    out |= _type(bare, said, definitions)
    for word in said:
        _constrain(out, word)
    return out


def _type(bare: Any, said: list[Any], definitions: dict[str, Any]) -> dict[str, Any]:
    if bare is Any:
        return {}
    if bare in _TYPES:
        return {"type": _TYPES[bare]}
    origin = get_origin(bare)
    if origin is Literal:
        return {"type": "string", "enum": list(get_args(bare))}
    if origin is list:
        return {"type": "array", "items": _schema(get_args(bare)[0], definitions)}
    if origin is dict:
        values = _schema(get_args(bare)[1], definitions)
        keys = next((word for word in said if isinstance(word, declare.Keys)), None)
        if keys is not None:
            return {"type": "object", "patternProperties": {keys.regex: values}}
        return {"type": "object", "additionalProperties": values} if values else {"type": "object"}
    if origin is types.UnionType:
        tag = next(word for word in said if isinstance(word, declare.Tagged))
        branches = [_type(branch, [], definitions) for branch in get_args(bare)]
        return {"anyOf": branches, "discriminator": {"propertyName": tag.key}}
    return _reference(bare, definitions)


def _reference(model: type, definitions: dict[str, Any]) -> dict[str, Any]:
    name = model.__name__
    if name not in definitions:
        definitions[name] = {}
        definitions[name] = _object(model, definitions)
    return {"$ref": f"#/$defs/{name}"}


def _constrain(out: dict[str, Any], word: Any) -> None:
    if isinstance(word, declare.Pattern):
        out["pattern"] = word.regex
    elif isinstance(word, declare.ListSet):
        out["uniqueItems"] = True
    elif isinstance(word, declare.Forbidden):
        out["not"] = {"enum": list(word.values)}
    elif isinstance(word, declare.Format):
        if word.name == "allowed-host":
            out["anyOf"] = HOST_OR_DOMAIN
        else:
            out["format"] = word.name
    elif type(word) in _WORDS:
        out[_WORDS[type(word)]] = word.value
