from __future__ import annotations

from pathlib import Path

import pytest

import mcpcfg
from mcpcfg.validators.rules import certificate

FILE = Path(__file__).parents[3] / "fixtures" / "rules" / "CRT004" / "invalid-bundle.yaml"
"""Its certificate ends on 1 January 2021."""


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ("2021-01-02", ["expired on 2021-01-01"]),
        ("2021-01-01", ["expires on 2021-01-01"]),
        ("2020-12-03", ["expires on 2021-01-01"]),
        ("2020-12-02", []),
    ],
)
def test_a_certificate_is_reported_from_a_month_before_its_end(
    made: str, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certificate, "MADE", made)
    report = mcpcfg.check(files={"a.yaml": FILE.read_text("utf-8")})
    found = [finding.message for finding in report.findings if finding.rule == "CRT004"]
    assert [message[message.index("expire") :] for message in found] == expected
