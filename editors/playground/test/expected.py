"""Writes what mcpcfg answers outside of a browser, for the tests of the playground: ``expected.py FOLDER``.

The tests then ask the program on Pyodide the same: the findings and the compiled output of each example, and whether
patterns match, where google-re2 decides here and re2js there.
"""

from __future__ import annotations

import json
import os
import random
import sys
from pathlib import Path

import test_regexp

import mcpcfg
from mcpcfg.compiler.golang.regexp import PatternError, compile_pattern

TARGETS = ("kubernetes", "runconfig", "vmcp")
ALPHABET = "ab()[]{}|*+?^$.\\-:,=<>!PpQEisdwbzA012 é"
DRAWN = 20_000


def stated_patterns() -> list[tuple[str, str]]:
    """Return the patterns of the unit tests, each with a text."""
    out = []
    for test in vars(test_regexp).values():
        for mark in getattr(test, "pytestmark", ()):
            if mark.name == "parametrize" and "pattern" in mark.args[0]:
                out += [(row, "ab") if isinstance(row, str) else (row[0], str(row[1])) for row in mark.args[1]]
    return out


def drawn_patterns() -> list[tuple[str, str]]:
    """Return patterns of random characters, each with a random text. They are the same each time."""
    draw = random.Random(0)  # noqa: S311 - no secret
    return [
        (
            "".join(draw.choices(ALPHABET, k=draw.randint(1, 14))),
            "".join(draw.choices("aab-1é \n", k=draw.randint(0, 8))),
        )
        for _ in range(DRAWN)
    ]


def matches(pattern: str, text: str) -> dict[str, object]:
    """Return a pattern and a text, and whether and where the pattern matches the text."""
    try:
        compiled = compile_pattern(pattern)
    except PatternError:
        return {"pattern": pattern, "text": text, "answer": "refused"}
    return {"pattern": pattern, "text": text, "answer": [compiled.search(text), compiled.find_all(text)]}


def answers(files: dict[str, str], folder: Path) -> dict[str, object]:
    """Return the findings and the compiled output of an example. Its files are written below ``folder``."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    os.chdir(folder)
    report = mcpcfg.check(".", *sorted(files))
    built = {target: mcpcfg.build(report, target, keep_going=True).files for target in TARGETS}
    return {
        "check": json.loads(mcpcfg.render(report, "json", severity="info")),
        "build": {target: [[file.path, file.text] for file in files] for target, files in built.items()},
    }


def main(parts: Path) -> None:
    """Write the answers."""
    examples = json.loads((parts / "examples.json").read_text(encoding="utf-8"))["examples"]
    patterns = [matches(*drawn) for drawn in (*stated_patterns(), *drawn_patterns())]
    expected = {
        "patterns": patterns,
        "examples": {
            title: answers(example["files"], parts / "examples" / str(number))
            for number, (title, example) in enumerate(examples.items())
        },
    }
    (parts / "expected.json").write_text(json.dumps(expected), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
