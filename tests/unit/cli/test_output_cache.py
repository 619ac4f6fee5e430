"""A call that is made again says the same, from what was kept or anew."""

from __future__ import annotations

import os
import random
import time
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result
from sample import random_overlay, random_rule_text, random_text, resource

from mcpcfg.compiler.check import pipeline, several
from mcpcfg.compiler.cli.main import program
from mcpcfg.compiler.intake import cache, keeping, worker

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from mcpcfg.compiler.check.judged import Judged
    from mcpcfg.compiler.check.pipeline import Options
    from mcpcfg.compiler.diagnostics.finding import Finding
    from mcpcfg.compiler.project.discovery import Project

SERVER = """apiVersion: toolhive.stacklok.dev/v1alpha1
kind: MCPServer
metadata: {name: one}
spec: {image: "ghcr.io/acme/one:1.0", transport: stdio, groupRef: {name: GROUP}}
"""
GROUP = "apiVersion: toolhive.stacklok.dev/v1alpha1\nkind: MCPGroup\nmetadata: {name: tools}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project that is not fresh, and a cache for few files."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("CI", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(keeping, "FEWEST", 1)
    tree = tmp_path / "tree"
    tree.mkdir()
    monkeypatch.chdir(tree)
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


def said(result: Result) -> tuple[object, ...]:
    assert result.exception is None, result.output
    return result.stdout, result.stderr, result.return_value


@pytest.mark.parametrize("options", [(), ("--format", "json"), ("--format", "sarif"), ("--color",)], ids=" ".join)
def test_the_same_call_says_the_same_again(options: tuple[str, ...]) -> None:
    anew = said(check("--no-cache", *options))
    assert "GROUP" in str(anew[0])
    for _ in range(3):
        assert said(check(*options)) == anew


def test_nothing_is_told_anew_where_nothing_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    first = said(check())
    monkeypatch.setattr("mcpcfg.compiler.cli.check.in_text", None)
    assert said(check()) == first


def test_another_call_or_another_text_is_told_anew(folder: Path) -> None:
    assert said(check())[2] == 1
    assert said(check("--fail-on", "never"))[2] == 0
    assert said(check("--format", "json")) == said(check("--no-cache", "--format", "json"))
    write(folder / "server.yaml", SERVER.replace("GROUP", "tools") + "# fixed\n")
    fixed = said(check())
    assert fixed == said(check("--no-cache"))
    assert fixed[2] == 0
    write(folder / "server.yaml", SERVER)
    assert said(check())[2] == 1


def test_what_is_damaged_is_told_anew(folder: Path) -> None:
    first = said(check())
    (kept,) = (folder.parent / "cache" / "mcpcfg").glob("*.said")
    kept.write_bytes(kept.read_bytes()[:-5] + b"xxxxx")
    assert said(check()) == first


def test_a_baseline_and_a_file_for_the_report_are_never_left_out(folder: Path) -> None:
    check()
    report = folder.parent / "report.json"
    for _ in range(2):
        check("--format", "json", "--output", str(report))
        assert report.read_text(encoding="utf-8").startswith("{")
        report.unlink()
    check("--write-baseline", str(folder.parent / "known.json"))
    for _ in range(2):
        assert said(check("--baseline", str(folder.parent / "known.json")))[2] == 0
    assert said(check())[2] == 1


def test_the_kept_words_are_those_of_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    monkeypatch.setattr(cache.Cache, "say", lambda _, call, *__: calls.append(call))
    check()
    check("--format", "json")
    assert len(set(calls)) == 2


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
def test_after_any_edits_files_are_told_as_if_nothing_were_kept(
    folder: Path, text_of: Callable[[random.Random], str], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    few: list[list[Finding]] = []
    settled = pipeline.settled

    def noted(judged: Judged, project: Project, options: Options, files: Collection[str] | None) -> list[Finding]:
        found = settled(judged, project, options, files)
        if files is not None:
            few.append(found)
        return found

    monkeypatch.setattr(pipeline, "settled", noted)
    rng = random.Random(300 + seed)
    files = [f"f{number:02}.yaml" for number in range(40)]
    for file in files:
        write(folder / file, text_of(rng))
    for _ in range(8):
        for file in rng.choices(files, k=rng.randint(1, 2)):
            path = folder / file
            text = path.read_text("utf-8") if path.exists() else ""
            write(path, rng.choice((text_of(rng), "# moved\n" + text, text + "# mcpcfg: ignore[REF001]\n")))
        (folder / rng.choice(files)).unlink(missing_ok=True)
        for _ in range(2):
            options = ("--jobs", "1", *(("--severity", "info") if seed % 2 else ()))
            assert said(check(*options)) == said(check(*options, "--no-cache")), seed
    assert any(few) or text_of is random_text, "nothing was told of a few files alone"


@pytest.mark.parametrize("text_of", [sparse_text, random_rule_text, random_text], ids=["sparse", "rules", "all"])
@pytest.mark.parametrize("seed", range(6))
def test_processes_that_tell_of_their_shares_tell_what_one_tells(
    folder: Path, text_of: Callable[[random.Random], str], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shares: list[int] = []
    in_words = several._Several._in_words

    def noted(self: several._Several, at: int, *args: Any) -> Judged:
        shares.append(at)
        return in_words(self, at, *args)

    monkeypatch.setattr(several._Several, "_in_words", noted)
    monkeypatch.setattr(worker, "FEWEST", 4)
    rng = random.Random(400 + seed)
    for number in range(rng.randint(9, 40)):
        write(folder / f"f{number:02}.yaml", text_of(rng) + rng.choice(("", "# mcpcfg: ignore[REF001]\n")))
    if seed % 2:
        write(folder / "mcpcfg.yaml", "rules: {REF001: warning, IMG001: off}\n")
    is_one_matter = seed in {2, 3}
    if seed == 2:
        (folder / "overlay").mkdir()
        write(folder / "overlay/kustomization.yaml", random_overlay(rng, sorted(os.listdir(folder))))
    if seed == 3:
        write(folder / "f05.json", '{"version": "1.0.0", "last_updated": "x", "servers": {"one": {"image": "a"}}}')
    options = rng.choice(((), ("--closed",), ("f01.yaml", "f02.yaml", "."), ("--namespace", "a")))
    options += rng.choice(((), ("--severity", "info")))
    expected = said(check(*options, "--no-cache", "--jobs", "1"))
    for jobs in ("2", "3", "5"):
        assert said(check(*options, "--no-cache", "--jobs", jobs)) == expected
    for _ in range(4):
        for more in ((), ("--format", "json")):
            assert said(check(*options, *more, "--jobs", "3")) == said(check(*options, *more, "--no-cache"))
        write(folder / f"f{rng.randrange(9):02}.yaml", text_of(rng))
    assert text_of is random_text or bool(shares) is not is_one_matter
