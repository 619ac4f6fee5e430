"""A mypy plugin: a field that no model has is an error, wherever it is asked for.

mypy refuses ``spec["imgae"]`` of a TypedDict, but neither ``spec.get("imgae")`` nor ``"imgae" in spec``, which is how
compile steps and rules mostly read. The plugin refuses both. A name that is computed is left to `field_names`, and its
value is of any type.

To the type checker it also makes every field optional that a model requires. Models describe what the API server takes;
rules and compile steps also meet the sound part of what it refuses, and ``spec.get("inline") or {}`` has to be a model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy.checker import TypeChecker
from mypy.nodes import ComparisonExpr, ConditionalExpr, Expression, StrExpr
from mypy.plugin import AnalyzeTypeContext, MethodContext, Plugin
from mypy.plugins.default import DefaultPlugin
from mypy.types import AnyType, LiteralType, Type, TypedDictType, TypeOfAny, UnionType, get_proper_type

if TYPE_CHECKING:
    from collections.abc import Callable

_READERS: Final = ("get", "pop", "setdefault", "__contains__")


class FieldPlugin(Plugin):
    """Checks the names of fields that are asked of models."""

    def get_type_analyze_hook(self, fullname: str) -> Callable[[AnalyzeTypeContext], Type] | None:
        """Return what makes required fields optional."""
        is_required = fullname in {"typing.Required", "typing_extensions.Required"}
        return (lambda context: context.api.analyze_type(context.type.args[0])) if is_required else None

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        """Return what checks a key, and then does what mypy does of its own."""
        owner, _, method = fullname.rpartition(".")
        if method not in _READERS or not owner.startswith(("typing.", "typing_extensions.")):
            return None
        default = DefaultPlugin(self.options).get_method_hook(fullname)

        def checked(context: MethodContext) -> Type:
            if isinstance(context.type, TypedDictType) and context.args and context.args[0]:
                keys = _keys(context.args[0][0], context.arg_types[0][0])
                _check(context, context.type, keys)
                if method == "get" and not keys:
                    return AnyType(TypeOfAny.implementation_artifact)
            return default(context) if default is not None else context.default_return_type

        return checked


def _check(context: MethodContext, model: TypedDictType, keys: list[str]) -> None:
    checker, test = context.api, context.context
    assert isinstance(checker, TypeChecker)
    is_test = isinstance(test, ComparisonExpr)
    known = _fields(checker.lookup_type(test.operands[-1])) if isinstance(test, ComparisonExpr) else set(model.items)
    errors = checker.msg.errors
    watchers = errors._watchers  # noqa: SLF001 - mypy mutes what is found of `in`, to try an iteration next
    errors._watchers = [] if is_test else watchers  # noqa: SLF001 - as above
    for key in keys:
        if key not in known:
            checker.fail(f'"{model.fallback.type.name}" has no field "{key}"', test)
    errors._watchers = watchers  # noqa: SLF001 - as above


def _fields(tested: Type) -> set[str]:
    """Return the fields of a model, or of any in a union: a field may select the member."""
    return {key for part in _parts(tested) if isinstance(part, TypedDictType) for key in part.items}


def _keys(asked: Expression, found: Type) -> list[str]:
    """Return the keys that are asked for, where they are literals."""
    both = (asked.if_expr, asked.else_expr) if isinstance(asked, ConditionalExpr) else (asked,)
    if all(isinstance(one, StrExpr) for one in both):
        return [one.value for one in both if isinstance(one, StrExpr)]
    return [part.value for part in _parts(found) if isinstance(part, LiteralType) and isinstance(part.value, str)]


def _parts(whole: Type) -> list[Type]:
    proper = get_proper_type(whole)
    return [get_proper_type(part) for part in proper.items] if isinstance(proper, UnionType) else [proper]


def plugin(version: str) -> type[Plugin]:
    """Return the plugin: mypy's entry point."""
    del version
    return FieldPlugin
