"""What the checks note when something is wrong: little, as most documents are right."""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple


class Sort(Enum):
    """What sort of fault it is; ``explain.py`` makes findings of them."""

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
    """A CEL rule as the table holds it.

    Attributes:
        function: Name of the generated function; of a rule of a CRD the expression that its message is, if it is one.
        text: The rule itself.
        message: What is wrong where it does not hold.
        field: The field below that it is about, where there is one.
        mentions: The fields below that it looks at: whether it reads what they hold, and their paths.
    """

    function: str
    text: str
    message: str
    field: str | None
    mentions: tuple[tuple[bool, tuple[str, ...]], ...]


class Violation:
    """One place where a document does not fit its kind, before it is explained.

    Attributes:
        sort: What is wrong.
        path: Where, innermost step first: each enclosing check adds its own step.
        value: The value at fault, where there is one.
        detail: What the sort needs besides: the expected type, the bound, the allowed texts, the missing key, the rule.
        unless: Of a placeholder, what would be wrong if nothing filled it in.
    """

    __slots__ = ("detail", "path", "sort", "unless", "value")

    def __init__(self, sort: Sort, path: list[str | int], value: Any = None, detail: Any = None) -> None:
        self.sort = sort
        self.path = path
        self.value = value
        self.detail = detail
        self.unless: Sort | None = None
