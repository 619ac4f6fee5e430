import json
import os
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from mcpcfg.compiler.vmcp.workflow.model import read
from mcpcfg.compiler.vmcp.workflow.validate import validation_faults

_ROOT = Path(__file__).parents[3]
_FIXTURES = sorted((_ROOT / "fixtures" / "composites").glob("*.yaml"))
_RECORDED = Path(os.environ.get("MCPCFG_CONFORMANCE", _ROOT.parent / "shared" / "conformance")) / "composites"


def admitted(path: Path) -> dict[str, Any]:
    """The spec of a definition as the API server stores it: with the defaults of its CRD."""
    spec: dict[str, Any] = YAML(typ="safe").load(path.read_text())["spec"]
    for step in spec.get("steps") or ():
        step.setdefault("type", "tool")
        for key in ("onError", "onDecline", "onCancel"):
            if isinstance(step.get(key), dict):
                step[key].setdefault("action", "abort")
    return spec


@pytest.mark.parametrize("path", _FIXTURES, ids=lambda path: path.stem)
def test_definitions_are_refused_exactly_if_their_file_name_says_so(path: Path) -> None:
    faults = validation_faults(read(admitted(path)))
    assert bool(faults) == path.stem.startswith("refused-")


@pytest.mark.skipif(not _RECORDED.exists(), reason="the recorded composite tools are not here")
def test_every_recorded_definition_gets_its_verdict() -> None:
    wrong = []
    for case in sorted(_RECORDED.iterdir()):
        (expected,) = json.loads((case / "expected.json").read_text())
        if expected["verdict"] == "not-admitted":
            continue
        faults = validation_faults(read(admitted(case / "input.yaml")))
        if bool(faults) != (expected["verdict"] == "operator-refuses"):
            wrong.append((case.name, expected["verdict"], faults))
    assert wrong == []
