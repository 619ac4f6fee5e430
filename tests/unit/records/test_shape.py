"""Records decoded and written again, held against files that Go wrote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcpcfg.compiler.golang.json import indented
from mcpcfg.compiler.golang.shape import Encoder
from mcpcfg.compiler.golang.yaml.v3 import dump
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.records.shape import TYPES, decode, encode

WRITTEN = Path(__file__).parents[3] / "fixtures" / "models" / "written"


@pytest.mark.parametrize("file", sorted(WRITTEN.glob("runconfig*")), ids=lambda file: file.stem)
def test_a_run_config_that_go_wrote_is_written_the_same(file: Path) -> None:
    text = file.read_text("utf-8")
    record, misfits, unknown = decode(json.loads(text), "RunConfig")

    assert (misfits, unknown) == ([], [])
    assert indented(encode(record, "RunConfig")).strip() == text.strip()


@pytest.mark.parametrize("file", sorted(WRITTEN.glob("authserver*")), ids=lambda file: file.stem)
def test_an_auth_server_that_go_wrote_is_written_the_same(file: Path) -> None:
    text = file.read_text("utf-8")
    (document,), _ = read_documents(text, file.name, dialect="vmcp")
    name = "EmbeddedAuthServerRunConfig"
    record, misfits, unknown = decode(document.data, name)

    assert (misfits, unknown) == ([], [])
    assert dump(Encoder(TYPES, form="yaml").encode(record, ("struct", name))) == text


@pytest.mark.parametrize(("required", "written"), [(None, []), (["a"], ["a"])])
def test_the_required_arguments_of_a_tool_are_a_list(required: list[str] | None, written: list[str]) -> None:
    tool = {"name": "t", "inputSchema": {"type": "object", "properties": {}, "required": required}}
    record, misfits, _ = decode({"image": "i", "tool_definitions": [tool]}, "ImageServer")

    assert not misfits
    assert encode(record, "ImageServer")["tool_definitions"][0]["inputSchema"]["required"] == written


def test_every_field_of_a_tool_is_encoded() -> None:
    tool = {
        "name": "t",
        "description": "Looks up",
        "inputSchema": {"type": "object", "properties": {"a": {}}, "required": ["a"], "additionalProperties": False},
        "outputSchema": {"type": "object", "$defs": {"b": {}}, "properties": {}, "required": []},
        "annotations": {"title": "T", "readOnlyHint": True},
        "defer_loading": True,
        "_meta": {"k": 1},
        "icons": [{"src": "https://a.example/i.png", "mimeType": "image/png", "sizes": ["any"]}],
        "execution": {"taskSupport": "optional"},
    }
    record, misfits, unknown = decode({"image": "i", "tool_definitions": [tool]}, "ImageServer")

    assert (misfits, unknown) == ([], [])
    (written,) = encode(record, "ImageServer")["tool_definitions"]
    assert written == tool
    # What is empty in a struct is not written.
    given = {**tool, "icons": [{"src": "a", "mimeType": ""}], "execution": {"taskSupport": ""}}
    record = decode({"image": "i", "tool_definitions": [given]}, "ImageServer")[0]
    (written,) = encode(record, "ImageServer")["tool_definitions"]
    assert (written["icons"], written["execution"]) == ([{"src": "a"}], {})


def test_missing_fields_of_a_tool_are_left_out() -> None:
    tool = {"name": "t", "inputSchema": {"type": "object", "definitions": {"b": {}}}}
    (written,) = encode(decode({"image": "i", "tool_definitions": [tool]}, "ImageServer")[0], "ImageServer")[
        "tool_definitions"
    ]
    assert written == {
        "name": "t",
        "inputSchema": {"type": "object", "$defs": {"b": {}}, "properties": {}, "required": []},
        "annotations": {},
    }


@pytest.mark.parametrize(("release", "name"), [("0.21.0", "RunConfig"), ("0.44.0", "AWSStsParameters")])
def test_a_compile_step_that_writes_a_key_without_a_model_fails_every_test_that_compiles_with_it(
    release: str, name: str
) -> None:
    with pytest.raises(AssertionError, match=f"no release of {name} has colour"):
        encode({"colour": "red"}, name, release)


def test_a_field_of_a_later_release_is_left_out_and_is_no_fault() -> None:
    assert "mcpserver_generation" not in encode({"mcpserver_generation": 3}, "RunConfig", "0.21.0")
    assert encode({"mcpserver_generation": 3}, "RunConfig", "0.44.0")["mcpserver_generation"] == 3
