"""The recorded table of YAML texts and what Kubernetes and the vMCP process read in them."""

import json
import os
from pathlib import Path

import pytest

from mcpcfg.compiler.golang import json as go_json
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.reading.node import Dialect

_ROOT = Path(__file__).parents[3]
_FIXTURE = _ROOT / "fixtures" / "encoding" / "yaml-read.jsonl"
_CONFORMANCE = Path(os.environ.get("MCPCFG_CONFORMANCE", _ROOT.parent / "shared" / "conformance"))
_RECORDED = _CONFORMANCE / "encoding" / "yaml-read.jsonl"


def _differences(table: Path, dialect: Dialect) -> list[str]:
    found = []
    for line in table.read_text(encoding="utf-8").split("\n"):
        row = json.loads(line or "{}")
        fails = f"{dialect}Fails" in row or f"{dialect}Error" in row
        if not fails and dialect not in row:
            continue
        documents, findings = read_documents(row["yaml"].encode(), "table.yaml", dialect=dialect)
        data = documents[0].data if documents else None
        text = "fails" if findings else go_json.compact(data, sort_keys=True)
        is_same_number = not fails and not findings and json.loads(row[dialect]) == data  # beyond 64 bits with a sign
        if text != ("fails" if fails else row[dialect]) and not is_same_number:
            found.append(f"{row['yaml']!r}: {text}")
    return found


@pytest.mark.parametrize("dialect", ["kubernetes", "vmcp"])
def test_every_row_of_the_fixture_is_read_as_recorded(dialect: Dialect) -> None:
    assert _differences(_FIXTURE, dialect) == []


@pytest.mark.parametrize("dialect", ["kubernetes", "vmcp"])
@pytest.mark.skipif(not _RECORDED.exists(), reason="the recorded conformance cases are not beside this checkout")
def test_every_recorded_row_is_read_as_recorded(dialect: Dialect) -> None:
    assert _differences(_RECORDED, dialect) == []


@pytest.mark.skipif(not _RECORDED.exists(), reason="the recorded conformance cases are not beside this checkout")
def test_no_recorded_input_has_a_syntax_fault() -> None:
    """What the reference could read is read: 900 projects, and no file of them is taken for a template."""
    inputs = sorted(_CONFORMANCE.glob("operator/*/input.yaml"))
    faults = [finding for path in inputs for finding in read_documents(path.read_bytes(), path.name)[1]]

    assert len(inputs) > 800
    assert faults == []
