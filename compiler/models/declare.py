"""The annotations that models are declared with.

A model is a ``TypedDict`` whose fields carry their facts as annotations. Rules and compile steps use it as a static
type. JSON Schemas, CRDs, the admission table, defaults and reference pages are generated from it. At run time only the
generator imports the models; the rest of the program reads tables.

A declaration reads like this::

    @rules(Cel("has(self.shared) || has(self.perUser)", "at least one limit must be configured"))
    class ToolRateLimitConfig(TypedDict, total=False):
        \"\"\"Limits of one tool.\"\"\"

        name: Required[Annotated[str, "Name of the tool.", MinLength(1)]]
        shared: Annotated[RateLimitBucket, "Limit shared by all users."]

The first plain string in an annotation is the description of the field. ``Required`` marks a required field, and a
``Literal`` is an enum. Fields are declared in the order in which Go declares and writes them. An alias holds facts that
several fields share (``Port = Annotated[int, Minimum(1), …]``). A field may have a ``Cel`` rule, too.

One declaration serves two readers. The API server applies what a CRD can express: required fields, defaults, enums,
patterns, bounds, list types and CEL rules. A Go program that reads or writes the same object as a file applies only
names, types and order of the fields, ``Always``, ``Duration`` and ``Opaque``. So the vMCP configuration is declared
once.

One declaration also serves all releases of the operator: the annotations in ``dated.py`` mark facts that apply only in
some releases.

The models use the names of the built-in profile. ``mcpcfg.compiler.toolhive.profile`` changes the few names that
contain the cloud's or the product's name. ``Neutral`` gives their spelling in the specification.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias, TypeVar


@dataclass(frozen=True, slots=True)
class Default:
    """The value that the API server sets if the field is missing from an object that is present."""

    value: Any


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression in RE2 syntax that must match some part of the string."""

    regex: str


@dataclass(frozen=True, slots=True)
class Minimum:
    """The smallest allowed number."""

    value: int | float


@dataclass(frozen=True, slots=True)
class Maximum:
    """The largest allowed number."""

    value: int | float


@dataclass(frozen=True, slots=True)
class MinLength:
    """The minimum number of characters of a string."""

    value: int


@dataclass(frozen=True, slots=True)
class MaxLength:
    """The maximum number of characters of a string."""

    value: int


@dataclass(frozen=True, slots=True)
class MinItems:
    """The minimum number of items of a list."""

    value: int


@dataclass(frozen=True, slots=True)
class MaxItems:
    """The maximum number of items of a list."""

    value: int


@dataclass(frozen=True, slots=True)
class MaxProperties:
    """The maximum number of keys of a map."""

    value: int


@dataclass(frozen=True, slots=True)
class Enum:
    """Allowed strings, if a ``Literal`` cannot express them: a set that the profile extends, or an empty string."""

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
    """``x-kubernetes-list-type`` or ``-map-type: atomic``: server-side apply replaces the whole list or object."""


@dataclass(frozen=True, slots=True)
class PreserveUnknownFields:
    """``x-kubernetes-preserve-unknown-fields``: keys that the schema does not name are kept, not refused."""


@dataclass(frozen=True, slots=True)
class Opaque:
    """The CRD accepts any value instead of describing the type, for recursive types and JSON of any shape.

    In files, and when the operator decodes the object, the declared type applies.

    Attributes:
        type: ``object`` if the CRD requires an object; empty for any JSON value.
    """

    type: str = ""


@dataclass(frozen=True, slots=True)
class Cel:
    """A rule over ``self`` that the API server evaluates after defaulting.

    Attributes:
        rule: The CEL expression.
        message: mcpcfg's message if the expression is false; not the wording of the CRD.
        path: Field below ``self`` to report the fault at; ``None`` for ``self``.
        since: The first release with the rule; ``None`` for the oldest release.
        until: The first release without the rule; ``None`` if it still exists.
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
        kind: Kind of the object, such as ``MCPOIDCConfig`` or ``Secret``.
        key: Sibling field that names a key of the Secret or ConfigMap.
        key_default: Key that is used if the sibling field is missing or empty.
        when: A sibling field and its required value. Otherwise the string is not a reference.
    """

    kind: str
    key: str | None = None
    key_default: str | None = None
    when: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Go:
    """The declaration of the field in Go, if it differs from the default.

    By default the Go name is the key with a capital letter, an optional model is a pointer, and any other field is a
    value. The difference matters in two cases. When Go writes a file, it writes every non-nil pointer but omits empty
    values. The hash of a configuration kind or MCPRegistry is computed from a dump of the Go value.

    Attributes:
        name: Go name, if it is not the key with a capital letter (``JWKSURL``).
        type: Printed Go type without pointer (``v1alpha1.ExternalAuthType``).
        pointer: True if the field is a pointer.
        embedded: Printed type of the embedded struct that has the field (``v1.LocalObjectReference``); ``None`` if
            the model's own struct has it.
    """

    name: str | None = None
    type: str | None = None
    pointer: bool | None = None
    embedded: str | None = None


@dataclass(frozen=True, slots=True)
class Always:
    """Go writes the field even if it is empty (no ``omitempty``). Only formats that Go writes use this annotation.

    Attributes:
        until: The first release that omits the empty field; ``None`` if none does.
    """

    until: str | None = None


@dataclass(frozen=True, slots=True)
class Duration:
    """A string with a Go duration. A program that decodes the duration writes it back in Go's normal form."""


@dataclass(frozen=True, slots=True)
class Nanoseconds:
    """A Go duration that is written as a whole number of nanoseconds.

    Attributes:
        text: True if a duration string such as ``10s`` is also accepted.
    """

    text: bool = False


@dataclass(frozen=True, slots=True)
class Deprecated:
    """The field is deprecated; ``instead`` is the path of its replacement."""

    instead: str


@dataclass(frozen=True, slots=True)
class Neutral:
    """The specification's neutral spelling, accepted on input in every profile (``cloudSts``).

    Attributes:
        spelling: The neutral spelling.
        value: The value of the field that ``spelling`` replaces; empty if ``spelling`` replaces the key of the field.
    """

    spelling: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class Forbidden:
    """Values that the string must not have."""

    values: tuple[str, ...]

    def __init__(self, *values: str) -> None:
        object.__setattr__(self, "values", values)


@dataclass(frozen=True, slots=True)
class Keys:
    """The pattern of a map's keys. The published schema does not check entries whose key does not match."""

    regex: str


@dataclass(frozen=True, slots=True)
class Tagged:
    """A union of models; the value of the field ``key`` selects the model."""

    key: str


@dataclass(frozen=True, slots=True)
class SchemaOnly:
    """The published schema checks the field, but the program that reads the file ignores it."""


@dataclass(frozen=True, slots=True)
class Unchecked:
    """The program that reads the file decodes the field, but the published schema does not describe it."""


Int32 = Annotated[int, Format("int32")]
Int64 = Annotated[int, Format("int64")]
Switch = Annotated[bool, Default(value=False)]
"""A boolean that is false when it is missing."""
AnyValue: TypeAlias = Any

Model = TypeVar("Model", bound=type)


def not_both(first: str, second: str, since: str) -> Cel:
    """Return the rule that an object has only one of two fields, from a release on."""
    return Cel(f"!(has(self.{first}) && has(self.{second}))", f"either {first} or {second}, not both", second, since)


def rules(*cel: Cel) -> Callable[[Model], Model]:
    """Return a decorator that attaches CEL rules to a model, in the order in which the API server evaluates them."""

    def attach(model: Model) -> Model:
        model.__cel__ = cel  # type: ignore[attr-defined] # an attribute for the generator
        return model

    return attach


def go_type(printed: str) -> Callable[[Model], Model]:
    """Return a decorator for a model whose type Go does not print as ``v1alpha1.<class name>`` but as ``printed``."""

    def attach(model: Model) -> Model:
        model.__go_type__ = printed  # type: ignore[attr-defined] # an attribute for the generator
        return model

    return attach


def any_of(*fields: str) -> Callable[[Model], Model]:
    """Return a decorator for a model whose objects must have at least one of ``fields``."""

    def attach(model: Model) -> Model:
        model.__any_of__ = fields  # type: ignore[attr-defined] # an attribute for the generator
        return model

    return attach


def preserve_unknown_fields(model: Model) -> Model:
    """Decorate a model whose objects may have keys that the schema does not name."""
    model.__preserve_unknown_fields__ = True  # type: ignore[attr-defined] # an attribute for the generator
    return model
