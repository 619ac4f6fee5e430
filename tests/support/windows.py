r"""Call the program as on Windows: its paths, names in any case, line ends, and none of the functions that it lacks.

    python -P tests/support/windows.py DRIVE FOLDER

DRIVE is the folder that is ``C:\``, and FOLDER the current folder, such as ``C:\my project``. Standard input holds a
JSON list of calls, each a list of arguments; standard output receives a JSON list of status, output and errors.
"""

from __future__ import annotations

import builtins
import json
import ntpath
import os
import posixpath
import shutil
import subprocess
import sys
from functools import wraps
from typing import Any

MISSING_MODULES = ("fcntl", "grp", "pwd", "resource", "termios")
MISSING = ("fork", "getuid", "geteuid", "killpg", "setsid", "O_NOFOLLOW", "O_NONBLOCK", "O_DIRECTORY", "O_CLOEXEC")
BINARY = 1 << 29
ONE_PATH = ("access", "chmod", "listdir", "lstat", "mkdir", "readlink", "remove", "rmdir", "scandir", "stat", "unlink")
TWO_PATHS = ("link", "replace")


class Drive:
    r"""The folder that is ``C:\``."""

    def __init__(self, root: str, folder: str) -> None:
        self.root = posixpath.realpath(root)
        self.folder = folder
        self._is_asked = False

    def real(self, path: Any) -> Any:
        """Return the path on this machine. A name stands for the entry that differs in case alone, if there is one."""
        if isinstance(path, int) or self._is_asked:
            return path
        self._is_asked = True
        try:
            return self._real(path)
        finally:
            self._is_asked = False

    def _real(self, path: Any) -> str:
        whole = ntpath.normpath(ntpath.join(self.folder, os.fsdecode(path)))
        drive, below = ntpath.splitdrive(whole)
        if drive.startswith("\\\\"):
            raise AssertionError(f"another machine is called: {path}")
        names = [name for name in below.split("\\") if name]
        place = self.root if drive.upper() == "C:" else f"{self.root}/no such drive"
        for name in names:
            place = f"{place}/{self._entry(place, name)}"
        outside = "/" + "/".join(names)  # Python and the program are on each drive too
        return outside if not posixpath.lexists(place) and posixpath.lexists(outside) else place

    def _entry(self, folder: str, name: str) -> str:
        try:
            entries = os.listdir(folder)
        except OSError:
            return name
        return next((entry for entry in entries if entry.casefold() == name.casefold()), name)

    def realpath(self, path: Any) -> str:
        """Resolve links, and write each name as the disk has it, as Windows does."""
        real = self.real(path)
        self._is_asked = True
        try:
            real = posixpath.realpath(real)
        finally:
            self._is_asked = False
        below = real.removeprefix(self.root)
        return "C:" + (below.replace("/", "\\") or "\\")


def pretend(drive: Drive) -> None:
    """Replace what the modules of Python give by what they give on Windows."""
    opened, opened_low, popen = open, os.open, subprocess.Popen.__init__
    for name in ONE_PATH:
        setattr(os, name, _translated(getattr(os, name), drive))

    def open_text(file: Any, mode: str = "r", *args: Any, **named: Any) -> Any:
        if "b" not in mode:
            named = {"encoding": "cp1252", **named}
            named["newline"] = "\r\n" if named.get("newline") is None and "r" not in mode else named.get("newline")
        return opened(drive.real(file), mode, *args, **named)

    def open_low(path: Any, flags: int, *args: Any, **named: Any) -> int:
        assert named.get("dir_fd") is None, "Windows opens no folder"
        assert path == os.devnull or flags & BINARY, f"{path} is opened as text: line ends would be changed"
        return opened_low(drive.real(path), flags & ~BINARY, *args, **named)

    def start(self: Any, *args: Any, cwd: Any = None, **named: Any) -> None:
        folder = drive.real(cwd or drive.folder)
        os.path = posixpath  # to find the program
        try:
            popen(self, *args, cwd=folder, **named)  # type: ignore[call-overload]  # whatever the caller gives
        finally:
            os.path = ntpath

    def refuse(*args: Any, **named: Any) -> None:
        raise OSError(22, "A required privilege is not held by the client")

    builtins.open = open_text
    os.open = open_low
    for name in TWO_PATHS:
        setattr(os, name, _translated_both(getattr(os, name), drive))
    os.supports_dir_fd.clear()
    os.symlink = refuse
    shutil._use_fd_functions = False  # type: ignore[attr-defined]
    os.getcwd = lambda: drive.folder
    os.sep, os.altsep = "\\", "/"
    ntpath.realpath = drive.realpath  # type: ignore[assignment]
    os.path = ntpath
    subprocess.Popen.__init__ = start  # type: ignore[method-assign]


def _translated(function: Any, drive: Drive) -> Any:
    @wraps(function)
    def translated(path: Any = ".", *args: Any, **named: Any) -> Any:
        return function(drive.real(path), *args, **named)

    return translated


def _translated_both(function: Any, drive: Drive) -> Any:
    @wraps(function)
    def translated(old: Any, new: Any, **named: Any) -> Any:
        assert not any(named.values()), f"Windows opens no folder: {named}"
        return function(drive.real(old), drive.real(new))

    return translated


def main() -> None:
    """Make the calls of standard input."""
    calls = json.load(sys.stdin)
    os.O_BINARY = BINARY  # type: ignore[attr-defined]
    import tempfile  # noqa: F401 - it looks at the system when it is imported
    import threading  # noqa: F401 - the same

    for name in MISSING_MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    for name in MISSING:
        delattr(os, name)
    sys.path.insert(0, posixpath.dirname(__file__))
    pretend(Drive(*sys.argv[1:3]))
    from calling import call

    sys.stdout.write(json.dumps([call(*arguments) for arguments in calls]))


if __name__ == "__main__":
    main()
