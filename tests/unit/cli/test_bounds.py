"""Whatever a file holds, time, memory and what is printed have an end, and it is reported where it is reached."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from calling import call

from mcpcfg.compiler.admission import explain
from mcpcfg.compiler.check import facts
from mcpcfg.compiler.diagnostics import suggestion
from mcpcfg.compiler.diagnostics.budget import Amount, Budget
from mcpcfg.compiler.diagnostics.suggestion import Names
from mcpcfg.compiler.language.cel import rule
from mcpcfg.compiler.language.cel.value import CelError
from mcpcfg.compiler.language.template.executor import execute
from mcpcfg.compiler.language.template.node import Template
from mcpcfg.compiler.language.template.parser import parse
from mcpcfg.compiler.language.template.value import LimitError
from mcpcfg.compiler.project.suppression import MOST_ALIKE
from mcpcfg.compiler.records import finding
from mcpcfg.compiler.records.side_file import env_file
from mcpcfg.compiler.report.terminal import excerpt
from mcpcfg.compiler.report.text import source_line

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import SupportsIndex

SERVER = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata: {name: fetch}\n"
SOUND = f"{SERVER}spec:\n  image: ghcr.io/acme/fetch:1.0\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text(SOUND)
    return tmp_path


def test_more_than_a_hundred_equal_findings_are_counted_in_one(folder: Path) -> None:
    fields = "".join(f"  imagf{number}: x\n" for number in range(MOST_ALIKE + 20))
    (folder / "a.yaml").write_text(SOUND + fields)
    (folder / "b.yaml").write_text(SOUND.replace("name: fetch", "name: other") + "  imagf: x\n")

    outcome = call("check", "--format", "json")

    found = json.loads(outcome.out)
    assert found["summary"]["errors"] == MOST_ALIKE + 1
    assert "and 20 more findings of ADM001 here" in call("check", "--format", "gitlab").out
    assert found["findings"][-1]["file"] == "b.yaml"


def test_a_hundred_alike_are_reported_without_a_note(folder: Path) -> None:
    fields = "".join(f"  imagf{number}: x\n" for number in range(MOST_ALIKE))
    (folder / "a.yaml").write_text(SOUND + fields)

    outcome = call("check")

    assert outcome.err.startswith(f"{MOST_ALIKE} errors;")
    assert "more findings" not in outcome.out


def test_an_env_file_reports_its_first_faults_and_counts_the_rest(folder: Path) -> None:
    (folder / "e.env").write_text("A=b\n" * 3000)

    outcome = call("check", "--as", "env-file", "e.env")

    assert outcome.err.startswith(f"{MOST_ALIKE} warnings;")
    assert "and 2899 more findings of FIL053 here" in outcome.out


def test_a_comment_silences_a_bounded_number_of_rules(folder: Path) -> None:
    ids = ",".join(f"XYZ{number:03}" for number in range(49))
    (folder / "a.yaml").write_text(f"# mcpcfg: ignore[{ids},ADM001,IMG001]\n{SOUND}")
    beyond = call("check", "--severity", "info")
    (folder / "a.yaml").write_text(f"# mcpcfg: ignore[{','.join([ids] * 300)}]\n{SOUND}")
    many = call("check")

    assert beyond.out.count("[CFG001]") == 51
    assert "the comment names more than 50 rules" in beyond.out
    assert many.out.count("[CFG001]") == 51


@pytest.mark.parametrize(
    ("words", "text", "worded", "beyond"),
    [
        # Of each document at least one fault is named.
        ((), "---\n".join(SOUND + "".join(f"  x{number}: 1\n" for number in range(8)) for _ in range(3)), 11, 2),
        (
            (),
            SOUND.replace("{name: fetch}", f"{{name: a, labels: {{{', '.join(f'a{n}$: b' for n in range(12))}}}}}"),
            10,
            1,
        ),
        (("--as", "env-file"), "=\n" * 12, 10, 1),
        (
            ("--as", "registry"),
            json.dumps(
                {
                    "version": "1.0.0",
                    "last_updated": "x",
                    "servers": {f"s{number}": {"image": "a"} for number in range(12)},
                }
            ),
            10,
            1,
        ),
    ],
)
def test_faults_of_a_file_beyond_a_limit_are_reported_as_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], text: str, worded: int, beyond: int
) -> None:
    for module in (explain, facts, finding, env_file):
        monkeypatch.setattr(module, "MAX_FINDINGS", 10)
    (folder / "a.yaml").write_text(text)

    outcome = call("check", *words, "a.yaml", "--no-cache", "--format", "json", "--severity", "info")

    found = [one["rule"] for one in json.loads(outcome.out)["findings"]]
    assert (outcome.status, len(found) - found.count("SYN016"), found.count("SYN016")) == (1, worded, beyond)


@pytest.mark.parametrize("what", ["rules:\n{}", "{}"])
def test_a_configuration_with_thousands_of_faults_shows_a_hundred(folder: Path, what: str) -> None:
    lines = "".join(f"  X{number}: off\n" for number in range(3000))
    text = what.format(lines) if what.startswith("rules") else what.format(lines.replace("  ", ""))
    (folder / "mcpcfg.yaml").write_text(text)

    outcome = call("check")

    assert outcome.status == 2
    assert len(outcome.err.splitlines()) == 102
    assert outcome.err.endswith("and 2900 more\n")


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("mcpcfg.yaml", f"exclude: [{'a*,' * 400_000}]", "larger than 1 MiB"),
        ("pyproject.toml", "[tool.mcpcfg]\n# " + "x" * 2**20, "larger than 1 MiB"),
        ("pyproject.toml", f"[tool.mcpcfg]\n{'a.' * 50_000}a = 1", "too deep in one another"),
        ("pyproject.toml", '[tool.mcpcfg.a . "b"' + ' . a . "b"' * 60 + "]", "too deep in one another"),
    ],
)
def test_a_configuration_beyond_its_bounds_is_refused(folder: Path, name: str, text: str, reason: str) -> None:
    (folder / name).write_text(text)

    outcome = call("check")

    assert (outcome.status, outcome.out) == (2, "")
    assert reason in outcome.err


def test_similar_names_are_searched_a_bounded_number_of_times(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(suggestion, "nearest", lambda name, *_: asked.append(name))
    names = Names(["group"])

    for number in range(5000):
        names.nearest(f"grup-{number}")

    assert len(asked) == 1000


def test_custom_rules_share_a_budget_and_report_when_it_is_used_up(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rule.Allowance.__init__, "__defaults__", (1000,))
    own = "{id: ORG00%d, kind: MCPServer, expression: '[1,2,3,4,5,6,7,8,9].all(x, x > 0)', message: m}"
    (folder / "mcpcfg.yaml").write_text(f"customRules: [{own % 1}, {own % 2}]\n")
    for number in range(80):
        (folder / f"b{number}.yaml").write_text(SOUND.replace("fetch}", f"b{number}}}"))

    outcome = call("check", "--no-cache")

    assert outcome.out.count("cost more than 1000 steps together") == 1


@pytest.mark.parametrize(
    "expression",
    [
        "[1,2,3,4,5,6,7,8,9].all(x, [1,2,3,4,5,6,7,8,9].all(y, !self.spec.args[0].matches('(a|b){1,300}x')))",
        "[1,2,3,4,5,6,7,8,9].all(x, [1,2,3,4,5,6,7,8,9].all(y, self.spec.args[0].matches('" + "a?" * 2000 + "')))",
        "[1,2,3,4,5].all(v, [1,2,3,4].all(w, [1,2,3,4].all(x, [1,2,3,4].all(y, !self.spec.args[0].contains('b')))))",
    ],
)
def test_searching_a_long_text_uses_up_the_budget(expression: str) -> None:
    evaluate = rule.compile_rule(expression)

    with pytest.raises(CelError, match="costs more than 100000 steps"):
        evaluate(self={"spec": {"args": ["a" * 100_000]}})


def test_a_matcher_over_a_token_has_the_same_bound() -> None:
    matcher = rule.compile_matcher("claims['groups'].all(g, !g.matches('(a|b){1,400}x'))")

    with pytest.raises(CelError, match="costs more than 100000 steps"):
        matcher(claims={"groups": ["a" * 50_000] * 40})


@pytest.mark.parametrize("function", ["json", "quote", "js", "print $x"])
def test_a_template_that_doubles_a_text_is_stopped(function: str) -> None:
    template = parse('{{$x := `<a"b\\`}}{{range 60}}{{$x = FUNCTION $x}}{{end}}'.replace("FUNCTION", function))
    assert isinstance(template, Template)

    with pytest.raises(LimitError):
        execute(template, {})


def test_long_texts_take_more_of_a_budget() -> None:
    template = parse("{{range 1000}}{{$y := json $.x}}{{end}}")
    assert isinstance(template, Template)

    with pytest.raises(LimitError, match="too many steps"):
        execute(template, {"x": "a" * 100_000}, budget=Budget(Amount(steps=50_000)))
    assert execute(template, {"x": "a"}, budget=Budget(Amount(steps=50_000))) == ""


def test_a_text_of_one_long_line_is_split_into_lines_once() -> None:
    class Counted(str):
        __slots__ = ()
        splits = 0

        def split(self, *arguments: Any) -> list[str]:
            Counted.splits += 1
            return str.split(self, *arguments)

    class Text(bytes):
        __slots__ = ()

        def decode(self, *_: object) -> Counted:
            return Counted("word " * 1000)

    line = source_line({"a.json": Text()})

    assert {line("a.json", 1) for _ in range(100)} == {"word " * 1000}
    assert Counted.splits <= 1


@pytest.mark.parametrize("line", ["a" * 5000, "é" * 5000, "a\tb" * 2000, "a\u0301" * 3000, "##[error]x" * 500])
@pytest.mark.parametrize("start", [0, 1, 39, 2500, 4990])
def test_a_long_line_is_shortened_alike_by_the_fast_and_the_slow_path(line: str, start: int) -> None:
    class Odd(str):
        """A text that nothing is known of, so that each character is measured."""

        __slots__ = ()

        def isprintable(self) -> bool:
            return False

    class Line(str):
        __slots__ = ()

        def __getitem__(self, key: SupportsIndex | slice) -> Odd:
            return Odd(str(self)[key])

    assert excerpt(line, start, start + 8, 60, str) == excerpt(Line(line), start, start + 8, 60, str)


def _outside(folder: Path, name: str, text: str) -> str:
    target = folder.parent / f"{folder.name}-outside"
    target.mkdir(exist_ok=True)
    (target / name).write_text(text)
    return str(target / name)


def _a_configuration(folder: Path) -> None:
    (folder / "mcpcfg.yaml").symlink_to(_outside(folder, "passwd", "root:hunter2:0\n"))


def _a_table(folder: Path) -> None:
    (folder / "pyproject.toml").symlink_to(_outside(folder, "p.toml", "[tool.mcpcfg]\nhunter2 = 1\n"))


def _a_baseline(folder: Path) -> None:
    (folder / "mcpcfg.yaml").write_text(f"baseline: {_outside(folder, 'passwd', 'hunter2')}\n")


def _a_linked_baseline(folder: Path) -> None:
    (folder / "known").symlink_to(_outside(folder, "passwd", "hunter2"))
    (folder / "mcpcfg.yaml").write_text("baseline: known\n")


@pytest.mark.parametrize("arrange", [_a_configuration, _a_table, _a_baseline, _a_linked_baseline])
def test_a_configured_file_outside_of_the_project_is_refused(folder: Path, arrange: Callable[[Path], None]) -> None:
    arrange(folder)

    outcome = call("check")

    assert (outcome.status, outcome.out) == (2, "")
    assert "it is outside of the project" in outcome.err
    assert "hunter2" not in outcome.err


@pytest.mark.parametrize("setting", ['baseline: "a\\0b"', 'crds: ["a\\0b"]'])
def test_a_name_that_no_file_can_have_is_refused(folder: Path, setting: str) -> None:
    (folder / "mcpcfg.yaml").write_text(f"{setting}\n")

    outcome = call("check")

    assert (outcome.status, outcome.out) == (2, "")
    assert "a\\x00b: it is outside of the project" in outcome.err


@pytest.mark.parametrize("way", [os.mkfifo, lambda path: Path(path).symlink_to("/dev/zero")])
def test_a_pipe_or_device_is_refused_as_configured_baseline(folder: Path, way: Callable[[str], None]) -> None:
    way("known")
    (folder / "mcpcfg.yaml").write_text("baseline: known\n")

    outcome = call("check")

    assert (outcome.status, outcome.err) == (2, "mcpcfg: known: not a regular file\n")


def test_a_call_may_name_files_outside_of_the_project(folder: Path) -> None:
    config = _outside(folder, "other.yaml", "rules: {IMG001: off}\n")
    known = _outside(folder, "known", '{"version": 1, "findings": []}')

    outcome = call("check", "--config", config, "--baseline", known)
    assert outcome.status == 0
    assert f"0 findings are known in {known}" in outcome.err
