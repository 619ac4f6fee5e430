"""The generated schemas and CRDs are read."""

from __future__ import annotations

import json

import pytest

from mcpcfg.compiler.generate.schema_file import crd_text, schema_names, schema_text
from mcpcfg.compiler.models.kind import kinds_of
from mcpcfg.compiler.toolhive.release import NEWEST_MODELLED


@pytest.mark.parametrize("kind", [kind.name for kind in kinds_of(NEWEST_MODELLED)])
def test_each_kind_and_its_list_have_a_schema(kind: str) -> None:
    for name in (kind, f"{kind}List"):
        assert name in schema_names()
        assert json.loads(schema_text(name) or "")["title"] == name


@pytest.mark.parametrize("name", ["Nonsense", "../pyproject", ""])
def test_other_names_have_no_schema(name: str) -> None:
    assert schema_text(name) is None


def test_the_definitions_are_one_stream() -> None:
    assert crd_text().count("kind: CustomResourceDefinition\n") == len(kinds_of(NEWEST_MODELLED))
