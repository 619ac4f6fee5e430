"""Settled statuses equal those that the real operator wrote."""

from __future__ import annotations

from typing import Any

import pytest
from recorded import Case, cases, checked, first_difference, read_all

from mcpcfg.compiler.emit import status

CASES = [case for case in cases("operator") if case.accepted]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.folder.name)
def test_every_accepted_resource_settles_on_the_recorded_status(case: Case) -> None:
    outcome = checked(case)
    found = {(r.kind, r.printed_namespace, r.name): r for r in outcome.loaded.resources}
    (rows,) = read_all((case.folder / "status.yaml").read_text())
    recorded = {(row["kind"], row["namespace"], row["name"]): row for row in rows}
    for key in case.accepted:
        settled = status.final_status(outcome.workspace, found[key])
        assert settled is not None, key
        have = {"annotations": settled.annotations, "status": settled.status}
        want = {"annotations": recorded[key]["annotations"], "status": recorded[key]["status"]}

        assert first_difference(without_messages(want), without_messages(have)) is None, key


def without_messages(value: Any) -> Any:
    """Leave out the texts: they are the reference's own words."""
    if isinstance(value, dict):
        return {key: without_messages(item) for key, item in value.items() if key != "message"}
    return [without_messages(item) for item in value] if isinstance(value, list) else value
