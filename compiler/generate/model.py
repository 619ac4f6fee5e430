"""What the generator knows of a model, once its declaration is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from mcpcfg.compiler.models.declare import Cel, Default, Go, Neutral, RefTo

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
        items: What a ``list`` or a ``map`` holds.
        enum: The allowed texts; empty for any.
        nullable: Whether null stands for itself rather than for "not given".
        list_type: How the API server tells the entries of a list apart.
        map_keys: The keys that tell the entries of a ``list_type`` ``map`` apart.
        preserve: Whether fields that the schema does not name are kept.
        duration: Whether the text is a Go duration.
        nanoseconds: Whether a Go duration is written as a number; ``text`` where a duration text is read too.
        rules: CEL rules about the value itself, beside those of its model.
        reference: The object that the value names.
    """

    type: ValueType
    model: Model | None = None
    items: Value | None = None
    enum: tuple[str, ...] = ()
    pattern: str | None = None
    minimum: float | None = None
    maximum: float | None = None
    min_length: int | None = None
    max_length: int | None = None
    min_items: int | None = None
    max_items: int | None = None
    format: str | None = None
    nullable: bool = False
    list_type: ListType | None = None
    map_keys: tuple[str, ...] = ()
    preserve: bool = False
    duration: bool = False
    nanoseconds: Literal["number", "text"] | None = None
    rules: tuple[Cel, ...] = ()
    reference: RefTo | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One named field of a model; ``always`` and ``go`` say how Go writes it."""

    key: str
    value: Value
    description: str
    required: bool = False
    default: Default | None = None
    go: Go = field(default_factory=Go)
    always: bool = False
    deprecated: str | None = None
    neutral: Neutral | None = None
    since: str | None = None

    @property
    def go_name(self) -> str:
        """The name of the field in Go."""
        return self.go.name or self.key[:1].upper() + self.key[1:]


@dataclass(eq=False, slots=True)
class Model:
    """An object with named fields. Its fields are filled after it is known by name: models may contain themselves."""

    name: str
    description: str
    rules: tuple[Cel, ...]
    go_type: str
    preserve: bool
    fields: tuple[Field, ...] = ()

    def field(self, key: str) -> Field:
        """Give the field ``key``; a ``KeyError`` is a slip of ours."""
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
        if value.model is not None and id(value.model) not in seen:
            seen.add(id(value.model))
            waiting.extend(one.value for one in reversed(value.model.fields))


def models_below(*roots: Value) -> list[Model]:
    """Give each model that ``roots`` reach, once, outermost first and in the order of declaration."""
    models = {id(value.model): value.model for value in values_below(*roots) if value.model is not None}
    return list(models.values())


def plain_default(of: Field) -> Any:
    """Give the default as data, or ``None`` where there is none: no field has null as its default."""
    return None if of.default is None else of.default.value
