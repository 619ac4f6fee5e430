"""Check the English of docstrings, comments and names.

``make lint`` calls ``python tests/support/english.py FOLDER…``. It finds habits that make a sentence hard to read. It
cannot tell whether a sentence is good.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_ENTRY: Final = re.compile(r"^    (?P<name>\w+): (?P<text>.*)$", re.MULTILINE)
_SECTION: Final = re.compile(r"^(?:Args|Attributes):\n(?P<entries>(?:(?:    .*)?\n?)*)", re.MULTILINE)
_FRAGMENT: Final = re.compile(
    r"(?:of|by|for|to|in|on|at|from|with|without|below|beside|as|that|those|these|which|what|who|whom|whose|where|when"
    r"|how|why|if|whether|its|it)\b",
    re.IGNORECASE,
)
_PHRASE: Final = re.compile(
    r"\b(?:(?<!there )is none|of (?:ours|theirs)|put into words|anew|from which on|leads? nowhere|by which|to which"
    r"|but for|nothing where)\b",
    re.IGNORECASE,
)
_BRITISH: Final = re.compile(
    r"(?:behavi|col|fav|hon|lab|neighb)our|licence|centre\b|catalogue|analys(?:e[sd]?|ing)\b|cancell(?:ed|ing)|labell"
    r"|\b(?:artefact|grey)|(?:organ|normal|recogn|serial|initial|canonical|optim|summar|util)is(?:e[sdr]?|ing|ation)\b",
    re.IGNORECASE,
)


def faults(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the description of each fault in the text of a Python module."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from ((_line(node), fault) for fault in _entry_faults(ast.get_docstring(node) or ""))
        line = getattr(node, "lineno", 1)  # every node that defines a name has one
        yield from ((line, fault) for name in _defined(node) for fault in _name_faults(name))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield from ((node.lineno, fault) for fault in _sentence_faults(node.value.value))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield from ((token.start[0], fault) for fault in _sentence_faults(token.string))


def _line(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return 1 if isinstance(node, ast.Module) else node.lineno


def _defined(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node defines."""
    match node:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.arg(arg=name):
            yield name
        case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
            yield name


def _name_faults(name: str) -> Iterator[str]:
    if name == "one":
        yield 'the name "one" says nothing: name the thing'
    if match := _BRITISH.search(name):
        yield f'the name "{name}" contains "{match[0]}": use American spelling'


def _entry_faults(docstring: str) -> Iterator[str]:
    for section in _SECTION.finditer(docstring):
        for entry in _ENTRY.finditer(section["entries"]):
            name, words = entry["name"], entry["text"]
            if _FRAGMENT.match(words):
                yield f'the entry "{name}" begins with "{words.split()[0]}": begin with a noun'
            elif re.fullmatch(rf"(?:the |an? )?{name.replace('_', '[ _]')}s?\.", words, re.IGNORECASE):
                yield f'the entry "{name}" only repeats the name: delete it'


def _sentence_faults(text: str) -> Iterator[str]:
    for pattern, advice in ((_PHRASE, "say it plainly"), (_BRITISH, "use American spelling")):
        for found in pattern.finditer(" ".join(text.split())):
            yield f'"{found[0]}": {advice}'


def main(folders: list[str]) -> int:
    """Print the faults of all modules in the folders; return the exit status."""
    lines = [f"{folder}: no such folder" for folder in folders if not Path(folder).is_dir()]
    lines += [
        f"{path}:{line}: {fault}"
        for folder in folders
        for path in sorted(Path(folder).rglob("*.py"))
        for line, fault in faults(path.read_text("utf-8"))
    ]
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return bool(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
