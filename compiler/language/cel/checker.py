"""Finds the type of every part of an expression, and what cel-go's checker would refuse.

Source: cel-go v0.28, ``checker/checker.go``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...diagnostics.fault import Flaw, fault_at
from ..trampoline import Step, run
from . import types
from .overloads import ENUM_VALUES, MESSAGES, MIXED_ORDERINGS, OVERLOADS, TYPE_NAMES, Overload
from .syntax import Call, Ident, ListItems, Literal, Logic, Macro, MapItems, Message, Node, Select
from .types import BOOL, DYN, ERROR, INT, Type, list_of, map_of, optional_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_OPERATORS = {"@in": "in", "_?_:_": "? :", "_[_]": "[ ]", "!_": "!", "-_": "-"}


class Checked(NamedTuple):
    """The outcome.

    Attributes:
        result: The type of the root.
        types: The type of each node.
        faults: What was refused, in reading order.
        bound: By a call that one signature alone was found to take: the kind of its first argument.
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
        self.known: types.Substitution = {}
        self.fresh = 0
        self.mixes_numbers = False
        self.uses: list[tuple[str, int, Type]] = []
        self.types: dict[Node, Type] = {}
        self.bound: dict[Node, str] = {}
        self.faults: list[Flaw] = []

    def refuse(self, offset: int, message: str) -> Type:
        self.faults.append(fault_at(self.text, offset, message))
        return ERROR

    def variable(self) -> Type:
        self.fresh += 1
        return Type("variable", (), f"_{self.fresh}")

    def settled(self, given: Type) -> Type:
        return types.substitute(self.known, given, free_to_dyn=False)

    def shown(self, given: Type) -> str:
        return str(types.substitute(self.known, given, free_to_dyn=True))

    def takes(self, *pairs: tuple[Type, Type]) -> bool:
        trial = types.assign(self.known, list(pairs))
        if trial is not None:
            self.known = trial
        return trial is not None

    def check(self, node: Node) -> Step[Type]:
        match node:
            case Literal(kind=kind):
                found = Type(kind)
            case Ident():
                found = self.ident(node)
            case Select():
                found = yield self.select(node)
            case Call():
                found = yield self.call(node)
            case Logic():
                found = yield self.logic(node)
            case Macro():
                found = yield self.macro(node)
            case ListItems():
                found = list_of((yield self.joined(node.items)))
            case MapItems():
                found = yield self.map_items(node)
            case Message():
                found = yield self.message(node)
        self.types[node] = found
        return found

    def local(self, name: str) -> Type | None:
        return next((found for known, found in reversed(self.scopes) if known == name), None)

    def ident(self, node: Ident) -> Type:
        local = self.local(node.name)
        if local is not None:
            self.uses.append((node.name, node.offset, local))
            return local
        found = self.name(node.name.removeprefix("."), node.offset)
        return found or self.refuse(node.offset, self.undeclared(node.name))

    def refuse_type_variables(self) -> None:
        """A macro's variable that stands for a type: cel-go's planner takes it for the name of one."""
        for name, offset, found in self.uses:
            if name not in TYPE_NAMES and self.settled(found).kind == "type":
                self.refuse(offset, f"{name!r} stands for a type but is the name of none")

    def undeclared(self, name: str) -> str:
        known = ", ".join(sorted({*self.variables, *(name for name, _ in self.scopes)}))
        return f"{name!r} is not declared; the names known here are {known}" if known else f"{name!r} is not declared"

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
            found = self.name(qualified, node.offset)
            if found is not None:
                return found
        operand = self.settled((yield self.check(node.operand)))
        match operand.kind:
            case "map":
                found = operand.parameters[1]
            case "variable":
                self.takes((DYN, operand))
                found = DYN
            case "dyn" | "any" | "error":
                found = DYN
            case "object":
                found = self.field(operand, node.field, node.offset)
            case "optional":
                found = optional_of(self.below(operand, node.field, node.offset))
            case "message":
                found = self.refuse(node.offset, f"{operand} has no field {node.field!r}")
            case _:
                self.refuse(node.offset, f"a value of type {self.shown(operand)} has no fields")
                found = DYN
        return BOOL if node.test else self.settled(found)

    def field(self, operand: Type, name: str, offset: int) -> Type:
        """Return the type of a field of an object that a schema describes."""
        known = self.fields(operand.name)
        return known[name] if name in known else self.refuse(offset, f"the schema has no field {name!r} here")

    def below(self, operand: Type, name: str | None, offset: int) -> Type:
        """Return the type of what may be below a value, under a name where that is known."""
        inner = self.settled(operand.parameters[0]) if operand.kind == "optional" else operand
        if inner.kind == "object" and name is not None:
            return self.field(inner, name, offset)
        return inner.parameters[-1] if inner.kind in ("map", "list") else DYN

    def takes_key(self, operand: Type, key: Type) -> bool:
        """Return whether something may be below a list or a map, or one that may be missing, under such a key."""
        inner = self.settled(operand.parameters[0]) if operand.kind == "optional" else operand
        if inner.kind not in ("list", "map"):
            return True
        return self.takes((key, INT if inner.kind == "list" else inner.parameters[0]))

    def qualified(self, node: Node) -> str | None:
        """Return the dotted name that ``node`` spells, unless it begins with a macro's variable."""
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
            if not self.takes_key(self.settled(given[0]), given[1]):
                return self.refuse(node.offset, self.no_overload("_[_]", given, member=False))
            return optional_of(self.below(self.settled(given[0]), field, node.offset))
        if name not in self.functions:
            return self.refuse(node.offset, f"there is no function {name}()")
        found = self.resolve(name, given, member=node.target is not None, node=node)
        if found is None:
            return self.refuse(node.offset, self.no_overload(name, given, member=node.target is not None))
        if name == "_[_]" and self.is_odd_key(node.args[1]):
            self.refuse(node.args[1].offset, f"a constant of type {self.shown(given[1])} cannot be an index")
        return found

    def is_odd_key(self, node: Node) -> bool:
        """Return whether ``node`` is a constant that cel-go's planner takes for no index."""
        if isinstance(node, Literal):
            return node.kind in ("null", "bytes")
        return (self.qualified(node) or "") in TYPE_NAMES

    def resolve(self, name: str, given: list[Type], *, member: bool, node: Call | None = None) -> Type | None:
        """Return the result type over all signatures that take ``given``: ``dyn`` where they differ.

        A type that is free, as that of ``claims['a']['b']`` is, becomes that of the first signature, which is then the
        only one. It is noted for ``node``.
        """
        result: Type | None = None
        taken: list[Overload] = []
        mixed = MIXED_ORDERINGS.get(name, ()) if self.mixes_numbers else ()
        for overload in (*self.functions[name], *mixed):
            if overload.member != member or len(overload.arguments) != len(given):
                continue
            signature = self.instance(overload)
            if not self.takes(*zip(given, signature.arguments, strict=True)):
                continue
            taken.append(overload)
            found = self.settled(signature.result)
            if result is None:
                result = found
            elif not types.is_dynamic(result) and found != result:
                result = DYN
        if node is not None and len(taken) == 1 and taken[0].arguments:
            self.bound[node] = taken[0].arguments[0].kind
        return result

    def instance(self, overload: Overload) -> Overload:
        """``overload`` with type variables of its own."""
        own = {Type("variable", (), name): self.variable() for name in ("A", "B")}
        arguments = tuple(types.substitute(own, argument, free_to_dyn=False) for argument in overload.arguments)
        return Overload(overload.member, arguments, types.substitute(own, overload.result, free_to_dyn=False))

    def no_overload(self, name: str, given: list[Type], *, member: bool) -> str:
        shown = [self.shown(found) for found in given]
        if name[0] in "_@!-":
            operator = _OPERATORS.get(name, name.strip("_"))
            return f"the operator {operator!r} does not take {' and '.join(shown)}"
        if member:
            return f"{name}() cannot be called on {shown[0]} with ({', '.join(shown[1:])})"
        return f"{name}() does not take ({', '.join(shown)})"

    def logic(self, node: Logic) -> Step[Type]:
        for operand in node.operands:
            found = yield self.check(operand)
            self.wants_bool(operand, found, f"the operator {node.operator!r}")
        return BOOL

    def wants_bool(self, node: Node, found: Type, who: str) -> None:
        if not self.takes((found, BOOL)):
            self.refuse(node.offset, f"{who} needs a bool, this is {self.shown(found)}")

    def macro(self, node: Macro) -> Step[Type]:
        over = self.settled((yield self.check(node.over)))
        second = DYN
        match over.kind:
            case "list" | "map":
                item, second = over.parameters[0], over.parameters[-1]
                if node.second and over.kind == "list":
                    item = INT
            case "optional" if node.name in ("optMap", "optFlatMap"):
                item = over.parameters[0]
            case "dyn" | "any" | "error" | "variable":
                self.takes((DYN, over))
                item = DYN
            case _:
                item = self.refuse(node.over.offset, f"{node.name}() needs a list or a map, this is {self.shown(over)}")
        self.mixes_numbers = True
        named = list(zip(node.variables, (item, second), strict=False))
        self.scopes += named
        result: Type = yield self.loop(node, item)
        del self.scopes[-len(named) :]
        return result

    def loop(self, node: Macro, item: Type) -> Step[Type]:
        """Return the type of the macro, from what stands in it; ``item`` is the type of its variable."""
        condition = None
        if node.condition is not None:
            condition = yield self.check(node.condition)
            self.wants_bool(node.condition, condition, f"{node.name}()")
        if node.name in ("optMap", "optFlatMap") and node.transform is not None:
            found = yield self.check(node.transform)
            return optional_of(found) if node.name == "optMap" else found
        if node.name in ("transformMap", "transformMapEntry") and node.transform is not None:
            found = yield self.check(node.transform)
            return self.grown_map(node, item, found)
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
            self.takes((gathered, grown))
        return self.settled(gathered)

    def grown_map(self, node: Macro, key: Type, found: Type) -> Type:
        """Return the type of the map that ``transformMap`` makes of keys and values, or of maps with one entry."""
        made = map_of(self.variable(), self.variable())
        if not self.takes((made, map_of(key, found) if node.name == "transformMap" else found)):
            self.refuse(node.offset, f"{node.name}() needs a map, this is {self.shown(found)}")
        return self.settled(made)

    def joined(self, nodes: tuple[Node, ...]) -> Step[Type]:
        """Return the one type of all ``nodes``, ``dyn`` where they differ."""
        result: Type | None = None
        for node in nodes:
            result = self.join(result, (yield self.check(node)))
        return result or self.variable()

    def join(self, before: Type | None, found: Type) -> Type:
        if before is None:
            return found
        return types.most_general(before, found) if self.takes((before, found)) else DYN

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
            found = yield self.check(value)
            if message is None:
                continue
            field = message.fields.get(name)
            if field is None:
                self.refuse(offset, f"{node.name} has no field {name!r}")
            elif not self.takes((field, found)):
                self.refuse(offset, f"the field {name!r} takes {field}, this is {self.shown(found)}")
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
    """Type ``root``, the tree of ``text``, where ``variables`` and ``functions`` are declared.

    Args:
        text: The expression.
        root: Its tree.
        variables: The type of each.
        functions: The signatures of each.
        fields: Returns the fields of an object of a schema, by the name of its type.
    """
    checker = _Checker(text, variables, functions, fields)
    result = run(checker.check(root))
    checker.refuse_type_variables()
    final = {node: types.substitute(checker.known, found, free_to_dyn=True) for node, found in checker.types.items()}
    faults = tuple(sorted(checker.faults, key=lambda fault: fault.offset or 0))
    return Checked(types.substitute(checker.known, result, free_to_dyn=True), final, faults, checker.bound)
