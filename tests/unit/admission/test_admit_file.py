"""The configuration file beside its model."""

from __future__ import annotations

from typing import Any

import pytest

from mcpcfg.compiler.admission.admit import admit_file
from mcpcfg.compiler.reading.document import read_documents


def _reported(text: str) -> list[tuple[str, str | None]]:
    (document,), _ = read_documents(text, "mcpcfg.yaml", dialect="vmcp")
    return [(one.message, one.hint) for one in admit_file("mcpcfg", document)[0]]


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "rules: {ADM001: off, REF001: warning}",
        "external: {Secret: [token], MCPGroup: ['*']}",
        "profile: acme\nprofiles: {acme: {apiGroup: mcp.acme.example, cloud: cloud}}",
        "customRules: [{id: ORG001, kind: MCPServer, expression: 'true', message: no}]",
        "images: {vmcp: 'registry.example/vmcp:1'}\nplatform: openshift\nusageMetrics: false",
    ],
)
def test_a_sound_configuration_has_no_findings(text: str) -> None:
    assert _reported(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("profil: x", ('unknown field "profil" in the file', 'did you mean "profile"?')),
        ("rules: {ADM001: fatal}", ('rules.ADM001 cannot be "fatal", only "error", "warning", "info", "off"', None)),
        ("customRules: [{id: ORG001}]", ("customRules[0] has no kind", None)),
        ("external: {Secret: []}", ("external.Secret must not be empty", None)),
        ("- a", ("the file must be a mapping, not a list", "write one object: without dashes")),
    ],
)
def test_a_misspelling_in_a_configuration_is_reported_with_its_fix(text: str, expected: Any) -> None:
    assert _reported(text)[0] == expected
