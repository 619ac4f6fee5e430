"""Infer the type of every part of an expression, and find the faults that cel-go's checker would report.

Source: cel-go v0.28, ``checker/checker.go``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...diagnostics.fault import Flaw, fault_at
from ...diagnostics.named_tuple import NamedTuple
from ..trampoline import Step, run
from . import types
from .overloads import ENUM_VALUES, MESSAGES, MIXED_ORDERINGS, OVERLOADS, TYPE_NAMES, Overload
from .syntax import Call, Ident, ListItems, Literal, Logic, Macro, MapItems, Message, Node, Select
from .types import BOOL, DYN, ERROR, INT, Type, list_of, map_of, optional_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_OPERATORS = {"@in": "in", "_?_:_": "? :", "_[_]": "[ ]", "!_": "!", "-_": "-"}


class Checked(NamedTuple):
    """A type-checked expression.

    Attributes:
        faults: The faults in reading order.
        bound: Calls that exactly one signature accepts, with the kind of the first argument in that signature.
    """

    result: Type
    types: Mapping[Node, Type]
    faults: tuple[Flaw, ...]
    bound: Mapping[Node, str]


class _Checker:
    def __init__(
        self,
        text: str,
        variables: Mapping[str, Type],
        functions: Mapping[str, tuple[Overload, ...]],
        fields: Callable[[str], Mapping[str, Type]],
    ) -> None:
        self.text = text
        self.functions = functions
        self.fields = fields
        self.variables = variables
        self.scopes: list[tuple[str, Type]] = []
        self.bindings: types.Substitution = {}
        self.variable_count = 0
        self.mixes_numbers = False
        self.uses: list[tuple[str, int, Type]] = []
        self.types: dict[Node, Type] = {}
        self.bound: dict[Node, str] = {}
        self.faults: list[Flaw] = []

    def refuse(self, offset: int, message: str) -> Type:
        self.faults.append(fault_at(self.text, offset, message))
        return ERROR

    def variable(self) -> Type:
        self.variable_count += 1
        return Type("variable", (), f"_{self.variable_count}")

    def with_bindings(self, given: Type) -> Type:
        return types.substitute(self.bindings, given, free_to_dyn=False)

    def shown(self, given: Type) -> str:
        return str(types.substitute(self.bindings, given, free_to_dyn=True))

    def accepts(self, *pairs: tuple[Type, Type]) -> bool:
        trial = types.assign(self.bindings, list(pairs))
        if trial is not None:
            self.bindings = trial
        return trial is not None

    def check(self, node: Node) -> Step[Type]:
        match node:
            case Literal(kind=kind):
                node_type = Type(kind)
            case Ident():
                node_type = self.ident(node)
            case Select():
                node_type = yield self.select(node)
            case Call():
                node_type = yield self.call(node)
            case Logic():
                node_type = yield self.logic(node)
            case Macro():
                node_type = yield self.macro(node)
            case ListItems():
                node_type = list_of((yield self.joined(node.items)))
            case MapItems():
                node_type = yield self.map_items(node)
            case Message():
                node_type = yield self.message(node)
        self.types[node] = node_type
        return node_type

    def local(self, name: str) -> Type | None:
        return next((scope_type for declared, scope_type in reversed(self.scopes) if declared == name), None)

    def ident(self, node: Ident) -> Type:
        local = self.local(node.name)
        if local is not None:
            self.uses.append((node.name, node.offset, local))
            return local
        named_type = self.name(node.name.removeprefix("."), node.offset)
        return named_type or self.refuse(node.offset, self.undeclared(node.name))

    def refuse_type_variables(self) -> None:
        """Report macro variables whose value is a type, because cel-go's planner takes their names for types."""
        for name, offset, use_type in self.uses:
            if name not in TYPE_NAMES and self.with_bindings(use_type).kind == "type":
                self.refuse(offset, f"{name!r} stands for a type but is the name of none")

    def undeclared(self, name: str) -> str:
        declared = ", ".join(sorted({*self.variables, *(name for name, _ in self.scopes)}))
        return (
            f"{name!r} is not declared; the names known here are {declared}"
            if declared
            else f"{name!r} is not declared"
        )

    def name(self, name: str, offset: int) -> Type | None:
        if name in self.variables:
            return self.variables[name]
        if name in TYPE_NAMES:
            return Type("type", (TYPE_NAMES[name],))
        if name in MESSAGES:
            return self.refuse(offset, f"the message type {name!r} cannot be used as a value")
        return INT if name in ENUM_VALUES else None

    def select(self, node: Select) -> Step[Type]:
        qualified = None if node.test else self.qualified(node)
        if qualified is not None:
            selected = self.name(qualified, node.offset)
            if selected is not None:
                return selected
        operand = self.with_bindings((yield self.check(node.operand)))
        match operand.kind:
            case "map":
                selected = operand.parameters[1]
            case "variable":
                self.accepts((DYN, operand))
                selected = DYN
            case "dyn" | "any" | "error":
                selected = DYN
            case "object":
                selected = self.field(operand, node.field, node.offset)
            case "optional":
                selected = optional_of(self.below(operand, node.field, node.offset))
            case "message":
                selected = self.refuse(node.offset, f"{operand} has no field {node.field!r}")
            case _:
                self.refuse(node.offset, f"a value of type {self.shown(operand)} has no fields")
                selected = DYN
        return BOOL if node.test else self.with_bindings(selected)

    def field(self, operand: Type, name: str, offset: int) -> Type:
        """Return the type of a field of an object with a schema. Report the field if the schema does not have it."""
        declared = self.fields(operand.name)
        return declared[name] if name in declared else self.refuse(offset, f"the schema has no field {name!r} here")

    def below(self, operand: Type, name: str | None, offset: int) -> Type:
        """Return the type of a field, list item or map value of ``operand``, or ``dyn`` if the type is unknown.

        ``name`` is the name of the field, or ``None`` if the index is not a constant string.
        """
        inner = self.with_bindings(operand.parameters[0]) if operand.kind == "optional" else operand
        if inner.kind == "object" and name is not None:
            return self.field(inner, name, offset)
        return inner.parameters[-1] if inner.kind in ("map", "list") else DYN

    def accepts_key(self, operand: Type, key: Type) -> bool:
        """Return whether a list or map, or an optional one, accepts a key of this type. Other types accept any key."""
        inner = self.with_bindings(operand.parameters[0]) if operand.kind == "optional" else operand
        if inner.kind not in ("list", "map"):
            return True
        return self.accepts((key, INT if inner.kind == "list" else inner.parameters[0]))

    def qualified(self, node: Node) -> str | None:
        """Return the dotted name of a chain such as ``a.b.c``, or ``None`` for other nodes and macro variables."""
        words: list[str] = []
        while isinstance(node, Select) and not node.test:
            words.append(node.field)
            node = node.operand
        if not isinstance(node, Ident) or self.local(node.name) is not None:
            return None
        return ".".join([node.name, *reversed(words)]).removeprefix(".")

    def call(self, node: Call) -> Step[Type]:
        given: list[Type] = []
        for argument in node.args:
            given.append((yield self.check(argument)))  # noqa: PERF401 - no yield in a comprehension
        if node.target is not None:
            given.insert(0, (yield self.check(node.target)))
        name = node.function.removeprefix(".")
        if name == "_[?_]":
            key = node.args[1]
            field = str(key.value) if isinstance(key, Literal) and key.kind == "string" else None
            if not self.accepts_key(self.with_bindings(given[0]), given[1]):
                return self.refuse(node.offset, self.no_overload("_[_]", given, member=False))
            return optional_of(self.below(self.with_bindings(given[0]), field, node.offset))
        if name not in self.functions:
            return self.refuse(node.offset, f"there is no function {name}()")
        result = self.resolve(name, given, member=node.target is not None, node=node)
        if result is None:
            return self.refuse(node.offset, self.no_overload(name, given, member=node.target is not None))
        if name == "_[_]" and self.is_refused_index(node.args[1]):
            self.refuse(node.args[1].offset, f"a constant of type {self.shown(given[1])} cannot be an index")
        return result

    def is_refused_index(self, node: Node) -> bool:
        """Return whether ``node`` is an index that cel-go's planner refuses: null, bytes or the name of a type."""
        if isinstance(node, Literal):
            return node.kind in ("null", "bytes")
        return (self.qualified(node) or "") in TYPE_NAMES

    def resolve(self, name: str, given: list[Type], *, member: bool, node: Call | None = None) -> Type | None:
        """Return the result type of the signatures that accept the argument types ``given``.

        The result is ``dyn`` if the signatures have different results, and ``None`` if no signature accepts the types.
        The first signature binds a free type, such as that of ``claims['a']['b']``, so no other signature accepts it.
        If a single signature accepts the types, ``bound`` gets the kind of its first argument for ``node``.
        """
        result: Type | None = None
        accepted: list[Overload] = []
        mixed = MIXED_ORDERINGS.get(name, ()) if self.mixes_numbers else ()
        for overload in (*self.functions[name], *mixed):
            if overload.member != member or len(overload.arguments) != len(given):
                continue
            signature = self.instance(overload)
            if not self.accepts(*zip(given, signature.arguments, strict=True)):
                continue
            accepted.append(overload)
            overload_result = self.with_bindings(signature.result)
            if result is None:
                result = overload_result
            elif not types.is_dynamic(result) and overload_result != result:
                result = DYN
        if node is not None and len(accepted) == 1 and accepted[0].arguments:
            self.bound[node] = accepted[0].arguments[0].kind
        return result

    def instance(self, overload: Overload) -> Overload:
        renaming = {Type("variable", (), name): self.variable() for name in ("A", "B")}
        arguments = tuple(types.substitute(renaming, argument, free_to_dyn=False) for argument in overload.arguments)
        return Overload(overload.member, arguments, types.substitute(renaming, overload.result, free_to_dyn=False))

    def no_overload(self, name: str, given: list[Type], *, member: bool) -> str:
        shown = [self.shown(argument) for argument in given]
        if name[0] in "_@!-":
            operator = _OPERATORS.get(name, name.strip("_"))
            return f"the operator {operator!r} does not take {' and '.join(shown)}"
        if member:
            return f"{name}() cannot be called on {shown[0]} with ({', '.join(shown[1:])})"
        return f"{name}() does not take ({', '.join(shown)})"

    def logic(self, node: Logic) -> Step[Type]:
        for operand in node.operands:
            operand_type = yield self.check(operand)
            self.require_bool(operand, operand_type, f"the operator {node.operator!r}")
        return BOOL

    def require_bool(self, node: Node, node_type: Type, subject: str) -> None:
        if not self.accepts((node_type, BOOL)):
            self.refuse(node.offset, f"{subject} needs a bool, this is {self.shown(node_type)}")

    def macro(self, node: Macro) -> Step[Type]:
        over = self.with_bindings((yield self.check(node.over)))
        second = DYN
        match over.kind:
            case "list" | "map":
                item, second = over.parameters[0], over.parameters[-1]
                if node.second and over.kind == "list":
                    item = INT
            case "optional" if node.name in ("optMap", "optFlatMap"):
                item = over.parameters[0]
            case "dyn" | "any" | "error" | "variable":
                self.accepts((DYN, over))
                item = DYN
            case _:
                item = self.refuse(node.over.offset, f"{node.name}() needs a list or a map, this is {self.shown(over)}")
        self.mixes_numbers = True
        named = list(zip(node.variables, (item, second), strict=False))
        self.scopes += named
        result: Type = yield self.macro_result(node, item)
        del self.scopes[-len(named) :]
        return result

    def macro_result(self, node: Macro, item: Type) -> Step[Type]:
        """Check the parts of a macro, and return the type of its result. ``item`` is the type of its first variable."""
        condition = None
        if node.condition is not None:
            condition = yield self.check(node.condition)
            self.require_bool(node.condition, condition, f"{node.name}()")
        if node.name in ("optMap", "optFlatMap") and node.transform is not None:
            transformed = yield self.check(node.transform)
            return optional_of(transformed) if node.name == "optMap" else transformed
        if node.name in ("transformMap", "transformMapEntry") and node.transform is not None:
            transformed = yield self.check(node.transform)
            return self.transformed_map(node, item, transformed)
        if node.name not in ("map", "filter", "transformList"):
            return BOOL
        if node.name == "filter":
            self.uses.append((node.variable, node.offset, item))
        if node.transform is not None:
            item = yield self.check(node.transform)
        gathered = list_of(self.variable())
        grown = self.resolve("_+_", [gathered, list_of(item)], member=False)
        if grown is not None and condition is not None:
            grown = self.resolve("_?_:_", [condition, grown, gathered], member=False)
        if grown is not None:
            self.accepts((gathered, grown))
        return self.with_bindings(gathered)

    def transformed_map(self, node: Macro, key: Type, transformed: Type) -> Type:
        """Return the type of the map that ``transformMap`` or ``transformMapEntry`` creates.

        ``transformed`` is the type of the transform, which is a value for ``transformMap`` and a map for
        ``transformMapEntry``.
        """
        grown = map_of(self.variable(), self.variable())
        if not self.accepts((grown, map_of(key, transformed) if node.name == "transformMap" else transformed)):
            self.refuse(node.offset, f"{node.name}() needs a map, this is {self.shown(transformed)}")
        return self.with_bindings(grown)

    def joined(self, nodes: tuple[Node, ...]) -> Step[Type]:
        result: Type | None = None
        for node in nodes:
            result = self.join(result, (yield self.check(node)))
        return result or self.variable()

    def join(self, before: Type | None, node_type: Type) -> Type:
        if before is None:
            return node_type
        return types.most_general(before, node_type) if self.accepts((before, node_type)) else DYN

    def map_items(self, node: MapItems) -> Step[Type]:
        key: Type | None = None
        value: Type | None = None
        for key_node, value_node in node.entries:
            key = self.join(key, (yield self.check(key_node)))
            value = self.join(value, (yield self.check(value_node)))
        return map_of(key or self.variable(), value or self.variable())

    def message(self, node: Message) -> Step[Type]:
        message = MESSAGES.get(node.name.removeprefix("."))
        if message is None:
            kind = "is not a message type" if node.name.removeprefix(".") in TYPE_NAMES else "is not declared"
            self.refuse(node.offset, f"{node.name!r} {kind}")
        for name, value, offset in node.fields:
            value_type = yield self.check(value)
            if message is None:
                continue
            field = message.fields.get(name)
            if field is None:
                self.refuse(offset, f"{node.name} has no field {name!r}")
            elif not self.accepts((field, value_type)):
                self.refuse(offset, f"the field {name!r} takes {field}, this is {self.shown(value_type)}")
        return message.type if message is not None else ERROR


def _no_fields(_: str) -> Mapping[str, Type]:
    return {}


def check(
    text: str,
    root: Node,
    variables: Mapping[str, Type],
    functions: Mapping[str, tuple[Overload, ...]] = OVERLOADS,
    fields: Callable[[str], Mapping[str, Type]] = _no_fields,
) -> Checked:
    """Return the types of the expression ``text`` and its parts, and the faults that cel-go would report.

    Args:
        functions: The signatures of the declared functions.
        fields: Returns the fields of an object with a schema, by the name of its type.
    """
    checker = _Checker(text, variables, functions, fields)
    result = run(checker.check(root))
    checker.refuse_type_variables()
    final = {
        node: types.substitute(checker.bindings, node_type, free_to_dyn=True)
        for node, node_type in checker.types.items()
    }
    faults = tuple(sorted(checker.faults, key=lambda fault: fault.offset or 0))
    return Checked(types.substitute(checker.bindings, result, free_to_dyn=True), final, faults, checker.bound)
