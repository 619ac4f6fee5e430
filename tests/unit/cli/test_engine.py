from pathlib import Path

import pytest
from calling import call


@pytest.mark.parametrize("number", [2**63, 2**64 - 1, 2**64, -(2**63) - 1])
def test_both_engines_take_an_integer_beyond_64_bits_for_a_float(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text(
        "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata: {name: a}\n"
        f"spec: {{image: 'ghcr.io/acme/a:1', replicas: {number}}}\n"
    )

    generated = call("check", "a.yaml")

    assert generated.out.count("error[") == generated.out.count("error[ADM002]") == 1
    assert call("check", "a.yaml", "--engine", "reference") == generated
