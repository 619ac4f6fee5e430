"""The API server's own code, built with Go where that is at hand: what it makes of objects."""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

HERE = Path(__file__).resolve().parent
PROGRAM = HERE.parents[2] / "build" / "differential" / "admission"


class Verdict(NamedTuple):
    """What the API server makes of an object.

    Attributes:
        known: Whether a CRD serves it.
        unknown: The paths of unknown fields, as it writes them.
        faults: What is refused: path, type, detail.
        stored: What would be stored, without metadata, where nothing is refused.
    """

    known: bool
    unknown: tuple[str, ...]
    faults: tuple[tuple[str, str, str], ...]
    stored: dict[str, Any] | None

    @property
    def admitted(self) -> bool:
        """Whether strict validation takes it."""
        return not (self.unknown or self.faults)


@cache
def built() -> Path:
    """Build the program; Go takes its modules from its cache, or from the proxy."""
    PROGRAM.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["go", "build", "-o", str(PROGRAM), "."], cwd=HERE, check=True)
    return PROGRAM


def verdicts(crds: Sequence[Path], objects: Iterable[dict[str, Any]]) -> list[Verdict]:
    """Return the verdict on each object."""
    lines = "".join(f"{json.dumps(one)}\n" for one in objects)
    command = [str(built()), *map(str, crds)]
    done = subprocess.run(command, input=lines.encode(), stdout=subprocess.PIPE, check=True)
    return [_verdict(json.loads(line)) for line in done.stdout.decode().splitlines()]


def refusals_of_definitions(crds: Sequence[Path]) -> list[str]:
    """Return what the API server would refuse of CRDs themselves."""
    command = [str(built()), *map(str, crds)]
    done = subprocess.run(command, input=b"", stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def _verdict(plain: dict[str, Any]) -> Verdict:
    faults = tuple((one["path"], one["type"], one["detail"]) for one in plain.get("faults", ()))
    return Verdict(plain["known"], tuple(plain.get("unknown", ())), faults, plain.get("stored"))
