"""Write JSON like Go's encoding/json.

Source: Go 1.26 standard library, encoding/json: MarshalIndent with an indent of two spaces, and Marshal.
"""

from __future__ import annotations

import math
import re
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, Any

from .strconv import NumberError, format_plain, scientific, shortest_digits
from .value import INT64, RawJson, SortedMap, as_float

if TYPE_CHECKING:
    from collections.abc import Callable

# Go escapes U+2028 and U+2029 for JavaScript. A lone surrogate stands for a byte that is not UTF-8.
_UNSAFE = "[\u2028\u2029\ud800-\udfff]"
_LEXEME = r'[\[\]{},:]|"(?:[^"\\]|\\.)*+"?|[^\s\[\]{},:"]+'
_UNSAFE_TEXT = {"\u2028": "\\u2028", "\u2029": "\\u2029"}


def indented(value: Any, *, sort_keys: bool = False) -> str:
    """Return ``value`` as indented JSON, without a final newline.

    Args:
        value: Plain data. Objects keep their order (Go structs, raw JSON), except a ``SortedMap``, which is sorted.
        sort_keys: True to sort every object.

    Raises:
        NumberError: A number is infinite or NaN, which JSON cannot express.
    """
    out: list[str] = []
    _write_lines(value, "\n", sort_keys, out.append)
    return _html_safe("".join(out))


def compact(value: Any, *, sort_keys: bool = False) -> str:
    """Return ``value`` as JSON on one line without spaces. Arguments and errors are those of ``indented``."""
    out: list[str] = []
    _write_line(value, sort_keys, out.append)
    return _html_safe("".join(out))


def string(text: str) -> str:
    """Return ``text`` as a JSON string with its quotes. Like Go, also escape ``<``, ``>`` and ``&``."""
    return _html_safe(encode_basestring(text))


def number(value: float) -> str:
    """Return ``value`` as a JSON number: a 64-bit integer in full, any other number as a float64.

    A float64 has an exponent if its magnitude is below 1e-6, or at least 1e21.

    Raises:
        NumberError: ``value`` is infinite, NaN, or an integer out of range of float64.
    """
    if isinstance(value, int):
        if value in INT64:
            return int.__repr__(value)
        value = as_float(value)
    if not math.isfinite(value):
        raise NumberError(str(value), "a JSON number")
    sign, digits, exponent = shortest_digits(value)
    # As floatEncoder of Go's encoding/json: 1e-6 has the exponent -5 here, and 1e20 has 21.
    if -6 < exponent <= 21:
        return format_plain(value)
    mantissa, _, power = scientific(digits, exponent - 1).partition("e")
    return f"{sign}{mantissa}e{power[0]}{power[1:].lstrip('0')}"


def _html_safe(text: str) -> str:
    if "<" in text:
        text = text.replace("<", "\\u003c")
    if ">" in text:
        text = text.replace(">", "\\u003e")
    if "&" in text:
        text = text.replace("&", "\\u0026")
    if text.isascii():
        return text
    return re.sub(_UNSAFE, lambda match: _UNSAFE_TEXT.get(match[0], "\\ufffd"), text)


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        return encode_basestring(value)
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, (int, float)):
        return number(value)
    raise TypeError(f"no JSON form for {type(value).__name__}")


def _write_lines(value: Any, newline: str, sort: bool, put: Callable[[str], None]) -> None:  # noqa: FBT001 - internal, hot
    if isinstance(value, dict):
        if not value:
            put("{}")
            return
        inner = newline + "  "
        lead = "{" + inner
        for key in sorted(value) if sort or type(value) is SortedMap else value:
            child = value[key]
            head = f"{lead}{encode_basestring(key)}: "
            if type(child) is str:
                put(head + encode_basestring(child))
            elif isinstance(child, (dict, list, tuple, RawJson)):
                put(head)
                _write_lines(child, inner, sort, put)
            else:
                put(head + _scalar(child))
            lead = "," + inner
        put(newline + "}")
    elif isinstance(value, RawJson):
        _write_raw(value.text, newline, put)
    elif isinstance(value, (list, tuple)):
        if not value:
            put("[]")
            return
        inner = newline + "  "
        lead = "[" + inner
        for child in value:
            put(lead)
            _write_lines(child, inner, sort, put)
            lead = "," + inner
        put(newline + "]")
    else:
        put(_scalar(value))


def _write_raw(text: str, newline: str, put: Callable[[str], None]) -> None:
    """Pass a JSON text to ``put``, indented by two spaces a level. Numbers, strings and repeated keys stay unchanged.

    ``newline`` is a line break, followed by the indentation of the text itself.
    """
    depth, before = 0, ""
    for lexeme in re.findall(_LEXEME, text):
        closes = lexeme in {"}", "]"}
        depth -= closes
        if before == "," or (before in {"{", "["}) is not closes:
            put(newline + "  " * depth)
        elif before == ":":
            put(" ")
        put(lexeme)
        depth += lexeme in {"{", "["}
        before = lexeme


def _write_line(value: Any, sort: bool, put: Callable[[str], None]) -> None:  # noqa: FBT001 - internal, hot
    if isinstance(value, dict):
        lead = "{"
        for key in sorted(value) if sort or type(value) is SortedMap else value:
            put(f"{lead}{encode_basestring(key)}:")
            _write_line(value[key], sort, put)
            lead = ","
        put("}" if value else "{}")
    elif isinstance(value, (list, tuple)):
        lead = "["
        for child in value:
            put(lead)
            _write_line(child, sort, put)
            lead = ","
        put("]" if value else "[]")
    elif isinstance(value, RawJson):
        put("".join(re.findall(_LEXEME, value.text)))
    else:
        put(_scalar(value))
