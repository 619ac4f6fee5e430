"""A module with a probe in the place of each mutant: it records which test comes there, and computes the same."""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mutant import Mutant

HIT = '__import__("mutation_probe").hit'


def probed(source: bytes, mutants: dict[int, Mutant]) -> bytes:
    """Return a module with probes, each of which records the numbers of the mutants in its place."""
    lines = source.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    tree = ast.parse(source)
    places = defaultdict(list)
    for number, mutant in mutants.items():
        node = _place(tree, mutant, starts)
        places[_span(node, starts), isinstance(node, ast.stmt)].append(number)
    edits = []
    # Of places that begin together the wider opens first, of those that end together it closes last.
    for (span, is_statement), numbers in places.items():
        call = f"{HIT}({', '.join(map(str, numbers))})"
        wide = span[1] - span[0]
        edits.append((span[0], 1, -wide, f"{call}; " if is_statement else f"({call} or ("))
        if not is_statement:
            edits.append((span[1], 0, wide, "))"))
    for at, _, _, text in sorted(edits, reverse=True):
        source = source[:at] + text.encode() + source[at:]
    return source


def _place(tree: ast.Module, mutant: Mutant, starts: list[int]) -> ast.AST:
    """Return the smallest expression around a mutant that a probe can stand in, or else the statement."""
    node: ast.AST = tree
    place: ast.AST = tree
    while True:
        inner = next((one for one in _below(node) if _holds(one, mutant, starts)), None)
        if inner is None or isinstance(inner, ast.pattern):
            return place
        place, node = _stand_in(inner, place), inner


def _stand_in(node: ast.AST, place: ast.AST) -> ast.AST:
    match node:
        case ast.For(iter=value) | ast.Match(subject=value) | ast.Assign(value=value):
            return value
        case ast.Starred() | ast.Slice():
            return place
        case ast.expr() if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
            return place
        case ast.expr() | ast.Continue() | ast.Break():
            return node
    return place


def _below(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes below one that have places: what has none (`ast.arguments`) is passed through."""
    for child in ast.iter_child_nodes(node):
        if hasattr(child, "end_col_offset"):
            yield child
        else:
            yield from _below(child)


def _holds(node: ast.AST, mutant: Mutant, starts: list[int]) -> bool:
    start, end = _span(node, starts)
    decorators = getattr(node, "decorator_list", [])
    if decorators:
        start = _span(decorators[0], starts)[0]
    return start <= mutant.start and mutant.end <= end


def _span(node: ast.AST, starts: list[int]) -> tuple[int, int]:
    at: ast.expr = node  # type: ignore[assignment]  # all that have places have these attributes
    end = starts[(at.end_lineno or 1) - 1] + (at.end_col_offset or 0)
    return starts[at.lineno - 1] + at.col_offset, end
