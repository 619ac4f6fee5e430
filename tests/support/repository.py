"""Git repositories, sound and hostile ones."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

IDENTITY = ("-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "init.defaultBranch=main")

COMMANDS = ("cat-file", "config", "diff", "ls-files", "ls-tree", "merge-base", "rev-parse", "status")

HOOKS = ("fsmonitor-watchman", "post-checkout", "post-index-change", "pre-auto-gc", "reference-transaction")

PROGRAMS = (
    "core.fsmonitor",
    "core.sshCommand",
    "core.gitProxy",
    "core.askPass",
    "core.editor",
    "core.pager",
    "core.alternateRefsCommand",
    "sequence.editor",
    "diff.external",
    "diff.evil.command",
    "diff.evil.textconv",
    "filter.evil.clean",
    "filter.evil.smudge",
    "filter.evil.process",
    "merge.evil.driver",
    "difftool.evil.cmd",
    "mergetool.evil.cmd",
    "interactive.diffFilter",
    "credential.helper",
    "credential.https://example.com.helper",
    "gpg.program",
    "gpg.ssh.program",
    "gpg.ssh.defaultKeyCommand",
    "gc.recentObjectsHook",
    "uploadpack.packObjectsHook",
    "remote.origin.uploadpack",
    "remote.origin.vcs",
    "tar.tar.command",
    "trailer.evil.command",
    "trailer.evil.cmd",
    "hook.evil.command",
    "browser.evil.cmd",
    "guitool.evil.cmd",
    *(f"alias.{command}" for command in COMMANDS),
    *(f"pager.{command}" for command in COMMANDS),
)
"""Settings by which Git runs a program."""


def git(folder: Path, *arguments: str) -> str:
    """Run Git as a user does."""
    done = subprocess.run(["git", *IDENTITY, *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


def commit(folder: Path) -> None:
    """Commit all there is in the repository around a folder; begin it where there is none."""
    if subprocess.run(["git", "rev-parse"], cwd=folder, check=False, capture_output=True).returncode:
        git(folder, "init", "-q")
    git(folder, "add", "--all", ".")
    git(folder, "commit", "-qm", "change")


def trap(folder: Path) -> tuple[str, Path]:
    """Write a program that notes in a file that it was run; gives how it is called, and the file."""
    mark, program = folder / "was-run", folder / "program"
    program.write_text(f'#!/bin/sh\necho "$0 $*" >> {mark}\n')
    program.chmod(0o755)
    return str(program), mark


def arm(config: Path, program: str) -> None:
    """Name a program in a configuration of Git wherever it can be named, and as every hook beside it."""
    for key in PROGRAMS:
        value = f"!{program}" if key.startswith(("alias.", "credential.")) else program
        subprocess.run(["git", "config", "--file", str(config), key, f"{value} {key}"], check=True)
    hooks = config.parent / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in HOOKS:
        (hooks / name).write_text(f"#!/bin/sh\n{program} {name}\n")
        (hooks / name).chmod(0o755)
    settings = {"core.hooksPath": str(hooks), "hook.evil.event": "post-index-change", "filter.evil.required": "true"}
    for key, value in settings.items():
        subprocess.run(["git", "config", "--file", str(config), key, value], check=True)


def disguise(folder: Path, program: str) -> None:
    """Make a folder look like a bare repository that has the history of the one around it, and a hostile setup."""
    top = git(folder, "rev-parse", "--absolute-git-dir").strip()
    subprocess.run(["cp", "-r", f"{top}/HEAD", f"{top}/objects", f"{top}/refs", str(folder)], check=True)
    config = folder / "config"
    config.write_text("[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n")
    arm(config, program)
    (folder / "info").mkdir()
    (folder / "info" / "exclude").write_text("*\n")
    (folder / "info" / "attributes").write_text("* filter=evil diff=evil merge=evil\n")
