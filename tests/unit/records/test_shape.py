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
def test_what_a_tool_requires_is_a_list(required: list[str] | None, written: list[str]) -> None:
    tool = {"name": "t", "inputSchema": {"type": "object", "properties": {}, "required": required}}
    record, misfits, _ = decode({"image": "i", "tool_definitions": [tool]}, "ImageServer")

    assert not misfits
    assert encode(record, "ImageServer")["tool_definitions"][0]["inputSchema"]["required"] == written
