"""A mypy plugin that reports reads of fields that no model has.

mypy refuses ``spec["imgae"]`` on a TypedDict, but neither ``spec.get("imgae")`` nor ``"imgae" in spec``, which most
compile steps and rules use. The plugin refuses both. If a name is computed, the value has the type ``Any``, and
`field_names` checks the name.

For the type checker, the plugin also makes the required fields of models optional. Models describe what the API server
accepts, but rules and compile steps also get the valid parts of refused resources, and ``spec.get("inline") or {}``
must have the type of a model.
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
    """Checks the names of fields that are read from models."""

    def get_type_analyze_hook(self, fullname: str) -> Callable[[AnalyzeTypeContext], Type] | None:
        """Return a hook that replaces ``Required[T]`` by ``T``, so the field is optional; ``None`` for other types."""
        is_required = fullname in {"typing.Required", "typing_extensions.Required"}
        return (lambda context: context.api.analyze_type(context.type.args[0])) if is_required else None

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        """Return a hook that checks the key in calls such as ``spec.get(key)``, or ``None`` for a method without key.

        The hook reports a key that no model has, and then calls mypy's own hook.
        """
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
    fields = _fields(checker.lookup_type(test.operands[-1])) if isinstance(test, ComparisonExpr) else set(model.items)
    errors = checker.msg.errors
    watchers = errors._watchers  # noqa: SLF001 - mypy hides errors of `in`, to try iteration next
    errors._watchers = [] if is_test else watchers  # noqa: SLF001 - as above
    for key in keys:
        if key not in fields:
            checker.fail(f'"{model.fallback.type.name}" has no field "{key}"', test)
    errors._watchers = watchers  # noqa: SLF001 - as above


def _fields(tested: Type) -> set[str]:
    """Return the fields of a model, or of all models in a union, because ``key in value`` may tell the models apart."""
    return {key for part in _parts(tested) if isinstance(part, TypedDictType) for key in part.items}


def _keys(key: Expression, key_type: Type) -> list[str]:
    """Return the possible values of a key that is a literal or chosen between literals; empty for a computed key."""
    expressions = (key.if_expr, key.else_expr) if isinstance(key, ConditionalExpr) else (key,)
    if all(isinstance(expression, StrExpr) for expression in expressions):
        return [expression.value for expression in expressions if isinstance(expression, StrExpr)]
    return [part.value for part in _parts(key_type) if isinstance(part, LiteralType) and isinstance(part.value, str)]


def _parts(whole: Type) -> list[Type]:
    proper = get_proper_type(whole)
    return [get_proper_type(part) for part in proper.items] if isinstance(proper, UnionType) else [proper]


def plugin(_: str) -> type[Plugin]:
    """Return the class of the plugin. mypy calls this function with the version of mypy."""
    return FieldPlugin
