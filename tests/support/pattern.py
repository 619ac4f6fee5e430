"""The regular expressions of the program, found in its source, and texts that make each of them slow."""

from __future__ import annotations

import ast
import importlib
import re
from itertools import islice
from pathlib import Path
from re import _constants as words  # the parser that the module itself uses
from re import _parser as parser
from typing import TYPE_CHECKING, Any, NamedTuple

from mcpcfg.compiler.diagnostics.secret.pattern import FORMS

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
FUNCTIONS = frozenset({"match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"})
_MOST_SAMPLES = 6
_ENDS = ("", "\0", "\n", "!", " ", "a")


class Use(NamedTuple):
    """One pattern, and how it is used.

    Attributes:
        place: The module and the name or line of the pattern.
        pattern: The pattern, or `None` if the source does not state it.
        functions: Functions of ``re`` that it is used with.
    """

    place: str
    pattern: re.Pattern[Any] | None
    functions: frozenset[str]


def uses() -> Iterator[Use]:
    """Yield the patterns of the program."""
    trees = {
        path: ast.parse(path.read_text("utf-8"))
        for folder in ("compiler", "validators")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if path.parent.name != "generate"
    }
    methods = {path: _methods(tree) for path, tree in trees.items()}
    anywhere: dict[str, set[str]] = {}
    for of_module in methods.values():
        for name, functions in of_module.items():
            anywhere.setdefault(name, set()).update(functions)
    for path, tree in trees.items():
        parts = path.relative_to(ROOT).with_suffix("").parts
        module = ".".join(("mcpcfg", *parts)).removesuffix(".__init__")
        yield from _of_module(module, tree, anywhere | methods[path])
    for table, forms in FORMS.items():
        for form in forms:
            place = f"compiler.diagnostics.secret.pattern:{form.signs[0]} ({table})"
            yield Use(place, re.compile(form.pattern), frozenset({"match" if table == "form" else "finditer"}))


def _methods(tree: ast.AST) -> dict[str, set[str]]:
    """Return by the name of a pattern the functions that a module calls of it."""
    methods: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in FUNCTIONS:
            methods.setdefault(_name(node.value), set()).add(node.attr)
    return methods


def _name(node: ast.AST) -> str:
    node = node.func if isinstance(node, ast.Call) else node
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _of_module(module: str, tree: ast.Module, methods: dict[str, set[str]]) -> Iterator[Use]:
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _name(node.func.value) == "re"):
            continue
        function, parent = node.func.attr, above[node]
        stated = node.args[0] if node.args else None
        name = _name(stated) if stated is not None and _name(stated) else f"line {node.lineno}"
        if function == "compile":
            while not isinstance(parent, (ast.Attribute, ast.stmt)):
                parent = above[parent]
            if isinstance(parent, ast.Return):
                while not isinstance(parent, ast.FunctionDef):
                    parent = above[parent]
                name = parent.name
            elif isinstance(parent, (ast.Assign, ast.AnnAssign)):
                name = _name(parent.targets[0] if isinstance(parent, ast.Assign) else parent.target)
            functions = {parent.attr} if isinstance(parent, ast.Attribute) else methods.get(name, {"search"})
        elif function in FUNCTIONS:
            functions = {function}
        else:
            continue
        yield Use(f"{module.removeprefix('mcpcfg.')}:{name}", _evaluated(module, node, function), frozenset(functions))


def _evaluated(module: str, call: ast.Call, function: str) -> re.Pattern[Any] | None:
    """Return the pattern of a call of ``re``, `None` if it depends on what only a call knows."""
    flags = [word.value for word in call.keywords if word.arg == "flags"]
    at = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(function, 2)
    flags += call.args[at : at + 1]
    space = vars(importlib.import_module(module))
    try:
        pattern, *flag = (eval(compile(ast.Expression(one), "", "eval"), space) for one in (call.args[0], *flags))
    except NameError:
        return None
    return re.compile(pattern, *flag)


def attacks(pattern: re.Pattern[Any]) -> Iterator[tuple[str, str, str]]:
    """Yield beginnings, what is repeated after them, and endings of texts for which a pattern may try many ways."""
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    seen = set()
    for before, repeated in _pumps(list(parser.parse(text, pattern.flags & ~(re.UNICODE | re.ASCII)))):
        for lead, pump in ((before, repeated), ("", before + repeated)):
            for end in _ENDS:
                if pump and (lead, pump, end) not in seen:
                    seen.add((lead, pump, end))
                    yield lead, pump, end


def _pumps(nodes: list[Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Yield what may stand before each part that a pattern repeats, and a text that the part takes."""
    for i, (kind, value) in enumerate(nodes):
        lead = before + next(_samples(nodes[:i]), "")
        if kind in (words.MAX_REPEAT, words.MIN_REPEAT, words.POSSESSIVE_REPEAT):
            _, most, inner = value
            samples = list(islice(_samples(list(inner)), _MOST_SAMPLES))
            if most > 20:
                yield from ((lead, one) for one in samples)
                yield lead, "".join(samples)
            yield from _pumps(list(inner), lead)
        elif kind is words.SUBPATTERN:
            yield from _pumps(list(value[-1]), lead)
        elif kind is words.BRANCH:
            for branch in value[1]:
                yield from _pumps(list(branch), lead)
        elif kind is words.ATOMIC_GROUP:
            yield from _pumps(list(value), lead)
        elif kind in (words.ASSERT, words.ASSERT_NOT):
            yield from _pumps(list(value[1]), lead if value[0] > 0 else "")
        yield lead, next(_samples(nodes[i : i + 1]), "")


def _samples(nodes: list[Any]) -> Iterator[str]:
    """Yield texts that a sequence of parts takes."""
    if not nodes:
        yield ""
        return
    tails = list(islice(_samples(nodes[1:]), 2))
    for head in islice(_of_part(*nodes[0]), _MOST_SAMPLES):
        yield from (head + tail for tail in tails)


def _of_part(kind: Any, value: Any) -> Iterator[str]:
    if kind is words.LITERAL:
        yield chr(value)
    elif kind is words.NOT_LITERAL:
        yield "b" if value == ord("a") else "a"
    elif kind is words.ANY:
        yield from ("a", " ")
    elif kind is words.IN:
        yield from _of_class(value)
    elif kind is words.BRANCH:
        for branch in value[1]:
            yield from _samples(list(branch))
    elif kind is words.SUBPATTERN:
        yield from _samples(list(value[-1]))
    elif kind is words.ATOMIC_GROUP:
        yield from _samples(list(value))
    elif kind in (words.MAX_REPEAT, words.MIN_REPEAT, words.POSSESSIVE_REPEAT):
        fewest, most, inner = value
        for one in _samples(list(inner)):
            yield one * max(fewest, min(1, most))
    else:  # places, lookarounds and groups that are taken again
        yield ""


def _of_class(items: list[Any]) -> Iterator[str]:
    if items[0][0] is words.NEGATE:
        yield from (one for one in ("a", " ", "\n", "-", "/", ".") if not any(_has(item, one) for item in items[1:]))
        return
    for kind, value in items:
        if kind is words.LITERAL:
            yield chr(value)
        elif kind is words.RANGE:
            yield chr(value[0])
        elif kind is words.CATEGORY:
            yield {"SPACE": " ", "DIGIT": "0", "WORD": "a"}.get(str(value).rpartition("_")[2], "a")


def _has(item: Any, char: str) -> bool:
    kind, value = item
    if kind is words.LITERAL:
        return chr(value) == char
    if kind is words.RANGE:
        return bool(value[0] <= ord(char) <= value[1])
    name = str(value)
    is_in = char.isspace() if "SPACE" in name else char.isdigit() if "DIGIT" in name else char.isalnum() or char == "_"
    return is_in != ("_NOT_" in name)
