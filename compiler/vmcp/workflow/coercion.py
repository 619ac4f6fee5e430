"""Convert texts and defaults to the types that a composite tool's output declares.

Source: docs/operator/virtual-server.md, "Running a workflow".
"""

from __future__ import annotations

from typing import Any

from ...golang.strconv import NumberError, parse_bool, parse_float, parse_int
from ...language.template.builtin import decode_json
from ...language.template.printer import sprint
from ...language.template.value import ExecutionError


def coerced(text: str, kind: Any) -> Any:
    """Convert the text of an expanded template to the type ``kind`` of an output property.

    Raises:
        ExecutionError: The text is not a value of the type.
    """
    try:
        match kind:
            case "string":
                return text
            case "integer":
                return parse_int(text)
            case "number":
                return parse_float(text)
            case "boolean":
                return parse_bool(text)
    except NumberError as fault:
        raise ExecutionError(str(fault)) from None
    if kind in ("object", "array"):
        value = decode_json(text)
        if value is None or isinstance(value, dict if kind == "object" else list):
            return value
        raise ExecutionError(f"the JSON text is no {kind}")
    raise ExecutionError(f'there is no output type "{kind}"')


def coerced_default(default: Any, kind: Any) -> Any:
    """Convert a default to the type ``kind`` of an output property.

    Raises:
        ExecutionError: The default cannot be converted.
    """
    number = isinstance(default, (int, float)) and not isinstance(default, bool)
    match kind:
        case "string":
            return default if isinstance(default, str) else sprint([default])
        case "integer" if number:
            return int(default)
        case "number" if number:
            return float(default)
        case "boolean" if isinstance(default, bool):
            return default
        case "boolean" if isinstance(default, int):
            return default == 1
        case "object" if isinstance(default, dict):
            return default
        case "array" if isinstance(default, list):
            return default
    if not isinstance(default, str):
        raise ExecutionError(f"the default does not fit the type {kind}")
    if kind == "boolean" and default not in ("true", "True", "TRUE", "1", "false", "False", "FALSE", "0"):
        raise ExecutionError("the default is neither true nor false")
    return coerced(default, kind)
