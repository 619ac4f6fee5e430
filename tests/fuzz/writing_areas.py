"""Areas about writing: folders that flip to links, calls at the same time, a full disk, and agents that call tools."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import corpus
from area import Area, called, lay, within
from asking import confined
from calling import call
from mcp.client.client import Client
from mutate import of_bytes, of_tokens

from mcpcfg.compiler.agent import stream
from mcpcfg.compiler.agent.server import ToolServer
from mcpcfg.compiler.disk.open_folder import TEMPORARY

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from corpus import Tree

FOLDER = "deploy"
SERVER = (
    "apiVersion: toolhive.stacklok.dev/v1alpha1\nkind: MCPServer\nmetadata: {name: NAME, namespace: deploy}\n"
    "spec: {imagee: 'ghcr.io/acme/a:1.0', transport: stdio}\n"
)
LISTING = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n- one.yaml\n- two.yaml\n"
OWN = {
    "one.yaml": SERVER.replace("NAME", "one").encode(),
    "two.yaml": SERVER.replace("NAME", "two").replace("imagee", "image").encode(),
    "kustomization.yaml": LISTING.encode(),
}
ADD = ("add", "mcpserver", "--image", "ghcr.io/acme/x:1.0", "--yes")
COMMANDS = (
    ("check", ".", "--no-cache", "--fix", "--unsafe-fixes"),
    ("upgrade", ".", "--to", "0.45.0"),
    (*ADD, "more"),
    (*ADD, "more", "--to", f"{FOLDER}/more.yaml"),
    ("init", ".", "--kind", "none", "--ci", "github", "--yes"),
    ("init", ".", "--kind", "server", "--yes"),
    ("build", ".", "--keep-going", "--target", "kubernetes", "--output-dir", "."),
)
PATHS = (
    ".",
    FOLDER,
    "-",
    "./-",
    "..",
    "../outside",
    f"{FOLDER}/../-",
    f"{FOLDER}/one.yaml",
    "link.yaml",
    ".git/config",
)
TOOLS = ("check", "fix", "build", "diff", "graph", "simulate", "search_registry", "explain", "")


def draw(rng: random.Random) -> Tree:
    """Return a project below `FOLDER`, with some mutated files of the corpus."""
    return {f"{FOLDER}/{name}": text for name, text in {**corpus.tree(rng), **OWN}.items() if "/" not in name}


@contextlib.contextmanager
def project(files: Tree) -> Iterator[tuple[Path, Path]]:
    """Work in a project beside a folder with the same files, so no comparison of texts tells them apart."""
    with within(files) as folder:
        outside = folder.parent / "outside"
        lay({name.removeprefix(f"{FOLDER}/"): text for name, text in files.items()}, outside)
        (folder / "link.yaml").symlink_to("../outside/one.yaml")
        (folder / ".git").mkdir()
        (folder / ".git" / "config").write_text("password = hunter2\n")
        yield folder, outside


@contextlib.contextmanager
def flipping(folder: Path, outside: Path) -> Iterator[None]:
    """Let another process replace a folder of the project by a link to the other one, again and again."""
    place, moved = folder / FOLDER, folder / "moved"
    child = os.fork()
    if child == 0:
        while True:
            with contextlib.suppress(OSError):
                place.rename(moved)
                place.symlink_to(outside)
            time.sleep(0.0005)
            with contextlib.suppress(OSError):
                place.unlink()
                moved.rename(place)
            time.sleep(0.0005)
    try:
        yield
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        if place.is_symlink():
            place.unlink()
        if moved.exists() and not place.exists():
            moved.rename(place)


def state(folder: Path) -> dict[str, bytes]:
    """Return the content of each file below a folder."""
    files = (Path(top) / name for top, _, names in os.walk(folder) for name in names)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(files) if not path.is_symlink()}


def hold_flips(files: Tree, rng: random.Random) -> None:
    """Whatever flips to a link while a command writes, nothing outside of the project is written."""
    with project(files) as (folder, outside):
        before = state(outside)
        with flipping(folder, outside):
            for words in rng.sample(COMMANDS, 3):
                called(*words)
        assert state(outside) == before, words
        assert (folder / ".git" / "config").read_text() == "password = hunter2\n"


def hold_full(files: Tree, rng: random.Random) -> None:
    """Whenever the disk is full, each file is what it was or what it should become, and no temporary file is left."""
    words, most = rng.choice(COMMANDS), rng.choice((0, 10, 100, 500, 2_000, 20_000))
    with project(files) as (folder, _):
        called(*words)
        whole = state(folder)
    with project(files) as (folder, _):
        before = state(folder)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
        try:
            called(*words)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        for name, text in state(folder).items():
            # The manifest first lists what an interrupted call may have written.
            manifest = name.endswith(".mcpcfg-manifest")
            assert manifest or TEMPORARY not in name, (words, most, name)
            assert manifest or text in (before.get(name), whole.get(name)), (words, most, name)


def hold_parallel(files: Tree, rng: random.Random) -> None:
    """Four calls of add at the same time all end, and lose no entry."""
    with project({f"{FOLDER}/{name}": text for name, text in OWN.items()}) as (folder, _):
        names = [f"n{number}-{rng.randrange(1000)}" for number in range(4)]
        children = []
        for name in names:
            child = os.fork()
            if child == 0:
                try:
                    outcome = call(*ADD, name)
                    (folder.parent / name).write_text(f"{outcome.status} {outcome.err}" if outcome.status else "")
                finally:
                    os._exit(0)
            children.append(child)
        for child in children:
            os.waitpid(child, 0)
        assert [(folder.parent / name).read_text() for name in names] == [""] * 4
        listed = (folder / FOLDER / "kustomization.yaml").read_text()
        assert [name for name in names if f"- {name}.yaml" not in listed] == []
        assert [name for name in names if not (folder / FOLDER / f"{name}.yaml").exists()] == []
    del files


def _arguments(rng: random.Random, files: Tree) -> dict[str, Any]:
    """Return arguments of a tool, some of which make sense."""
    text = rng.choice(sorted(files.values())).decode("utf-8", "replace")
    choices: dict[str, Any] = {
        "paths": rng.choices(PATHS, k=rng.choice((1, 1, 2))),
        "files": {rng.choice(PATHS): text},
        "write": True,
        "unsafe": True,
        "target": rng.choice(("kubernetes", "runconfig", "vmcp")),
        "old": rng.choice(PATHS),
        "new": rng.choice(PATHS),
        "name": rng.choice(("one", *PATHS)),
        "subject": rng.choice(("tools", "rate-limit", "workflow", "authz", "role")),
        "file": rng.choice(PATHS),
        "what": rng.choice(("REF004", text[:50])),
        "kind": rng.choice(("registry", "resource", text[:5])),
    }
    return {name: choices[name] for name in rng.sample(sorted(choices), rng.choice((0, 1, 2, 3)))}


def _call(rng: random.Random, files: Tree) -> tuple[str, dict[str, Any]]:
    tool = rng.choice(TOOLS)
    needed: dict[str, dict[str, Any]] = {
        "fix": {"write": True, "unsafe": True},
        "build": {"target": "kubernetes"},
        "explain": {"what": "REF004"},
    }
    return tool, {**_arguments(rng, files), **(needed.get(tool, {}) if rng.random() < 0.7 else {})}


def hold_agents(files: Tree, rng: random.Random) -> None:
    """Calls at the same time are all answered, show and write nothing outside, and no part of an answer acts."""
    results: list[Any] = []
    calls = [_call(rng, files) for _ in range(8)]

    async def converse() -> None:
        async with Client(ToolServer(may_write=True).protocol()) as client, anyio.create_task_group() as group:

            async def ask(tool: str, arguments: dict[str, Any]) -> None:
                results.append(await client.call_tool(tool, arguments))

            for tool, arguments in calls:
                group.start_soon(ask, tool, arguments)

    with project(files) as (folder, outside):
        (outside / "secret.yaml").write_text(SERVER.replace("NAME", "hunter2"))
        before = state(outside)
        with flipping(folder, outside), confined(folder):
            anyio.run(converse)
        assert state(outside) == before
    assert len(results) == len(calls)
    for result in results:
        text = "".join(getattr(part, "text", "") for part in result.content)
        assert "hunter2" not in text, calls
        assert "internal error" not in text, text
        for char in f"{text}{json.dumps(result.structured_content, ensure_ascii=False)}":
            assert char.isprintable() or char in "\n\t\r\xa0\u3000" or ord(char) > 0x2069, repr(char)


def hold_messages(files: Tree, rng: random.Random) -> None:
    """A mutated message is passed on, or another with its id is read in its place."""
    tool, arguments = _call(rng, files)
    params = {"name": tool, "arguments": arguments}
    message = json.dumps({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}).encode()
    for _ in range(50):
        line = rng.choice((of_bytes, of_tokens))(rng, message, (message,)).replace(b"\n", b" ")
        nested = b"[" * rng.choice((0, 150, 250, 5_000))
        line = line.replace(b'"arguments": ', b'"arguments": ' + nested, 1) + b"\n"
        if stream._is_readable(line):
            continue
        request_id = stream._own_id(line)
        instead = stream._instead_of(request_id, stream._UNREADABLE)
        assert stream._is_readable(instead) == (request_id is not None), line
        if line.startswith(b'{"jsonrpc": "2.0", "id": 7, '):
            assert request_id == b"7", line


AREAS = (
    Area("flips", "what flips to a link is not written through", draw, hold_flips, 6),
    Area("full", "a full disk leaves whole files", draw, hold_full, 8),
    Area("parallel", "calls of add at the same time lose nothing", draw, hold_parallel, 2),
    Area("agents", "calls of tools show and write nothing outside", draw, hold_agents, 6),
    Area("messages", "a message that cannot be read gets an answer", draw, hold_messages, 10),
)
