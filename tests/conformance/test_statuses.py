"""Settled statuses equal those that the real operator wrote."""

from __future__ import annotations

from typing import Any

import pytest
from recorded import Case, cases, checked, first_difference, read_all

from mcpcfg.compiler.emit import status


@pytest.mark.parametrize("case", cases("operator"), ids=lambda case: case.folder.name)
def test_every_accepted_resource_settles_on_the_recorded_status(case: Case) -> None:
    file = case.folder / "status.yaml"
    if not file.exists():
        pytest.skip("no status was recorded")
    outcome = checked(case)
    found = {(r.kind, r.printed_namespace, r.name): r for r in outcome.loaded.resources}
    for row in (read_all(file.read_text()) or [[]])[0]:
        key = (row["kind"], row["namespace"], row["name"])
        settled = status.settled(outcome.workspace, found[key]) if key in case.accepted else None
        if settled is not None:
            have = {"annotations": settled.annotations, "status": settled.status}
            want = {"annotations": row["annotations"], "status": row["status"]}

            assert first_difference(without_messages(want), without_messages(have)) is None, key


def without_messages(value: Any) -> Any:
    """Leave out the texts: they are the reference's own words."""
    if isinstance(value, dict):
        return {key: without_messages(item) for key, item in value.items() if key != "message"}
    return [without_messages(item) for item in value] if isinstance(value, list) else value
