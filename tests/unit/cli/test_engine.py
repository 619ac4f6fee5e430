import importlib.util
from pathlib import Path

import pytest

from mcpcfg.compiler.cli.main import main


def test_an_engine_whose_libraries_are_missing_is_a_wrong_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)

    with pytest.raises(SystemExit) as ended:
        main(["check", str(tmp_path), "--engine", "reference"])

    assert ended.value.code == 2
    assert "it needs jsonschema and cel-python" in capsys.readouterr().err
