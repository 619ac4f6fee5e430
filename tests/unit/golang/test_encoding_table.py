"""The recorded table of values and their three texts: JSON, Kubernetes' YAML, the vMCP configuration's YAML."""

import json
import os
from pathlib import Path

import pytest

from mcpcfg.compiler.golang import json as go_json
from mcpcfg.compiler.golang.value import json_numbers
from mcpcfg.compiler.golang.yaml import sigs, v3

_ROOT = Path(__file__).parents[3]
_FIXTURE = _ROOT / "fixtures" / "encoding" / "write.jsonl"
_CONFORMANCE = Path(os.environ.get("MCPCFG_CONFORMANCE", _ROOT.parent / "shared" / "conformance"))
_RECORDED = _CONFORMANCE / "encoding" / "write.jsonl"


def _differences(table: Path) -> list[str]:
    found = []
    for line in table.read_text(encoding="utf-8").split("\n"):
        if not line:
            continue
        row = json.loads(line)
        value = row["value"]
        texts = {
            "goJSON": go_json.indented(value, sort_keys=True),
            "sigsYAML": sigs.dump(value),
            "yaml3": v3.dump(json_numbers(value)),
        }
        found += [f"{name} of {value!r}: {text!r}" for name, text in texts.items() if text != row[name]]
    return found


def test_every_row_of_the_fixture_is_written_with_the_same_bytes() -> None:
    assert _differences(_FIXTURE) == []


@pytest.mark.skipif(not _RECORDED.exists(), reason="the recorded conformance cases are not beside this checkout")
def test_every_recorded_row_is_written_with_the_same_bytes() -> None:
    assert _differences(_RECORDED) == []
