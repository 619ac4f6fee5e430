"""No function is longer than 60 lines and no module longer than 400, except generated tables (``_name.py``)."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
MOST_OF_FUNCTION, MOST_OF_MODULE = 60, 400


def test_functions_and_modules_are_short() -> None:
    longer = set()
    for path in (path for room in ("compiler", "validators") for path in (ROOT / room).rglob("*.py")):
        if path.name.startswith("_") and not path.name.startswith("__"):
            continue
        name, text = path.relative_to(ROOT).as_posix(), path.read_text("utf-8")
        if text.count("\n") > MOST_OF_MODULE:
            longer.add(name)
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno >= MOST_OF_FUNCTION:
                longer.add(f"{name} {node.name}")
    assert longer == set()
