from __future__ import annotations

from pathlib import Path

import pytest

api = pytest.importorskip("mypy.api")

PLUGIN = Path(__file__).resolve().parents[3] / "compiler" / "generate" / "mypy_fields.py"
MODEL = """
from __future__ import annotations
from typing import Annotated, Required, TypedDict
class Inner(TypedDict, total=False):
    name: Required[Annotated[str, "Name."]]
class Other(TypedDict, total=False):
    name: str
    port: int
class Spec(TypedDict, total=False):
    image: str
    inner: Inner
def f(spec: Spec, either: Inner | Other, field: str) -> None:
"""


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Errors of all lines, as one run of mypy takes a second."""
    folder = tmp_path_factory.mktemp("mypy")
    (folder / "mypy.ini").write_text(f"[mypy]\nstrict = true\nplugins = {PLUGIN}\n")
    lines = [f"    {line}\n" for line in (*REFUSED, *ACCEPTED)]
    (folder / "module.py").write_text(MODEL + "".join(lines))
    call = ["--config-file", str(folder / "mypy.ini"), "--cache-dir", str(folder / "cache"), "module.py"]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        out, _, _ = api.run(call)
    return str(out)


REFUSED = (
    'spec.get("imgae")',
    'spec["imgae"]',
    'spec.pop("imgae", "")',
    'spec.get("image" if spec else "imgae")',
    'if "imgae" in spec: pass',
    'if "imgae" not in spec: pass',
    'spec.get("inner", {}).get("nmae")',
    'either.get("prot")',
    'either.get("port")',
    'if "prot" in either: pass',
    'new: Spec = {"imgae": ""}',
)
ACCEPTED = (
    '(spec.get("inner") or {}).get("name")',
    'if "image" in spec: pass',
    'if "port" in either: pass',
    "spec.get(field)",
    'whole: Spec = {"inner": {}}',
)


@pytest.mark.parametrize("line", REFUSED)
def test_a_name_that_no_model_has_is_refused(output: str, line: str) -> None:
    number = MODEL.count("\n") + 1 + REFUSED.index(line)
    assert f"module.py:{number}: error:" in output


@pytest.mark.parametrize("line", ACCEPTED)
def test_a_name_that_a_model_has_is_accepted(output: str, line: str) -> None:
    number = MODEL.count("\n") + 1 + len(REFUSED) + ACCEPTED.index(line)
    assert f"module.py:{number}: error:" not in output
