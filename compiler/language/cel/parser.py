"""Parse an expression into a tree like cel-go.

Source: cel-go v0.28, ``CEL.g4`` and ``parser.go``: the grammar, the standard macros, the reserved words, the limits.
The optional syntax (``.?``, ``[?``) and macros with two variables are refused unless they are enabled. Optional entries
in literals (``{?``) are always refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..token import Token, TokenReader
from ..trampoline import Step, entry, ready
from . import literal
from .lexer import tokenize
from .syntax import Call, Ident, ListItems, Literal, Logic, Macro, MacroName, MapItems, Message, Node, Select, children

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MAX_DEPTH = 250
"""The maximum nesting of a grammar rule (``maxRecursionDepth`` of cel-go's parser)."""

_RESERVED_WORDS = "as break const continue else for function if import let loop namespace package return var void while"
_RESERVED = frozenset(_RESERVED_WORDS.split())
_RELATIONS = {"<": "_<_", "<=": "_<=_", ">": "_>_", ">=": "_>=_", "==": "_==_", "!=": "_!=_", "in": "@in"}
_SUMS = {"+": "_+_", "-": "_-_"}
_PRODUCTS = {"*": "_*_", "/": "_/_", "%": "_%_"}
_COUNTED = frozenset({"_?_:_", "_[_]", "_[?_]", *_RELATIONS.values(), *_SUMS.values(), *_PRODUCTS.values()})
_PREDICATE_MACROS = frozenset({"all", "exists", "exists_one", "filter"})
_OVER_PAIRS: dict[str, MacroName] = {
    "all": "all",
    "exists": "exists",
    "exists_one": "exists_one",
    "existsOne": "exists_one",
    "transformList": "transformList",
    "transformMap": "transformMap",
    "transformMapEntry": "transformMapEntry",
}
"""Names of macros with two variables, which must be enabled, and their names in the tree."""
_CONSTANTS = frozenset({"keyword", "int", "uint", "double", "string", "bytes"})
_HIDDEN = "__result__"  # the variable in which cel-go accumulates the result of a macro


class _Parser(TokenReader):
    def __init__(self, text: str, extensions: frozenset[str] | None) -> None:
        super().__init__(text, tokenize(text), "the expression")
        self.is_extended = extensions is not None
        self.extensions = extensions or frozenset()
        self.open = {"expression": 0, "relation": 0, "sum": 0}

    def is_next(self, *texts: str) -> bool:
        return self.token.kind in ("operator", "keyword") and self.token.text in texts

    def skip(self, text: str) -> bool:
        if self.is_next(text):
            self.at += 1
            return True
        return False

    def expect(self, text: str) -> Token:
        if not self.is_next(text):
            self.unexpected(repr(text))
        return self.take()

    def whole(self) -> Step[Node]:
        node: Node = yield self.expression()
        if self.token.kind != "end":
            self.unexpected("an operator or the end")
        if _depth(node) > MAX_DEPTH:
            self.fail(0, f"more than {MAX_DEPTH} operations stand in one another")
        return node

    def nested(self, rule: str, part: Step[Node]) -> Step[Node]:
        """Run ``part`` one level deeper in the grammar rule ``rule``, and refuse too many levels like cel-go."""
        self.open[rule] += 1
        if self.open[rule] > MAX_DEPTH:
            self.fail(self.token.offset, f"the expression nests deeper than {MAX_DEPTH}")
        node: Node = yield part
        self.open[rule] -= 1
        return node

    def expression(self) -> Step[Node]:
        return self.nested("expression", self.conditional())

    def conditional(self) -> Step[Node]:
        node: Node = yield self.disjunction()
        if not self.is_next("?"):
            return node
        offset = self.take().offset
        then = yield self.disjunction()
        self.expect(":")
        other = yield self.expression()
        return Call("_?_:_", None, (node, then, other), offset)

    def disjunction(self) -> Step[Node]:
        return self.joined("||", lambda: self.joined("&&", self.relation))

    def joined(self, operator: str, part: Callable[[], Step[Node]]) -> Step[Node]:
        first: Node = yield part()
        operands = [first]
        offset = self.token.offset
        while self.skip(operator):
            operands.append((yield part()))
        if len(operands) == 1:
            return first
        return Logic("||" if operator == "||" else "&&", tuple(operands), offset)

    def relation(self) -> Step[Node]:
        return self.nested("relation", self.binary(_RELATIONS, "relation", self.sum))

    def sum(self) -> Step[Node]:
        return self.nested("sum", self.binary(_SUMS, "sum", self.product))

    def product(self) -> Step[Node]:
        return self.binary(_PRODUCTS, "sum", self.unary)

    def binary(self, operators: Mapping[str, str], rule: str, operand: Callable[[], Step[Node]]) -> Step[Node]:
        """Parse operands joined by left-associative operators. ``operators`` has the function of each operator."""
        node: Node = yield operand()
        while self.is_next(*operators):
            token = self.take()
            right = yield self.nested(rule, operand())
            node = Call(operators[token.text], None, (node, right), token.offset)
        return node

    def unary(self) -> Step[Node]:
        if self.is_next("!"):
            return self.repeated("!", "!_")
        if self.is_next("-") and self.tokens[self.at + 1].kind not in ("int", "double"):
            return self.repeated("-", "-_")
        return self.member()

    def repeated(self, sign: str, function: str) -> Step[Node]:
        offset = self.token.offset
        count = 0
        while self.skip(sign):
            count += 1
        node: Node = yield self.member(signed=sign == "!")
        return Call(function, None, (node,), offset) if count % 2 else node

    def member(self, *, signed: bool = True) -> Step[Node]:
        node: Node = yield self.primary(signed=signed)
        while self.is_next(".", "["):
            node = yield (self.selection(node) if self.is_next(".") else self.index(node))
        return node

    def index(self, node: Node) -> Step[Node]:
        offset = self.take().offset
        is_optional = self.skip_question_mark("[?", self.token.offset)
        key = yield self.expression()
        self.expect("]")
        return Call("_[?_]" if is_optional else "_[_]", None, (node, key), offset)

    def skip_question_mark(self, sign: str, offset: int) -> bool:
        """Consume the next token if it is a question mark, and return whether it was. Messages quote ``sign``."""
        if not self.is_next("?"):
            return False
        if not self.is_extended:
            self.fail(offset, f"the optional syntax '{sign}' is not switched on")
        self.take()
        return True

    def selection(self, node: Node) -> Step[Node]:
        dot = self.take()
        is_optional = self.skip_question_mark(".?", dot.offset)
        name = self.take()
        if is_optional and name.kind in ("name", "quoted"):
            field = Literal("string", name.text.strip("`"), name.offset)
            return Call("_[?_]", None, (node, field), dot.offset)
        if name.kind == "quoted":
            return Select(node, name.text[1:-1], test=False, offset=dot.offset)
        if name.kind != "name":
            self.at -= name.kind != "end"
            self.unexpected("a field name")
        if not self.is_next("("):
            return Select(node, name.text, test=False, offset=dot.offset)
        args = yield self.arguments()
        if isinstance(node, Ident) and f"{node.name}.{name.text}" in self.extensions:
            return Call(f"{node.name}.{name.text}", None, args, name.offset)
        return self.macro(node, name, args) or Call(name.text, node, args, name.offset)

    def arguments(self) -> Step[tuple[Node, ...]]:
        self.expect("(")
        args: list[Node] = []
        while not self.is_next(")") or args:
            args.append((yield self.expression()))
            if not self.skip(","):
                break
        self.expect(")")
        return tuple(args)

    def macro(self, target: Node, name: Token, args: tuple[Node, ...]) -> Macro | None:
        if self.is_extended and name.text in _OVER_PAIRS:
            max_arguments = 4 if name.text.startswith("transform") else 3  # as in cel-go's ext.TwoVarComprehensions
            if 3 <= len(args) <= max_arguments:
                return self.macro_over_pairs(target, name, args)
        predicate = name.text in _PREDICATE_MACROS and len(args) == 2
        maybe = self.is_extended and name.text in ("optMap", "optFlatMap") and len(args) == 2
        if not (predicate or maybe) and not (name.text == "map" and len(args) in (2, 3)):
            return None
        variable = self.macro_variable(name, args[0], "first")
        if name.text == "map":
            condition = args[1] if len(args) == 3 else None
            return Macro("map", target, variable, condition, args[-1], name.offset)
        if maybe:
            return Macro(
                "optMap" if name.text == "optMap" else "optFlatMap", target, variable, None, args[1], name.offset
            )
        for macro_name in ("all", "exists", "exists_one", "filter"):
            if macro_name == name.text:
                return Macro(macro_name, target, variable, args[1], None, name.offset)
        return None

    def macro_over_pairs(self, target: Node, name: Token, args: tuple[Node, ...]) -> Macro:
        words = zip(args, ("first", "second"), strict=False)
        variables = [self.macro_variable(name, argument, word) for argument, word in words]
        if variables[0] == variables[1]:
            self.fail(args[1].offset, f"both variables of {name.text}() are called {variables[0]!r}")
        macro_name = _OVER_PAIRS[name.text]
        is_transform = macro_name.startswith("transform")
        condition = args[2] if len(args) == 4 or not is_transform else None
        transform = args[-1] if is_transform else None
        return Macro(macro_name, target, variables[0], condition, transform, name.offset, variables[1])

    def macro_variable(self, name: Token, argument: Node, which: str) -> str:
        if not isinstance(argument, Ident):
            self.fail(argument.offset, f"the {which} argument of {name.text}() must be a plain name")
        if argument.name == _HIDDEN:
            self.fail(argument.offset, f"{_HIDDEN!r} cannot be the variable of {name.text}()")
        return argument.name

    def primary(self, *, signed: bool) -> Step[Node]:
        token = self.token
        if token.kind == "name" or (self.is_next(".") and self.tokens[self.at + 1].kind == "name"):
            return self.name()
        if self.is_next("("):
            return self.bracketed()
        if self.is_next("["):
            return self.list_items()
        if self.is_next("{"):
            return self.map_items()
        if signed and self.is_next("-") and self.tokens[self.at + 1].kind in ("int", "double"):
            return ready(self.constant(negative=True))
        if token.kind not in _CONSTANTS or token.text == "in":
            self.unexpected("a value")
        return ready(self.constant(negative=False))

    def bracketed(self) -> Step[Node]:
        self.expect("(")
        node: Node = yield self.expression()
        self.expect(")")
        return node

    def constant(self, *, negative: bool) -> Literal:
        offset = self.token.offset
        self.at += negative
        token = self.take()
        try:
            return _literal(token, offset, negative=negative)
        except ValueError as error:
            self.fail(token.offset, str(error))

    def name(self) -> Step[Node]:
        first = self.token
        dot = "." if self.skip(".") else ""
        name = self.take()
        end = self.at
        while self.tokens[end].text == "." and self.tokens[end + 1].kind == "name":
            end += 2
        if self.tokens[end].kind == "operator" and self.tokens[end].text == "{":
            words = [token.text for token in self.tokens[self.at - 1 : end]]
            self.at = end
            node: Node = yield self.message(dot + "".join(words), first)
            return node
        if name.text in _RESERVED:
            self.fail(name.offset, f"{name.text!r} is a reserved word")
        if not self.is_next("("):
            return Ident(dot + name.text, first.offset)
        args = yield self.arguments()
        if name.text == "has" and not dot and len(args) == 1:
            return self.presence(args[0])
        return Call(dot + name.text, None, args, first.offset)

    def presence(self, argument: Node) -> Node:
        if not isinstance(argument, Select):
            self.fail(argument.offset, "has() takes a field selection such as has(a.b)")
        return Select(argument.operand, argument.field, test=True, offset=argument.offset)

    def list_items(self) -> Step[Node]:
        offset = self.take().offset
        items: list[Node] = []
        while not self.is_next("]", ","):
            self.refuse_optional()
            items.append((yield self.expression()))
            if not self.is_next(",") or self.tokens[self.at + 1].text == "]":
                break
            self.take()
            if self.is_next(","):
                self.unexpected("a value")
        self.skip(",")
        self.expect("]")
        return ListItems(tuple(items), offset)

    def map_items(self) -> Step[Node]:
        offset = self.take().offset
        entries: list[tuple[Node, Node]] = []
        while not self.is_next("}", ","):
            self.refuse_optional()
            key = yield self.expression()
            self.expect(":")
            entries.append((key, (yield self.expression())))
            if not self.is_next(",") or self.tokens[self.at + 1].text == "}":
                break
            self.take()
            if self.is_next(","):
                self.unexpected("a key")
        self.skip(",")
        self.expect("}")
        return MapItems(tuple(entries), offset)

    def message(self, name: str, first: Token) -> Step[Node]:
        self.expect("{")
        fields: list[tuple[str, Node, int]] = []
        while not self.is_next("}", ","):
            self.refuse_optional()
            field = self.take()
            if field.kind not in ("name", "quoted"):
                self.at -= field.kind != "end"
                self.unexpected("a field name")
            self.expect(":")
            fields.append((field.text.strip("`"), (yield self.expression()), field.offset))
            if not self.is_next(",") or self.tokens[self.at + 1].text == "}":
                break
            self.take()
            if self.is_next(","):
                self.unexpected("a field name")
        self.skip(",")
        self.expect("}")
        return Message(name, tuple(fields), first.offset)

    def refuse_optional(self) -> None:
        if self.is_next("?"):
            self.fail(self.token.offset, "the optional syntax '?' is not switched on")


def _literal(token: Token, offset: int, *, negative: bool) -> Literal:
    match token.kind:
        case "int":
            return Literal("int", literal.int_value(token.text, negative=negative), offset)
        case "uint":
            return Literal("uint", literal.uint_value(token.text), offset)
        case "double":
            return Literal("double", literal.double_value(token.text, negative=negative), offset)
        case "string":
            return Literal("string", literal.string_value(token.text), offset)
        case "bytes":
            return Literal("bytes", literal.bytes_value(token.text), offset)
        case _ if token.text == "null":
            return Literal("null", None, offset)
        case _:
            return Literal("bool", token.text == "true", offset)


def _depth(root: Node) -> int:
    """Return the depth of nested operations, counted like cel-go when it builds its tree."""
    deepest = 0
    waiting = [(root, 0)]
    while waiting:
        node, depth = waiting.pop()
        depth += _is_counted(node)
        deepest = max(deepest, depth)
        waiting += [(child, depth) for child in children(node)]
    return deepest


def _is_counted(node: Node) -> bool:
    match node:
        case Select() | Macro():
            return True
        case Call(function=function, target=target):
            return target is not None or function in _COUNTED
        case _:
            return False


@entry
def parse(text: str, extensions: frozenset[str] | None = None) -> Step[Node]:
    """Return the tree of an expression. Calls of macros become ``Macro`` nodes.

    Args:
        extensions: The functions whose names contain a dot. ``None`` disables the optional syntax and macros with two
            variables.

    Raises:
        FaultError: cel-go would refuse the text too. The fault is at the first wrong token.
    """
    node: Node = yield _Parser(text, extensions).whole()
    return node
