"""Parser that accepts exactly the templates that Go's text/template accepts.

Source: Go 1.26 text/template/parse.
"""

from __future__ import annotations

from typing import Final

from ...diagnostics.budget import cache_by_text
from ...diagnostics.fault import Flaw
from ...golang.strconv import quote
from . import node as tree
from .expression import ExpressionParser, Stop, VariableScope
from .lexer import lex
from .node import If, Node, Pipe, Range, Template, TemplateCall, Text, With
from .token import TemplateToken, TokenKind

_CONTROLS: Final = {TokenKind.IF: "if", TokenKind.WITH: "with", TokenKind.RANGE: "range"}


def parse(text: str, *, name: str = "expand") -> Template | Flaw:
    """Return the parsed template, or a fault if Go does not accept ``text``.

    Args:
        name: Name with which the template can call itself. A ``{{define}}`` may not have the same name.
    """
    return _parse(text, name)


@cache_by_text(4096)  # projects repeat templates, and several rules read the same template
def _parse(text: str, name: str) -> Template | Flaw:
    parser = _TemplateParser(lex(text))
    try:
        return parser.run(text, name)
    except Stop as stop:
        return Flaw((), "syntax", stop.message, offset=stop.offset)


class _Block:
    """An open block: a control structure, a definition, or the template itself.

    Attributes:
        kind: ``if``, ``with``, ``range``, ``define``, ``block``, or empty for the template itself.
        chained: True for the ``if`` of an ``else if``, which the ``end`` of the outer ``if`` closes too.
        scope: Variables of the text around the block.
        declared: Number of variables that were declared before the block.
        ranges: Number of ``range`` blocks that are open around a definition.
    """

    def __init__(  # noqa: PLR0913 - each is a fact of its own
        self,
        kind: str,
        offset: int,
        *,
        scope: VariableScope,
        name: str = "",
        chained: bool = False,
        declared: int = 0,
        ranges: int = 0,
    ) -> None:
        self.kind = kind
        self.offset = offset
        self.pipe: Pipe | None = None
        self.name = name
        self.chained = chained
        self.scope = scope
        self.declared = declared
        self.ranges = ranges
        self.nodes: list[Node] = []
        self.body: tuple[Node, ...] | None = None


class _TemplateParser(ExpressionParser):
    def __init__(self, tokens: list[TemplateToken]) -> None:
        super().__init__(tokens)
        self.ranges = 0
        self.open: list[_Block] = [_Block("", 0, scope=self.scope)]
        self.defined: dict[str, tuple[Node, ...]] = {}

    def run(self, text: str, name: str) -> Template:
        while (token := self.next_word()).kind is not TokenKind.EOF:
            if token.kind is TokenKind.TEXT:
                self.open[-1].nodes.append(Text(token.offset, token.text))
            elif token.kind is TokenKind.LEFT:
                self._action(token)
            else:
                raise self.unexpected(token, "the template")
        if len(self.open) > 1:
            block = self.open[-1]
            raise Stop(block.offset, f"{{{{{block.kind}}}}} has no {{{{end}}}}")
        nodes = tuple(self.open[0].nodes)
        self._define(name, nodes, len(text))
        nodes = self.defined.pop(name)
        return Template(text, name, nodes, self.defined)

    def _action(self, left: TemplateToken) -> None:
        token = self.next_word()
        if token.kind in _CONTROLS:
            self._open_control(_CONTROLS[token.kind], left.offset, chained=False)
        elif token.kind is TokenKind.END:
            self.expect(TokenKind.RIGHT, "{{end}}")
            self._end(left)
        elif token.kind is TokenKind.ELSE:
            self._else(left)
        elif token.kind is TokenKind.TEMPLATE:
            self._call(token)
        elif token.kind is TokenKind.BLOCK:
            self._open_block(token)
        elif token.kind is TokenKind.DEFINE and len(self.open) == 1:
            self._open_define(token)
        elif token.kind in (TokenKind.BREAK, TokenKind.CONTINUE):
            self._leave(token)
        else:
            self.back()
            pipe = self.pipeline("the action", TokenKind.RIGHT)
            self.open[-1].nodes.append(tree.ActionNode(pipe.offset, pipe))

    def _leave(self, token: TemplateToken) -> None:
        self.expect(TokenKind.RIGHT, f"{{{{{token.text}}}}}")
        if not self.ranges:
            raise Stop(token.offset, f"{{{{{token.text}}}}} stands outside of a {{{{range}}}}")
        leave = tree.Break if token.kind is TokenKind.BREAK else tree.Continue
        self.open[-1].nodes.append(leave(token.offset))

    # Control structures.

    def _open_control(self, kind: str, offset: int, *, chained: bool) -> None:
        block = _Block(kind, offset, chained=chained, scope=self.scope, declared=len(self.scope))
        block.pipe = self.pipeline(kind, TokenKind.RIGHT)
        if kind == "range":
            self.ranges += 1
        self.open.append(block)

    def _else(self, left: TemplateToken) -> None:
        token = self.next_word()
        block = self.open[-1]
        if block.kind not in ("if", "with", "range") or block.body is not None:
            raise Stop(left.offset, "{{else}} stands where none may stand")
        block.body = tuple(block.nodes)
        block.nodes = []
        if block.kind == "range":
            self.ranges -= 1
        if token.kind in _CONTROLS and _CONTROLS[token.kind] == block.kind != "range":
            self._open_control(block.kind, token.offset, chained=True)
        elif token.kind is not TokenKind.RIGHT:
            raise self.unexpected(token, f"the {{{{else}}}} of {{{{{block.kind}}}}}")

    def _end(self, left: TemplateToken) -> None:
        while True:
            block = self.open.pop()
            if block.kind == "":
                raise Stop(left.offset, "{{end}} closes nothing")
            if block.kind in ("define", "block"):
                self._close_definition(block)
            else:
                self._close_control(block)
            if not block.chained:
                return

    def _close_control(self, block: _Block) -> None:
        assert block.pipe is not None
        nodes = tuple(block.nodes)
        body, otherwise = (nodes, ()) if block.body is None else (block.body, nodes)
        if block.kind == "range" and block.body is None:
            self.ranges -= 1
        self.scope.forget(block.declared)
        offset, pipe = block.pipe.offset, block.pipe
        if block.kind == "if":
            node: Node = If(offset, pipe, body, otherwise)
        elif block.kind == "with":
            node = With(offset, pipe, body, otherwise)
        else:
            node = Range(offset, pipe, body, otherwise)
        self.open[-1].nodes.append(node)

    # Definitions.

    def _name(self, what: str) -> TemplateToken:
        token = self.next_word()
        if token.kind not in (TokenKind.STRING, TokenKind.RAW_STRING):
            raise self.unexpected(token, what)
        return token

    def _call(self, token: TemplateToken) -> None:
        name = self.string(self._name("{{template}}"))
        pipe = None
        if self.next_word().kind is not TokenKind.RIGHT:
            self.back()
            pipe = self.pipeline("{{template}}", TokenKind.RIGHT)
        self.open[-1].nodes.append(TemplateCall(token.offset, name, pipe))

    def _open_block(self, token: TemplateToken) -> None:
        name = self.string(self._name("{{block}}"))
        pipe = self.pipeline("{{block}}", TokenKind.RIGHT)
        self.open[-1].nodes.append(TemplateCall(token.offset, name, pipe))
        self._open_definition("block", token.offset, name)

    def _open_define(self, token: TemplateToken) -> None:
        name = self.string(self._name("{{define}}"))
        self.expect(TokenKind.RIGHT, "{{define}}")
        self._open_definition("define", token.offset, name)

    def _open_definition(self, kind: str, offset: int, name: str) -> None:
        block = _Block(kind, offset, name=name, scope=self.scope, ranges=self.ranges)
        self.open.append(block)
        self.scope = VariableScope()
        self.ranges = 0

    def _close_definition(self, block: _Block) -> None:
        self.scope, self.ranges = block.scope, block.ranges
        self._define(block.name, tuple(block.nodes), block.offset)

    def _define(self, name: str, nodes: tuple[Node, ...], offset: int) -> None:
        earlier = self.defined.get(name)
        if earlier is None or _is_blank(earlier):
            self.defined[name] = nodes
        elif not _is_blank(nodes):
            raise Stop(offset, f"the template {quote(name)} is defined twice")


def _is_blank(nodes: tuple[Node, ...]) -> bool:
    return all(isinstance(node, Text) and not node.text.strip() for node in nodes)
