"""The small faults that can be put into a module, each by one edit of its text."""

from __future__ import annotations

import ast
import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

COMPARISONS = {
    ">": ">=",
    ">=": ">",
    "<": "<=",
    "<=": "<",
    "==": "!=",
    "!=": "==",
    "in": "not in",
    "not in": "in",
    "is": "is not",
    "is not": "is",
}
COMPARISON = re.compile(rb"not\s+in\b|is\s+not\b|\bin\b|\bis\b|[=!<>]=|[<>]")
JUNCTION = re.compile(rb"\b(and|or)\b")
PROSE = {"cure", "doc", "example", "flagged", "help", "source", "title", "why"}
"""Arguments that hold pages of the documentation: texts no less than docstrings are."""
Edit: TypeAlias = tuple[str, int, int, bytes]
"""Operator, start, end and new text."""
SAID_AGAIN = (b"strict=", b"total=")
"""Arguments that say what holds already, in `zip` and `TypedDict`."""
TYPING = {"Annotated", "Literal", "NewType", "ParamSpec", "TypeVar", "cast", "dataclass"}


class Mutant(NamedTuple):
    """One edit.

    Attributes:
        path: Of the module, from the root of the repository.
        function: The innermost function or class around it, "" at the level of the module.
        first: The first line of the statement around it, from 1: a line within one need not count as executed.
        line: Where it begins, from 1.
        operator: What kind of fault it is.
        change: The old text and the new one, on one line.
        start: Offset in bytes of the text that is replaced.
        end: Where that ends.
        text: What stands there instead.
        repeat: Which one it is of those in the function with the same change, from 1.
    """

    path: str
    function: str
    first: int
    line: int
    operator: str
    change: str
    start: int
    end: int
    text: bytes
    repeat: int = 1

    @property
    def identity(self) -> tuple[str, str, str]:
        """What names it in the list of survivors: no line number, which any other change would move."""
        again = f" ({self.repeat})" if self.repeat > 1 else ""
        return self.path, self.function, f"{self.change}{again}"

    def applied(self, source: bytes) -> bytes:
        """Return the module with the fault in it."""
        return source[: self.start] + self.text + source[self.end :]


def mutants(source: bytes, path: str) -> list[Mutant]:
    """Return the edits of a module; not all of them need be another program than before (`is_sound`)."""
    found = []
    seen: Counter[tuple[str, str]] = Counter()
    for one in _Finder(path, source).of(ast.parse(source)):
        seen[one.function, one.change] += 1
        found.append(one._replace(repeat=seen[one.function, one.change]))
    return found


def is_sound(mutant: Mutant, source: bytes) -> bool:
    """Return whether a module with the fault in it is Python still, and another program than before."""
    before, behind = source[: mutant.start], source[mutant.start :].lstrip(b", ")
    if before.endswith(SAID_AGAIN) or behind.startswith(SAID_AGAIN) or mutant.change == "False → None":
        return False
    after = mutant.applied(source)
    try:
        compile(after, mutant.path, "exec")
    except SyntaxError:
        return False
    return ast.dump(ast.parse(after)) != ast.dump(ast.parse(source))


class _Finder:
    def __init__(self, path: str, source: bytes) -> None:
        self._path = path
        self._source = source
        starts = [0]
        for line in source.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        self._starts = starts

    def of(self, node: ast.AST, function: str = "", first: int = 1) -> Iterator[Mutant]:
        """Yield the mutants of a node and of all below it."""
        if _is_declaration(node):
            return
        first = node.lineno if isinstance(node, ast.stmt) else first
        if isinstance(node, ast.expr | ast.stmt | ast.keyword):
            for operator, start, end, text in self._edits(node):
                change = " → ".join(_line(one) for one in (self._source[start:end], text))
                line = self._source.count(b"\n", 0, start) + 1
                yield Mutant(self._path, function, first, line, operator, change, start, end, text)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            function = f"{function}.{node.name}" if function else node.name
        for child in _children(node):
            yield from self.of(child, function, first)

    def _edits(self, node: ast.expr | ast.stmt | ast.keyword) -> Iterator[Edit]:
        if isinstance(node, ast.expr):
            yield from self._of_decision(node)
            yield from self._of_members(node)
        match node:
            case ast.Constant():
                for text in _constants(node.value):
                    yield ("string" if isinstance(node.value, str | bytes) else "constant"), *self._span(node), text
            case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
                yield "return", *self._span(value), b"None"
            case ast.If(test=test) | ast.IfExp(test=test):
                for word in (b"True", b"False"):
                    yield "branch", *self._span(test), word
            case ast.Continue():
                yield "loop", *self._span(node), b"break"
            case ast.Break():
                yield "loop", *self._span(node), b"continue"

    def _of_decision(self, node: ast.expr) -> Iterator[Edit]:
        match node:
            case ast.Compare():
                for left, right in zip([node.left, *node.comparators], node.comparators, strict=False):
                    yield from self._word("comparison", COMPARISON, left, right)
            case ast.BoolOp():
                for left, right in zip(node.values, node.values[1:], strict=False):
                    yield from self._word("and, or", JUNCTION, left, right)
            case ast.UnaryOp(op=ast.Not()):
                yield "not", self._start(node), self._start(node) + len("not "), b""

    def _of_members(self, node: ast.expr) -> Iterator[Edit]:
        match node:
            case ast.Call():
                given = sorted([*node.args, *node.keywords], key=self._start)
                if node.keywords or len(node.args) > 1:
                    yield from self._dropped("argument", [(one, one) for one in given])
            case ast.Set(elts=members) | ast.List(elts=members) | ast.Tuple(elts=members):
                if len(members) > 1 and all(isinstance(one, ast.Constant | ast.Name) for one in members):
                    yield from self._dropped("member", [(one, one) for one in members])
            case ast.Dict(keys=keys, values=values) if len(keys) > 1 and all(keys):
                yield from self._dropped("member", [(k, v) for k, v in zip(keys, values, strict=True) if k])

    def _word(self, operator: str, pattern: re.Pattern[bytes], left: ast.expr, right: ast.expr) -> Iterator[Edit]:
        base = self._span(left)[1]
        if found := pattern.search(self._source[base : self._start(right)]):
            old = " ".join(found[0].decode().split())
            new = COMPARISONS.get(old) or {"and": "or", "or": "and"}[old]
            yield operator, base + found.start(), base + found.end(), new.encode()

    def _dropped(self, operator: str, members: list[tuple[ast.AST, ast.AST]]) -> Iterator[Edit]:
        for number, (first, last) in enumerate(members):
            start, end = self._start(first), self._span(last)[1]
            if number:
                start = self._span(members[number - 1][1])[1]
            elif len(members) > 1:
                end = self._start(members[1][0])
            yield operator, start, end, b""

    def _start(self, node: ast.AST) -> int:
        return self._span(node)[0]

    def _span(self, node: ast.AST) -> tuple[int, int]:
        at: ast.expr = node  # type: ignore[assignment]  # all that have places have these attributes
        end = self._starts[(at.end_lineno or 1) - 1] + (at.end_col_offset or 0)
        return self._starts[at.lineno - 1] + at.col_offset, end


def _constants(value: object) -> list[bytes]:
    if isinstance(value, bool):
        return [repr(not value).encode()]
    if isinstance(value, int):
        return [repr(value + 1).encode(), repr(value - 1).encode()]
    if isinstance(value, str):
        return [repr(f"{value}~").encode()]
    return [repr(value + b"~").encode()] if isinstance(value, bytes) else []


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what is below a node and runs: no docstring, annotation or page, and no part of an f-string."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "type_comment") or isinstance(node, ast.JoinedStr):
            continue
        for child in value if isinstance(value, list) else [value]:
            is_text = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
            if isinstance(child, ast.AST) and not is_text:
                yield child


def _is_declaration(node: ast.AST) -> bool:
    """Return whether a node speaks to the type checker or the reader alone."""
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Call(func=ast.Name(id=name)) | ast.Subscript(value=ast.Name(id=name)):
            return name in TYPING
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name in ("__slots__", "__all__")
        case ast.keyword(arg=str(name), value=ast.Constant()):
            return name in PROSE
    return False


def _line(text: bytes) -> str:
    """Return a text on one line, cut where it is long."""
    shown = " ".join(text.decode("utf-8", "replace").split())
    return shown if len(shown) < 80 else f"{shown[:50]}…{shown[-25:]}"
