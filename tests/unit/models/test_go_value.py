"""The Go values that the models stand for: their dumps hash to what the operator wrote into statuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mcpcfg.compiler.emit.specdump import type_in_release
from mcpcfg.compiler.golang.spew import dump, object_hash
from mcpcfg.compiler.toolhive.release import OLDEST

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[3] / "fixtures/models/spec-hashes.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['kind']}-{case['hash']}")
def test_spec_hashes_as_recorded(case: Any) -> None:
    described = type_in_release(case["kind"], OLDEST)

    assert object_hash(case["spec"], described) == case["hash"], dump(case["spec"], described)
