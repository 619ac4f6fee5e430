"""The CEL function ``text.format(values)``: its verbs, and the notation of values of each type.

Source: cel-go v0.26 and v0.28, ``ext/formatting.go``, the formatter of the string library up to version 3; numbers as
``golang.org/x/text/message`` writes them in English.
"""

from __future__ import annotations

import re
from math import isfinite, isnan
from typing import TYPE_CHECKING, Any, Final

from ...golang.strconv import quote
from ...language.cel import clock, runtime
from ...language.cel.value import CelError, TypeName, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable

_CLAUSE: Final = re.compile(r"%(?:\.([0-9]+))?(.)", re.DOTALL)
_DEFAULT_PRECISION: Final = 6
"""Decimals of ``%f`` if the clause states no precision, as in cel-go."""
_MOST_PRECISION: Final = 200
"""Maximum precision. Each verb of the Go library truncates larger ones differently, so the result is unknown."""
_ODD_NUMBERS: Final = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}
_SUPERSCRIPTS: Final = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "+")


def formatted(text: str, values: list[Any]) -> str:
    """Return ``text`` with each clause, such as ``%.2f``, replaced by the next value. Surplus values are ignored.

    Raises:
        CelError: A clause is unknown, or its value is missing or of another type.
        UnsupportedError: A precision is larger than mcpcfg evaluates.
    """
    out, at, given = [], 0, iter(values)
    while (percent := text.find("%", at)) >= 0:
        out.append(text[at:percent])
        if text[percent + 1 : percent + 2] == "%":
            out.append("%")
            at = percent + 2
            continue
        value = next(given, values)
        if value is values:
            raise CelError("format() has too few arguments")
        clause = _CLAUSE.match(text, percent)
        verb = _VERBS.get(clause[2]) if clause is not None else None
        if clause is None or verb is None:
            raise CelError(f"format() does not know {text[percent : percent + 2]!r}")
        # 9999 stands for all larger numbers: Python refuses to parse thousands of digits.
        precision = _DEFAULT_PRECISION if clause[1] is None else int(clause[1][-4:] if len(clause[1]) < 5 else "9999")
        if precision > _MOST_PRECISION:
            raise UnsupportedError(f"a precision of more than {_MOST_PRECISION} is not evaluated here")
        out.append(verb(value, precision))
        at = clause.end()
    return "".join([*out, text[at:]])


def _string(value: Any, _: int) -> str:
    """Format ``%s``: the value as CEL's ``string()`` converts it. Items of lists and maps are in CEL notation."""
    if isinstance(value, list | dict) or value is None:
        return _nested(value)
    return value.name if isinstance(value, TypeName) else str(runtime.convert("string", value))


def _nested(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_nested, value))}]"
    if isinstance(value, dict):
        entries = sorted(
            (_key(name), _nested(item)) for name, item in zip(runtime.each(value), value.values(), strict=True)
        )
        return f"{{{', '.join(f'{name}:{item}' for name, item in entries)}}}"
    if value is None:
        return "null"
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, bytes):
        return f"b{quote(_string(value, 0))}"
    if isinstance(value, float):
        odd = "NaN" if isnan(value) else "+Inf" if value > 0 else "-Inf"
        return f"{value:.{_DEFAULT_PRECISION}f}" if isfinite(value) else quote(odd)
    if isinstance(value, clock.DurationValue | clock.Timestamp):
        function = "duration" if isinstance(value, clock.DurationValue) else "timestamp"
        return f"{function}({quote(_string(value, 0))})"
    return _string(value, 0)


def _key(name: Any) -> str:
    if isinstance(name, float):
        raise CelError("format() cannot write a double as a key")
    return _nested(name)


def _decimal(value: Any, _: int) -> str:
    return str(_integer(value))


def _fixed(value: Any, precision: int) -> str:
    number = _number(value)
    return f"{number:,.{precision}f}" if isfinite(number) else _infinite(number)


def _scientific(value: Any, precision: int) -> str:
    """Format ``%e`` with six decimals. The precision pads on the left, because cel-go also uses it as the width."""
    number = _number(value)
    if not isfinite(number):
        return _infinite(number).rjust(precision)
    digits, _, exponent = f"{number:.{_DEFAULT_PRECISION}e}".partition("e")
    return f"{digits}\u202f\u00d7\u202f10{exponent.translate(_SUPERSCRIPTS)}".rjust(precision)


def _infinite(number: float) -> str:
    return "NaN" if isnan(number) else "∞" if number > 0 else "-∞"


def _binary(value: Any, _: int) -> str:
    return str(int(value)) if isinstance(value, bool) else f"{_integer(value):b}"


def _octal(value: Any, _: int) -> str:
    return f"{_integer(value):o}"


def _hexadecimal(value: Any, _: int) -> str:
    if isinstance(value, str | bytes):
        return (value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value).hex()
    return f"{_integer(value):x}"


def _integer(value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise CelError("format() needs an integer here")


def _number(value: Any) -> float:
    number = _ODD_NUMBERS.get(value) if isinstance(value, str) else value
    if isinstance(number, float):
        return number + 0.0  # the library writes -0.0 without sign
    raise CelError("format() needs a double here")


_VERBS: Final[dict[str, Callable[[Any, int], str]]] = {
    "s": _string,
    "d": _decimal,
    "f": _fixed,
    "e": _scientific,
    "b": _binary,
    "o": _octal,
    "x": _hexadecimal,
    "X": lambda value, precision: _hexadecimal(value, precision).upper(),
}
