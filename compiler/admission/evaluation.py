"""Evaluate the CEL rules of CRDs. A rule is compiled on first use, with the types of its schema."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ..kube.cel.function import LIBRARY
from ..kube.cel.value import as_declared
from ..language.cel import types
from ..language.cel.rule import Allowance, compile_typed
from ..language.cel.value import CelError, CostError, Optional, UnsupportedError
from ..language.fault import FaultError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ..language.cel.types import Type
    from .table import Shape, Table
    from .violation import CelRule

    Converter = Callable[[Any], Any]

STEPS_OF_OBJECT: Final = 500_000
"""Steps that all CEL rules may take for one object, about two seconds. Otherwise a hostile CRD could stop a check."""
_SCALARS: Final = {"integer": types.INT, "number": types.DOUBLE, "boolean": types.BOOL}
_FORMATS: Final = {
    "byte": types.BYTES,
    "duration": types.DURATION,
    "date": types.TIMESTAMP,
    "date-time": types.TIMESTAMP,
    "datetime": types.TIMESTAMP,
}
_RESERVED: Final = frozenset(
    {
        *("true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import"),
        *("let", "loop", "package", "namespace", "return", "var", "void", "while"),
    }
)
_ESCAPES: Final = {"__": "__underscores__", ".": "__dot__", "-": "__dash__", "/": "__slash__"}
"""The escapes of Kubernetes for names of fields that are no identifiers of CEL."""
_METADATA: Final = "metadata"


class Evaluation:
    """Compiles and evaluates the CEL rules of a table."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._fields: dict[str, Mapping[str, Type]] = {_METADATA: {"name": types.STRING, "generateName": types.STRING}}
        self._converters: dict[int, Converter | None] = {}
        self.allowance = Allowance(STEPS_OF_OBJECT)

    def begin(self) -> None:
        """Reset the budget of steps that the rules of one object share."""
        self.allowance.left = self.allowance.steps

    def faults(self) -> Iterator[tuple[str, str]]:
        """Yield the text of each rule that mcpcfg cannot evaluate, with the reason."""
        for shape in self._table.shapes:
            if shape[0] == "ruled":
                for written, text, *_ in shape[2]:
                    try:
                        self._compiled(shape[1], text, types.BOOL)
                        if written:
                            self._compiled(shape[1], written, types.STRING)
                    except FaultError as error:
                        yield text, error.faults[0].message

    def function(self, position: int, rule: CelRule) -> Callable[[Any], bool | str]:
        """Return the function that evaluates a rule.

        The function returns whether a value satisfies the rule, and ``True`` if mcpcfg cannot evaluate the rule. For a
        broken rule whose message is an expression, it returns the computed message.

        Args:
            position: The position of the shape that the rule belongs to.
        """
        try:
            holds = self._compiled(position, rule.text, types.BOOL)
        except FaultError:
            return lambda _: True
        try:
            message = self._compiled(position, rule.function, types.STRING) if rule.function else None
        except FaultError:
            message = None
        convert = self._converter(position)

        def evaluate(value: Any) -> bool | str:
            try:
                given = value if convert is None else convert(value)
                if holds(self=given, oldSelf=Optional()):
                    return True
            except (CostError, UnsupportedError):
                return True
            try:
                shown = "" if message is None else message(self=given, oldSelf=Optional())
            except CelError:
                return False
            return shown.strip() if isinstance(shown, str) and shown.strip() else False

        return evaluate

    def _compiled(self, position: int, text: str, result: Type) -> Callable[..., Any]:
        self_type = self.type_of(position)
        variables = {"self": self_type, "oldSelf": types.optional_of(self_type)}
        return compile_typed(text, variables, LIBRARY, fields=self._fields_of, result=result, together=self.allowance)

    def type_of(self, position: int) -> Type:
        """Return the CEL type of the values of a shape, by its position in the table."""
        shape: Shape = self._table.shape(position) or ("any",)
        kind, *facts = shape
        if kind == "string":
            return _FORMATS.get(facts[4], types.STRING) if len(facts) > 4 else types.STRING
        if kind == "status":
            return self.type_of(facts[0])
        if kind == "list":
            return types.list_of(self.type_of(facts[0]))
        if kind == "map":
            return types.map_of(types.STRING, self.type_of(facts[0]))
        if kind == "object":
            return types.Type("object", (), str(self._innermost(position)))
        if kind == "metadata":
            return types.Type("object", (), _METADATA)
        return _SCALARS.get(kind, types.DYN)

    def _innermost(self, position: int) -> int:
        shapes = self._table.shapes
        while shapes[position] is not self._table.shape(position):
            position = shapes[position][1]
        return position

    def _fields_of(self, name: str) -> Mapping[str, Type]:
        if name not in self._fields:
            fields = self._table.shapes[int(name)][2]
            self._fields[name] = {_escaped(key): self.type_of(position) for key, position in fields}
        return self._fields[name]

    def _converter(self, position: int) -> Converter | None:
        if position not in self._converters:
            convert = self._conversion(self._table.shape(position) or ("any",))
            self._converters[position] = None if convert is None else _unless_null(convert)
        return self._converters[position]

    def _conversion(self, shape: Shape) -> Converter | None:
        kind, *facts = shape
        if kind == "string" and len(facts) > 4 and facts[4] in _FORMATS:
            return lambda value: as_declared(value, facts[4]) if isinstance(value, str) else value
        if kind == "number":
            return _as_double
        if kind == "status":
            return self._converter(facts[0])
        if kind in ("list", "map"):
            below = self._converter(facts[0])
            if below is None:
                return None
            if kind == "list":
                return lambda value: [below(item) for item in value]
            return lambda value: {key: below(item) for key, item in value.items()}
        return self._object_conversion(facts[1]) if kind == "object" else None

    def _object_conversion(self, fields: tuple[tuple[str, int], ...]) -> Converter | None:
        below = {key: self._converter(position) for key, position in fields}
        names = {key: _escaped(key) for key, _ in fields}
        if not any(below.values()) and all(key == name for key, name in names.items()):
            return None

        def convert(value: dict[str, Any]) -> dict[str, Any]:
            out = {}
            for key, item in value.items():
                inner = below.get(key)
                out[names.get(key, key)] = item if inner is None else inner(item)
            return out

        return convert


def _unless_null(convert: Converter) -> Converter:
    return lambda value: None if value is None else convert(value)


def _as_double(value: Any) -> Any:
    try:
        return float(value)
    except OverflowError:
        raise CelError("a number beyond all doubles") from None


def _escaped(name: str) -> str:
    return f"__{name}__" if name in _RESERVED else re.sub("__|[-./]", lambda match: _ESCAPES[match[0]], name)
