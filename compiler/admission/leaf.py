"""Build the checks of shapes without inner shapes: strings, numbers and metadata. See ``shape.py``.

Each factory takes the alternative spellings of values, and the items of the shape after its name.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from .violation import Sort, Violation

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Check: TypeAlias = Callable[[Any, list[Violation]], Any]
    Spellings: TypeAlias = Mapping[str, str]

_INT32 = 2**31
"""The first integer that does not fit into an ``int32``."""
_INT64 = 2**63
"""The first integer that does not fit into an ``int64``."""
_LARGEST_EXACT = 2**53 - 1
"""Largest integer for which a float64 is exact. swag takes no larger float for an integer (``maxJSONFloat``)."""

# Compiled when the first metadata comes.
_NAME: Final = r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*"
_LABEL_KEY: Final = r"(?:[a-z0-9]+(?:[-.][a-z0-9]+)*/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
_LABEL_VALUE: Final = r"(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?"
_LONGEST_NAME = 253
"""Maximum length of a DNS subdomain in Kubernetes (``DNS1123SubdomainMaxLength``)."""
_LONGEST_NAMESPACE = 63
"""Maximum length of a DNS label in Kubernetes (``DNS1123LabelMaxLength``), such as a namespace."""
_SAFE_SIZE = 32 * 1024
"""Number of characters of annotations that never exceed the limit of the API server, 256 KiB.

The exact check counts the bytes of larger annotations.
"""

_SPACE = "[:space:]"
_CLASSES = {"d": "0-9", "s": r"\t\n\f\r ", "w": "0-9A-Za-z_"}
_CODE: Final = "x[0-9A-Fa-f]{2}"
_LITERAL = frozenset(r"\.+*?()|[]{}^$-/@")
"""Parts of patterns: a class of RE2 alone, classes with another meaning in Python, and what may be escaped."""

_MOST_VALID_KEYS = 4096
"""Maximum number of cached label keys, so that a hostile project cannot fill the memory."""
_valid_keys: set[str] = set()
"""Cache of valid label keys, because a project uses the same few keys everywhere."""


def _any(_: Spellings) -> Check:
    return lambda value, _: value


def _free(_: Spellings) -> Check:
    return _typed(dict, "object")


def _boolean(_: Spellings) -> Check:
    return _typed(bool, "boolean")


def _typed(kind: type, name: str) -> Check:
    def check(value: Any, faults: list[Violation]) -> Any:
        if type(value) is not kind:
            wrong_type(value, name, faults)
        return value

    return check


def _string(
    spellings: Spellings,
    allowed: tuple[str, ...],
    pattern: str | None,
    fewest: int | None,
    most: int | None,
    form: str | None = None,
) -> Check:
    if not (allowed or pattern or fewest or most or form):
        return _typed(str, "string")
    search = None if pattern is None else _search(pattern)

    def check(value: Any, faults: list[Violation]) -> Any:
        if type(value) is not str:
            if form is not None and type(value) is list:  # the API server skips the type of a list here
                faults.append(Violation(Sort.WIDTH, [], value, "string"))
            else:
                wrong_type(value, "string", faults)
        elif allowed and value not in allowed:
            canonical = spellings.get(value)
            if canonical in allowed:
                return canonical
            unless_placeholder(value, Violation(Sort.ENUM, [], value, allowed), faults)
        elif most is not None and len(value) > most:
            unless_placeholder(value, Violation(Sort.TOO_LONG, [], value, most), faults)
        elif fewest is not None and len(value) < fewest:
            unless_placeholder(value, Violation(Sort.TOO_SHORT, [], value, fewest), faults)
        elif search is not None and search(value) is None:
            unless_placeholder(value, Violation(Sort.PATTERN, [], value, pattern), faults)
        elif form is not None and not _has_format(value, form):
            unless_placeholder(value, Violation(Sort.FORMAT, [], value, form), faults)
        return value

    return check


def _has_format(text: str, form: str) -> bool:
    from ..kube.text_format import has_format

    return has_format(text, form)


def _search(pattern: str) -> Callable[[str], re.Match[str] | None]:
    compiled: list[Callable[[str], re.Match[str] | None]] = []

    def search(text: str) -> re.Match[str] | None:
        if not compiled:
            compiled.append(compile_re2(pattern).search)
        return compiled[0](text)

    return search


def compile_re2(pattern: str) -> re.Pattern[str]:
    r"""Compile a pattern with the meaning that it has in RE2.

    Python differs in three ways: ``$`` also matches before a last line break, ``\d``, ``\s`` and ``\w`` match Unicode,
    and ``[:space:]`` does not exist.

    Raises:
        ValueError: The pattern uses syntax that may mean something else in Python.
    """
    out = []
    in_class = False
    position = 0
    while position < len(pattern):
        char = pattern[position]
        position += 1
        if char == "\\":
            escaped = pattern[position : position + 1]
            position += 1
            if escaped in _CLASSES:
                out.append(_CLASSES[escaped] if in_class else f"[{_CLASSES[escaped]}]")
            elif escaped in _LITERAL:
                out.append(f"\\{escaped}")
            elif code := re.compile(_CODE).match(pattern, position - 1):
                out.append(f"\\{code[0]}")
                position = code.end()
            else:
                raise ValueError(f"\\{escaped} in a pattern: {pattern}")
        elif char == "(" and pattern.startswith("?", position) and not in_class:
            raise ValueError(f"(? in a pattern: {pattern}")
        elif in_class and pattern.startswith(_SPACE, position - 1):
            out.append(r"\t\n\v\f\r ")
            position += len(_SPACE) - 1
        elif char == "$" and not in_class:
            out.append(r"\Z")
        else:
            in_class = char == "[" or (in_class and char != "]")
            out.append(char)
    return re.compile("".join(out))


def _integer(_: Spellings, smallest: int | None, largest: int | None, width: str | None) -> Check:
    """Return a check of an integer. The API server also accepts ``3.0``."""
    limit = _INT32 if width == "int32" else _INT64

    def check(value: Any, faults: list[Violation]) -> Any:
        if type(value) is not int:
            whole = as_whole(value)
            if whole is None:
                wrong_type(value, "integer", faults)
                return value
            if whole != value:  # admitted as good as whole, yet no Go integer
                faults.append(Violation(Sort.WIDTH, [], value, width or "int64"))
                return value
            value = whole
        if smallest is not None and value < smallest:
            faults.append(Violation(Sort.TOO_SMALL, [], value, smallest))
        elif largest is not None and value > largest:
            faults.append(Violation(Sort.TOO_LARGE, [], value, largest))
        elif not -limit <= value < limit:
            if not -_INT64 <= value < _INT64:
                wrong_type(value, "integer", faults)
            else:
                faults.append(Violation(Sort.WIDTH, [], value, width))
        return value

    return check


def as_whole(value: Any) -> int | None:
    """Return the integer for a float such as ``3.0`` that the API server accepts as an integer, or ``None``.

    For positive floats, the API server ignores relative differences below 1e-9.

    Source: github.com/go-openapi/swag, ``IsFloat64AJSONInteger``.
    """
    if type(value) is not float or not -_LARGEST_EXACT <= value <= _LARGEST_EXACT:
        return None
    whole = int(value)
    if whole == value:
        return whole
    if value < 0:  # Go compares with the unsigned part, which a negative number has none of
        return None
    return whole if abs(value - whole) / (value + whole) < 1e-9 else None


def _number(_: Spellings, smallest: float | None, largest: float | None, _width: str | None) -> Check:
    def check(value: Any, faults: list[Violation]) -> Any:
        if type(value) is not float and type(value) is not int:
            wrong_type(value, "number", faults)
        elif smallest is not None and value < smallest:
            faults.append(Violation(Sort.TOO_SMALL, [], value, smallest))
        elif largest is not None and value > largest:
            faults.append(Violation(Sort.TOO_LARGE, [], value, largest))
        return value

    return check


def _int_or_string(_: Spellings) -> Check:
    def check(value: Any, faults: list[Violation]) -> Any:
        if type(value) is not str and type(value) is not int and as_whole(value) is None:
            wrong_type(value, "int-or-string", faults)
        return value

    return check


def _metadata(_: Spellings) -> Check:
    def check(value: Any, faults: list[Violation]) -> Any:
        if not is_plain_metadata(value):
            faults.append(Violation(Sort.METADATA, [], value))
        return value

    return check


def is_plain_metadata(metadata: Any) -> bool:
    """Return whether metadata has only common fields with valid values. If not, ``kube/objectmeta.py`` decides."""
    if type(metadata) is not dict or "name" not in metadata:
        return False
    for key, value in metadata.items():
        if key == "name":
            if type(value) is not str or len(value) > _LONGEST_NAME or not _full_match(_NAME)(value):
                return False
        elif key == "namespace":
            if type(value) is not str or not _is_namespace(value):
                return False
        elif key == "labels":
            if type(value) is not dict or not _are_labels(value):
                return False
        elif key == "annotations":
            if type(value) is not dict or not _are_annotations(value):
                return False
        else:
            return False
    return True


@cache
def _full_match(pattern: str) -> Callable[[str], re.Match[str] | None]:
    return re.compile(pattern).fullmatch


def _is_namespace(value: str) -> bool:
    return len(value) <= _LONGEST_NAMESPACE and "." not in value and _full_match(_NAME)(value) is not None


def _are_labels(labels: dict[str, Any]) -> bool:
    for key, value in labels.items():
        if type(value) is not str or not _full_match(_LABEL_VALUE)(value) or not (key in _valid_keys or _is_key(key)):
            return False
    return True


def _are_annotations(annotations: dict[str, Any]) -> bool:
    size = 0
    for key, value in annotations.items():
        if type(value) is not str or not (key in _valid_keys or _is_key(key)):
            return False
        size += len(key) + len(value)
    return size <= _SAFE_SIZE


def _is_key(key: str) -> bool:
    if len(key) > _LONGEST_NAME or not _full_match(_LABEL_KEY)(key):
        return False
    if len(_valid_keys) < _MOST_VALID_KEYS:
        _valid_keys.add(key)
    return True


def wrong_type(value: Any, expected: str, faults: list[Violation], detail: Any = None) -> None:
    """Append the fault that a value does not have the expected type. ``detail`` is further data for the message."""
    unless_placeholder(value, Violation(Sort.TYPE, [], value, (expected, detail)), faults)


def unless_placeholder(text: Any, fault: Violation, faults: list[Violation]) -> None:
    """Append a fault to ``faults``. If ``text`` contains a placeholder, its sort becomes ``PLACEHOLDER``."""
    from ..diagnostics.placeholder import is_placeholder, is_placeholder_key

    if isinstance(text, str) and (is_placeholder_key if fault.sort is Sort.UNKNOWN else is_placeholder)(text):
        fault.unless, fault.sort = fault.sort, Sort.PLACEHOLDER
    faults.append(fault)


LEAVES: dict[str, Callable[..., Check]] = {
    "any": _any,
    "free": _free,
    "string": _string,
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "int-or-string": _int_or_string,
    "metadata": _metadata,
}
"""The factories of checks, by the name of the shape in the table."""
