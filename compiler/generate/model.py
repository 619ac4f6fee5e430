"""What the generator knows of a model, once its declaration is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ..models.declare import Cel, Default, Go, Neutral, RefTo

if TYPE_CHECKING:
    from collections.abc import Iterator

ValueType: TypeAlias = Literal["object", "map", "list", "string", "integer", "number", "boolean", "any"]
ListType: TypeAlias = Literal["atomic", "map", "set"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """What may stand at one place.

    Attributes:
        type: ``object`` has named fields (``model``), ``map`` has free keys; ``any`` is not looked into.
        model: The fields of an ``object``; ``None`` for one whose fields are all free.
        branches: The models of an ``object`` that is one of several, selected by the field ``tag``.
        items: What a ``list`` or a ``map`` holds.
        enum: The allowed texts; empty for any.
        forbidden: Texts that are not allowed.
        key_pattern: The pattern of a ``map``'s keys.
        nullable: True if null stands for itself rather than for "not given".
        list_type: How the API server identifies the entries of a list.
        map_keys: The keys that identify the entries of a ``list_type`` ``map``.
        preserve: True if fields that the schema does not name are kept.
        duration: True if the text is a Go duration.
        nanoseconds: True if a Go duration is written as a number; ``text`` where a duration text is read too.
        rules: CEL rules about the value itself, beside those of its model.
        reference: The object that the value names.
        description: What stands there, for an item of a list or map that has a description.
        unchecked: True if the published schema does not constrain it.
        go: How Go declares it.
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
        """The models that an ``object`` may be of."""
        return self.branches if self.model is None else (self.model,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One named field of a model.

    Attributes:
        always: True if Go writes it also when it is empty.
        decoded: True if the program that reads the file takes it up; otherwise the published schema alone knows it.
    """

    key: str
    value: Value
    description: str
    required: bool = False
    default: Default | None = None
    always: bool = False
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
        """Whether it is a pointer in Go: optional models are, everything else is a value unless declared."""
        value = self.value
        follows = bool(value.models) and value.go.type is None and (value.nullable or not self.required)
        return follows if value.go.pointer is None else value.go.pointer


@dataclass(eq=False, slots=True)
class Model:
    """An object with named fields. What it holds is filled in after it is known by name: models may contain themselves.

    Attributes:
        preserve: True if fields beside the named ones are kept.
        alternatives: Fields of which one must be there.
        others: What fields beside the named ones hold, where that is known.
    """

    name: str
    description: str
    rules: tuple[Cel, ...]
    go_type: str
    preserve: bool
    alternatives: tuple[str, ...] = ()
    fields: tuple[Field, ...] = ()
    others: Value | None = None

    def field(self, key: str) -> Field:
        """Return the field ``key``; a ``KeyError`` is a slip of ours."""
        for one in self.fields:
            if one.key == key:
                return one
        raise KeyError(f"{self.name} has no field {key}")


def values_below(*roots: Value) -> Iterator[Value]:
    """Yield ``roots`` and each value below them, outermost first; each model is gone into once."""
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
                waiting.extend(one.value for one in reversed(model.fields))


def models_below(*roots: Value) -> list[Model]:
    """Return each model that ``roots`` reach, once, outermost first and in the order of declaration."""
    models = {id(model): model for value in values_below(*roots) for model in value.models}
    return list(models.values())


def plain_default(of: Field) -> Any:
    """Return the default as data, or ``None`` where there is none: no field has null as its default."""
    return None if of.default is None else of.default.value
