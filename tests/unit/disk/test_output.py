"""A call that is made again prints the same, cached or not."""

from __future__ import annotations

import os
import random
import time
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result
from sample import random_rule_text, random_text, resource

from mcpcfg.compiler.cli.main import program

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


SERVER = """apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPServer
metadata: {name: one}
spec: {image: "ghcr.io/acme/one:1.0", transport: stdio, groupRef: {name: GROUP}}
"""
GROUP = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPGroup\nmetadata: {name: tools}\n"


@pytest.fixture(autouse=True)
def folder(tree: Path) -> Path:
    """A project that is not fresh."""
    write(tree / "server.yaml", SERVER)
    write(tree / "group.yaml", GROUP)
    return tree


def write(path: Path, text: str) -> None:
    """Write a file as if a while ago."""
    path.write_text(text, encoding="utf-8")
    before = time.time_ns() - 3_600_000_000_000
    os.utime(path, ns=(before, before))


def check(*options: str) -> Result:
    return CliRunner().invoke(program, ["check", *options], standalone_mode=False)


def outcome_of(result: Result) -> tuple[object, ...]:
    assert result.exception is None, result.output
    return result.stdout, result.stderr, result.return_value


@pytest.mark.parametrize("options", [(), ("--format", "json"), ("--format", "sarif"), ("--color",)], ids=" ".join)
def test_a_repeated_call_has_the_same_output_as_one_without_cache(options: tuple[str, ...]) -> None:
    anew = outcome_of(check("--no-cache", *options))
    assert "GROUP" in str(anew[0])
    for _ in range(3):
        assert outcome_of(check(*options)) == anew


def test_without_changes_the_output_comes_from_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    first = outcome_of(check())
    monkeypatch.setattr("mcpcfg.compiler.check.full.check", None)
    assert outcome_of(check()) == first


def test_another_call_or_text_is_checked_again(folder: Path) -> None:
    assert outcome_of(check())[2] == 1
    assert outcome_of(check("--fail-on", "never"))[2] == 0
    assert outcome_of(check("--format", "json")) == outcome_of(check("--no-cache", "--format", "json"))
    write(folder / "server.yaml", SERVER.replace("GROUP", "tools") + "# fixed\n")
    fixed = outcome_of(check())
    assert fixed == outcome_of(check("--no-cache"))
    assert fixed[2] == 0
    write(folder / "server.yaml", SERVER)
    assert outcome_of(check())[2] == 1


def test_another_severity_of_unused_files_is_checked_again(folder: Path) -> None:
    write(folder / "kustomization.yaml", "resources: [group.yaml]\n")
    write(folder / "server.yaml", SERVER.replace("transport", "transprt"))
    assert outcome_of(check())[2] == 0
    assert outcome_of(check("--unused", "error"))[2] == 1


def test_damaged_output_is_computed_again(folder: Path) -> None:
    first = outcome_of(check())
    (kept,) = (one for one in (folder.parent / "cache" / "mcpcfg").iterdir() if one.name != "key")
    kept.write_bytes(kept.read_bytes()[:200] + b"xxxxx" + kept.read_bytes()[205:])
    assert outcome_of(check()) == first


def test_a_baseline_and_a_file_for_the_report_are_never_left_out(folder: Path) -> None:
    check()
    report = folder.parent / "report.json"
    for _ in range(2):
        check("--format", "json", "--output", str(report))
        assert report.read_text(encoding="utf-8").startswith("{")
        report.unlink()
    check("--write-baseline", str(folder.parent / "known.json"))
    for _ in range(2):
        assert outcome_of(check("--baseline", str(folder.parent / "known.json")))[2] == 0
    assert outcome_of(check())[2] == 1


def test_the_outputs_of_several_calls_are_cached_together(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = ((), ("--format", "json"), ("--format", "github"))
    first = [outcome_of(check(*call)) for call in calls]
    monkeypatch.setattr("mcpcfg.compiler.check.full.check", None)
    assert [outcome_of(check(*call)) for call in calls] == first


def sparse_text(rng: random.Random) -> str:
    """Write a file that has to do with few others: it may refer to one, repeat one, or be broken."""
    name, other = (f"n{rng.randrange(30)}" for _ in range(2))
    texts = (
        resource("MCPServer", name, "image: ghcr.io/acme/one", "transport: stdio", f"toolConfigRef: {{name: {other}}}"),
        resource("MCPServer", name, "image: ghcr.io/acme/one:1.0", "transport: stdio", f"groupRef: {{name: {other}}}"),
        resource("MCPServer", name, "image: ghcr.io/acme/one", "transport: sse", "resources: {limits: {cpu: '1'}}"),
        resource("MCPToolConfig", name, f"toolsFilter: [{other}]"),
        resource("MCPToolConfig", name, f"toolsFilters: [{other}]"),
        resource("MCPGroup", name) + f"---\n{resource('MCPToolConfig', other)}",
        resource("MCPGroup", name).replace("v1alpha1", "v1beta1") if rng.random() < 0.2 else "just: text\n",
        resource("MCPGroup", name) + "a: [\n",
    )
    return rng.choice(texts)


@pytest.mark.parametrize("text_of", [sparse_text, random_rule_text, random_text], ids=["sparse", "rules", "all"])
@pytest.mark.parametrize("seed", range(3))
def test_after_any_edits_the_same_is_printed_as_if_nothing_were_kept(
    folder: Path, text_of: Callable[[random.Random], str], seed: int
) -> None:
    rng = random.Random(300 + seed)
    files = [f"f{number:02}.yaml" for number in range(40)]
    for file in files:
        write(folder / file, text_of(rng) + rng.choice(("", "# mcpcfg: ignore[REF001]\n")))
    if seed:
        write(folder / "mcpcfg.yaml", "rules: {REF001: warning, IMG001: off}\n")
        write(folder / "f05.json", '{"version": "1.0.0", "last_updated": "x", "servers": {"one": {"image": "a"}}}')
    options = rng.choice(((), ("--closed",), ("f01.yaml", "f02.yaml", "."), ("--namespace", "a")))
    for _ in range(6):
        for file in rng.choices(files, k=rng.randint(1, 2)):
            path = folder / file
            text = path.read_text("utf-8") if path.exists() else ""
            write(path, rng.choice((text_of(rng), "# moved\n" + text, text + "# mcpcfg: ignore[REF001]\n")))
        (folder / rng.choice(files[3:])).unlink(missing_ok=True)
        for more in ((), ("--format", "json"), ("--severity", "info")):
            expected = outcome_of(check(*options, *more, "--no-cache"))
            for _ in range(2):
                assert outcome_of(check(*options, *more)) == expected, seed
