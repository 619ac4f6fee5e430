"""Parse the inside of an action: pipelines, commands and terms.

The parser does not recurse, since Go accepts ten thousand nested parentheses.

Source: Go 1.26 text/template/parse.
"""

from __future__ import annotations

from typing import Final

from ...golang.strconv import quote
from . import node as tree
from .constant import ConstantError, complex_number, number, unquote, unquote_rune
from .node import Chain, Command, Identifier, Pipe, Term, VariableNode
from .token import OPERANDS, TemplateToken, TokenKind

_MAX_PARENTHESES: Final = 10_000
"""Go's limit of nested parentheses (``maxStackDepth`` of text/template/parse)."""
_NOT_EXECUTABLE: Final = (tree.Bool, tree.Dot, tree.Nil, tree.Number, tree.String)


class Stop(Exception):  # noqa: N818 - it ends the parse; the fault is data
    """Stops the parser at a fault. ``offset`` and ``message`` describe the fault."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset
        self.message = message


class _OpenPipe:
    """A pipeline that is not parsed to its end. ``terms`` are those of the command that is being parsed."""

    def __init__(self, what: str, end: TokenKind, offset: int) -> None:
        self.what = what
        self.end = end
        self.offset = offset
        self.variables: list[str] = []
        self.assigns = False
        self.commands: list[Command] = []
        self.terms: list[Term] = []
        self.start = 0


class VariableScope:
    """The declared variables, in the order of their declaration."""

    def __init__(self) -> None:
        self._names = ["$"]
        self._count = {"$": 1}

    def __contains__(self, name: str) -> bool:
        return self._count.get(name, 0) > 0

    def __len__(self) -> int:
        return len(self._names)

    def declare(self, name: str) -> None:
        """Add a variable. It may hide another of the same name."""
        self._names.append(name)
        self._count[name] = self._count.get(name, 0) + 1

    def forget(self, length: int) -> None:
        """Remove all but the first ``length`` declarations."""
        while len(self._names) > length:
            self._count[self._names.pop()] -= 1


class ExpressionParser:
    """Parses pipelines, and keeps track of declared variables. Its methods raise `Stop` at a fault."""

    def __init__(self, tokens: list[TemplateToken]) -> None:
        self.tokens = tokens
        self.at = 0
        self.taken = 0
        self.scope = VariableScope()

    # Tokens.

    def next_word(self) -> TemplateToken:
        """Return the next token that is not a space, and consume it."""
        self.skip_space()
        return self.next_token()

    def next_token(self) -> TemplateToken:
        """Return the next token and consume it. The last token is never consumed."""
        token = self.tokens[self.at]
        self.taken = self.at
        if self.at < len(self.tokens) - 1:
            self.at += 1
        return token

    def back(self) -> None:
        """Make the token that was consumed last the next token again."""
        self.at = self.taken

    def skip_space(self) -> None:
        """Consume space tokens up to the next other token."""
        while self.tokens[self.at].kind is TokenKind.SPACE:
            self.at += 1

    def peek(self) -> TemplateToken:
        """Return the next token without consuming it."""
        return self.tokens[self.at]

    def expect(self, kind: TokenKind, what: str) -> TemplateToken:
        """Consume and return the next token that is not a space, which must be of ``kind``.

        Messages name ``what``, the construct that contains the token.
        """
        token = self.next_word()
        if token.kind is not kind:
            raise self.unexpected(token, what)
        return token

    def unexpected(self, token: TemplateToken, what: str) -> Stop:
        """Return the exception for an unexpected token in the construct that ``what`` names."""
        if token.kind is TokenKind.ERROR:
            return Stop(token.offset, token.text)
        if token.kind is TokenKind.EOF:
            return Stop(token.offset, f"the template ends inside {what}")
        return Stop(token.offset, f"unexpected {quote(token.text)} in {what}")

    def string(self, token: TemplateToken) -> str:
        """Return the value of a string token."""
        try:
            return unquote(token.text)
        except ConstantError as fault:
            raise Stop(token.offset, str(fault)) from None

    # Pipelines.

    def pipeline(self, what: str, end: TokenKind) -> Pipe:
        """Parse a pipeline up to and including the token ``end``. ``what`` names the pipeline in messages."""
        stack: list[_OpenPipe] = []
        current = self._open(what, end)
        while True:
            token = self.next_word()
            if token.kind is current.end:
                closed = self._close(current)
                if not stack:
                    return closed
                current = stack.pop()
                current.terms.append(self._chained(closed))
                opened = self._terms(current, after_term=True)
            elif token.kind in OPERANDS:
                self.back()
                current.start = token.offset
                opened = self._terms(current, after_term=False)
            else:
                raise self.unexpected(token, current.what)
            if opened is not None:
                if len(stack) >= _MAX_PARENTHESES:
                    raise Stop(opened.offset, "parentheses are nested too deeply")
                stack.append(current)
                current = self._open("the parentheses", TokenKind.CLOSE)

    def _open(self, what: str, end: TokenKind) -> _OpenPipe:
        self.skip_space()
        opened = _OpenPipe(what, end, self.peek().offset)
        while (variable := self.peek()).kind is TokenKind.VARIABLE:
            start = self.at
            self.at += 1
            self.skip_space()
            token = self.peek()
            if token.kind in (TokenKind.ASSIGN, TokenKind.DECLARE):
                self.at += 1
                opened.assigns = token.kind is TokenKind.ASSIGN
                self._declare(opened, variable)
                return opened
            if token.kind is not TokenKind.CHAR or token.text != ",":
                self.at = start
                return opened
            self.at += 1
            self._declare(opened, variable)
            self.skip_space()
            if what != "range" or len(opened.variables) > 1:
                raise Stop(variable.offset, f"too many variables are declared in {what}")
            if self.peek().kind not in (TokenKind.VARIABLE, TokenKind.RIGHT, TokenKind.CLOSE):
                raise self.unexpected(self.peek(), "the variables of range")
        return opened

    def _declare(self, opened: _OpenPipe, variable: TemplateToken) -> None:
        opened.variables.append(variable.text)
        self.scope.declare(variable.text)

    def _close(self, opened: _OpenPipe) -> Pipe:
        if not opened.commands:
            raise Stop(opened.offset, f"{opened.what} has no value")
        for command in opened.commands[1:]:
            if isinstance(command.terms[0], _NOT_EXECUTABLE):
                raise Stop(command.offset, "a constant cannot take the value of the pipeline before it")
        return Pipe(opened.offset, tuple(opened.variables), tuple(opened.commands), assigns=opened.assigns)

    def _terms(self, current: _OpenPipe, *, after_term: bool) -> TemplateToken | None:
        """Parse terms of the last command of ``current``, up to an opening parenthesis or the end of the command.

        Return the token of the parenthesis, or ``None`` at the end of the command. ``after_term`` is true if the parser
        is directly after a term, such as a closing parenthesis.
        """
        while True:
            if not after_term:
                self.skip_space()
                token = self.peek()
                if token.kind is TokenKind.OPEN:
                    self.at += 1
                    return token
                if token.kind in OPERANDS:
                    self.at += 1
                    current.terms.append(self._chained(self._term(token)))
            after_term = False
            token = self.next_token()
            if token.kind is TokenKind.SPACE:
                continue
            if token.kind in (TokenKind.RIGHT, TokenKind.CLOSE):
                self.back()
            elif token.kind is not TokenKind.PIPE:
                raise self.unexpected(token, "the arguments")
            current.commands.append(Command(current.start, tuple(current.terms)))
            current.terms = []
            return None

    # Terms.

    def _term(self, token: TemplateToken) -> Term:
        offset, text = token.offset, token.text
        match token.kind:
            case TokenKind.IDENTIFIER:
                from .function import FUNCTIONS

                if text not in FUNCTIONS:
                    raise Stop(offset, f"there is no function {quote(text)}")
                return Identifier(offset, text)
            case TokenKind.DOT:
                return tree.Dot(offset)
            case TokenKind.NIL:
                return tree.Nil(offset)
            case TokenKind.VARIABLE:
                if text not in self.scope:
                    raise Stop(offset, f"the variable {text} is not declared")
                return VariableNode(offset, text, ())
            case TokenKind.FIELD:
                return tree.FieldNode(offset, (text[1:],))
            case TokenKind.BOOL:
                return tree.Bool(offset, text == "true")
            case TokenKind.STRING | TokenKind.RAW_STRING:
                return tree.String(offset, self.string(token))
        try:
            return tree.Number(offset, _number(token))
        except ConstantError as fault:
            raise Stop(offset, str(fault)) from None

    def _chained(self, term: Term) -> Term:
        """Return ``term`` combined with the fields that directly follow it, as in ``$x.a.b``."""
        names: list[str] = []
        first = self.peek().offset
        while self.peek().kind is TokenKind.FIELD:
            names.append(self.next_token().text[1:])
        if not names:
            return term
        if isinstance(term, tree.FieldNode):
            return tree.FieldNode(term.offset, (*term.names, *names))
        if isinstance(term, VariableNode):
            return VariableNode(term.offset, term.name, tuple(names))
        if isinstance(term, (Identifier, Pipe)):
            return Chain(term.offset, term, tuple(names))
        raise Stop(first, f"{quote(self.tokens[self.at - 1].text)} cannot be looked up in a constant")


def _number(token: TemplateToken) -> int | float | complex | None:
    if token.kind is TokenKind.RUNE:
        return unquote_rune(token.text)
    return complex_number(token.text) if token.kind is TokenKind.COMPLEX else number(token.text)
