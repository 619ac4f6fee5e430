"""What the models admit at a release is what the API server's own code admits by the CRDs of that release.

CRDs of other programs, as `--crds` takes them, are compared likewise. Objects are drawn from the schemas, many with a
fault. Go builds the API server's part; ``make differential``
sets ``MCPCFG_DIFFERENTIAL``, to how many objects of each kind are compared.
"""

from __future__ import annotations

import json
import os
import random
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from api_server import refusals_of_definitions, verdicts
from counts import record
from drawn import objects

from mcpcfg.compiler.admission.admit import Admission, admit
from mcpcfg.compiler.generate.crd import stream
from mcpcfg.compiler.generate.kind import read_kinds
from mcpcfg.compiler.project.crd_files import load
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.toolhive.profile import TOOLHIVE, profile_of_release

if TYPE_CHECKING:
    from collections.abc import Sequence

    from api_server import Verdict

    from mcpcfg.compiler.toolhive.profile import Profile

OWN = sorted((Path(__file__).parents[3] / "fixtures" / "crds" / "definitions").iterdir())
COUNT = int(os.environ.get("MCPCFG_DIFFERENTIAL", "0"))
pytestmark = [
    pytest.mark.skipif(not COUNT, reason="make differential compares with the API server"),
    pytest.mark.skipif(shutil.which("go") is None, reason="there is no Go here to build the API server's code with"),
]


def admitted(profile: Profile, one: dict[str, Any]) -> Admission:
    documents, _ = read_documents(json.dumps(one).encode(), "drawn.json")
    return admit(documents[0], profile=profile)


def difference(theirs: Verdict, ours: Admission) -> str | None:
    """Return how two answers differ; the later one of two faults in one object may hide behind the first."""
    refused = [one for one in ours.findings if one.stage == "admission" and one.severity == "error"]
    if not theirs.known:
        return None if refused else "no version of a CRD, and admitted"
    if any("expected int, got float64" in detail for _, _, detail in theirs.faults):
        return None  # a rule about 5.0, which is 5 once kubectl has read it from YAML
    if theirs.admitted != (not refused):
        return f"API server: {(*theirs.unknown, *theirs.faults)}, here: {[(one.path, one.message) for one in refused]}"
    unknown = {dotted(one.path) for one in refused if one.rule == "ADM001"}
    wrong = tuple(f"{dotted(one.path)}." for one in refused if one.rule == "ADM002")  # one fault is reported once
    known = {one.replace("[", ".").replace("]", "") for one in theirs.unknown}
    if unknown != {one for one in known if not one.startswith(wrong)}:
        return f"unknown fields: {sorted(known)}, here {sorted(unknown)}"
    is_unreadable = any(one.severity == "error" for one in ours.findings)  # to the operator, whoever stores it
    if not theirs.admitted or theirs.stored is None or is_unreadable:
        return None
    stored = {key: value for key, value in ours.data.items() if key not in ("metadata", "status")}
    theirs_stored = {key: value for key, value in theirs.stored.items() if key != "status"}
    return None if stored == theirs_stored else f"stored: {theirs_stored}, here {stored}"


def dotted(path: tuple[str | int, ...] | None) -> str:
    return ".".join(str(step) for step in path or ())


@pytest.mark.parametrize("release", ["0.21.0", "0.30.0", "0.44.0"])
def test_a_release_admits_what_the_api_server_does(release: str, tmp_path: Path) -> None:
    text = stream(read_kinds(release), TOOLHIVE, release)
    file = tmp_path / "crds.yaml"
    file.write_text(text)

    assert compared(release, [file], profile_of_release(TOOLHIVE, release)) == {}


def test_crds_that_are_given_admit_what_the_api_server_does_by_them() -> None:
    profile = TOOLHIVE._replace(crds=load(map(str, OWN)))

    assert compared("own CRDs", OWN, profile) == {}


def compared(name: str, files: Sequence[Path], profile: Profile) -> dict[str, str]:
    """Return the first objects on which the two differ, each with how, and print how many were compared."""
    crds = [crd for file in files for crd in yaml.safe_load_all(file.read_text("utf-8"))]
    drawn = [one for crd in crds for one in objects(crd, COUNT, random.Random(crd["metadata"]["name"]))]
    theirs = verdicts(files, drawn)
    found = {
        number: text
        for number, (one, their) in enumerate(zip(drawn, theirs, strict=True))
        if (text := difference(their, admitted(profile, one))) is not None
    }
    numbers = {"objects": len(drawn), "admitted": sum(one.admitted for one in theirs), "differ": len(found)}
    print(f"{name}: {numbers}")
    record("admission", name, numbers)
    return {json.dumps(drawn[number]): found[number] for number in list(found)[:5]}


@pytest.mark.parametrize("release", ["0.21.0", "0.30.0", "0.44.0"])
def test_the_api_server_takes_the_crds_of_a_release(release: str, tmp_path: Path) -> None:
    file = tmp_path / "crds.yaml"
    file.write_text(stream(read_kinds(release), TOOLHIVE, release))

    assert refusals_of_definitions([file]) == []


def test_the_api_server_takes_the_crds_of_the_fixtures() -> None:
    assert refusals_of_definitions(OWN) == []
