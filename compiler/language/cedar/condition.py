"""Parser of policy conditions, after ``when`` and ``unless``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ..trampoline import Step, ready
from .expression import (
    Attribute,
    Constant,
    Entity,
    ExtensionCall,
    Is,
    Like,
    Name,
    Operation,
    PolicyCondition,
    Record,
    Set,
)
from .function import CORE_METHODS, FUNCTIONS, METHODS
from .lexer import pattern_value
from .reader import PolicyReader
from .syntax import EntityId

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..token import Token
    from .expression import Node, Variable

_VARIABLES: dict[str, Variable] = {
    "principal": "principal",
    "action": "action",
    "resource": "resource",
    "context": "context",
}
_RELATIONS = frozenset({"<", "<=", ">", ">=", "==", "!=", "in"})
_LARGEST = (1 << 63) - 1
"""The largest integer of Cedar, which has 64 bits."""


def read_conditions(reader: PolicyReader) -> Step[tuple[PolicyCondition, ...]]:
    """Return the conditions that start at the next token of ``reader``, and consume them.

    Raises:
        FaultError: cedar-go refuses a condition. The fault is at the first unexpected token.
    """
    parser = _ConditionParser(reader)
    conditions: list[PolicyCondition] = []
    while parser.token.text in ("when", "unless"):
        kind: Literal["when", "unless"] = "when" if parser.take().text == "when" else "unless"
        parser.expect("{")
        conditions.append(PolicyCondition(kind, (yield parser.expression())))
        parser.expect("}")
    reader.at = parser.at
    return tuple(conditions)


class _ConditionParser(PolicyReader):
    def __init__(self, reader: PolicyReader) -> None:
        super().__init__(reader.text, reader.tokens, reader.subject)
        self.at = reader.at

    def expression(self) -> Step[Node]:
        if self.token.text != "if":
            return self.chain("||", lambda: self.chain("&&", self.relation))
        return self.conditional()

    def conditional(self) -> Step[Node]:
        self.expect("if")
        condition: Node = yield self.expression()
        self.expect("then")
        then: Node = yield self.expression()
        self.expect("else")
        other: Node = yield self.expression()
        return Operation("if", (condition, then, other))

    def chain(self, operator: str, operand: Callable[[], Step[Node]]) -> Step[Node]:
        node: Node = yield operand()
        operands = [node]
        while self.skip(operator):
            operands.append((yield operand()))
        return node if len(operands) == 1 else Operation(operator, tuple(operands))

    def relation(self) -> Step[Node]:
        left: Node = yield self.sum()
        if self.skip("has"):
            return self.presence(left)
        if self.skip("like"):
            return self.like(left)
        if self.skip("is"):
            path = self.path()
            within: Node | None = (yield self.sum()) if self.skip("in") else None
            return Is(left, path, within)
        if self.token.text not in _RELATIONS:
            return left
        operator = self.take().text
        right: Node = yield self.sum()
        return Operation(operator, (left, right))

    def presence(self, left: Node) -> Node:
        offset = self.token.offset
        if self.token.kind == "string":
            return Attribute(left, self.string("a name"), test=True, offset=offset)
        name = self.name("an attribute")
        tests: list[Node] = [Attribute(left, name, test=True, offset=offset)]
        while self.skip("."):
            left = Attribute(left, name, test=False, offset=offset)
            offset = self.token.offset
            name = self.name("an attribute")
            tests.append(Attribute(left, name, test=True, offset=offset))
        return tests[0] if len(tests) == 1 else Operation("&&", tuple(tests))

    def like(self, left: Node) -> Node:
        token = self.token
        if token.kind != "string":
            self.unexpected("a pattern")
        self.take()
        try:
            return Like(left, pattern_value(token.text))
        except ValueError as error:
            self.fail(token.offset, str(error))

    def sum(self) -> Step[Node]:
        node: Node = yield self.product()
        while self.token.text in ("+", "-"):
            operator = self.take().text
            right: Node = yield self.product()
            node = Operation(operator, (node, right))
        return node

    def product(self) -> Step[Node]:
        node: Node = yield self.unary()
        while self.skip("*"):
            right: Node = yield self.unary()
            node = Operation("*", (node, right))
        return node

    def unary(self) -> Step[Node]:
        signs: list[str] = []
        while self.token.text in ("-", "!"):
            signs.append(self.take().text)
        if signs and signs[-1] == "-" and self.token.kind == "int":
            signs.pop()
            node: Node = self.integer(negative=True)
        else:
            node = yield self.member()
        for sign in reversed(signs):
            node = Operation("neg" if sign == "-" else "!", (node,))
        return node

    def integer(self, *, negative: bool) -> Constant:
        token = self.take()
        digits = token.text.lstrip("0") or "0"
        # More digits never fit into 64 bits, and Python refuses to parse thousands.
        value = int(digits) if len(digits) < 20 else _LARGEST + 2
        if value > _LARGEST + negative:
            self.fail(token.offset, f"{token.text} does not fit into 64 bits")
        return Constant(-value if negative else value)

    def member(self) -> Step[Node]:
        node: Node = yield self.primary()
        while self.token.text in (".", "["):
            if self.skip("["):
                offset = self.token.offset
                node = Attribute(node, self.string("an attribute in quotes"), test=False, offset=offset)
                self.expect("]")
                continue
            self.expect(".")
            name = self.token
            self.name("an attribute")
            if self.token.text == "(":
                node = yield self.method(node, name)
            else:
                node = Attribute(node, name.text, test=False, offset=name.offset)
        return node

    def method(self, receiver: Node, name: Token) -> Step[Node]:
        self.expect("(")
        args = yield self.items(")")
        if name.text in CORE_METHODS:
            wanted = CORE_METHODS[name.text]
            if len(args) != wanted:
                self.fail(name.offset, f"{name.text}() takes {'one argument' if wanted else 'no arguments'}")
        elif name.text in FUNCTIONS:
            self.fail(name.offset, f"{name.text}() is a function and has no receiver")
        elif name.text not in METHODS:
            self.fail(name.offset, f"there is no method {name.text}()")
        return ExtensionCall(name.text, (receiver, *args), method=True)

    def primary(self) -> Step[Node]:
        token = self.token
        if token.kind == "int":
            return ready(self.integer(negative=False))
        if token.kind == "string":
            return ready(Constant(self.string("a string")))
        if token.text in ("true", "false"):
            return ready(Constant(self.take().text == "true"))
        if token.kind == "name":
            return self.named()
        if self.skip("("):
            return self.bracketed()
        if self.skip("["):
            return self.set()
        if not self.skip("{"):
            self.unexpected("a value")
        return self.record()

    def bracketed(self) -> Step[Node]:
        node: Node = yield self.expression()
        self.expect(")")
        return node

    def named(self) -> Step[Node]:
        """Parse a variable, an entity or a call, depending on the token after the first name."""
        first = self.take()
        if self.token.text not in ("::", "("):
            if first.text not in _VARIABLES:
                variables = ", ".join(_VARIABLES)
                self.fail(first.offset, f"{first.text!r} is not one of {variables}; a string needs quotes")
            return Name(_VARIABLES[first.text])
        words = [first.text]
        while self.skip("::"):
            if self.token.kind == "string":
                return Entity(EntityId("::".join(words), self.string("an id"), first.offset))
            words.append(self.name("a name or a string"))
        name = "::".join(words)
        if self.token.text != "(":
            self.unexpected("'::' or '('")
        if name not in FUNCTIONS:
            kind = "is a method and needs a receiver" if name in METHODS else "is not a function"
            self.fail(first.offset, f"{name}() {kind}")
        self.expect("(")
        args = yield self.items(")")
        return ExtensionCall(name, args, method=False)

    def items(self, closing: str) -> Step[tuple[Node, ...]]:
        nodes: list[Node] = []
        while not self.skip(closing):
            nodes.append((yield self.expression()))
            if self.token.text != closing:
                self.expect(",")
        return tuple(nodes)

    def set(self) -> Step[Node]:
        items = yield self.items("]")
        return Set(items)

    def record(self) -> Step[Node]:
        members: dict[str, Node] = {}
        while not self.skip("}"):
            offset = self.token.offset
            key = self.string("a key") if self.token.kind == "string" else self.name("a key")
            self.expect(":")
            value: Node = yield self.expression()
            if key in members:
                self.fail(offset, f"the key {key!r} stands twice")
            members[key] = value
            if self.token.text != "}":
                self.expect(",")
        return Record(tuple(members.items()))
