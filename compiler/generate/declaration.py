"""Read the typed declarations of ``compiler/models/`` at run time."""

from __future__ import annotations

import inspect
import types
import typing
from dataclasses import replace
from functools import cache
from typing import Annotated, Any, Literal, NotRequired, Required, Union, is_typeddict

from ..models import dated, declare
from ..toolhive.release import holds
from .model import ListType, Model, ModelField, Value, ValueType

_SCALARS: dict[Any, ValueType] = {str: "string", int: "integer", float: "number", bool: "boolean", Any: "any"}
_CONSTRAINTS: tuple[tuple[type, str, str], ...] = (
    (declare.Pattern, "pattern", "regex"),
    (declare.Minimum, "minimum", "value"),
    (declare.Maximum, "maximum", "value"),
    (declare.MinLength, "min_length", "value"),
    (declare.MaxLength, "max_length", "value"),
    (declare.MinItems, "min_items", "value"),
    (declare.MaxItems, "max_items", "value"),
    (declare.MaxProperties, "max_properties", "value"),
    (declare.Format, "format", "name"),
    (declare.Enum, "enum", "values"),
    (declare.Forbidden, "forbidden", "values"),
    (declare.Keys, "key_pattern", "regex"),
    (declare.Tagged, "tag", "key"),
)
"""Each annotation class with the attribute of ``Value`` that it sets, and its own attribute that holds the setting."""


class DeclarationError(Exception):
    """The generator cannot express a declaration. The message names the place of the declaration."""


class DeclarationReader:
    """Reads declarations as they apply to one release. Each model is read once and shared by all its users.

    Args:
        of_crd: True to read the declarations as the API server sees them: ``Opaque`` values may contain anything.
    """

    def __init__(self, *, of_crd: bool, release: str) -> None:
        self._of_crd = of_crd
        self._release = release
        self._models: dict[type, Model] = {}

    def model(self, declared: type) -> Model:
        """Return the model that a ``TypedDict`` declares.

        Raises:
            DeclarationError: ``declared`` is not a ``TypedDict``, or the generator cannot express a declaration in it.
        """
        model_ = self._models.get(declared)
        if model_ is not None:
            return model_
        if not is_typeddict(declared):
            raise DeclarationError(f"{declared!r} is not a TypedDict")
        model = Model(
            name=declared.__name__,
            description=_sentence(declared),
            rules=self._applicable(getattr(declared, "__cel__", ())),
            go_type=getattr(declared, "__go_type__", f"v1alpha1.{declared.__name__}"),
            preserve=getattr(declared, "__preserve_unknown_fields__", False),
            alternatives=getattr(declared, "__any_of__", ()),
        )
        self._models[declared] = model
        fields = (self._field(f"{declared.__name__}.{key}", key, hint) for key, hint in _hints(declared).items())
        model.fields = tuple(field for field in fields if field is not None)
        if (others := getattr(declared, "__extra__", None)) is not None:
            model.others = self.value(others, f"{declared.__name__}[]")
        return model

    def value(self, declared: Any, place: str = "value") -> Value:
        """Return the type that an annotation declares outside of a model. Error messages name ``place``."""
        annotation, facts = self._unwrap(declared)
        return self._value(place, annotation, facts)

    def _field(self, place: str, key: str, hint: Any) -> ModelField | None:
        """Return the field that the annotation ``hint`` declares, or ``None`` if the release lacks the field."""
        annotation, facts = self._unwrap(hint)
        since, until = _fact(facts, dated.Since), _fact(facts, dated.Until)
        if not holds(since and since.release, until and until.release, self._release):
            return None
        deprecated = _fact(facts, declare.Deprecated)
        description = _fact(facts, str)
        if not description:
            raise DeclarationError(f"{place} has no description")
        return ModelField(
            key=key,
            value=self._value(place, annotation, facts),
            description=description,
            required=Required in facts,
            default=_fact(facts, declare.Default),
            always=_fact(facts, declare.Always),
            decoded=_fact(facts, declare.SchemaOnly) is None,
            deprecated=deprecated.instead if deprecated else None,
            neutral=_fact(facts, declare.Neutral),
            since=since.release if since else None,
        )

    def _unwrap(self, annotation: Any) -> tuple[Any, tuple[Any, ...]]:
        """Return the type inside the wrappers, and its annotations that apply to the release, the innermost first."""
        facts: tuple[Any, ...] = ()
        while True:
            origin = typing.get_origin(annotation)
            if origin is Annotated:
                facts = annotation.__metadata__ + facts
                annotation = annotation.__origin__
            elif origin in (Required, NotRequired):
                facts = (*facts, origin)
                annotation = typing.get_args(annotation)[0]
            else:
                return annotation, self._applicable(facts)

    def _applicable(self, facts: tuple[Any, ...]) -> tuple[Any, ...]:
        dated_types = (dated.During, declare.Cel)
        applicable = (
            fact for fact in facts if not isinstance(fact, dated_types) or holds(fact.since, fact.until, self._release)
        )
        return tuple(fact.fact if isinstance(fact, dated.During) else fact for fact in applicable)

    def _value(self, place: str, annotation: Any, facts: tuple[Any, ...]) -> Value:
        stated: dict[str, Any] = {
            name: getattr(fact, attribute)
            for kind, name, attribute in _CONSTRAINTS
            if (fact := _fact(facts, kind)) is not None
        }
        stated["go"] = _fact(facts, declare.Go) or declare.Go()
        opaque = _fact(facts, declare.Opaque)
        if opaque is not None and self._of_crd:
            kind: ValueType = "object" if opaque.type else "any"
            return Value(type=kind, preserve=bool(opaque.type), go=stated["go"])
        stated |= _list_facts(facts)
        stated["preserve"] = _fact(facts, declare.PreserveUnknownFields) is not None
        stated["duration"] = _fact(facts, declare.Duration) is not None
        if (nanoseconds := _fact(facts, declare.Nanoseconds)) is not None:
            stated["nanoseconds"] = "text" if nanoseconds.text else "number"
        stated["rules"] = tuple(fact for fact in facts if isinstance(fact, declare.Cel))
        stated["reference"] = _fact(facts, declare.RefTo)
        stated["unchecked"] = _fact(facts, declare.Unchecked) is not None
        value = self._typed(place, annotation, stated)
        later = [
            fact_
            for fact_ in facts
            if isinstance(fact_, dated.ValuesSince) and not holds(fact_.release, None, self._release)
        ]
        missing = {text for fact_ in later for text in fact_.values}
        return replace(value, enum=tuple(text for text in value.enum if text not in missing)) if missing else value

    def _typed(self, place: str, annotation: Any, stated: dict[str, Any]) -> Value:
        origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
        if origin in (Union, types.UnionType):
            members = [part for part in arguments if part is not type(None)]
            if "tag" in stated:
                return Value(type="object", branches=tuple(map(self.model, members)), **stated)
            if len(members) != 1:
                raise DeclarationError(f"{place}: a value has one type")
            return self._typed(place, members[0], stated | {"nullable": True})
        if origin is Literal:
            if not all(isinstance(part, str) for part in arguments):
                raise DeclarationError(f"{place}: only texts can be enumerated")
            return Value(type="string", **({"enum": arguments} | stated))
        if origin in (list, dict):
            item, facts = self._unwrap(arguments[-1])
            if origin is dict and item is Any and stated["preserve"]:
                return Value(type="object", **stated)
            items = replace(self._value(f"{place}[]", item, facts), description=_fact(facts, str) or "")
            return Value(type="list" if origin is list else "map", items=items, **stated)
        if is_typeddict(annotation):
            model = self.model(annotation)
            stated["preserve"] = stated["preserve"] or model.preserve
            return Value(type="object", model=model, **stated)
        if annotation is dict:
            return Value(type="object", **stated)
        try:
            return Value(type=_SCALARS[annotation], **stated)
        except (KeyError, TypeError):
            raise DeclarationError(f"{place}: no schema for {annotation!r}") from None


@cache
def _hints(declared: type) -> dict[str, Any]:
    return typing.get_type_hints(declared, include_extras=True)


def _fact(facts: tuple[Any, ...], kind: type) -> Any:
    """Return the last of ``facts`` that is an instance of ``kind``, or ``None``.

    The annotations of a field come after those of its type, and override them.
    """
    return next((fact for fact in reversed(facts) if isinstance(fact, kind)), None)


def _list_facts(facts: tuple[Any, ...]) -> dict[str, Any]:
    kind: ListType
    if (keys := _fact(facts, declare.ListMap)) is not None:
        kind = "map"
        return {"list_type": kind, "map_keys": keys.keys}
    if _fact(facts, declare.ListSet) is not None:
        kind = "set"
        return {"list_type": kind}
    if _fact(facts, declare.Atomic) is not None:
        kind = "atomic"
        return {"list_type": kind}
    return {}


def _sentence(declared: type) -> str:
    text = inspect.cleandoc(declared.__doc__ or "")
    if not text or text.startswith("dict("):
        raise DeclarationError(f"{declared.__name__} has no description")
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))
