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
INTRO = """# What is compared with what

Generated from `tests/conformance/counts.json`, which the runs themselves write; edit neither by hand.
`MCPCFG_REWRITE=1 make differential` and `MCPCFG_REWRITE=1 make fuzz` write the counts, and
`MCPCFG_REWRITE=1 .venv/bin/python -P -m pytest tests/conformance/test_page.py` this page.

## With the operator, as it was recorded

The operator and the programs that it starts were run, and what they did was written down. `make test` compares all rows
below; of the projects it takes the selection in `fixtures/conformance`, and all of them where `MCPCFG_CONFORMANCE`
names a folder that holds them.

"""
BEYOND = """
Rules about faults that no recording could show are listed with the reason in `fixtures/conformance/beyond.tsv`: {}
rules.
"""
GO = """
## With Go's libraries

`make differential` builds them, where Go is at hand. Texts are fixtures that were mutated, and expressions that were
drawn from grammars, those over Kubernetes' CEL library from the signatures of its functions. The seed is `SEED`, 0 by
default, and draws the same ones again: twice `OBJECTS` of each. "Taken" are those that the library does not refuse:
their values are compared, of the others that both refuse. Any difference without a reason below fails the run.

"""
DIFFERENT = """
What differs, and why:

"""
ADMISSION = """
## With the API server's own code

Objects that were drawn from the schemas, many of them with a fault, by the CRDs of each release, `OBJECTS` of each
kind: whether they are admitted, which fields are unknown, and what would be stored. The code is that of
k8s.io/apiextensions-apiserver, with Kubernetes' CEL.

"""
FUZZ = """
## With itself, under attack

`make fuzz` mutates all fixtures, at the level of bytes, tokens and data, and `make test` does the same with a few from
a fixed seed. What was found is in `tests/fuzz/found`, fixed, and tried each time.

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
