"""The recorded cases: a selection in ``fixtures/conformance``, all of them where the shared folder is there."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from mcpcfg.compiler.check.full import Options, Report, check
from mcpcfg.compiler.project.discovery import discover

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("MCPCFG_CONFORMANCE", ROOT.parent / "shared" / "conformance"))
SELECTION = ROOT / "fixtures" / "conformance"


class Case(NamedTuple):
    """One recorded project."""

    folder: Path

    @property
    def input(self) -> Path:
        return self.folder / "input.yaml"

    @property
    def verdicts(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = json.loads((self.folder / "expected.json").read_text())
        return rows

    @property
    def accepted(self) -> set[tuple[str, str, str]]:
        return {
            (row["kind"], row["namespace"], row["name"])
            for row in self.verdicts
            if row["verdict"].startswith("accepted")
        }

    def objects(self, file: str) -> dict[tuple[str, str, str], dict[str, Any]]:
        path = self.folder / file
        documents = read_all(path.read_text()) if path.exists() else []
        return {identity(one): without_uids(one) for one in documents if one["kind"] != "Error"}


def cases(group: str) -> list[Case]:
    """All recorded cases of ``operator``, ``openshift`` or ``composites``: the selection where there is no more."""
    base = SHARED if (SHARED / group).is_dir() else SELECTION
    return [Case(folder) for folder in sorted((base / group).iterdir())]


def corners() -> list[Case]:
    """All recorded corners: minimal inputs that mcpcfg once judged or compiled wrongly."""
    return [Case(folder) for folder in sorted((SELECTION / "corners").iterdir())]


def beyond() -> dict[str, str]:
    """Return the rules about faults that the recordings could not see, each with the reason why they could not.

    Their errors do not count against a resource that was recorded as accepted, or as refused later.
    """
    lines = (SELECTION / "beyond.tsv").read_text("utf-8").splitlines()
    return dict(line.split("\t", 1) for line in lines)


@cache
def checked(case: Case) -> Report:
    """Check a case as a closed world, by the recorded release. Nothing of a report changes, so all tests share it."""
    return check(discover((str(case.input),), release="0.21.0"), Options(closed=True))


def read_all(text: str) -> list[Any]:
    return [one for one in yaml.load_all(text, Loader=yaml.CSafeLoader) if one]


def identity(one: dict[str, Any]) -> tuple[str, str, str]:
    return one["kind"], one["metadata"].get("namespace", "default"), one["metadata"]["name"]


def without_uids(one: dict[str, Any]) -> dict[str, Any]:
    for owner in one["metadata"].get("ownerReferences", []):
        owner.pop("uid", None)
    return one


def first_difference(want: Any, have: Any, at: str = "") -> str | None:
    """Return where two values differ first, ``None`` where they are equal; the order of lists counts."""
    if type(want) is not type(have):
        return f"{at}: {want!r} is now {have!r}"
    if isinstance(want, dict):
        for key in sorted(want.keys() | have.keys()):
            if key not in want or key not in have:
                return f"{at}.{key}: only in {'ours' if key in have else 'the recorded one'}"
            if found := first_difference(want[key], have[key], f"{at}.{key}"):
                return found
        return None
    if isinstance(want, list):
        if len(want) != len(have):
            return f"{at}: {len(want)} items are now {len(have)}"
        pairs = enumerate(zip(want, have, strict=True))
        return next((d for i, (a, b) in pairs if (d := first_difference(a, b, f"{at}[{i}]"))), None)
    return None if want == have else f"{at}: {want!r} is now {have!r}"
