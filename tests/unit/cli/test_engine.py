import importlib.util
from pathlib import Path

import pytest
from calling import call

from mcpcfg.compiler.cli.main import main


def test_an_engine_whose_libraries_are_missing_is_a_wrong_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)

    with pytest.raises(SystemExit) as ended:
        main(["check", str(tmp_path), "--engine", "reference"])

    assert ended.value.code == 2
    assert "it needs jsonschema and cel-python" in capsys.readouterr().err


@pytest.mark.parametrize("number", [2**63, 2**64 - 1, 2**64, -(2**63) - 1])
def test_both_engines_take_an_integer_beyond_64_bits_for_a_float(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text(
        "apiVersion: toolhive.stacklok.dev/v1alpha1\nkind: MCPServer\nmetadata: {name: a}\n"
        f"spec: {{image: 'ghcr.io/acme/a:1', replicas: {number}}}\n"
    )

    generated = call("check", "a.yaml")

    assert generated.out.count("error[") == generated.out.count("error[ADM002]") == 1
    assert call("check", "a.yaml", "--engine", "reference") == generated
