import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
FIXTURES = ROOT / "fixtures" / "records"
CONFORMANCE = Path(os.environ.get("MCPCFG_CONFORMANCE", ROOT.parent / "shared" / "conformance"))


def fixture_rows(kind: str) -> list[dict[str, Any]]:
    text = (FIXTURES / f"{kind}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def recorded_rows(kind: str) -> Iterator[tuple[dict[str, Any], Any]]:
    """Yield each recorded row of files/KIND.jsonl with its parsed input file."""
    folder = CONFORMANCE / "files"
    if not folder.is_dir():
        pytest.skip("the recorded cases are not here; set MCPCFG_CONFORMANCE")
    for line in (folder / f"{kind}.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        yield row, json.loads((folder / row["file"]).read_text("utf-8"))
