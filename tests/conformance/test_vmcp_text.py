"""The texts of ``--target vmcp`` are those in the ConfigMaps that the operator wrote, byte for byte."""

from __future__ import annotations

from typing import Any

import pytest
from recorded import Case, cases, checked, read_all

from mcpcfg.compiler.emit import vmcpconfig
from mcpcfg.compiler.emit.build import Build
from mcpcfg.compiler.toolhive.operator import OperatorSettings

CASES = [case for case in cases("operator") if any(row[0] == "VirtualMCPServer" for row in case.accepted)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.folder.name)
def test_every_text_equals_the_recorded_one(case: Case) -> None:
    outcome = checked(case)
    accepted = case.accepted
    resources = [r for r in outcome.loaded.resources if (r.kind, r.printed_namespace, r.name) in accepted]
    made = vmcpconfig.artifacts(Build(outcome.workspace, OperatorSettings()), resources)
    have: dict[tuple[str, str], dict[str, str]] = {
        (row["namespace"], row["name"]): row["files"] for row in read_all(vmcpconfig.stream(made))
    }

    want: dict[tuple[str, str], Any] = {
        (key[1], one["metadata"]["ownerReferences"][0]["name"]): one["data"]
        for key, one in case.objects("objects.yaml").items()
        if key[0] == "ConfigMap" and key[2].endswith("-vmcp-config")
    }
    assert have == {key: want[key] for key in have}
    assert len(have) == sum(row[0] == "VirtualMCPServer" for row in accepted)
