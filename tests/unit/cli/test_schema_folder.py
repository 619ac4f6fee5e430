"""``mcpcfg schema --output-dir``: all schemas, with a catalog for editors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from calling import call


def test_all_schemas_go_into_a_folder_with_a_catalog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = call("schema", "--output-dir", "out/schemas", "--release", "0.44.0")
    names = call("schema", "--release", "0.44.0").out.split()
    assert outcome.out == f"wrote {len(names) + 1} files into out/schemas\n"
    catalog = json.loads(Path("out/schemas/catalog.json").read_text())
    assert [entry["url"] for entry in catalog["schemas"]] == [
        (tmp_path / "out" / "schemas" / f"{name}.schema.json").as_uri() for name in names
    ]
    for name, entry in zip(names, catalog["schemas"], strict=True):
        assert Path(f"out/schemas/{name}.schema.json").read_text() == call("schema", name, "--release", "0.44.0").out
        assert entry["name"], name
        assert entry["description"], name
    assert [entry["fileMatch"] for entry in catalog["schemas"] if "fileMatch" in entry] == [["mcpcfg.yaml"]]
    call("schema", "-o", "out/schemas", "--base-url", "https://example.com/s/")
    assert '"url": "https://example.com/s/MCPGroup.schema.json"' in Path("out/schemas/catalog.json").read_text()


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (("MCPServer", "-o", "x"), "--output-dir writes all schemas"),
        (("--crd", "-o", "x"), "--output-dir writes all schemas"),
        (("--base-url", "https://example.com"), "--base-url goes with --output-dir"),
    ],
)
def test_options_that_exclude_each_other_are_refused(args: tuple[str, ...], why: str) -> None:
    outcome = call("schema", *args)
    assert (outcome.status, why in outcome.err) == (2, True)
