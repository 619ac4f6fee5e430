"""Translate an expression to the source of a Python expression.

Only templates of this module become source. Literals go through ``repr`` and names get a prefix, so no part of an
expression can be Python code. The source calls ``cel``, which is the module ``runtime`` or a replacement. If the types
of values guarantee that plain Python means the same, plain Python is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...diagnostics.named_tuple import NamedTuple
from ..fault import FaultError
from ..trampoline import Step, run
from .overloads import ENUM_VALUES, OVERLOADS, TYPE_NAMES
from .syntax import Call, Ident, ListItems, Literal, Logic, Macro, MapItems, Message, Node, Select

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_NESTING = 60
"""The maximum nesting of brackets in the source. Python's compiler fails at about 100."""

_ORDERINGS = {"_<_": ("<", "less"), "_<=_": ("<=", "at_most"), "_>_": (">", "greater"), "_>=_": (">=", "at_least")}
_ARITHMETIC = {"_+_": "add", "_-_": "subtract", "_*_": "multiply", "_/_": "divide", "_%_": "modulo"}
_METHODS = {"startsWith": "starts_with", "endsWith": "ends_with", "contains": "contains", "matches": "matches"}
_MACROS = {
    "all": "all_items",
    "exists": "exists",
    "exists_one": "exists_one",
    "map": "map_items",
    "filter": "filter_items",
}
_MACROS |= {"optMap": "map_maybe", "optFlatMap": "flat_map_maybe", "transformList": "map_items"}
_MAP_MACROS = {"transformMap": "transform_map", "transformMapEntry": "transform_entries"}
_KIND_NAMES = {named_type.kind: name for name, named_type in TYPE_NAMES.items()}
_ALTERNATIVES = {"or": "alternative", "orValue": "value_or"}
"""Functions that evaluate their argument only if the receiver is empty."""
_ADDED = {("lowerAscii", 1): ("lower_ascii", "string"), ("split", 2): ("split", "list")}
"""Name in ``runtime`` and kind of the result of ``API_SERVER_FUNCTIONS``, by name and number of operands.

``split`` with a limit is a function of the library.
"""
_SIZED = frozenset({"string", "bytes", "list", "map"})
_PLAINLY_COMPARED = frozenset({"int", "uint", "string"})


class TooDeepError(FaultError):
    """The expression is valid, but too deeply nested for Python's compiler."""


class _Source(NamedTuple):
    """A Python expression in generated source.

    Attributes:
        kind: The CEL name of the type that the value certainly has, or ``dyn`` if the type is only known at run time.
        total: True if the evaluation cannot fail.
    """

    text: str
    kind: str = "dyn"
    total: bool = False
    depth: int = 0


class _Emitter:
    def __init__(
        self, text: str, names: Mapping[str, str], kinds: Mapping[str, str], bound: Mapping[Node, str]
    ) -> None:
        self.text = text
        self.bound = bound
        self.names = names
        self.kinds = kinds
        self.locals: list[str] = []

    def fill(self, node: Node, template: str, *parts: _Source, kind: str = "dyn", safe: bool = False) -> _Source:
        """Return ``template`` with ``parts`` inserted.

        Args:
            node: The node at which too deep nesting is reported.
            kind: The type that the result certainly has.
            safe: True if the template itself cannot fail, only its parts.
        """
        depth = 1 + max((part.depth for part in parts), default=0)
        if depth > MAX_NESTING:
            message = f"more than {MAX_NESTING} operations stand in one another here"
            raise TooDeepError.at(self.text, node.offset, message)
        text = template.format(*(part.text for part in parts))
        return _Source(text, kind, safe and all(part.total for part in parts), depth)

    def call(self, node: Node, function: str, *parts: _Source, kind: str = "dyn", safe: bool = False) -> _Source:
        return self.fill(node, f"cel.{function}({_places(parts)})", *parts, kind=kind, safe=safe)

    def boolean(self, node: Node, piece: _Source) -> _Source:
        return piece if piece.kind == "bool" else self.call(node, "truth", piece, kind="bool")

    def emit_all(self, nodes: tuple[Node, ...]) -> Step[list[_Source]]:
        pieces: list[_Source] = []
        for node in nodes:
            pieces.append((yield self.emit(node)))  # noqa: PERF401 - no yield in a comprehension
        return pieces

    def emit(self, node: Node) -> Step[_Source]:
        match node:
            case Literal():
                piece = _literal(node)
            case Ident():
                piece = self.ident(node)
            case Select():
                piece = yield self.select(node)
            case Call():
                piece = yield self.function(node)
            case Logic():
                piece = yield self.logic(node)
            case Macro():
                piece = yield self.macro(node)
            case ListItems():
                items = yield self.emit_all(node.items)
                piece = self.fill(node, f"[{_places(items)}]", *items, kind="list", safe=True)
            case MapItems():
                piece = yield self.map_items(node)
            case Message():
                piece = self.call(node, "unsupported", _quoted(f"the message {node.name}"))
        return piece

    def ident(self, node: Ident) -> _Source:
        name = node.name.removeprefix(".")
        if node.name in self.locals:
            return _Source(f"v_{name}", total=True)
        if name in self.names:
            return _Source(self.names[name], self.kinds[name], total=True)
        return self.call(node, "TypeName", _quoted(name), kind="type", safe=True)

    def select(self, node: Select) -> Step[_Source]:
        name = self.qualified(node)
        if name in ENUM_VALUES:
            return _Source(repr(ENUM_VALUES[name]), "int", total=True)
        if name in TYPE_NAMES:
            return self.call(node, "TypeName", _quoted(name), kind="type", safe=True)
        operand = yield self.emit(node.operand)
        field = _quoted(node.field)
        if not node.test:
            return self.fill(node, "{}[{}]", operand, field)
        if operand.kind == "map":
            return self.fill(node, "({1} in {0})", operand, field, kind="bool", safe=True)
        return self.call(node, "has", operand, field, kind="bool")

    def qualified(self, node: Node) -> str:
        """Return the dotted name of a chain such as ``a.b.c``, or an empty text for other nodes and macro variables."""
        words: list[str] = []
        while isinstance(node, Select) and not node.test:
            words.append(node.field)
            node = node.operand
        if not isinstance(node, Ident) or node.name in self.locals:
            return ""
        return ".".join([node.name.removeprefix("."), *reversed(words)])

    def logic(self, node: Logic) -> Step[_Source]:
        parts = _operands(node)
        operands = yield self.emit_all(parts)
        checked = [self.boolean(part, piece) for part, piece in zip(parts, operands, strict=True)]
        word = " or " if node.operator == "||" else " and "
        lead = next((at for at, operand in enumerate(checked[:-1]) if not operand.total), len(checked))
        if lead == len(checked):
            return self.fill(node, f"({_places(checked, word)})", *checked, kind="bool", safe=True)
        function = "either" if node.operator == "||" else "both"
        places = ", ".join(["lambda: {}"] * (len(operands) - lead))
        rest = self.fill(node, f"cel.{function}({places})", *operands[lead:], kind="bool")
        if not lead:
            return rest
        # Leading operands that cannot fail are joined in plain Python, so they mostly decide without a call.
        return self.fill(node, f"({_places([*checked[:lead], rest], word)})", *checked[:lead], rest, kind="bool")

    def function(self, node: Call) -> Step[_Source]:  # noqa: PLR0911 - one line for each operator
        nodes = node.args if node.target is None else (node.target, *node.args)
        parts = yield self.emit_all(nodes)
        name = node.function.removeprefix(".")
        match name:
            case "_==_" | "_!=_":
                return self.equality(node, parts)
            case "_<_" | "_<=_" | "_>_" | "_>=_":
                return self.ordering(node, parts)
            case "_+_" | "_-_" | "_*_" | "_/_" | "_%_":
                return self.call(node, _ARITHMETIC[name], *parts)
            case "!_":
                return self.fill(node, "(not {})", self.boolean(nodes[0], parts[0]), kind="bool", safe=True)
            case "-_":
                return self.call(node, "negate", *parts)
            case "_?_:_":
                kind = parts[1].kind if parts[1].kind == parts[2].kind else "dyn"
                condition = self.boolean(nodes[0], parts[0])
                return self.fill(node, "({1} if {0} else {2})", condition, *parts[1:], kind=kind, safe=True)
            case "_[_]":
                plain = parts[1].kind == "string" and isinstance(nodes[1], Literal)
                return self.fill(node, "{}[{}]", *parts) if plain else self.call(node, "index", *parts)
            case "_[?_]":
                return self.call(node, "maybe", *parts)
            case "@in":
                return self.within(node, nodes[1], parts)
            case _:
                return self.named(node, name, parts)

    def equality(self, node: Call, parts: list[_Source]) -> _Source:
        kinds = [part.kind for part in parts]
        negative = node.function == "_!=_"
        if "string" in kinds or (kinds[0] == kinds[1] and kinds[0] in ("int", "uint", "double")):
            template = "({} != {})" if negative else "({} == {})"
            return self.fill(node, template, *parts, kind="bool", safe=True)
        if "null" in kinds:
            template = "({} is not {})" if negative else "({} is {})"
            return self.fill(node, template, *parts, kind="bool", safe=True)
        same = self.call(node, "equal", *parts, kind="bool", safe=True)
        return self.fill(node, "(not {})", same, kind="bool", safe=True) if negative else same

    def ordering(self, node: Call, parts: list[_Source]) -> _Source:
        operator, function = _ORDERINGS[node.function]
        if parts[0].kind == parts[1].kind and parts[0].kind in _PLAINLY_COMPARED:
            return self.fill(node, f"({{}} {operator} {{}})", *parts, kind="bool", safe=True)
        return self.call(node, function, *parts, kind="bool")

    def within(self, node: Call, container: Node, parts: list[_Source]) -> _Source:
        items = container.items if isinstance(container, ListItems) else ()
        if items and all(isinstance(item, Literal) and item.kind == "string" for item in items):
            return self.fill(node, "({} in {})", *parts, kind="bool", safe=True)
        return self.call(node, "within", *parts, kind="bool")

    def named(self, node: Call, name: str, parts: list[_Source]) -> _Source:
        if name in _METHODS:
            return self.call(node, _METHODS[name], *parts, kind="bool")
        if (name, len(parts)) in _ADDED:
            function, kind = _ADDED[name, len(parts)]
            return self.call(node, function, *parts, kind=kind)
        if name == "size":
            plain = parts[0].kind in _SIZED
            return self.call(node, "size", *parts, kind="int") if not plain else self.length(node, parts[0])
        if name == "type":
            return self.call(node, "type_of", *parts, kind="type", safe=True)
        if name in _ALTERNATIVES:
            return self.fill(node, f"cel.{_ALTERNATIVES[name]}({{}}, lambda: {{}})", *parts)
        if name not in OVERLOADS:
            return self.call(node, "library", _quoted(name), *parts)
        parts = [self.as_bound(node, parts[0]), *parts[1:]]
        if name.startswith("get"):
            return self.call(node, "time_part", _quoted(name), *parts, kind="int")
        return self.call(node, "convert", _quoted(name), *parts, kind="dyn" if name == "dyn" else name)

    def as_bound(self, node: Call, part: _Source) -> _Source:
        """Return the first argument of a call, checked at run time to have the type of the bound signature.

        cel-go binds the call of a conversion, or of a part of a time, to the implementation of one signature. Other
        functions have a single implementation for all signatures.
        """
        name = _KIND_NAMES.get(self.bound.get(node, ""))
        return part if part.kind != "dyn" or name is None else self.call(node, "only", _quoted(name), part)

    def length(self, node: Node, part: _Source) -> _Source:
        return self.fill(node, "len({})", part, kind="int", safe=True)

    def macro(self, node: Macro) -> Step[_Source]:
        over = yield self.emit(node.over)
        self.locals += node.variables
        condition = None if node.condition is None else (yield self.emit(node.condition))
        transform = None if node.transform is None else (yield self.emit(node.transform))
        del self.locals[-len(node.variables) :]
        parts = [part for part in (condition, transform) if part is not None]
        # Macros do not become comprehensions, because Python 3.12 and 3.13 crash on twenty nested comprehensions.
        variables = ", ".join(f"v_{name.removeprefix('.')}" for name in node.variables)
        loop = f"lambda {variables}: {{}}"
        if node.second:
            return self.macro_over_pairs(node, over, parts, f"cel.spread({loop})")
        function = "map_filter" if len(parts) > 1 else _MACROS[node.name]
        loops = ", ".join([loop] * len(parts))
        if node.name in ("optMap", "optFlatMap"):
            return self.fill(node, f"cel.{_MACROS[node.name]}({{}}, {loops})", over, *parts)
        kind = "list" if node.name in ("map", "filter") else "bool"
        return self.fill(node, f"cel.{function}(cel.each({{}}), {loops})", over, *parts, kind=kind)

    def macro_over_pairs(self, node: Macro, over: _Source, parts: list[_Source], loop: str) -> _Source:
        loops = ", ".join([loop] * len(parts))
        if node.name in _MAP_MACROS:
            if node.condition is None:
                loops = f"None, {loops}"
            return self.fill(node, f"cel.{_MAP_MACROS[node.name]}(cel.pairs({{}}), {loops})", over, *parts, kind="map")
        function = "map_filter" if len(parts) > 1 else _MACROS[node.name]
        kind = "list" if node.name == "transformList" else "bool"
        return self.fill(node, f"cel.{function}(cel.pairs({{}}), {loops})", over, *parts, kind=kind)

    def map_items(self, node: MapItems) -> Step[_Source]:
        parts = yield self.emit_all(tuple(part for entry in node.entries for part in entry))
        if all(name.kind == "string" for name in parts[::2]):
            places = ", ".join(["{}: {}"] * len(node.entries))
            return self.fill(node, f"{{{{{places}}}}}", *parts, kind="map", safe=True)
        places = ", ".join(["({}, {})"] * len(node.entries))
        return self.fill(node, f"cel.mapping([{places}])", *parts, kind="map")


def _operands(node: Logic) -> tuple[Node, ...]:
    """Return the operands of ``&&`` or ``||``. A negated operand with the other operator is split.

    For example, ``!(a && b)`` as an operand of ``||`` becomes ``!a || !b``.
    """
    operands: list[Node] = []
    for operand in node.operands:
        match operand:
            case Call("!_", None, (Logic() as inner,)) if inner.operator != node.operator:
                operands += [Call("!_", None, (part,), part.offset) for part in inner.operands]
            case _:
                operands.append(operand)
    return tuple(operands)


def _places(parts: list[_Source] | tuple[_Source, ...], separator: str = ", ") -> str:
    return separator.join(["{}"] * len(parts))


def _quoted(text: str) -> _Source:
    return _Source(repr(text), "string", total=True)


def _literal(node: Literal) -> _Source:
    written = repr(node.value)
    if node.kind == "uint":
        written = f"cel.Unsigned({written})"
    elif written.startswith("-"):
        written = f"({written})"
    return _Source(written, node.kind, total=True, depth=1)


def python_expression(
    text: str,
    root: Node,
    names: Mapping[str, str],
    kinds: Mapping[str, str],
    bound: Mapping[Node, str],
    *,
    truth: bool = True,
) -> str:
    """Return the source of the Python expression for the type-checked tree ``root``.

    Args:
        text: The CEL expression, from which the positions of faults are computed.
        names: The Python name of each variable.
        kinds: The kind that each variable certainly has: ``map``, ``string``, …, ``dyn`` if any.
        truth: True if the value must be a boolean.

    Raises:
        TooDeepError: The expression is too deeply nested for Python.
    """
    emitter = _Emitter(text, names, kinds, bound)
    piece = run(emitter.emit(root))
    return emitter.boolean(root, piece).text if truth else piece.text


def python_function(name: str, parameters: tuple[str, ...], body: str) -> str:
    """Return the source of a function that returns ``body``. Python's exceptions become errors of CEL."""
    return (
        f"def {name}({', '.join(parameters)}):\n"
        f"    try:\n"
        f"        return {body}\n"
        f"    except cel.NATIVE as error:\n"
        f"        raise cel.failure(error) from None\n"
    )
