"""Areas about whole projects: ways to one answer, what is compiled, what is fixed, every command."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from unittest import mock

import corpus
import yaml
from area import Area, called, within
from caching import check_kept
from mutate import LOADER, parsed

from mcpcfg.compiler import api
from mcpcfg.compiler.check import full
from mcpcfg.compiler.cli import check as check_command
from mcpcfg.compiler.emit.target import TARGETS
from mcpcfg.compiler.project import input_kind
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.project.settings import Options
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.toolhive.release import NEWEST_MODELLED, RELEASES

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence
    from pathlib import Path

    from corpus import Tree

    from mcpcfg.compiler.diagnostics.finding import Finding


def hold_one_answer(files: Tree, rng: random.Random) -> None:
    """The order of files, a cache cold, warm and stale, and shards change nothing of what is found."""
    with within(files) as folder, mock.patch.object(check_command, "FEWEST_KEPT", 1):
        # One path after another, so that the order of the call can be another.
        named = [str(folder / name) for name in sorted(files) if not name.startswith(".")]
        plain = _found((str(folder),), Options())
        if len(named) == len(files) and corpus.SETTINGS not in files:
            shuffled = rng.sample(named, len(named))
            assert sorted(_found(tuple(shuffled), Options())) == sorted(_found(tuple(named), Options()))
        for change in (None, None, rng.choice(sorted(files))):
            if change is not None:
                (folder / change).write_bytes(corpus.text(rng, (files[change],)))
                plain = _found((str(folder),), Options())
            project = discover((str(folder),))
            assert list(check_kept(project, Options(), keep=True).findings) == plain
        _hold_shards(folder, rng.choice((1, 2, 3)))


def _found(paths: tuple[str, ...], options: Options) -> list[Finding]:
    return list(full.check(discover(paths), options).findings)


def _hold_shards(folder: Path, count: int) -> None:
    whole = called("check", ".", "--no-cache", "--format", "json")
    names = [f"../facts-{number}.json" for number in range(1, count + 1)]
    for number, name in enumerate(names, 1):
        part = called("check", ".", "--shard", f"{number}/{count}", "--output", name)
        if part.status == 2:
            assert whole.status == 2, part.err
            return
        assert part.status == 0, part.err
    joined = called("merge", *names, "--format", "json")
    assert (joined.status, joined.out) == (whole.status, whole.out), folder


def hold_engines(files: Tree, rng: random.Random) -> None:
    """Own admission and the libraries jsonschema and cel-python admit the same documents by a release."""
    release = rng.choice(RELEASES)
    own, other = (
        {
            (one.span.file, one.document)
            for one in api.check(files=files, options=Options(release=release, reference_engine=engine)).findings
            if one.stage == "admission" and one.severity == "error"
        }
        for engine in (False, True)
    )
    assert own == other


def hold_compiled(files: Tree, rng: random.Random) -> None:
    """What is compiled is the same twice, is read back, and is taken by a check where its source was."""
    report = api.check(files=files, options=Options())
    has_errors = any(one.severity == "error" for one in report.findings)
    is_own = all(one.release == NEWEST_MODELLED for one in report.loaded.resources)
    for target in TARGETS:
        made = api.build(report, target, keep_going=True)
        assert [(one.path, one.text) for one in api.build(report, target, keep_going=True).files] == [
            (one.path, one.text) for one in made.files
        ]
        for one in made.files:
            _hold_read(one.path, one.text)
            if target in {"runconfig", "vmcp"} and is_own:
                again = api.check(files={one.path: one.text}, options=Options(closed=True))
                refused = [(found.rule, found.message) for found in again.findings if found.severity == "error"]
                assert not again.nothing, one.path
                assert has_errors or not refused, (one.path, refused)
    del rng


def _hold_read(path: str, text: str) -> None:
    documents, findings = read_documents(text, path)
    assert findings == [], findings
    if path.endswith(".json"):
        assert [json.loads(text)] == [one.data for one in documents]
    else:
        list(yaml.load_all(text, LOADER))


def hold_fixed(files: Tree, rng: random.Random) -> None:
    """Fixing ends, and spoils no text that could be read."""
    with within(files) as folder:
        before = full.check(discover((str(folder),)), Options())
        for _ in range(6):
            texts = {name: (folder / name).read_bytes() for name in files}
            called("check", ".", "--no-cache", "--fix", *rng.choice(((), ("--unsafe-fixes",))))
            if texts == {name: (folder / name).read_bytes() for name in files}:
                break
        else:
            raise AssertionError("fixing goes on and on")
        after = full.check(discover((str(folder),)), Options())
        assert _unreadable(after.findings) <= _unreadable(before.findings)


def _unreadable(findings: Sequence[Finding]) -> set[str]:
    return {one.span.file for one in findings if one.stage == "syntax"}


def _names(files: Tree) -> dict[str, list[str]]:
    """Return the names of the objects of each kind in a project."""
    found: dict[str, list[str]] = {}
    for text in files.values():
        for one in parsed(text):
            metadata = one.get("metadata") if isinstance(one, dict) else None
            if not isinstance(metadata, dict):
                continue
            name, kind = metadata.get("name"), str(one.get("kind"))
            if isinstance(name, str) and name and not name.startswith("-"):
                found.setdefault(kind, []).append(name)
    return found


KINDS = ("resource", *(kind.name for kind in input_kind.KINDS))
ASKED = {
    "tools": ("VirtualMCPServer",),
    "role": ("MCPExternalAuthConfig", "MCPServer", "MCPRemoteProxy"),
    "rate-limit": ("MCPServer",),
    "workflow": ("VirtualMCPCompositeToolDefinition", "VirtualMCPServer"),
    "authz": ("MCPServer", "MCPRemoteProxy", "VirtualMCPServer"),
}
"""What may be asked of which kinds."""
REQUEST = ("--principal", "a", "--action", "call_tool", "--resource", "b")


def _questions(files: Tree) -> list[list[str]]:
    names = _names(files)
    return [
        ["simulate", what, name, ".", *(REQUEST if what == "authz" else ())]
        for what, kinds in ASKED.items()
        for kind in kinds
        for name in names.get(kind, ())[:2]
    ]


def _commands(files: Tree, rng: random.Random) -> list[list[str]]:
    file = rng.choice(sorted(files))
    commands: list[list[str]] = [
        *(["graph", ".", "--format", form] for form in ("mermaid", "dot", "html")),
        *(["diff", file, ".", "--format", form] for form in ("text", "json", "markdown")),
        ["diff", ".", "--from-release", "0.21.0", "--to-release", "0.44.0"],
        *_questions(files),
        ["simulate", "workflow", file],
        ["simulate", "tools", file],
        *(["check", file, "--as", kind, "--format", "json"] for kind in rng.sample(KINDS, 8)),
        ["check", ".", "--fix", "--diff", "--unsafe-fixes"],
        *(["check", ".", "--release", release] for release in ("0.21.0", "0.30.0", "0.44.0")),
        ["check", ".", "--closed", "--isolated", "--severity", "info"],
        *(["build", ".", "--keep-going", "--target", target, "--release", "0.44.0"] for target in TARGETS),
        *(["registry", what, file] for what in ("list", "show", "search", "skills", "convert")),
        *(["convert", file, "--to", target] for target in ("mcpserver", "workload", "runconfig")),
        ["workload", "show", file],
        ["workload", "list", "."],
        ["skill", "validate", "."],
        ["client", "config", "cursor", ".", "--host", "localhost:8080"],
    ]
    return rng.sample(commands, 4)


def hold_commands(files: Tree, rng: random.Random) -> None:
    """No command ends with a fault of its own, and what it prints as JSON is JSON."""
    for words in _commands(files, rng):
        with within(files):
            outcome: Any = called(*words)
        if "json" in words and outcome.status in {0, 1} and outcome.out:
            json.loads(outcome.out)


AREAS = (
    Area("one-answer", "processes, order, cache and shards change nothing", corpus.tree, hold_one_answer, 12),
    Area("engines", "both engines of admission admit the same documents", corpus.tree, hold_engines, 20),
    Area("compiled", "what is compiled is read back and taken", corpus.tree, hold_compiled, 25),
    Area("fixed", "fixing ends, and spoils nothing", corpus.any_tree, hold_fixed, 15),
    Area("commands", "no command ends with a fault of its own", corpus.any_tree, hold_commands, 20),
)
