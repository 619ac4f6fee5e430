"""Ask Git about the repository of a project, without running any program that a file names.

The checked files may be hostile: a folder of ordinary files can look like a repository whose configuration names
programs. Therefore Git runs only at the root of a repository that is marked by a ``.git`` entry, which no commit can
add to a tree. Hooks, file system monitors and prompts are off. Git commands that filter, compare or display texts are
not used.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Final

from ..diagnostics import file_path
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.span import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from subprocess import Popen

_SECONDS: Final = 60
"""Time limit for a run of Git. Git may wait for a lock or for a file system on the network."""
_SECONDS_OF_MANY: Final = 600
"""Time limit for reading all objects, which Git may have to fetch from a server."""
_CHUNK: Final = 1 << 20
"""Bytes that are read from Git at once, so a skipped large object is never in memory as a whole."""
_MOST_REASON_BYTES: Final = 4096
"""Maximum bytes of Git's error output that are read. A message shows only its first line."""

_ENTRY: Final = ".git"
_POINTER: Final = b"gitdir:"
_MOST_POINTER_BYTES: Final = 8192
"""Maximum size of a ``.git`` file, which contains a single path. Linux refuses paths of more than 4096 bytes."""
_HEAD: Final = rb"ref:\s*refs/|[0-9a-f]{40}"
_OPTIONS: Final = ("--no-pager", "--no-optional-locks", "--literal-pathspecs")
_SETTINGS: Final = (
    # A folder of ordinary files that looks like a bare repository would bring its own configuration.
    "safe.bareRepository=explicit",
    "core.fsmonitor=",
    f"core.hooksPath={os.devnull}",
    f"core.attributesFile={os.devnull}",
    "core.askPass=",
    "submodule.recurse=false",
    "maintenance.auto=false",
    "gc.auto=0",
)
_KEPT: Final = (
    r"GIT_CONFIG_(GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+|PARAMETERS)|GIT_(EXEC_PATH|NO_LAZY_FETCH)"
    r"|GIT_SSH(_COMMAND|_VARIANT)?|GIT_SSL_\w+"
)
"""Environment variables that configure Git for the user. Others, such as ``GIT_DIR``, are removed."""
_SET: Final = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": "",
    "SSH_ASKPASS_REQUIRE": "never",
    "LC_ALL": "C",
}
_TRANSPORTS: Final = "file:http:https:ssh"
"""Protocols for fetching objects, without ``ext``, which runs the address as a command."""
_NAMES_A_PROGRAM: Final = (
    r"core\.(sshcommand|gitproxy|alternaterefscommand)|credential\.(.*\.)?helper|remote\..*\.(uploadpack|vcs)"
    r"|gc\.recentobjectshook|uploadpack\.packobjectshook|hook\..*\.command"
)
"""Git settings that name a program which Git runs during a fetch."""
_BROKEN_LINKS: Final = frozenset({b"dangling", b"loop", b"notdir", b"symlink"})


class GitRepository(NamedTuple):
    """A repository with a work tree.

    Attributes:
        top: Root of the work tree, with all links resolved.
        git_folder: Git's folder of this work tree, with all links resolved.
    """

    top: str
    git_folder: str


def repository_around(folder: str) -> GitRepository | None:
    """Return the Git repository that contains a folder, or ``None``.

    A repository nested in that of the current folder is skipped, because its configuration is part of the checked
    files. Submodules and work trees of the outer repository are not skipped: Git itself wrote their configuration.
    """
    current = _nearest(file_path.getcwd())
    repository = _nearest(file_path.realpath(folder))
    while (
        repository is not None
        and current is not None
        and repository != current
        and _lies_in(repository.top, current.top)
    ):
        if _lies_in(repository.git_folder, _common_folder(current.git_folder)):
            break
        repository = _nearest(os.path.dirname(repository.top))
    return repository


def ask(
    repository: GitRepository, *arguments: str, seconds: float = _SECONDS, statuses: tuple[int, ...] = (0,)
) -> bytes:
    """Run Git in a repository and return its output, if the exit status is one of ``statuses``.

    Raises:
        InputError: Git is missing, fails, or takes too long. The message is one line.
    """
    import subprocess

    try:
        done = subprocess.run(  # noqa: S603 - no shell; Git is run as the module's docstring says
            _command(*arguments),
            cwd=repository.top,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except OSError as error:
        raise InputError(_unavailable(error)) from error
    except subprocess.TimeoutExpired as error:
        raise InputError(f"git {arguments[0]} took longer than {seconds:g} seconds") from error
    if done.returncode not in statuses:
        raise InputError(f"git {arguments[0]}: {_reason(done.stderr)}")
    return done.stdout


def read_objects(
    repository: GitRepository, names: Sequence[str], most: int, *, may_fetch: bool = False
) -> Iterator[bytes | None]:
    """Yield the content of files from the object store, in the order of ``names``.

    Args:
        names: Ids of blobs, or ``COMMIT:PATH``. A link in a path is followed within the commit.
        most: Maximum number of bytes kept of each file.
        may_fetch: True if Git may fetch objects that a partial clone lacks.

    Yields:
        The content, or ``None`` if the name is not a file.

    Raises:
        InputError: Git is missing, fails, lacks an object that it cannot fetch, or takes too long.
    """
    import subprocess
    from tempfile import TemporaryFile
    from threading import Timer

    with TemporaryFile() as asked, TemporaryFile() as errors:
        asked.write(b"".join(os.fsencode(name) + b"\n" for name in names))
        asked.seek(0)
        try:
            process = subprocess.Popen(  # noqa: S603 - as above
                _command("cat-file", "--batch", "--follow-symlinks"),
                cwd=repository.top,
                env=_environment(may_fetch=may_fetch),
                # A file instead of a pipe: writing many names while Git writes objects could deadlock.
                stdin=asked,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,  # no terminal for prompts
            )
        except OSError as error:
            raise InputError(_unavailable(error)) from error
        timer = Timer(_SECONDS_OF_MANY, _kill, (process,))
        timer.start()
        with process:
            assert process.stdout is not None
            try:
                for _ in names:
                    yield _read_response(process.stdout, most)
            except EOFError:
                errors.seek(0)
                raise InputError(f"git cat-file: {_reason(errors.read(_MOST_REASON_BYTES))}") from None
            finally:
                timer.cancel()
                _kill(process)


def _kill(process: Popen[bytes]) -> None:
    if process.poll() is not None:
        return
    if hasattr(os, "killpg"):
        import signal

        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _read_response(stream: IO[bytes], most: int) -> bytes | None:
    """Read a response of ``git cat-file --batch``: up to ``most`` bytes, or ``None`` if it is missing or not a file."""
    header = stream.readline()
    if not header:
        raise EOFError
    words = header.split()
    is_object = len(words) == 3 and words[0].isalnum() and words[2].isdigit()
    is_no_file = len(words) == 2 and words[0] in _BROKEN_LINKS and words[1].isdigit()
    if not is_object and not is_no_file:  # the object is missing
        return None
    content = bytearray()
    # The line break that ends an object is read with it.
    left = int(words[-1]) + 1
    while left:
        part = stream.read(min(left, _CHUNK))
        if not part:
            raise EOFError
        left -= len(part)
        content += part[: max(most + 1 - len(content), 0)]
    whole = int(words[-1])
    return bytes(content[: min(whole, most)]) if is_object and words[1] == b"blob" else None


def may_fetch(repository: GitRepository) -> bool:
    """Return whether Git can fetch missing objects without running a program that the clone's configuration names."""
    try:
        listed = ask(repository, "config", "--null", "--show-scope", "--name-only", "--includes", "--get-regexp", ".")
    except InputError:  # an old Git does not know the options
        return False
    words = listed.decode("utf-8", "replace").split("\0")
    local_keys = (key for scope, key in zip(words[::2], words[1::2], strict=False) if scope in {"local", "worktree"})
    return not any(re.fullmatch(_NAMES_A_PROGRAM, key, re.DOTALL) for key in local_keys)


def _nearest(folder: str) -> GitRepository | None:
    while True:
        git_folder = _git_folder(folder)
        if git_folder is not None:
            return GitRepository(folder, git_folder)
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def _git_folder(top: str) -> str | None:
    """Return the Git folder that the ``.git`` entry of ``top`` leads to, or ``None`` if Git does not accept it.

    Git ignores an entry that it does not accept, and may take ``top`` itself for a repository.

    Source: gitrepository-layout(5).
    """
    entry = file_path.join(top, _ENTRY)
    folder = entry
    if os.path.isfile(entry):
        try:
            with open(entry, "rb") as file:
                text = file.read(_MOST_POINTER_BYTES)
        except OSError:
            return None
        if not text.startswith(_POINTER):
            return None
        folder = file_path.join(top, os.fsdecode(text.removeprefix(_POINTER).strip()))
        if file_path.is_remote(folder, top):
            return None
    folder = file_path.realpath(folder)
    common = _common_folder(folder)
    stores = [file_path.join(common, name) for name in ("objects", "refs")]
    has_stores = all(os.path.isdir(store) and os.access(store, os.X_OK) for store in stores)
    return folder if has_stores and _is_head(file_path.join(folder, "HEAD")) else None


def _common_folder(git_folder: str) -> str:
    try:
        with open(file_path.join(git_folder, "commondir"), "rb") as file:
            content = os.fsdecode(file.read(_MOST_POINTER_BYTES).rstrip(b"\r\n"))
    except OSError:
        return git_folder
    common = file_path.join(git_folder, content)
    return git_folder if file_path.is_remote(common, git_folder) else file_path.realpath(common)


def _is_head(path: str) -> bool:
    try:
        if os.path.islink(path):
            return os.readlink(path).startswith("refs/")
        with open(path, "rb") as file:
            # The pattern looks at the first characters only, and a commit id has 40.
            return re.match(_HEAD, file.read(256)) is not None
    except OSError:
        return False


def _lies_in(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip("/") + "/")


def _command(*arguments: str) -> list[str]:
    settings = [word for setting in _SETTINGS for word in ("-c", setting)]
    return ["git", *_OPTIONS, *settings, *arguments]


def _environment(*, may_fetch: bool = False) -> dict[str, str]:
    variables = {
        name: value for name, value in os.environ.items() if not name.startswith("GIT_") or re.fullmatch(_KEPT, name)
    }
    if not may_fetch:
        variables["GIT_NO_LAZY_FETCH"] = "1"
    is_offline = variables.get("GIT_NO_LAZY_FETCH", "0").lower() not in {"0", "", "false", "no", "off"}
    return {**variables, **_SET, "GIT_ALLOW_PROTOCOL": "none" if is_offline else _TRANSPORTS}


def _unavailable(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "git is not installed"
    return f"git cannot be run: {error.strerror}"


def _reason(message: bytes) -> str:
    first = message.decode("utf-8", "replace").strip().partition("\n")[0].removeprefix("fatal: ")
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in first) or "without a reason"
