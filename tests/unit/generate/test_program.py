"""The programs that write what is generated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpcfg.compiler.generate import __main__ as program
from mcpcfg.compiler.generate.pod_table import TARGET, render
from mcpcfg.compiler.generate.pod_table import __main__ as pod_program

if TYPE_CHECKING:
    import pytest


def test_a_check_says_what_differs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(program, "outputs", dict)
    monkeypatch.setattr(program, "drift", lambda *_: [])
    assert program.main(["--check"]) == 0
    monkeypatch.setattr(program, "drift", lambda *_: ["schemas/a.json"])
    assert program.main(["--check"]) == 1
    assert capsys.readouterr().err == "schemas/a.json is not what the models give: run `make generate`\n"


def test_other_arguments_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main(["--write"]) == 2
    assert capsys.readouterr().err.startswith("usage: ")


def test_the_pod_table_has_a_line_for_each_struct() -> None:
    def field(name: str, shape: str, kind: str, **more: object) -> dict[str, object]:
        plain = {"always": False, "pointer": False, "strategy": "", "mergeKey": ""}
        return {"name": name, "shape": shape, "kind": kind} | plain | more

    containers = field("containers", "list", "Container", always=True, strategy="merge", mergeKey="name")
    fields = [containers, field("hostPID", "one", "bool", pointer=True), field("nodeSelector", "map", "string")]
    text = render({"PodSpec": fields, "Container": [field("name", "one", "string")]})
    lines = text.partition('STRUCTS = """\\\n')[2]
    assert lines == (
        'Container name:string\nPodSpec containers!:[]Container:merge:name hostPID*:bool nodeSelector:{}string\n"""\n'
    )


def test_without_go_there_is_no_pod_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: object
) -> None:
    monkeypatch.setattr(pod_program, "go_program", lambda: None)
    assert pod_program.main(["--check"]) == 2
    assert "needs Go" in capsys.readouterr().err


def test_the_check_compares_the_new_pod_table_with_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    with open(TARGET, encoding="utf-8") as file:
        text = file.read()
    monkeypatch.setattr(pod_program, "go_program", lambda: "go")
    monkeypatch.setattr(pod_program, "describe", lambda _: {})
    monkeypatch.setattr(pod_program, "render", lambda _: text)
    assert pod_program.main(["--check"]) == 0
    monkeypatch.setattr(pod_program, "render", lambda _: text + "more")
    assert pod_program.main(["--check"]) == 1
