"""Comparison and arithmetic of CEL where Python differs: overflow, signs, and types that do not mix.

The functions raise ``CelError`` for operands of types that the operator does not accept, and if an integer overflows.

Source: cel-go v0.28, ``common/types``. Imports nothing slow: rules run for every document.
"""

from __future__ import annotations

from typing import Any

from .value import LARGEST, LARGEST_UNSIGNED, SMALLEST, CelError, TypeName, Unsigned


def less(left: Any, right: Any) -> bool:
    """Return ``left < right``."""
    return _order(left, right) < 0


def at_most(left: Any, right: Any) -> bool:
    """Return ``left <= right``."""
    return _order(left, right) <= 0


def greater(left: Any, right: Any) -> bool:
    """Return ``left > right``."""
    return _order(left, right) > 0


def at_least(left: Any, right: Any) -> bool:
    """Return ``left >= right``."""
    return _order(left, right) >= 0


def _order(left: Any, right: Any) -> int:
    if isinstance(left, bool) or isinstance(right, bool):
        fits = isinstance(left, bool) and isinstance(right, bool)
    elif isinstance(left, int | float) and isinstance(right, int | float):
        if float in (type(left), type(right)):
            left, right = float(left), float(right)
        fits = left == left and right == right  # noqa: PLR0124 - NaN cannot be ordered
    else:
        fits = type(left) is type(right) and hasattr(left, "__lt__") and not isinstance(left, list | dict | TypeName)
    if not fits or left is None:
        raise CelError("no such overload: these values have no order")
    return int(left > right) - int(left < right)


def add(left: Any, right: Any) -> Any:
    """Return ``left + right``."""
    kind = type(left)
    if kind is type(right) and kind in (str, bytes, list, float):
        return left + right
    return _arithmetic(left, right, "__add__")


def subtract(left: Any, right: Any) -> Any:
    """Return ``left - right``."""
    return _arithmetic(left, right, "__sub__")


def multiply(left: Any, right: Any) -> Any:
    """Return ``left * right``."""
    return _arithmetic(left, right, "__mul__")


def divide(left: Any, right: Any) -> Any:
    """Return ``left / right``. Integers are rounded towards zero."""
    if type(left) is float and type(right) is float:
        return _divide_doubles(left, right)
    _same_integers(left, right)
    if right == 0:
        raise CelError("division by zero")
    # Python's // rounds down, CEL and Go cut towards zero.
    quotient = abs(left) // abs(right)
    return _bounded(quotient if (left < 0) == (right < 0) else -quotient, type(left))


def modulo(left: Any, right: Any) -> Any:
    """Return ``left % right`` with the sign of ``left``."""
    _same_integers(left, right)
    if right == 0:
        raise CelError("modulus by zero")
    if left == SMALLEST and right == -1:
        raise CelError("integer overflow")
    # Python's % takes the sign of the divisor.
    rest = abs(left) % abs(right)
    return type(left)(-rest if left < 0 else rest)


def negate(value: Any) -> Any:
    """Return ``-value``."""
    if type(value) is float:
        return -value
    if type(value) is int:
        return _bounded(-value, int)
    negated = getattr(value, "negated", None)
    if negated is None:
        raise CelError("no such overload: '-'")
    return negated()


def _bounded(value: int, kind: type) -> int:
    if kind is Unsigned:
        if not 0 <= value <= LARGEST_UNSIGNED:
            raise CelError("unsigned integer overflow")
        return Unsigned(value)
    if not SMALLEST <= value <= LARGEST:
        raise CelError("integer overflow")
    return value


def _same_integers(left: Any, right: Any) -> None:
    if type(left) is not type(right) or type(left) not in (int, Unsigned):
        raise CelError("no such overload: not two integers of one kind")


def _arithmetic(left: Any, right: Any, operation: str) -> Any:
    kind = type(left)
    if kind is type(right) and kind in (int, Unsigned):
        return _bounded(getattr(int(left), operation)(int(right)), kind)
    if kind is type(right) and kind is float:
        return getattr(left, operation)(right)
    if hasattr(left, "type_name") and hasattr(right, "type_name"):
        result = getattr(type(left), operation, lambda *_: NotImplemented)(left, right)
        if result is not NotImplemented:
            return result
    raise CelError(f"no such overload: {operation.strip('_')}")


def _divide_doubles(left: float, right: float) -> float:
    if right != 0:
        return left / right
    if left == 0 or left != left:  # noqa: PLR0124 - NaN
        return float("nan")
    negative = (left < 0) != str(right).startswith("-")
    return float("-inf") if negative else float("inf")
