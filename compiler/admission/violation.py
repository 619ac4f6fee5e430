"""Violations as the checks record them: path, value and data for the message. ``explain.py`` describes them."""

from __future__ import annotations

from enum import Enum
from typing import Any

from ..diagnostics.named_tuple import NamedTuple


class Sort(Enum):
    """The types of faults that checks record. ``explain.py`` turns the faults into findings."""

    TYPE = "type"
    UNKNOWN = "unknown"
    MISSING = "missing"
    ENUM = "enum"
    PATTERN = "pattern"
    FORMAT = "format"
    TOO_SMALL = "too-small"
    TOO_LARGE = "too-large"
    TOO_SHORT = "too-short"
    TOO_LONG = "too-long"
    TOO_FEW = "too-few"
    TOO_MANY = "too-many"
    DUPLICATE = "duplicate"
    BEYOND = "beyond"
    """A number breaks ``multipleOf`` or an exclusive bound. The detail is a phrase such as ``less than 5``."""
    ALTERNATIVE = "alternative"
    """A value breaks ``anyOf``, ``oneOf`` or ``not``."""
    RULE = "rule"
    WIDTH = "width"
    """The API server accepts a number that does not fit into the type of the operator."""
    METADATA = "metadata"
    """``metadata`` has uncommon or invalid fields, so the exact check of ``explain_metadata.py`` decides."""
    PLACEHOLDER = "placeholder"
    """Not a fault: the value is a placeholder, so it is unknown whether it is allowed."""
    RENAMED = "renamed"
    """Not a fault: a field is written in another spelling of its name, as editions of the operator have."""


class CelRule(NamedTuple):
    """A CEL rule from the table.

    Attributes:
        function: The name of the generated function. For a rule of a user's CRD, the expression of the message, or
            empty.
        message: The message if the rule does not hold.
        field: The field of the object that the rule is about, or ``None``.
        mentions: The paths that the rule mentions, each with whether the rule reads the value or only tests presence.
    """

    function: str
    text: str
    message: str
    field: str | None
    mentions: tuple[tuple[bool, tuple[str, ...]], ...]


class Violation:
    """A fault of a document: a path whose value breaks the schema or a rule of its kind.

    Attributes:
        sort: Type of the fault; ``PLACEHOLDER`` if the value contains a placeholder.
        path: The path, innermost step first, because each enclosing check appends its own step.
        detail: Data for the message: the expected type, the bound, the allowed values, the missing key or the rule.
        unless: The original sort if ``sort`` is ``PLACEHOLDER``, otherwise ``None``. Used for files in which no tool
            replaces placeholders.
    """

    __slots__ = ("detail", "path", "sort", "unless", "value")

    def __init__(self, sort: Sort, path: list[str | int], value: Any = None, detail: Any = None) -> None:
        self.sort = sort
        self.path = path
        self.value = value
        self.detail = detail
        self.unless: Sort | None = None
