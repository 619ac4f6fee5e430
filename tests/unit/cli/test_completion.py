"""What shells complete, by the protocol of each, and in a real bash."""

from __future__ import annotations

import os
import pty
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from mcpcfg.compiler.cli.main import COMMANDS, program

if TYPE_CHECKING:
    from collections.abc import Iterator

MCPCFG = Path(sys.executable).with_name("mcpcfg")
PLACES = ("FILE", "DIR", "PATH", "FOLDER", "FACTS")
"""Words for a path in metavars and names of arguments."""


def completed(*words: str, shell: str = "bash") -> list[tuple[str, str]]:
    """Complete the last word in a process; returns type and value of each answer."""
    given = {"_MCPCFG_COMPLETE": f"{shell}_complete", "COMP_WORDS": shlex.join(("mcpcfg", *words))}
    given["COMP_CWORD"] = words[-1] if shell == "fish" else str(len(words))
    done = subprocess.run([MCPCFG], env={**os.environ, **given}, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    lines = done.stdout.split()
    if shell == "zsh":
        return list(zip(lines[::3], lines[1::3], strict=True))
    return [(kind, value.partition("\t")[0]) for kind, _, value in (line.partition(",") for line in lines)]


def parameters(command: click.Command, context: click.Context) -> Iterator[tuple[click.Context, click.Parameter]]:
    """Yield the parameters of a command and of those below it."""
    yield from ((context, one) for one in command.params)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from parameters(inner, click.Context(inner, info_name=name, parent=context))


def test_every_path_of_every_command_is_completed() -> None:
    context = click.Context(program, info_name="mcpcfg")
    paths = [
        (f"{inner.command_path} {one.human_readable_name}", one.shell_complete(inner, "fix"))
        for inner, one in parameters(program, context)
        if any(word in (one.metavar or one.name or "").upper() for word in PLACES)
    ]

    assert len(paths) > len(COMMANDS)
    assert [
        name for name, found in paths if [one.value for one in found if one.type in {"file", "dir"}] != ["fix"]
    ] == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("check", "fix"), ("file", "fix")),
        (("check", "a", "fix"), ("file", "fix")),
        (("check", "--config", "fix"), ("file", "fix")),
        (("build", "-o", "fix"), ("dir", "fix")),
        (("explain", "REF00"), ("plain", "REF001")),
        (("explain", "dangling-oidc"), ("plain", "dangling-oidc-config")),
        (("explain", "MCPServer.spec.ima"), ("plain", "MCPServer.spec.image")),
        (("explain", "runconf"), ("plain", "runconfig")),
        (("schema", "MCPServerE"), ("plain", "MCPServerEntry")),
        (("check", "--as", "run"), ("plain", "runconfig")),
        (("rules", "--format", "j"), ("plain", "json")),
    ],
)
def test_each_shell_gets_the_completions(shell: str, words: tuple[str, ...], expected: tuple[str, str]) -> None:
    assert expected in completed(*words, shell=shell)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("mcpserver.spec.ima", ["MCPServer.spec.image"]),
        ("MCPServer.spec.secrets[].k", ["MCPServer.spec.secrets[].key"]),
        ("MCPServer.spec.secrets.k", ["MCPServer.spec.secrets.key"]),
        ("skill.toolhive.re", ["skill.toolhive.requires"]),
        ("MCPServer.spec.groupRef.", ["MCPServer.spec.groupRef.name"]),
        ("MCPServer.spec.image.x", []),
        ("MCPServer.nothing.x", []),
        ("nothing.x", []),
        ("ref013", ["REF013"]),
    ],
)
def test_names_to_explain_are_completed_as_explain_takes_them(word: str, expected: list[str]) -> None:
    assert [value for _, value in completed("explain", word)] == expected


def test_explain_completes_an_empty_argument_with_every_name() -> None:
    offered = {value for _, value in completed("explain", "")}

    assert {"ADM001", "MCPServer", "skill", "dangling-oidc-config"} <= offered


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("che", "check"),
        ("check fix", "check fixtures/"),
        ("check other.yaml fix", "check other.yaml fixtures/"),
        ("check --config=fix", "check --config=fixtures/"),
        ("build --output-dir fix", "build --output-dir fixtures/"),
        ("explain MCPServer.spec.ima", "explain MCPServer.spec.image"),
        ("explain REF013", "explain REF013"),
    ],
)
def test_a_real_bash_completes(line: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / "fixtures").mkdir()
    (tmp_path / "rc").write_text(
        f'PATH={shlex.quote(str(MCPCFG.parent))}:$PATH PS1= HISTFILE=\nmcpcfg_said() {{ echo "said:$*:"; }}\n'
        'eval "$(mcpcfg completion bash)"\n'
    )
    terminal, inner = pty.openpty()
    shell = subprocess.Popen(
        ["bash", "--noprofile", "--rcfile", str(tmp_path / "rc"), "-i"],
        cwd=tmp_path,
        stdin=inner,
        stdout=inner,
        stderr=inner,
        start_new_session=True,
        env={**os.environ, "TERM": "dumb"},
    )
    os.close(inner)
    os.write(terminal, f"mcpcfg {line}\t\x01mcpcfg_said \nexit\n".encode())  # Ctrl-A goes to the line's beginning
    shown = b"".join(iter(lambda: _read(terminal), b"")).decode()
    os.close(terminal)
    shell.wait(timeout=60)

    assert f"said:mcpcfg {expected}:" in shown


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # the other end is closed
        return b""
