"""A reader of declarations for the tests of this folder, apart from the generator's own."""

from __future__ import annotations

from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    NamedTuple,
    Required,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


class Declared(NamedTuple):
    """An annotation, taken apart."""

    annotation: Any
    facts: tuple[Any, ...]
    required: bool

    def fact(self, kind: type) -> Any:
        return next((fact for fact in reversed(self.facts) if isinstance(fact, kind)), None)

    def item(self) -> Declared:
        return take_apart(get_args(self.annotation)[-1])


def take_apart(hint: Any) -> Declared:
    facts: tuple[Any, ...] = ()
    required = False
    while (origin := get_origin(hint)) in (Annotated, Required):
        if origin is Annotated:
            facts = hint.__metadata__ + facts
            hint = hint.__origin__
        else:
            required = True
            hint = get_args(hint)[0]
    return Declared(hint, facts, required)


def fields(model: type) -> dict[str, Declared]:
    return {key: take_apart(hint) for key, hint in get_type_hints(model, include_extras=True).items()}


def models_below(model: type, seen: set[type] | None = None) -> Iterator[type]:
    seen = set() if seen is None else seen
    if model in seen:
        return
    seen.add(model)
    yield model
    for declared in fields(model).values():
        yield from _models_in(declared, seen)


def _models_in(declared: Declared, seen: set[type]) -> Iterator[type]:
    if is_typeddict(declared.annotation):
        yield from models_below(declared.annotation, seen)
        return
    for argument in get_args(declared.annotation):
        if not isinstance(argument, str):
            yield from _models_in(take_apart(argument), seen)


@pytest.fixture(name="fields")
def fixture_fields() -> Any:
    return fields


@pytest.fixture(name="models_below")
def fixture_models_below() -> Any:
    return models_below
