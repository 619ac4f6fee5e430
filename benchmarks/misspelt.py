"""Misspells field names in a copy of the checkout, and prints which of them ``make types`` refuses.

Names are drawn at random from compile steps and rules: what is asked of a mapping, tested, written as a key, or stands
in a path. ``benchmarks/misspelt.py [--seed N] [--count N]`` prints those that pass, and ends with 1 if there are any.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import string
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("__init__.py", "compiler", "validators", "schemas", "templates")
WHERE = ("compiler/emit", "validators", "validators/rules")
ASKING = {"get", "pop", "setdefault", "reads", "target", "reference", "leading", "states"}
SHORTEST = 3


class Place(NamedTuple):
    """A field name in a file: line and column of the literal, from 1 and 0."""

    file: str
    line: int
    column: int
    name: str


def fields() -> set[str]:
    """Return the names that models declare."""
    trees = [ast.parse(path.read_text()) for path in (ROOT / "compiler/models").glob("*.py")]
    nodes = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.AnnAssign))
    return {node.target.id for node in nodes if isinstance(node.target, ast.Name)}


def places() -> list[Place]:
    """Return every field name in compile steps and rules, in the order of files and lines."""
    known, found = fields(), set()
    for folder in WHERE:
        for path in sorted((ROOT / folder).glob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                for text in _names(node):
                    if isinstance(text, ast.Constant) and text.value in known and len(text.value) >= SHORTEST:
                        found.add(Place(str(path.relative_to(ROOT)), text.lineno, text.col_offset, text.value))
    return sorted(found)


def _names(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), args=args) if name in ASKING:
            yield from args
        case ast.Subscript(slice=key):
            yield key
        case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()]):
            yield key
        case ast.Dict(keys=keys):
            yield from filter(None, keys)
        case ast.Tuple(elts=[ast.Constant(value="spec") | ast.Starred(), *_] as elements):
            yield from elements


def misspell(name: str, chance: random.Random) -> str:
    """Return a name with two letters exchanged, one left out, one doubled, or one replaced."""
    at = chance.randrange(len(name) - 1)
    one, other = name[at], name[at + 1]
    made = chance.choice(
        [
            name[:at] + other + one + name[at + 2 :],
            name[:at] + name[at + 1 :],
            name[:at] + one + name[at:],
            name[:at] + chance.choice(string.ascii_lowercase) + name[at + 1 :],
        ]
    )
    return made if made not in fields() | {name} else misspell(name, chance)


def refused(checkout: Path, chosen: dict[Place, str]) -> str:
    """Return what ``make types`` prints for a checkout with names misspelt."""
    originals = {place.file: (checkout / place.file).read_text() for place in chosen}
    for file, text in originals.items():
        lines = text.splitlines(keepends=True)
        for place in sorted((one for one in chosen if one.file == file), reverse=True):
            line = lines[place.line - 1]
            head, tail = line.encode()[: place.column].decode(), line.encode()[place.column :].decode()
            lines[place.line - 1] = head + tail.replace(place.name, chosen[place], 1)
        (checkout / file).write_text("".join(lines))
    output = ""
    for command in (["mypy"], ["mcpcfg.compiler.generate.field_names", str(checkout)]):
        call = [sys.executable, "-P", "-m", *command]
        output += subprocess.run(call, cwd=checkout, capture_output=True, text=True, check=False).stdout  # noqa: S603 - ours
    for file, text in originals.items():
        (checkout / file).write_text(text)
    return output


def main() -> int:
    """Misspell, check, and print what passes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=50)
    given = parser.parse_args()
    chance = random.Random(given.seed)  # noqa: S311 - the same names each time
    chosen = {place: misspell(place.name, chance) for place in chance.sample(places(), given.count)}
    with tempfile.TemporaryDirectory() as folder:
        checkout = Path(folder)
        (checkout / "build/typecheck/mcpcfg").mkdir(parents=True)
        for room in ROOMS:
            (shutil.copytree if (ROOT / room).is_dir() else shutil.copy)(ROOT / room, checkout / room)
            os.symlink(checkout / room, checkout / "build/typecheck/mcpcfg" / room)
        shutil.copy(ROOT / "pyproject.toml", checkout)
        if _fails(refused(checkout, {})):
            sys.exit("make types fails already")
        output = refused(checkout, chosen)
        # What all together do not show, as one fault may hide another, each alone has to.
        left = {place: name for place, name in chosen.items() if f'"{name}"' not in output and f".{name}" not in output}
        passed = {place: name for place, name in left.items() if not _fails(refused(checkout, {place: name}))}
    for place, name in passed.items():
        sys.stdout.write(f'{place.file}:{place.line}: "{name}" for "{place.name}" passes\n')
    sys.stdout.write(f"{given.count - len(passed)} of {given.count} refused, of {len(places())} names\n")
    return 1 if passed else 0


def _fails(output: str) -> bool:
    return "error:" in output or "no model has" in output


if __name__ == "__main__":
    sys.exit(main())
