"""vMCP configuration files are loaded, and refused, as recorded."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from mcpcfg.compiler.golang.json import compact
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.vmcp.load import LoadedConfig, load
from mcpcfg.compiler.vmcp.validate import config_faults

ROOT = Path(__file__).parents[3]
RECORDED = Path(os.environ.get("MCPCFG_CONFORMANCE", ROOT.parent / "shared" / "conformance")) / "files"
FOLDER = RECORDED if RECORDED.is_dir() else ROOT / "fixtures"
RELEASE = "0.21.0"
"""The release whose process was recorded."""
ROWS = [json.loads(line) for line in (FOLDER / "vmcp.jsonl").read_text().splitlines()]


def loaded(text: bytes | str) -> LoadedConfig:
    (document, *_), findings = read_documents(text, "vmcp.yaml", dialect="vmcp")
    assert not findings
    return load(document, RELEASE)


def normal_form(config: dict[str, Any]) -> dict[str, Any]:
    """Return the configuration as the process prints it: header values taken from its environment."""
    outgoing = config.get("outgoingAuth") or {}
    for strategy in (outgoing.get("default"), *(outgoing.get("backends") or {}).values()):
        header = (strategy or {}).get("headerInjection") or {}
        if name := header.get("headerValueEnv"):
            value = f"value-of-{name}"
            strategy["headerInjection"] = {
                "headerName": header["headerName"],
                "headerValue": value,
                "headerValueEnv": name,
            }
    return config


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["file"])
def test_a_file_is_refused_or_normalised_as_recorded(row: dict[str, Any]) -> None:
    found = loaded((FOLDER / row["file"]).read_bytes())

    assert bool(found.faults) == bool(row.get("loadError"))
    if row.get("loadError"):
        return
    assert bool(config_faults(found.config, RELEASE)) == bool(row["validationError"])
    normal = json.loads(compact(normal_form(found.config)))
    assert json.dumps(normal) == json.dumps(row["config"])


def test_an_unknown_field_is_reported_with_the_field_that_was_meant() -> None:
    (fault,) = loaded("name: a\noperational:\n  timeouts: {defualt: 30s}\n").faults
    assert (fault.path, fault.hint) == (("operational", "timeouts", "defualt"), 'did you mean "default"?')


def test_a_duration_without_unit_is_reported() -> None:
    (fault,) = loaded("operational: {timeouts: {default: 30}}\n").faults
    assert fault.hint == "did you mean 30s?"


def test_variables_are_listed_and_not_required() -> None:
    found = loaded(
        "outgoingAuth:\n  source: inline\n  backends:\n    a:\n      type: header_injection\n"
        "      headerInjection: {headerName: X, headerValueEnv: KEY}\n"
    )
    assert [variable.name for variable in found.variables] == ["KEY"]
    assert not found.faults


@pytest.mark.parametrize("text", ["- a\n", "text\n", "12\n"])
def test_a_configuration_must_be_a_mapping(text: str) -> None:
    assert [fault.rule.id for fault in loaded(text).faults] == ["VMC120"]
