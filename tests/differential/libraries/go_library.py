"""Go's libraries, built where Go is at hand: what they make of texts."""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import api_server

if TYPE_CHECKING:
    from collections.abc import Iterable

HERE = Path(__file__).resolve().parent
PROGRAM = HERE.parents[2] / "build" / "differential" / "libraries"
OF_KUBERNETES = "kubernetes cel"
"""The area of the API server's own expressions, with the release of cel-go that it has."""


class Answer(NamedTuple):
    """What a library makes of a text.

    Attributes:
        values: What it holds or comes to, before a fault.
        stage: Where it is refused, ``None`` where it is taken.
        fault: Why.
    """

    values: tuple[Any, ...]
    stage: str | None
    fault: str | None


@cache
def built() -> Path:
    """Build the program; Go takes its modules from its cache, or from the proxy."""
    PROGRAM.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["go", "build", "-o", str(PROGRAM), "."], cwd=HERE, check=True)
    return PROGRAM


def answers(area: str, questions: Iterable[tuple[str, Any]]) -> list[Answer]:
    """Return the answer to each question: a text, and the data that it is asked of."""
    lines = "".join(f"{json.dumps({'area': area, 'text': text, 'data': data})}\n" for text, data in questions)
    command = [str(api_server.built()), "--expressions"] if area == OF_KUBERNETES else [str(built())]
    done = subprocess.run(command, input=lines.encode(), stdout=subprocess.PIPE, check=True)
    found = (json.loads(line) for line in done.stdout.decode().split("\n") if line)
    return [Answer(tuple(one.get("values") or ()), one.get("stage"), one.get("fault")) for one in found]
