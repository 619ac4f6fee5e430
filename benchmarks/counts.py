"""Count what keeps the program small and plain: lines, long functions, fields, and where rules are declared.

``.venv/bin/python -P benchmarks/counts.py [--list]``; with ``--list`` the places behind each number follow it.
``benchmarks/rooms.py`` counts rooms, arrows and the modules that one check calls.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from itertools import combinations
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[1]
LAYOUT: Final = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
FACTS, MERGE = "compiler/check/facts.py", "compiler/check/merge.py"
RESOURCE: Final = "compiler/workspace/resource.py"
CROWDED: Final = 40
"""Lines of a list of places that is printed."""


class Module(NamedTuple):
    """A module of the program: its path below the root, its text and its syntax tree."""

    path: str
    text: str
    tree: ast.Module


def modules() -> list[Module]:
    """Read all modules of ``compiler/`` and ``validators/``."""
    paths = sorted(path for room in ("compiler", "validators") for path in (ROOT / room).rglob("*.py"))
    texts = [(path.relative_to(ROOT).as_posix(), path.read_text("utf-8")) for path in paths]
    return [Module(path, text, ast.parse(text)) for path, text in texts]


def code_lines(module: Module) -> int:
    """Return the number of lines without blank lines, comments and docstrings."""
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(module.text).readline):
        if token.type not in LAYOUT:
            code |= {*range(token.start[0], token.end[0] + 1)}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            code -= {*range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    return len(code)


def functions(module: Module) -> list[tuple[int, str]]:
    """Return the length in lines, from ``def`` on, and the place of each function."""
    return [
        ((node.end_lineno or node.lineno) - node.lineno + 1, f"{module.path}:{node.lineno} {node.name}")
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def class_named(module: Module, name: str) -> ast.ClassDef:
    """Return a class of a module."""
    return next(node for node in ast.walk(module.tree) if isinstance(node, ast.ClassDef) and node.name == name)


def fields(node: ast.ClassDef) -> int:
    """Return the number of fields that a named tuple or dataclass declares."""
    return sum(isinstance(statement, ast.AnnAssign) for statement in node.body)


def changes(module: Module, attributes: set[str]) -> list[str]:
    """Return the places where an attribute of a Resource is assigned outside its class.

    An attribute is recognized by its name, if the object is not ``self`` and the module knows the class.
    """
    if "Resource" not in module.text:
        return []
    inside = {*ast.walk(class_named(module, "Resource"))} if module.path == RESOURCE else set()
    return [
        f"{module.path}:{node.lineno} {ast.unparse(node)}"
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and node.attr in attributes
        and ast.unparse(node.value) != "self"
        and node not in inside
    ]


class Declared(NamedTuple):
    """A rule as its module declares it."""

    id: str
    title: str
    stage: str
    severity: str
    is_used: bool


def declaring(program: list[Module]) -> dict[str, str]:
    """Return the functions that declare rules, each with the stage that it gives them by default."""
    stages = {"rule": "operator"}
    for node in (node for module in program for node in module.tree.body if isinstance(node, ast.Assign)):
        if ast.unparse(node.value).startswith("partial(rule, stage="):
            stages[ast.unparse(node.targets[0])] = ast.unparse(node.value).split("'")[1]
    return stages


def declared(module: Module, stages: dict[str, str]) -> list[Declared]:
    """Return the rules of a module; a rule counts as used if a function of the module names it.

    ``stages`` are the functions that declare rules, with their stages.
    """
    used = {
        name.id
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef)
        for name in ast.walk(node)
        if isinstance(name, ast.Name)
    }
    rules: list[Declared] = []
    for node in module.tree.body:
        call = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if not (isinstance(call, ast.Call) and ast.unparse(call.func) in stages):
            continue
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        named = {word.arg: ast.unparse(word.value).strip("'") for word in call.keywords}
        stage = named.get("stage", stages[ast.unparse(call.func)])
        severity = named.get("severity", "warning" if stage == "lint" else "error")
        id_, _, title = (ast.unparse(argument).strip("'") for argument in call.args)
        rules.append(Declared(id_, title, stage, severity, ast.unparse(target) in used))
    return rules


def tell(what: str, number: object, places: list[str] | None = None) -> None:
    """Print a number, and the places behind it if the call asks for them."""
    sys.stdout.write(f"{what:<66} {number!s:>8}\n")
    for place in (places or [])[:CROWDED] if "--list" in sys.argv else ():
        sys.stdout.write(f"    {place}\n")


def main() -> None:
    """Run the program."""
    program = modules()
    by_path = {module.path: module for module in program}
    facts, merge, resource = by_path[FACTS], by_path[MERGE], by_path[RESOURCE]
    tell("fields of Facts / Loaded", f"{fields(class_named(facts, 'Facts'))} / {fields(class_named(merge, 'Loaded'))}")
    slots = next(node for node in class_named(resource, "Resource").body if isinstance(node, ast.Assign))
    attributes = {name.lstrip("_") for name in ast.literal_eval(slots.value)}
    changed = [place for module in program for place in changes(module, attributes)]
    tell("places that change a Resource after construction", len(changed), changed)
    tell("lines of read_facts", next(lines for lines, name in functions(facts) if name.endswith(" read_facts")))
    tell("lines of facts.py and merge.py together", sum(one.text.count("\n") for one in (facts, merge)))
    stages = declaring(program)
    rules = [one for module in program for one in declared(module, stages)]
    alike = [
        f"{one.id} {other.id}: {one.title}"
        for one, other in combinations(rules, 2)
        if one[1:4] == other[1:4] and one.id != other.id
    ]
    tell("pairs of rules with one title, stage and severity", len(alike), alike)
    away = [one.id for one in rules if not one.is_used]
    tell(
        f"of {len(rules)} rules, percent used in the file that declares them", round(100 - 100 * len(away) / len(rules))
    )
    tell("lines of code in compiler and validators", sum(map(code_lines, program)))
    longest = sorted((one for module in program for one in functions(module)), reverse=True)
    tell("lines of the longest function", longest[0][0], [f"{lines} {place}" for lines, place in longest[:10]])
    tell("functions above 60 lines", sum(lines > 60 for lines, _ in longest))
    long = [f"{lines} {one.path}" for one in program if (lines := one.text.count("\n")) > 400]
    tell("modules above 400 lines", len(long), long)


if __name__ == "__main__":
    main()
