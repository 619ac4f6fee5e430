"""The words that models are declared in.

A model is a ``TypedDict`` whose fields carry their facts as annotations. It is at once the static type that
compile steps read by, and what JSON Schemas, CRDs, the admission table, defaults and reference pages are
generated from. At run time nothing imports the models but the generator: the tables in ``schemas/`` are enough.

A declaration reads like this::

    @rules(Cel("has(self.shared) || has(self.perUser)", "at least one limit must be configured"))
    class ToolRateLimitConfig(TypedDict, total=False):
        \"\"\"Limits of one tool.\"\"\"

        name: Required[Annotated[str, "Name of the tool.", MinLength(1)]]
        shared: Annotated[RateLimitBucket, "Limit shared by all users."]

The first plain string in an annotation is the field's description; ``Required`` marks what the schema requires; a
``Literal`` is an enum; order of declaration is the order in which Go declares (and writes) the fields. Facts that
several fields share stand in an alias (``Port = Annotated[int, Minimum(1), …]``); a ``Cel`` may stand on a field.

One declaration serves two readers. The API server reads what a CRD can say: required, defaults, enums, patterns,
bounds, list types, CEL. A Go program that reads or writes the same object as a file knows none of that, but the names,
the types, their order, and ``Always``, ``Duration`` and ``Opaque``. So the vMCP configuration is declared once.

One declaration serves all releases of the operator, too: what does not hold in each of them is dated, in the words of
``dated.py``.

Names are those of the built-in profile; ``mcpcfg.compiler.toolhive.profile`` respells the few that carry a cloud's or
the product's name, and ``Neutral`` says what the specification calls them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias, TypeVar


@dataclass(frozen=True, slots=True)
class Default:
    """What the API server fills in where the field is missing from an object that is present."""

    value: Any


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression with RE2 meaning that the string must match somewhere."""

    regex: str


@dataclass(frozen=True, slots=True)
class Minimum:
    """Smallest number allowed."""

    value: int | float


@dataclass(frozen=True, slots=True)
class Maximum:
    """Largest number allowed."""

    value: int | float


@dataclass(frozen=True, slots=True)
class MinLength:
    """Fewest characters of a string."""

    value: int


@dataclass(frozen=True, slots=True)
class MaxLength:
    """Most characters of a string."""

    value: int


@dataclass(frozen=True, slots=True)
class MinItems:
    """Fewest items of a list."""

    value: int


@dataclass(frozen=True, slots=True)
class MaxItems:
    """Most items of a list."""

    value: int


@dataclass(frozen=True, slots=True)
class MaxProperties:
    """Most keys of a map."""

    value: int


@dataclass(frozen=True, slots=True)
class Enum:
    """Allowed strings, where a ``Literal`` cannot say it (an open set of a profile, an empty string among them)."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Format:
    """An OpenAPI format: ``int32``, ``int64``, ``date-time``, ``duration``, ``uri``."""

    name: str


@dataclass(frozen=True, slots=True)
class ListMap:
    """``x-kubernetes-list-type: map``: entries are identified by these keys and must not repeat."""

    keys: tuple[str, ...]

    def __init__(self, *keys: str) -> None:
        object.__setattr__(self, "keys", keys)


@dataclass(frozen=True, slots=True)
class ListSet:
    """``x-kubernetes-list-type: set``: items must not repeat."""


@dataclass(frozen=True, slots=True)
class Atomic:
    """``x-kubernetes-list-type`` or ``-map-type: atomic``: replaced as a whole by server-side apply."""


@dataclass(frozen=True, slots=True)
class PreserveUnknownFields:
    """``x-kubernetes-preserve-unknown-fields``: keys that the schema does not name are kept, not refused."""


@dataclass(frozen=True, slots=True)
class Opaque:
    """The CRD keeps whatever is there instead of describing the type: recursion, or JSON of any shape.

    Files and the operator's decoding still follow the declared type.

    Attributes:
        type: ``object`` where the CRD says at least that; empty for any JSON value.
    """

    type: str = ""


@dataclass(frozen=True, slots=True)
class Cel:
    """A rule over ``self`` that the API server evaluates after defaulting.

    Attributes:
        rule: The CEL expression.
        message: The message where it is false, in our words.
        path: The field below ``self`` that the fault is about, where there is one.
        since: The first release that has the rule.
        until: The first release that no longer has it.
    """

    rule: str
    message: str
    path: str | None = None
    since: str | None = None
    until: str | None = None


@dataclass(frozen=True, slots=True)
class RefTo:
    """The string names an object of ``kind`` in the same namespace.

    Attributes:
        kind: ``MCPOIDCConfig``, ``Secret``, ``ConfigMap``, ``ServiceAccount``, ….
        key: The sibling field that names a key of the Secret or ConfigMap, where there is one.
        key_default: The key that counts where that field is missing or empty.
        when: A sibling field and the value it must have for the string to be a reference.
    """

    kind: str
    key: str | None = None
    key_default: str | None = None
    when: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Go:
    """How Go declares the field, where that does not follow from the declaration.

    What follows: the name is the key with a capital letter, optional models are pointers, everything else is a value.
    Stated where it matters: where Go writes a file (a pointer is written whenever it is there, a value when it is not
    empty), and where a dump of the Go value is hashed (the specs of the configuration kinds and of MCPRegistry).

    Attributes:
        name: The Go field name, where it is not the key with a capital letter (``JWKSURL``).
        type: The printed Go type without pointer, where it does not follow (``v1alpha1.ExternalAuthType``).
        pointer: Whether it is a pointer, where that does not follow.
        embedded: The printed type of the embedded struct that holds the field (``v1.LocalObjectReference``).
    """

    name: str | None = None
    type: str | None = None
    pointer: bool | None = None
    embedded: str | None = None


@dataclass(frozen=True, slots=True)
class Always:
    """Written by Go also when empty (no ``omitempty``). For formats that Go writes: RunConfig, vMCP configuration."""


@dataclass(frozen=True, slots=True)
class Duration:
    """A Go duration text; written back in Go's normal form where the model decodes it."""


@dataclass(frozen=True, slots=True)
class Nanoseconds:
    """A Go duration that is written as a whole number of nanoseconds.

    Attributes:
        text: Whether a duration text is read too.
    """

    text: bool = False


@dataclass(frozen=True, slots=True)
class Deprecated:
    """Accepted, but to be replaced: by what."""

    instead: str


@dataclass(frozen=True, slots=True)
class Neutral:
    """The specification's neutral spelling, accepted on input in every profile (``cloudSts``).

    Attributes:
        spelling: The neutral word.
        value: The value of the field that it stands for; empty where it stands for the field's key.
    """

    spelling: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class Forbidden:
    """Strings that the field must not hold."""

    values: tuple[str, ...]

    def __init__(self, *values: str) -> None:
        object.__setattr__(self, "values", values)


@dataclass(frozen=True, slots=True)
class Keys:
    """The pattern of a map's keys. The published schema looks at no entry whose key does not match."""

    regex: str


@dataclass(frozen=True, slots=True)
class Tagged:
    """A union of models, selected by the value of this field."""

    key: str


@dataclass(frozen=True, slots=True)
class SchemaOnly:
    """The published schema checks the field; the program that reads the file does not decode it."""


@dataclass(frozen=True, slots=True)
class Unchecked:
    """The program that reads the file decodes the field; its published schema does not describe it."""


Int32 = Annotated[int, Format("int32")]
Int64 = Annotated[int, Format("int64")]
AnyValue: TypeAlias = Any

Model = TypeVar("Model", bound=type)


def rules(*cel: Cel) -> Callable[[Model], Model]:
    """Attach CEL rules to a model, in the order in which the API server would evaluate them."""

    def attach(model: Model) -> Model:
        model.__cel__ = cel  # type: ignore[attr-defined] # what the generator reads of it
        return model

    return attach


def go_type(printed: str) -> Callable[[Model], Model]:
    """Return how Go prints the model's type, where it is not ``v1alpha1.<class name>``."""

    def attach(model: Model) -> Model:
        model.__go_type__ = printed  # type: ignore[attr-defined] # what the generator reads of it
        return model

    return attach


def any_of(*fields: str) -> Callable[[Model], Model]:
    """Require at least one of ``fields``."""

    def attach(model: Model) -> Model:
        model.__any_of__ = fields  # type: ignore[attr-defined] # what the generator reads of it
        return model

    return attach


def preserve_unknown_fields(model: Model) -> Model:
    """Mark a model whose objects may carry keys that the schema does not name."""
    model.__preserve_unknown_fields__ = True  # type: ignore[attr-defined] # what the generator reads of it
    return model
