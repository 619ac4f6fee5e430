"""Faults as the checks record them: the place, the value and the data of the message. Findings are made later."""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple


class Sort(Enum):
    """The sort of a fault. ``explain.py`` turns each sort into findings."""

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
    """A number that is not as a schema asks: its detail states that in words."""
    ALTERNATIVE = "alternative"
    """A value that does not fit the schemas of which it must fit some, or one, or none."""
    RULE = "rule"
    WIDTH = "width"
    """Admitted, but the operator cannot decode it."""
    METADATA = "metadata"
    """``metadata`` is not of the plainest form: it has to be looked at closely."""
    PLACEHOLDER = "placeholder"
    """No fault: a placeholder stands where it cannot be judged."""
    RENAMED = "renamed"
    """No fault: a field was written in another spelling of its name."""


class CelRule(NamedTuple):
    """A CEL rule from the table.

    Attributes:
        function: The name of the generated function. For a rule of a user's CRD, the expression of the message, or
            empty.
        text: The CEL expression.
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
    """A place where a document does not fit its kind.

    Attributes:
        path: The path, innermost step first, because each enclosing check appends its own step.
        value: The wrong value, if there is one.
        detail: Data for the message: the expected type, the bound, the allowed values, the missing key or the rule.
        unless: The sort of the fault of a value with a placeholder, if nothing fills in the placeholder.
    """

    __slots__ = ("detail", "path", "sort", "unless", "value")

    def __init__(self, sort: Sort, path: list[str | int], value: Any = None, detail: Any = None) -> None:
        self.sort = sort
        self.path = path
        self.value = value
        self.detail = detail
        self.unless: Sort | None = None
