"""The probes that are put in the places of mutants."""

from __future__ import annotations

import ast
from pathlib import Path
from types import ModuleType

import mutation_probe
import pytest
from mutant import mutants
from probed import probed

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("f(a, k=1)", "(P(0) or (f(a, k=(P(1) or (1)))))"),
        ("a in b and c", "(P(0) or ((P(1) or (a in b)) and c))"),
        ("if a: continue", "if (P(0) or (a)): P(1); continue"),
        ("for a, b in x: pass", "for a, b in (P(0) or (x)): pass"),
        ("match a:\n    case 'x': pass", "match (P(0) or (a)):\n    case 'x': pass"),
        ("any(a > b for a in x)", "any((P(0) or (a > b)) for a in x)"),
    ],
)
def test_a_probe_stands_around_the_expression_that_a_mutant_changes(source: str, expected: str) -> None:
    found = probed(source.encode(), {0: mutants(source.encode(), "m.py")[0], 1: mutants(source.encode(), "m.py")[-1]})
    assert shown(found) in (expected, expected.replace("P(0)", "P(0, 1)"))


def shown(source: bytes) -> str:
    return source.decode().replace('__import__("mutation_probe").hit', "P")


@pytest.mark.parametrize("path", ["compiler/project/kustomize.py", "compiler/reading/fast/line.py"])
def test_a_module_with_probes_in_all_places_is_python_with_the_same_lines(path: str) -> None:
    source = (ROOT / path).read_bytes()
    found = probed(source, dict(enumerate(mutants(source, path))))
    assert ast.parse(found)
    assert found.count(b"\n") == source.count(b"\n")


def test_a_probe_records_once_for_each_test_and_changes_no_value(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(mutation_probe, "REACHED", tmp_path / "reached")
    monkeypatch.setattr(mutation_probe._Now, "reached", -1)
    monkeypatch.setattr(mutation_probe._Now, "seen", set())
    monkeypatch.setattr(mutation_probe._Now, "test", "t.py::a")
    source = b"values = [n > 1 for n in range(3)]\n"
    module = ModuleType("m")
    exec(probed(source, {7: mutants(source, "m.py")[0]}), vars(module))
    assert module.values == [False, False, True]
    assert (tmp_path / "reached").read_text() == "7\tt.py::a\n"
