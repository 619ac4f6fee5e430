"""CEL functions over strings, lists and optional values, and the table of all functions. See also `value.py`."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from ...language.cel import arithmetic, runtime
from ...language.cel.rule import Library, weight
from ...language.cel.value import CelError, Optional, text_of
from .signature import FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...language.cel.overloads import Overload
    from ...language.cel.types import Type

_STEP_LENGTH: Final = 64
"""Characters of a string that take as long as one step. A step takes about a microsecond."""
_TYPE_NAMES: Final = {
    "timestamp": "google.protobuf.Timestamp",
    "duration": "google.protobuf.Duration",
    "optional": "optional_type",
    "ip": "net.IP",
    "cidr": "net.CIDR",
    "url": "kubernetes.URL",
    "quantity": "kubernetes.Quantity",
    "semver": "kubernetes.Semver",
    "format": "kubernetes.NamedFormat",
}
"""CEL's name of each type that has another name in the signatures."""
_MOST_ITEMS: Final = 1_000_000
"""Maximum items to count in an argument. With this many, the evaluation exceeds its budget anyway."""
_QUADRATIC: Final = frozenset({"distinct", "sets.contains", "sets.equivalent", "sets.intersects"})
"""Functions that take quadratic time, because they compare each item with every other."""


def _call(name: str, *values: Any) -> Any:
    """Call the function ``name`` with its arguments, receiver first."""
    if not any(_takes(overload, values) for overload in FUNCTIONS[name]):
        raise CelError(f"no such overload: {name}()")
    function = _FUNCTIONS.get(name)
    if function is None:
        from .value import FUNCTIONS as OF_VALUES

        function = OF_VALUES[name]
    try:
        return function(*values)
    except (TypeError, AttributeError):
        raise CelError(f"no such overload: {name}()") from None


def _takes(overload: Overload, values: tuple[Any, ...]) -> bool:
    return len(overload.arguments) == len(values) and all(map(_has_type, overload.arguments, values))


def _has_type(kind: Type, value: Any) -> bool:
    """Return whether a value has the type ``kind``. As in cel-go, only the first item of a list or map is checked.

    The type of lists within a list is not checked, because ``flatten`` accepts mixed items.
    """
    if kind.kind in ("dyn", "variable"):
        return True
    if type(value) is list:
        return kind.kind == "list" and (
            not value or kind.parameters[0].kind == "list" or _has_type(kind.parameters[0], value[0])
        )
    if type(value) is dict:
        firsts = next(iter(value.items()), None)
        return kind.kind == "map" and (firsts is None or all(map(_has_type, kind.parameters, firsts)))
    return runtime.type_of(value).name == _TYPE_NAMES.get(kind.kind, kind.kind)


def _step_bound(name: str, *values: Any) -> int:
    """Return an upper bound for the steps that a call of the function takes. A step takes about a microsecond."""
    sizes = [len(value) // _STEP_LENGTH if isinstance(value, str) else weight(value, _MOST_ITEMS) for value in values]
    if name in _QUADRATIC:
        return 1 + sizes[0] * sizes[-1]
    if name in ("find", "findAll") and isinstance(values[1], str) and isinstance(values[0], str):
        return 1 + len(values[1]) * (1 + len(values[0]) // _STEP_LENGTH)
    if name == "replace" and all(isinstance(value, str) for value in values[:3]):
        text, old, new = map(str, values[:3])
        return 1 + len(text) + text.count(old) * len(new)
    if name in ("split", "join", "lists.range", "format"):
        return 1 + sum(map(_length, values))
    return 1 + sum(sizes)


def _length(value: Any) -> int:
    if isinstance(value, list):
        return sum(map(_length, value))
    return len(value) if isinstance(value, str) else max(value, 1) if type(value) is int else 1


def _list(value: Any) -> list[Any]:
    if isinstance(value, list):
        return value
    raise CelError("no such overload: not a list")


def _position(at: Any, text: Any, most: int | None = None) -> int:
    if type(at) is not int:
        raise CelError("no such overload: not an int")
    if not 0 <= at <= (len(text) if most is None else most):
        raise CelError(f"index out of range: {at}")
    return at


def _char_at(text: str, at: int) -> str:
    return text_of(text)[_position(at, text) :][:1]


def _index_of(value: Any, part: Any, start: int = 0) -> int:
    if isinstance(value, list):
        return next((i for i, item in enumerate(value) if runtime.equal(item, part)), -1)
    if not text_of(part):
        return start
    if start < 0:
        raise CelError(f"index out of range: {start}")
    return text_of(value).find(part, start)


def _last_index_of(value: Any, part: Any, start: int | None = None) -> int:
    if isinstance(value, list):
        return next((i for i in reversed(range(len(value))) if runtime.equal(value[i], part)), -1)
    if start is not None and start < 0 and part:
        raise CelError(f"index out of range: {start}")
    if not text_of(part):
        return len(text_of(value)) if start is None else start
    if start is not None and start >= len(value):
        return -1
    return text_of(value).rfind(part) if start is None else value.rfind(part, 0, start + len(part))


def _upper_ascii(text: str) -> str:
    return "".join(letter.upper() if letter.isascii() else letter for letter in text_of(text))


def _replace(text: str, old: str, new: str, count: int = -1) -> str:
    return text_of(text).replace(text_of(old), text_of(new), count)


def _split(text: str, separator: str, count: int = -1) -> list[str]:
    if count == 0:
        return []
    if separator == "":
        letters = [*text_of(text)]
        return letters if count < 0 or len(letters) <= count else [*letters[: count - 1], text[count - 1 :]]
    return text_of(text).split(text_of(separator), -1 if count < 0 else count - 1)


def _substring(text: str, start: int, end: int | None = None) -> str:
    stop = len(text_of(text)) if end is None else _position(end, text)
    if start > stop:
        raise CelError("invalid substring range")
    return text[_position(start, text) : stop]


_SPACE: Final = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f"
    "\u205f\u3000"
)


def _format(text: str, values: list[Any]) -> str:
    from .formatting import formatted

    return formatted(text_of(text), _list(values))


def _quote(text: str) -> str:
    escapes = {"\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v"}
    escapes |= {"\\": "\\\\", '"': '\\"'}
    return f'"{"".join(escapes.get(letter, letter) for letter in text_of(text))}"'


def _join(texts: list[str], separator: str = "") -> str:
    return text_of(separator).join(map(text_of, _list(texts)))


def _matches(text: str, pattern: str) -> list[str]:
    from ...golang.regexp import PatternError, compile_pattern

    try:
        return compile_pattern(text_of(pattern)).find_all(text_of(text))
    except PatternError:
        raise CelError(f"{pattern!r} is not a regular expression") from None


def _find_all(text: str, pattern: str, most: int = -1) -> list[str]:
    matches = _matches(text, pattern)
    return matches if most < 0 else matches[:most]


def _slice(items: list[Any], start: int, end: int) -> list[Any]:
    if start > end:
        raise CelError("cannot slice: the start lies behind the end")
    return _list(items)[_position(start, items) : _position(end, items)]


def _flatten(items: list[Any], depth: int = 1) -> list[Any]:
    if depth < 0:
        raise CelError("level must be non-negative")
    out: list[Any] = []
    for item in _list(items):
        out += (_flatten(item, depth - 1) if depth > 1 else item) if isinstance(item, list) and depth else [item]
    return out


def _distinct(items: list[Any]) -> list[Any]:
    out: list[Any] = []
    for item in _list(items):
        if not runtime.within(item, out):
            out.append(item)
    return out


def _sorted(items: list[Any]) -> list[Any]:
    from functools import cmp_to_key

    return sorted(
        _list(items), key=cmp_to_key(lambda left, right: arithmetic.greater(left, right) - arithmetic.less(left, right))
    )


def _extreme(items: list[Any], better: Callable[[Any, Any], bool], name: str) -> Any:
    if not _list(items):
        raise CelError(f"{name} called on empty list")
    best = items[0]
    for item in items[1:]:
        if better(item, best):
            best = item
    return best


def _sum(items: list[Any]) -> Any:
    if not _list(items):
        return 0
    total = items[0]
    for item in items[1:]:
        total = arithmetic.add(total, item)
    return total


def _lists(*values: Any) -> list[list[Any]]:
    return [_list(value) for value in values]


def _holds_all(items: Any, part: Any) -> bool:
    whole, wanted = _lists(items, part)
    return all(runtime.within(item, whole) for item in wanted)


def _is_greater(left: Any, right: Any) -> bool:
    try:
        return arithmetic.greater(left, right)
    except CelError:
        return False


def _optional_non_zero(value: Any) -> Optional:
    is_zero = value is None or (isinstance(value, bool | int | float | str | bytes | list | dict) and not value)
    return Optional() if is_zero else Optional(value)


def _optional(value: Any) -> Optional:
    if isinstance(value, Optional):
        return value
    raise CelError("no such overload: not an optional value")


def _value(value: Any) -> Any:
    if not _optional(value).items:
        raise CelError("optional.none() dereference")
    return value.items[0]


_FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    "charAt": _char_at,
    "indexOf": _index_of,
    "lastIndexOf": _last_index_of,
    "upperAscii": _upper_ascii,
    "replace": _replace,
    "split": _split,
    "substring": _substring,
    "trim": lambda text: text_of(text).strip(_SPACE),
    "format": _format,
    "strings.quote": _quote,
    "join": _join,
    "find": lambda text, pattern: next(iter(_matches(text, pattern)), ""),
    "findAll": _find_all,
    "slice": _slice,
    "flatten": _flatten,
    "lists.range": lambda most: list(range(most)),
    "reverse": lambda items: _list(items)[::-1],
    "distinct": _distinct,
    "first": lambda items: Optional(*_list(items)[:1]),
    "last": lambda items: Optional(*_list(items)[-1:]),
    "sets.contains": _holds_all,
    "sets.equivalent": lambda items, others: _holds_all(items, others) and _holds_all(others, items),
    "sets.intersects": lambda items, others: any(runtime.within(item, others) for item in _lists(items, others)[0]),
    "isSorted": lambda items: not any(_is_greater(left, right) for left, right in pairwise(_list(items))),
    "min": lambda items: _extreme(items, arithmetic.less, "min"),
    "max": lambda items: _extreme(items, arithmetic.greater, "max"),
    "sort": _sorted,
    "sum": _sum,
    "optional.of": Optional,
    "optional.none": Optional,
    "optional.ofNonZeroValue": _optional_non_zero,
    "hasValue": lambda value: bool(_optional(value).items),
    "value": _value,
}

LIBRARY: Final = Library(FUNCTIONS, _call, _step_bound)
