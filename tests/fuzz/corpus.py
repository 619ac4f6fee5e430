"""What is mutated: all fixtures of the repository, as trees of files."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from mutate import mutated

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
Tree: TypeAlias = dict[str, bytes]
"""Files by their path below a folder."""

SETTINGS = "mcpcfg.yaml"
MOST_BYTES = 20_000


@cache
def texts() -> tuple[bytes, ...]:
    """Return all fixtures that are one YAML or JSON text of a usual size."""
    found = (
        path.read_bytes() for path in sorted(FIXTURES.rglob("*")) if path.suffix in {".yaml", ".yml", ".json", ".md"}
    )
    rows = (json.loads(line)["yaml"].encode() for line in _lines("encoding/yaml-read.jsonl"))
    return tuple(sorted({text for text in (*found, *rows, *records()) if 0 < len(text) <= MOST_BYTES}))


@cache
def records() -> tuple[bytes, ...]:
    """Return records, configurations and skills, each as a text of its own."""
    files = {"records/registry": "input", "records/server": "input", "records/workload": "input", "vmcp": "config"}
    rows = [json.loads(line).get(key) for name, key in files.items() for line in _lines(f"{name}.jsonl")]
    plain = [one for one in rows if one is not None]
    plain += [json.loads(line)["input"] for line in _lines("records/catalog-skill.jsonl")]
    skills = [text.encode() for line in _lines("records/skill.jsonl") for text in json.loads(line)["files"].values()]
    return (*(json.dumps(one, indent=2).encode() for one in plain), *skills)


@cache
def resources() -> tuple[bytes, ...]:
    """Return the texts with resources of the operator."""
    return tuple(text for text in texts() if b"toolhive.stacklok.dev/" in text)


@cache
def projects() -> tuple[Tree, ...]:
    """Return the example projects."""
    found = []
    for folder in sorted((FIXTURES / "projects").iterdir()):
        files = sorted(path for path in folder.rglob("*") if path.is_file() and path.stat().st_size <= MOST_BYTES)
        if 0 < len(files) <= 40:
            found.append({path.relative_to(folder).as_posix(): path.read_bytes() for path in files})
    return tuple(found)


@cache
def settings() -> tuple[bytes, ...]:
    """Return configurations."""
    named = tuple(path.read_bytes() for path in sorted(FIXTURES.rglob(SETTINGS)))
    every = {
        "namespace": "tools",
        "failOn": "warning",
        "severity": "info",
        "release": "0.30.0",
        "unused": "error",
        "exclude": ["drafts/", "*.bak"],
        "isolated": ["x/"],
        "external": {"Secret": ["*"], "ConfigMap": ["a/b"]},
        "rules": {"IMG001": "off", "REF004": "warning"},
        "images": {"proxyRunner": "a/b:1"},
        "skills": ["skills"],
        "baseline": "base.json",
        "profile": {"group": "x.example.com"},
        "secretsProvider": "none",
        "customRules": [{"id": "OWN001", "kind": "MCPServer", "rule": "has(self.spec.image)", "message": "no"}],
    }
    return (*named, json.dumps(every).encode())


@cache
def lines_of(file: str, *keys: str) -> tuple[str, ...]:
    """Return the values under one of ``keys`` in the rows of a fixture, texts alone."""
    rows = (json.loads(line) for line in _lines(file))
    return tuple(sorted({row[key] for row in rows for key in keys if isinstance(row.get(key), str)}))


def _lines(file: str) -> Iterator[str]:
    return (line for line in (FIXTURES / file).read_text("utf-8").split("\n") if line)


def text(rng: random.Random, among: Sequence[bytes]) -> bytes:
    """Return one of some texts, mutated most of the time."""
    chosen = rng.choice(among)
    return chosen if rng.random() < 0.1 else mutated(rng, chosen, among)


def tree(rng: random.Random) -> Tree:
    """Return a project: an example with some files mutated, or some texts together."""
    if rng.random() < 0.3:
        made = dict(rng.choice(projects()))
        for name in rng.sample(sorted(made), min(len(made), rng.choice((1, 1, 2, 4)))):
            made[name] = text(rng, (made[name],)) if rng.random() < 0.7 else mutated(rng, made[name], resources())
        return made
    count = rng.choice((1, 1, 2, 3, 6))
    return {f"f{number}.{_ending(one)}": one for number, one in enumerate(text(rng, resources()) for _ in range(count))}


def any_tree(rng: random.Random) -> Tree:
    """Return a project, or a file of any kind."""
    if rng.random() < 0.5:
        return tree(rng)
    one = text(rng, rng.choice((texts(), records())))
    return {f"a.{_ending(one)}": one}


def _ending(one: bytes) -> str:
    return "json" if one.lstrip()[:1] in {b"{", b"["} else "yaml"
