"""Functions that translated expressions call at run time.

Generated code calls them where plain Python differs from CEL: ``True == 1``, a failing operand of ``or``, or an ``int``
without bounds. They raise ``CelError`` where CEL fails with an error.

Source: cel-go v0.28, ``common/types``. Imports nothing slow: rules run for every document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .arithmetic import (  # noqa: F401 - generated code calls them here
    add,
    at_least,
    at_most,
    divide,
    greater,
    less,
    modulo,
    multiply,
    negate,
    subtract,
)
from .value import CelError, CostError, Optional, TypeName, Unsigned, UnsupportedError, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

NATIVE = (KeyError, IndexError, TypeError, AttributeError)
"""Exceptions of plain Python in generated code that correspond to errors in CEL."""


def failure(error: Exception) -> CelError:
    """Return the CEL error for one of the Python exceptions in ``NATIVE``."""
    if isinstance(error, KeyError):
        return CelError(f"no such key: {error.args[0]}")
    return CelError("index out of bounds" if isinstance(error, IndexError) else "no such overload")


def rule(holds: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Return a generated function in which exceptions of Python become errors of CEL."""

    def checked(value: Any) -> bool:
        try:
            return holds(value)
        except NATIVE as error:
            raise failure(error) from None

    return checked


def truth(value: Any) -> bool:
    """Return ``value`` if it is a boolean, or raise a CEL error."""
    if isinstance(value, bool):
        return value
    raise CelError("no such overload: not a boolean")


def either(*operands: Callable[[], Any]) -> bool:
    """Return the value of operands joined by ``||``. True in one operand wins over an error in another."""
    return _join(operands, wins=True)


def both(*operands: Callable[[], Any]) -> bool:
    """Return the value of operands joined by ``&&``. False in one operand wins over an error in another."""
    return _join(operands, wins=False)


def _join(operands: Iterable[Callable[[], Any]], *, wins: bool) -> bool:
    error: CelError | None = None
    for operand in operands:
        try:
            value: Any = operand()
        except (CostError, UnsupportedError):
            raise  # the value of this operand is unknown, so no other operand may decide
        except CelError as raised:
            error = error or raised
        except NATIVE as raised:
            error = error or failure(raised)
        else:
            if value is wins:
                return bool(value)
            if value is not (not wins):
                error = error or CelError("no such overload: not a boolean")
    if error is not None:
        raise error
    return not wins


def has(value: Any, field: str) -> bool:
    """Return ``has(value.field)``, which is false for a scalar and an error for a list."""
    if isinstance(value, dict):
        return field in value
    if isinstance(value, list):
        raise CelError("a list has no fields")
    return isinstance(value, Optional) and bool(value[field].items)


class _Key:
    """A map key that is equal only to itself.

    It replaces booleans, because ``True`` equals ``1`` in Python, and lists and maps, which cel-go never finds.
    """

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


_TRUE, _FALSE = _Key(True), _Key(False)


def key(value: Any) -> Any:
    """Return the key for ``value`` in the Python dictionary that represents a map. Bytes are an error."""
    if isinstance(value, bytes):
        raise CelError("bytes cannot be a key")
    if isinstance(value, bool):
        return _TRUE if value else _FALSE
    return _Key(value) if isinstance(value, list | dict) else value


def mapping(entries: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """Return the value of a map literal. If keys are equal, the last entry counts."""
    return {key(name): value for name, value in entries}


def each(value: Any) -> Iterable[Any]:
    """Return the values that macros iterate over: the items of a list, or the keys of a map."""
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        return [name.value if isinstance(name, _Key) else name for name in value]
    raise CelError("no such overload: neither a list nor a map")


def pairs(value: Any) -> Iterable[tuple[Any, Any]]:
    """Return the pairs that macros with two variables iterate over: indexes and items, or keys and values."""
    if isinstance(value, list):
        return enumerate(value)
    if isinstance(value, dict):
        return [(name.value if isinstance(name, _Key) else name, item) for name, item in value.items()]
    raise CelError("no such overload: neither a list nor a map")


def spread(function: Callable[[Any, Any], Any]) -> Callable[[tuple[Any, Any]], Any]:
    """Return a function that calls ``function`` with the two values of a pair."""
    return lambda pair: function(*pair)


def transform_map(
    items: Iterable[tuple[Any, Any]],
    predicate: Callable[[tuple[Any, Any]], Any] | None,
    transform: Callable[[tuple[Any, Any]], Any],
) -> dict[Any, Any]:
    """Return ``items.transformMap(k, v, predicate, transform)``."""
    return mapping((pair[0], transform(pair)) for pair in items if predicate is None or truth(predicate(pair)))


def transform_entries(
    items: Iterable[tuple[Any, Any]],
    predicate: Callable[[tuple[Any, Any]], Any] | None,
    transform: Callable[[tuple[Any, Any]], Any],
) -> dict[Any, Any]:
    """Return ``items.transformMapEntry(k, v, predicate, transform)``. Duplicate keys are an error."""
    out: dict[Any, Any] = {}
    for pair in items:
        if predicate is not None and not truth(predicate(pair)):
            continue
        transformed = transform(pair)
        if not isinstance(transformed, dict):
            raise CelError("no such overload: not a map")
        if not out.keys().isdisjoint(transformed):
            raise CelError("insert failed: the key is there already")
        out |= transformed
    return out


def all_items(items: Iterable[Any], predicate: Callable[[Any], Any]) -> bool:
    """Return ``items.all(x, predicate)``."""
    return _join((lambda item=item: predicate(item) for item in items), wins=False)  # type: ignore[misc] # a default makes it one of any type


def exists(items: Iterable[Any], predicate: Callable[[Any], Any]) -> bool:
    """Return ``items.exists(x, predicate)``."""
    return _join((lambda item=item: predicate(item) for item in items), wins=True)  # type: ignore[misc] # as above


def exists_one(items: Iterable[Any], predicate: Callable[[Any], Any]) -> bool:
    """Return ``items.exists_one(x, predicate)``. Errors are never ignored."""
    return sum(truth(predicate(item)) for item in items) == 1


def map_items(items: Iterable[Any], transform: Callable[[Any], Any]) -> list[Any]:
    """Return ``items.map(x, transform)``."""
    return [transform(item) for item in items]


def filter_items(items: Iterable[Any], predicate: Callable[[Any], Any]) -> list[Any]:
    """Return ``items.filter(x, predicate)``."""
    return [item for item in items if truth(predicate(item))]


def map_filter(items: Iterable[Any], predicate: Callable[[Any], Any], transform: Callable[[Any], Any]) -> list[Any]:
    """Return ``items.map(x, predicate, transform)``."""
    return [transform(item) for item in items if truth(predicate(item))]


def index(value: Any, at: Any) -> Any:
    """Return ``value[at]``. The result is optional if ``value`` is optional."""
    if isinstance(value, dict):
        return value[key(at)]
    if isinstance(value, Optional):
        return value[at]
    if not isinstance(value, list) or isinstance(at, bool) or not isinstance(at, int | float) or at != int(at):
        raise CelError("no such overload: nothing to index")
    if not 0 <= at < len(value):
        raise CelError(f"index out of bounds: {at}")
    return value[int(at)]


def within(value: Any, container: Any) -> bool:
    """Return ``value in container``."""
    if isinstance(container, list):
        return any(equal(value, item) for item in container)
    if isinstance(container, dict):
        return key(value) in container
    raise CelError("no such overload: 'in' needs a list or a map")


def size(value: Any) -> int:
    """Return ``size(value)``: the number of code points, bytes, items or keys."""
    if isinstance(value, str | bytes | list | dict):
        return len(value)
    raise CelError("no such overload: size()")


def equal(left: Any, right: Any) -> bool:
    """Return ``left == right``. Numbers are compared by value, and other values only within their type."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, int | float) and isinstance(right, int | float):
        return float(left) == float(right) if type(left) is float or type(right) is float else left == right
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(equal, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return len(left) == len(right) and all(name in right and equal(left[name], right[name]) for name in left)
    return type(left) is type(right) and bool(left == right)


def starts_with(value: Any, prefix: Any) -> bool:
    """Return ``value.startsWith(prefix)``."""
    return text_of(value).startswith(text_of(prefix))


def ends_with(value: Any, suffix: Any) -> bool:
    """Return ``value.endsWith(suffix)``."""
    return text_of(value).endswith(text_of(suffix))


def lower_ascii(value: Any) -> str:
    """Return ``value.lowerAscii()``. Letters outside ASCII stay unchanged."""
    return "".join(letter.lower() if letter.isascii() else letter for letter in text_of(value))


def split(value: Any, separator: Any) -> list[str]:
    """Return ``value.split(separator)``. An empty separator splits a text into characters."""
    text, between = text_of(value), text_of(separator)
    return text.split(between) if between else list(text)


def contains(value: Any, part: Any) -> bool:
    """Return ``value.contains(part)``."""
    return text_of(part) in text_of(value)


def matches(value: Any, pattern: Any) -> bool:
    """Return ``value.matches(pattern)`` with RE2's meaning and in bounded time."""
    from ...golang.regexp import PatternError, compile_pattern

    try:
        return compile_pattern(text_of(pattern)).search(text_of(value))
    except PatternError:
        raise CelError(f"{pattern!r} is not a regular expression") from None


def only(name: str, value: Any) -> Any:
    """Return ``value``, which must be of the type ``name``.

    Raises:
        CelError: The value has another type, so no overload of the function accepts it.
    """
    if type_of(value) != TypeName(name):
        raise CelError(f"no such overload: this is no {name}")
    return value


def convert(name: str, value: Any) -> Any:
    """Return ``int(value)``, ``string(value)``, ``duration(value)`` or another conversion."""
    from .conversion import CONVERSIONS

    return CONVERSIONS[name](value)


def time_part(name: str, value: Any, *zone: Any) -> int:
    """Return ``value.getHours()`` or a similar function of timestamps and durations."""
    from .clock import part

    return part(name, value, *zone)


def type_of(value: Any) -> TypeName:
    """Return ``type(value)``."""
    named = (_TYPE_NAMES.get(kind) for kind in type(value).__mro__)
    return TypeName(next(filter(None, named), None) or str(getattr(value, "type_name", "type")))


def unsupported(feature: str) -> Any:
    """Raise ``UnsupportedError`` for a feature that mcpcfg does not evaluate."""
    raise UnsupportedError(f"{feature} is not evaluated here")


def maybe(value: Any, at: Any) -> Optional:
    """Return ``value.?field`` or ``value[?at]``."""
    return (value if isinstance(value, Optional) else Optional(value))[at]


def alternative(value: Any, other: Callable[[], Any]) -> Any:
    """Return ``value.or(other)``. A value that is not optional is returned unchanged, as in cel-go."""
    return other() if isinstance(value, Optional) and not value.items else value


def value_or(value: Any, other: Callable[[], Any]) -> Any:
    """Return ``value.orValue(other)``. A value that is not optional is returned unchanged."""
    chosen = alternative(value, other)
    return chosen.items[0] if chosen is value and isinstance(value, Optional) else chosen


def map_maybe(value: Any, transform: Callable[[Any], Any]) -> Optional:
    """Return ``value.optMap(x, transform)``."""
    if not isinstance(value, Optional):
        raise CelError("no such overload: optMap()")
    return Optional(transform(value.items[0])) if value.items else value


def flat_map_maybe(value: Any, transform: Callable[[Any], Any]) -> Optional:
    """Return ``value.optFlatMap(x, transform)``."""
    mapped = map_maybe(value, transform)
    if not mapped.items:
        return mapped
    if not isinstance(mapped.items[0], Optional):
        raise CelError("no such overload: optFlatMap()")
    return mapped.items[0]


_TYPE_NAMES = {
    type(None): "null_type",
    bool: "bool",
    Unsigned: "uint",
    int: "int",
    float: "double",
    str: "string",
    bytes: "bytes",
    list: "list",
    dict: "map",
}
