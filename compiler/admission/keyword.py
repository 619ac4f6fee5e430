"""Check the types of the keywords in CRD schemas.

Source: k8s.io/apiextensions-apiserver, ``JSONSchemaProps``: the API server does not decode a CRD with other types.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

TYPES: Final = frozenset({"object", "array", "string", "integer", "number", "boolean"})
NUMBERS: Final = ("minimum", "maximum", "multipleOf")
COUNTS: Final = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
_TEXTS: Final = ("type", "pattern", "format", "$ref", "x-kubernetes-list-type", "x-kubernetes-map-type")
_FLAGS: Final = (
    *("nullable", "exclusiveMinimum", "exclusiveMaximum", "uniqueItems", "x-kubernetes-int-or-string"),
    *("x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"),
)
_LISTS: Final = ("enum", "allOf", "anyOf", "oneOf", "x-kubernetes-validations")
_LISTS_OF_TEXTS: Final = ("required", "x-kubernetes-list-map-keys")
_LARGEST: Final = sys.float_info.max


def wrong_keyword(schema: dict[str, Any]) -> tuple[str, str] | None:
    """Return the first keyword of a schema whose value has the wrong type, with a message, or ``None``."""
    for word, value in schema.items():
        expected, fits = _EXPECTED.get(word, ("", None))
        if fits is not None and value is not None and not fits(value):
            return word, f"{word} must be {expected}"
    return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _LARGEST


def are_texts(values: Any) -> bool:
    """Return whether a value is a list of strings."""
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _is(kind: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kind)


_EXPECTED: Final[dict[str, tuple[str, Callable[[Any], bool]]]] = {
    "properties": ("a mapping", _is(dict)),
    "not": ("a mapping", _is(dict)),
    "items": ("a mapping", _is(dict)),
    "additionalProperties": ("a mapping or a boolean", lambda value: isinstance(value, dict | bool)),
    **dict.fromkeys(_TEXTS, ("a string", _is(str))),
    **dict.fromkeys(_FLAGS, ("a boolean", _is(bool))),
    **dict.fromkeys(_LISTS, ("a list", _is(list))),
    **dict.fromkeys(_LISTS_OF_TEXTS, ("a list of strings", are_texts)),
    **dict.fromkeys((*NUMBERS, *COUNTS), ("a number", _is_number)),
}
