"""The values of a template, and the Go type that each Python type represents.

========================  =========================================
Python                    Go
========================  =========================================
``None``                  a nil interface: a JSON null in its place
``NO_VALUE``              an invalid ``reflect.Value``: a missing key
``bool``                  ``bool``
``int``                   ``int``
``Byte``                  ``uint8``: an element of a string
``float``                 ``float64``: every number of a JSON text
``complex``               ``complex128``
``str``                   ``string``; a lone surrogate of ``surrogateescape`` is a byte that is not UTF-8
``list``                  ``[]interface {}``
``dict``                  ``map[string]interface {}``
``NilMap``                a nil ``map[string]interface {}``
========================  =========================================
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Any, Final

_STRAY: Final = re.compile("[\ud800-\udc7f\udd00-\udfff]")  # surrogates that do not represent a byte


class _Missing(Enum):
    NO_VALUE = "<no value>"


NO_VALUE: Final = _Missing.NO_VALUE


class NilMap(dict[str, Any]):
    """A nil map of Go: empty, false, and ``null`` in JSON."""

    __slots__ = ()


class Byte(int):
    """A byte of a string, whose Go type is ``uint8`` instead of ``int``."""

    __slots__ = ()


class ExecutionError(Exception):
    """Go would stop executing the template. The message contains the reason."""


class LimitError(ExecutionError):
    """The template exceeds a limit of this package. Go might continue."""


def encode(text: str) -> bytes:
    """Return the bytes of a Go string. A surrogate of ``surrogateescape`` is a byte; any other becomes U+FFFD."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return _STRAY.sub("\ufffd", text).encode("utf-8", "surrogateescape")


def decode(data: bytes) -> str:
    """Return the Go string with the bytes ``data``. Bytes that are not UTF-8 become lone surrogates."""
    return data.decode("utf-8", "surrogateescape")


def go_type(value: Any) -> str:
    """Return the name of the Go type of a value that is not nil."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, Byte):
        return "uint8"
    if isinstance(value, int):
        return "int"
    if isinstance(value, float):
        return "float64"
    if isinstance(value, complex):
        return "complex128"
    if isinstance(value, str):
        return "string"
    if isinstance(value, dict):
        return "map[string]interface {}"
    return "[]interface {}"


def is_true(value: Any) -> bool:
    """Return whether ``{{if}}`` treats the value as true: it is not missing, nil, false, zero or empty."""
    if value is None or value is NO_VALUE:
        return False
    return bool(value)


def sorted_items(mapping: dict[str, Any]) -> list[tuple[str, Any]]:
    """Return the items of a map in the order in which Go prints them and loops over them."""
    return sorted(mapping.items(), key=lambda item: encode(item[0]))
