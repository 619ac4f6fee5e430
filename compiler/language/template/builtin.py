"""The functions that templates call. They raise ``ExecutionError`` if Go would stop with an error.

Source: Go 1.26 text/template; the vMCP server's ``json``, ``quote`` and ``fromJson``.
"""

from __future__ import annotations

import json as python_json
import re
from typing import TYPE_CHECKING, Any, Final

from ...golang import json as go_json
from ...golang.strconv import NumberError, quote
from . import escape
from .printer import sprint, sprintln
from .printf import sprintf
from .value import NO_VALUE, Byte, ExecutionError, LimitError, NilMap, decode, encode, go_type, is_true

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_COMPARABLE: Final = (bool, int, float, complex, str)
_MAX_DEPTH: Final = 200
"""Maximum nesting of a value that ``json`` writes, because the writer is recursive. No answer of a tool is deeper."""
_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def _bare(value: Any) -> Any:
    """Return an argument, or ``NO_VALUE`` if it is a nil interface, like ``indirectInterface`` of text/template."""
    return NO_VALUE if value is None else value


def length(item: Any) -> int:
    """Implement Go's ``len``: return the number of bytes of a string, items of a list or keys of a map."""
    if isinstance(item, str):
        return len(encode(item))
    if isinstance(item, (list, dict)):
        return len(item)
    raise ExecutionError(f"len of {_named(item)}")


def index(item: Any, *keys: Any) -> Any:
    """Implement Go's ``index``: look up each key in the result of the previous key, and return the last result.

    The result is ``None`` (nil) for a missing key of a map.

    Raises:
        ExecutionError: A key has the wrong type or is out of range, or a value cannot be indexed.
    """
    item = _bare(item)
    if item is NO_VALUE:
        raise ExecutionError("index of no value")
    for key in map(_bare, keys):
        if item is None:
            raise ExecutionError("index of nil")
        if isinstance(item, dict):
            if not isinstance(key, str):
                raise ExecutionError(f"a map is indexed with {_named(key)}")
            item = item.get(key)
        elif isinstance(item, (list, str)):
            data = encode(item) if isinstance(item, str) else item
            at = _position(key, len(data))
            if at == len(data):
                raise ExecutionError(f"index out of range: {at}")
            item = Byte(data[at]) if isinstance(data, bytes) else data[at]
        else:
            raise ExecutionError(f"{_named(item)} cannot be indexed")
    return item


def cut(item: Any, *bounds: Any) -> Any:
    """Implement Go's ``slice``: return a part of a string or list. The bounds of a string count bytes."""
    item = _bare(item)
    if not isinstance(item, (list, str)):
        raise ExecutionError(f"slice of {_named(item)}")
    data = encode(item) if isinstance(item, str) else item
    # As in Go's slice expressions, only a list may have a third bound, its capacity.
    if len(bounds) > (2 if isinstance(item, str) else 3):
        raise ExecutionError("too many bounds for slice")
    at = [0, len(data), len(data)]
    for number, bound in enumerate(bounds):
        at[number] = _position(bound, len(data))
    if not at[0] <= at[1] <= at[2]:
        raise ExecutionError("the bounds of slice are not in order")
    part = data[at[0] : at[1]]
    return decode(part) if isinstance(part, bytes) else part


def _position(key: Any, most: int) -> int:
    if not isinstance(key, int) or isinstance(key, bool):
        raise ExecutionError(f"a list or text is indexed with {_named(key)}")
    if not 0 <= key <= most:
        raise ExecutionError(f"index out of range: {key}")
    return key


# Comparison.


def _kind(value: Any) -> str:
    if isinstance(value, _COMPARABLE):
        return "int" if go_type(value) == "uint8" else go_type(value)
    return ""


def equal(first: Any, *others: Any) -> bool:
    """Implement Go's ``eq``: return whether the first argument equals one of the others."""
    if not others:
        raise ExecutionError("eq has nothing to compare with")
    return any(_equals(_bare(first), _bare(other)) for other in others)


def _equals(first: Any, second: Any) -> bool:
    kind = _kind(first)
    if kind != _kind(second):
        if first is NO_VALUE or second is NO_VALUE:
            return False
        raise ExecutionError(f"{_named(first)} cannot be compared with {_named(second)}")
    if kind:
        return bool(first == second)
    nothing = [value is NO_VALUE or isinstance(value, NilMap) for value in (first, second)]
    if NO_VALUE not in (first, second) and isinstance(first, dict) != isinstance(second, dict):
        raise ExecutionError(f"{_named(first)} cannot be compared with {_named(second)}")
    if any(nothing):
        return all(nothing)
    raise ExecutionError(f"{_named(first)} cannot be compared")


def less(first: Any, second: Any) -> bool:
    """Implement Go's ``lt``: return whether ``first`` is less than ``second``.

    Only numbers of the same type, and strings (by their bytes), can be compared.
    """
    first, second = _bare(first), _bare(second)
    for value in (first, second):
        if not _kind(value):
            raise ExecutionError(f"{_named(value)} has no order")
    if _kind(first) != _kind(second):
        raise ExecutionError(f"{_named(first)} cannot be compared with {_named(second)}")
    if isinstance(first, (bool, complex)):
        raise ExecutionError(f"{_named(first)} has no order")
    if isinstance(first, str):
        return encode(first) < encode(second)
    return bool(first < second)


def less_or_equal(first: Any, second: Any) -> bool:
    """Implement Go's ``le``: return whether ``first`` is less than or equal to ``second``."""
    return less(first, second) or equal(first, second)


def _named(value: Any) -> str:
    if value is None or value is NO_VALUE:
        return "no value"
    return go_type(value)


# JSON.


def to_json(value: Any) -> str:
    """Implement the function ``json`` of vMCP: return compact JSON with sorted keys and escaped HTML characters."""
    try:
        return go_json.compact(_plain(value, 0), sort_keys=True)
    except NumberError as fault:
        raise ExecutionError(str(fault)) from None


def _plain(value: Any, depth: int) -> Any:
    if depth > _MAX_DEPTH:
        raise LimitError("a value is nested too deeply to be written as JSON")
    if isinstance(value, NilMap):
        return None
    if isinstance(value, dict):
        return {key: _plain(child, depth + 1) for key, child in value.items()}
    if isinstance(value, list):
        return [_plain(child, depth + 1) for child in value]
    if isinstance(value, complex):
        raise ExecutionError("JSON has no complex numbers")
    return value


def from_json(text: str) -> Any:
    """Implement the function ``fromJson`` of vMCP: parse JSON into template values."""
    return decode_json(text)


def decode_json(text: str) -> Any:
    """Parse JSON into template values. Every number is a float.

    Raises:
        ExecutionError: The text is not valid JSON, or a number exceeds float64.
        LimitError: The text is nested too deeply.
    """
    try:
        value = python_json.loads(
            text, parse_int=_number, parse_float=_number, parse_constant=_constant, object_pairs_hook=_object
        )
    except RecursionError:
        raise LimitError("the JSON text is nested too deeply") from None
    except ValueError as fault:
        raise ExecutionError(f"not JSON: {fault}") from None
    return _clean(value) if "\\u" in text or _LONE_SURROGATE.search(text) else value


def _number(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        # The number may have any length, so the message quotes only its start.
        raise ValueError(f"the number {text[:40]} is beyond float64")
    return value


def _constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    return {_LONE_SURROGATE.sub("\ufffd", key): value for key, value in pairs}


def _clean(value: Any) -> Any:
    """Return ``value`` with lone surrogates, which Go strings cannot contain, replaced by U+FFFD."""
    if isinstance(value, str):
        return _LONE_SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_clean(child) for child in value]
    if isinstance(value, dict):
        return {key: _clean(child) for key, child in value.items()}
    return value


COMPUTED: Final[dict[str, Callable[..., Any]]] = {
    "eq": equal,
    "fromJson": from_json,
    "ge": lambda first, second: not less(first, second),
    "gt": lambda first, second: not less_or_equal(first, second),
    "html": lambda *values: escape.html(escape.joined(values)),
    "index": index,
    "js": lambda *values: escape.javascript(escape.joined(values)),
    "json": to_json,
    "le": less_or_equal,
    "len": length,
    "lt": less,
    "ne": lambda first, second: not equal(first, second),
    "not": lambda value: not is_true(value),
    "print": lambda *values: sprint(values),
    "printf": lambda template, *values: sprintf(template, values),
    "println": lambda *values: sprintln(values),
    "quote": quote,
    "slice": cut,
    "urlquery": lambda *values: escape.query(escape.joined(values)),
}
"""Functions whose arguments are all evaluated before the call. The executor implements ``and``, ``or`` and ``call``."""
