"""The generated tables: what admission checks, what names other objects, how Go dumps and writes values."""

from __future__ import annotations

from typing import Any

import pytest

from mcpcfg.compiler.generate import go_dump
from mcpcfg.compiler.generate.admission_table import TableWriter, mentions
from mcpcfg.compiler.generate.cel_module import module, rule_names
from mcpcfg.compiler.generate.go_struct import struct_module
from mcpcfg.compiler.generate.model import values_below
from mcpcfg.compiler.generate.reference_table import reference_rows
from mcpcfg.compiler.golang import spew
from mcpcfg.compiler.golang.shape import StructTable
from mcpcfg.compiler.toolhive.release import OLDEST


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("has(self.a)", ((False, ("a",)),)),
        ("self.a == 'x' ? has(self.b.c) : !has(self.b)", ((False, ("b",)), (False, ("b", "c")), (True, ("a",)))),
        ("self.tools.all(t, !has(t.x))", ((True, ("tools",)),)),
        ("size(self.a.b) > 0", ((True, ("a", "b")),)),
        ("duration(self) > duration('1s')", ()),
    ],
)
def test_the_paths_that_a_rule_mentions_are_found(rule: str, expected: Any) -> None:
    assert mentions(rule) == expected


def test_each_shape_is_in_the_table_once(kind: Any) -> None:
    writer = TableWriter(rule_names(values_below(*(part.value for part in kind.parts))))
    writer.kind(kind.parts)

    scalars = [shape for shape in writer.shapes if shape[0] != "object"]
    assert len(scalars) == len(set(scalars))


def test_a_rule_becomes_one_function(kind: Any) -> None:
    names = rule_names(values_below(*(part.value for part in kind.parts)))
    namespace: dict[str, Any] = {"__package__": "mcpcfg.compiler.admission"}
    exec(module(names), namespace)

    assert list(names.values()) == ["rule_0", "rule_1", "rule_2"]
    assert namespace["rule_0"]({"mode": "a"}) is True
    assert namespace["rule_0"]({"mode": "b"}) is False
    assert namespace["rule_2"]("2s") is True


def test_references_are_listed_with_the_steps_to_the_name(kind: Any) -> None:
    assert reference_rows(kind.parts[:1]) == [
        (("spec", "entries", "*", "name"), "Secret", "key", None, None),
        (("spec", "open", "name"), "Secret", "key", None, None),
    ]


def test_the_go_type_names_every_field(sample: Any) -> None:
    from mcpcfg.compiler.generate.declaration import DeclarationReader

    dumped = spew.dump(
        {"name": "a"}, go_dump.dump_type(DeclarationReader(of_crd=True, release=OLDEST).model(sample.Entry))
    )

    assert dumped == "(v1alpha1.Entry){Name:(string)a Key:(string)}"


def test_go_writes_optional_models_as_pointers(file_model: Any) -> None:
    namespace: dict[str, str] = {}
    exec(struct_module("samples", [file_model]), namespace)
    fields = {key: (kind, always) for key, kind, always in StructTable(namespace["STRUCTS"])["Sample"]}

    assert fields["mode"] == ("string", True)
    assert fields["flag"] == (("ptr", "bool"), False)
    assert fields["open"] == (("ptr", ("struct", "Entry")), False)
    assert fields["steps"] == (("list", ("struct", "Step")), False)
    assert fields["tags"] == (("map", "string"), False)
    assert fields["wait"] == ("duration", False)
    assert fields["free"] == ("raw", False)
