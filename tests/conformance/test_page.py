"""``docs/conformance.md`` shows what ``counts.json`` holds; ``MCPCFG_REWRITE=1`` writes it anew."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import counts
import pytest
from areas import AREAS
from recorded import SELECTION, SHARED, beyond

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PAGE = Path(__file__).resolve().parents[2] / "docs" / "conformance.md"
GROUPS = {
    "operator": "projects: verdicts, statuses, objects, texts and checksums",
    "openshift": "the same on OpenShift",
    "composites": "definitions of composite tools: verdicts and their first fault",
}
ROWS = {
    "admission/verdicts.jsonl": "admission: what the API server refuses, and what it stores",
    "encoding/write.jsonl": "YAML and JSON that Go writes",
    "encoding/yaml-read.jsonl": "YAML that Go reads, for Kubernetes and for the vMCP process",
    "kube/pod-decode.jsonl": "pod templates as the operator decodes them",
    "kube/strategic-merge.jsonl": "strategic merge patches",
    "kube/validation.jsonl": "Kubernetes' validation of compiled objects",
    "models/spec-hashes.jsonl": "hashes of configurations",
    "records/clients.jsonl": "settings of client applications",
    "records/skill.jsonl": "skills",
    "simulations/authz.jsonl": "authorization decisions",
    "simulations/role.jsonl": "role mappings",
    "simulations/tools.jsonl": "tools that clients see",
    "simulations/workflow.jsonl": "runs of workflows",
    "templates/execution.jsonl": "what templates print",
    "templates/syntax.jsonl": "templates that parse",
    "vmcp-values/bad.jsonl": "values that the vMCP configuration refuses",
}
INTRO = """# Conformance

These tables list the comparisons of mcpcfg with other programs, and the differences. To repeat the comparisons, and to
write `tests/conformance/counts.json` and this page again, run

```sh
MCPCFG_REWRITE=1 make differential
MCPCFG_REWRITE=1 make fuzz
MCPCFG_REWRITE=1 .venv/bin/python -P -m pytest tests/conformance/test_page.py
```

## Recordings of the operator

The operator and the programs that it starts were run, and their output was recorded. `make test` compares all rows
below. The repository has a selection of the projects; `MCPCFG_CONFORMANCE` names a folder with all of them.

"""
BEYOND = """
`fixtures/conformance/beyond.tsv` lists {} rules about faults that no recording could show, with the reason for each.
"""
GO = """
## Go's libraries

If Go is installed, `make differential` builds these libraries and compares them with mcpcfg. Texts are mutated fixtures
and expressions from grammars. `SEED`, by default 0, makes a run repeatable. `OBJECTS` sets the number of texts.

The column "taken" counts the texts that the library accepts; their values are compared. For other texts, mcpcfg must
refuse them too. A difference without a reason below fails the run.

"""
DIFFERENT = """
The differences have these reasons:

"""
ADMISSION = """
## The API server

Objects were drawn from the CRDs of each release, `OBJECTS` for each kind, many of them with a fault. The code of the
API server (k8s.io/apiextensions-apiserver) and mcpcfg must agree on the verdict, the unknown fields and the stored
object.

"""
FUZZ = """
## Fuzzing

`make fuzz` mutates bytes, tokens and data of all fixtures, and checks a claim for each area. `make test` repeats it
with a few inputs from a fixed seed, and with all failures that were found and fixed (`tests/fuzz/found`).

"""


def lines(path: Path) -> int:
    """Count the rows of a file."""
    return len([line for line in path.read_text("utf-8").split("\n") if line])


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a table; its numbers are on the right."""
    made = [[f"{cell:,}" if isinstance(cell, int) else cell for cell in row] for row in rows]
    right = ["---:" if made and made[0][at].replace(",", "").isdigit() else "---" for at in range(len(head))]
    return "".join(f"| {' | '.join(row)} |\n" for row in (list(head), right, *made))


def page() -> str:
    """Return the page."""
    known = counts.read()
    projects = [
        [what, len(list((SELECTION / name).iterdir())), known["recorded"][name]] for name, what in GROUPS.items()
    ]
    cases = [[what, lines(SELECTION.parent / name)] for name, what in ROWS.items()]
    libraries = known["libraries"]
    reasons = [[f"{area}: {why}", n] for area, one in libraries.items() for why, n in sorted(one["differ"].items())]
    return "".join(
        (
            INTRO,
            table(("recorded", "in the repository", "in all"), projects),
            "\n",
            table(("recorded", "rows"), cases),
            BEYOND.format(len(beyond())),
            GO,
            table(
                ("what", "library", "texts", "taken", "differ"),
                (
                    [area, *(one[key] for key in ("library", "texts", "taken")), sum(one["differ"].values())]
                    for area, one in libraries.items()
                ),
            ),
            DIFFERENT,
            table(("why", "texts"), reasons),
            ADMISSION,
            table(
                ("release", "objects", "admitted", "differ"),
                ([name, one["objects"], one["admitted"], one["differ"]] for name, one in known["admission"].items()),
            ),
            FUZZ,
            table(("area", "what holds", "inputs"), ([one.name, one.claim, known["fuzz"][one.name]] for one in AREAS)),
        )
    )


@pytest.mark.skipif(not SHARED.is_dir(), reason="the recorded projects are not there")
def test_all_recorded_projects_are_counted() -> None:
    found = {name: len(list((SHARED / name).iterdir())) for name in GROUPS}
    for name, count in found.items():
        counts.record("recorded", name, count)
    assert counts.read()["recorded"] == found


def test_the_page_shows_the_counts() -> None:
    if os.environ.get("MCPCFG_REWRITE"):
        PAGE.write_text(page(), "utf-8")
    assert PAGE.read_text("utf-8") == page()
