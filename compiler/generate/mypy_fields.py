"""A mypy plugin: a field that no model has is an error, wherever it is asked for.

mypy refuses ``spec["imgae"]`` of a TypedDict, but not ``spec.get("imgae")`` (an ``object``), nor ``"imgae" in spec``
(false for good): the two forms in which compile steps and rules mostly read. The plugin refuses both.

A name that is computed is left to `field_names`, and its value is of any type.

To the type checker it also makes every field optional that a model requires. Models describe what the API server takes;
rules and compile steps also meet the sound part of what it refuses, and ``spec.get("inline") or {}`` has to be one of
its type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy.checker import TypeChecker
from mypy.nodes import ComparisonExpr, ConditionalExpr, StrExpr
from mypy.plugin import Plugin
from mypy.plugins.default import DefaultPlugin
from mypy.types import AnyType, LiteralType, TypedDictType, TypeOfAny, UnionType, get_proper_type

if TYPE_CHECKING:
    from collections.abc import Callable

    from mypy.options import Options
    from mypy.plugin import AnalyzeTypeContext, MethodContext
    from mypy.types import Type

_READERS: Final = ("get", "pop", "setdefault", "__contains__")


class FieldPlugin(Plugin):
    """Checks the names of fields that are asked of models."""

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self._default = DefaultPlugin(options)

    def get_type_analyze_hook(self, fullname: str) -> Callable[[AnalyzeTypeContext], Type] | None:
        """Return what makes required fields optional."""
        return _optional if fullname in {"typing.Required", "typing_extensions.Required"} else None

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        """Return what checks a key, and then does what mypy does of its own."""
        owner, _, method = fullname.rpartition(".")
        if method not in _READERS or not owner.startswith(("typing.", "typing_extensions.")):
            return None
        default = self._default.get_method_hook(fullname)

        def checked(context: MethodContext) -> Type:
            _check_key(context)
            if method == "get" and isinstance(context.type, TypedDictType) and not _keys(context):
                return AnyType(TypeOfAny.implementation_artifact)
            return default(context) if default is not None else context.default_return_type

        return checked


def _optional(context: AnalyzeTypeContext) -> Type:
    return context.api.analyze_type(context.type.args[0])


def _check_key(context: MethodContext) -> None:
    model = context.type
    if not isinstance(model, TypedDictType) or not context.args or not context.args[0]:
        return
    checker, test = context.api, context.context
    assert isinstance(checker, TypeChecker)
    known = _fields(checker.lookup_type(test.operands[-1])) if isinstance(test, ComparisonExpr) else model.items
    errors = checker.msg.errors
    for key in _keys(context):
        if key not in known:
            watchers = errors._watchers  # noqa: SLF001 - mypy mutes what is found of `in`, to try an iteration next
            if isinstance(test, ComparisonExpr):
                errors._watchers = []  # noqa: SLF001
            checker.fail(f'"{model.fallback.type.name}" has no field "{key}"', test)
            errors._watchers = watchers  # noqa: SLF001


def _fields(tested: Type) -> set[str]:
    """Return the fields of a model, or of any in a union: a field may tell its members apart."""
    found = get_proper_type(tested)
    parts = found.items if isinstance(found, UnionType) else [found]
    return {key for part in map(get_proper_type, parts) if isinstance(part, TypedDictType) for key in part.items}


def _keys(context: MethodContext) -> list[str]:
    """Return the keys that are asked for, where they are literals."""
    asked = context.args[0][0]
    if isinstance(asked, StrExpr):
        return [asked.value]
    if isinstance(asked, ConditionalExpr) and isinstance(asked.if_expr, StrExpr):
        return [part.value for part in (asked.if_expr, asked.else_expr) if isinstance(part, StrExpr)]
    found = get_proper_type(context.arg_types[0][0])
    parts = [get_proper_type(part) for part in found.items] if isinstance(found, UnionType) else [found]
    return [part.value for part in parts if isinstance(part, LiteralType) and isinstance(part.value, str)]


def plugin(version: str) -> type[Plugin]:
    """Return the plugin: mypy's entry point."""
    del version
    return FieldPlugin
