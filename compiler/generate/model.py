"""The models as data for the generators. `declaration` reads them from the annotations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ..models.declare import Always, Cel, Default, Go, Neutral, RefTo

if TYPE_CHECKING:
    from collections.abc import Iterator

ValueType: TypeAlias = Literal["object", "map", "list", "string", "integer", "number", "boolean", "any"]
ListType: TypeAlias = Literal["atomic", "map", "set"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """The type of a field or item, with the constraints on its values.

    Attributes:
        type: ``object`` has named fields (``model``), ``map`` has arbitrary keys, and ``any`` is not checked.
        model: Fields of an ``object``; ``None`` if any fields are allowed, or if there are ``branches``.
        branches: Alternative models of an ``object``. The field ``tag`` selects one.
        items: Type of the items of a ``list``, or of the values of a ``map``.
        enum: Allowed strings; empty if any string is allowed.
        forbidden: Strings that are not allowed.
        nullable: True if null is a valid value. Otherwise null counts as missing.
        list_type: Value of ``x-kubernetes-list-type``, or of ``x-kubernetes-map-type``; ``None`` if there is none.
        map_keys: Keys that identify the items of a list with ``list_type`` ``map``.
        preserve: True if unknown fields are kept.
        duration: True if the string is a Go duration.
        nanoseconds: ``number`` if a Go duration is written as a number, ``text`` if a duration string is accepted too.
        rules: CEL rules on the value itself. Rules of ``model`` apply in addition.
        reference: Target of a reference, if the value is the name of an object.
        description: Description of the items of a list or map, if they have one.
        unchecked: True if the published schema does not constrain the value.
    """

    type: ValueType
    model: Model | None = None
    branches: tuple[Model, ...] = ()
    tag: str | None = None
    items: Value | None = None
    enum: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    key_pattern: str | None = None
    pattern: str | None = None
    minimum: float | None = None
    maximum: float | None = None
    min_length: int | None = None
    max_length: int | None = None
    min_items: int | None = None
    max_items: int | None = None
    max_properties: int | None = None
    format: str | None = None
    nullable: bool = False
    list_type: ListType | None = None
    map_keys: tuple[str, ...] = ()
    preserve: bool = False
    duration: bool = False
    nanoseconds: Literal["number", "text"] | None = None
    rules: tuple[Cel, ...] = ()
    reference: RefTo | None = None
    description: str = ""
    unchecked: bool = False
    go: Go = field(default_factory=Go)

    @property
    def models(self) -> tuple[Model, ...]:
        """The alternative models of an ``object``: its branches, or its only model. Empty for any other type."""
        return self.branches if self.model is None else (self.model,)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelField:
    """A field of a model, with the facts of its declaration.

    Attributes:
        always: The annotation that Go also writes the field when it is empty, or ``None``.
        decoded: True if the program that reads the file uses the field; otherwise only the published schema has it.
    """

    key: str
    value: Value
    description: str
    required: bool = False
    default: Default | None = None
    always: Always | None = None
    decoded: bool = True
    deprecated: str | None = None
    neutral: Neutral | None = None
    since: str | None = None

    @property
    def go_name(self) -> str:
        """The name of the field in Go."""
        return self.value.go.name or self.key[:1].upper() + self.key[1:]

    @property
    def is_pointer(self) -> bool:
        """Whether the field is a pointer in Go: as its `Go` annotation says, else true for an optional model."""
        value = self.value
        follows = bool(value.models) and value.go.type is None and (value.nullable or not self.required)
        return follows if value.go.pointer is None else value.go.pointer


@dataclass(eq=False, slots=True)
class Model:
    """An object with named fields.

    Models may contain themselves, so a model is created first and gets its fields later.

    Attributes:
        preserve: True if unknown fields are kept.
        alternatives: Fields of which at least one is required.
        others: Type of all fields that are not in ``fields``; ``None`` if no such type is declared.
    """

    name: str
    description: str
    rules: tuple[Cel, ...]
    go_type: str
    preserve: bool
    alternatives: tuple[str, ...] = ()
    fields: tuple[ModelField, ...] = ()
    others: Value | None = None

    def field(self, key: str) -> ModelField:
        """Return the field ``key``.

        Raises:
            KeyError: The model has no such field.
        """
        for field_ in self.fields:
            if field_.key == key:
                return field_
        raise KeyError(f"{self.name} has no field {key}")


def values_below(*roots: Value) -> Iterator[Value]:
    """Yield ``roots`` and the types of all their items and fields at any depth, outermost first.

    The fields of a model are yielded once, although several values may have the model.
    """
    seen: set[int] = set()
    waiting = list(reversed(roots))
    while waiting:
        value = waiting.pop()
        yield value
        if value.items is not None:
            waiting.append(value.items)
        for model in reversed(value.models):
            if id(model) not in seen:
                seen.add(id(model))
                waiting.extend(() if model.others is None else (model.others,))
                waiting.extend(field_.value for field_ in reversed(model.fields))


def models_below(*roots: Value) -> list[Model]:
    """Return the models of ``roots`` and of all values below them, without duplicates.

    Outer models come first, and the order is otherwise that of the declarations.
    """
    models = {id(model): model for value in values_below(*roots) for model in value.models}
    return list(models.values())


def plain_default(field_: ModelField) -> Any:
    """Return the default of a field, or ``None`` if it has none. No field has null as its default."""
    return None if field_.default is None else field_.default.value
