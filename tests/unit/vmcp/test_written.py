"""The configuration of the vMCP process as the operator writes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mcpcfg.compiler.document import read_documents
from mcpcfg.compiler.golang.value import SortedMap
from mcpcfg.compiler.golang.yaml.v3 import dump
from mcpcfg.compiler.vmcp.written import written


def _config(**fields: Any) -> Any:
    return written(fields)


def test_keys_stand_in_the_order_of_declaration() -> None:
    assert list(_config(metadata={"a": "b"}, groupRef="g", name="n")) == ["name", "groupRef", "metadata"]


def test_empty_values_are_left_out() -> None:
    assert _config(name="", groupRef=None, backends=[], metadata={}) == {}


def test_what_go_always_writes_is_written_also_when_empty() -> None:
    assert _config(backends=[{"name": "a"}]) == {"backends": [{"name": "a", "url": "", "transport": ""}]}


def test_an_empty_struct_behind_a_pointer_is_written() -> None:
    assert _config(optimizer={}) == {"optimizer": {}}


def test_keys_that_the_model_does_not_have_are_left_out() -> None:
    assert _config(name="n", bogus=1) == {"name": "n"}


@pytest.mark.parametrize(("given", "written"), [("90s", "1m30s"), ("1h", "1h0m0s"), ("1.5s", "1.5s")])
def test_durations_get_their_normal_form(given: str, written: str) -> None:
    assert _config(operational={"timeouts": {"default": given}}) == {"operational": {"timeouts": {"default": written}}}


def test_free_values_are_decoded_as_json_and_maps_are_sorted() -> None:
    (tool,) = _config(compositeTools=[{"name": "a", "parameters": {"b": 1, "a": [2]}, "steps": []}])["compositeTools"]

    assert isinstance(tool["parameters"], SortedMap)
    assert repr(tool["parameters"]) == "{'b': 1.0, 'a': [2.0]}"


def test_pointers_keep_zero_values() -> None:
    overrides = {"t": {"annotations": {"title": "", "readOnlyHint": False}}}
    shaped = _config(aggregation={"tools": [{"workload": "w", "overrides": overrides}]})

    assert shaped["aggregation"]["tools"][0]["overrides"] == overrides


_WRITTEN = sorted((Path(__file__).parents[3] / "fixtures" / "models" / "written").glob("vmcp*"))


@pytest.mark.parametrize("file", _WRITTEN, ids=lambda file: file.stem)
def test_a_file_that_the_operator_wrote_is_written_the_same(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    (document,), _ = read_documents(text, file.name, dialect="vmcp")
    assert dump(written(document.data)) == text
