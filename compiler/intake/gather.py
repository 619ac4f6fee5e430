"""The facts of all files of a call: known ones, and others from their texts, by one process or several."""

from __future__ import annotations

import marshal
import os
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from mcpcfg.compiler import inputs
from mcpcfg.compiler.disk import files
from mcpcfg.compiler.progress import stage, step
from mcpcfg.compiler.project import kustomize
from mcpcfg.compiler.project.discovery import STANDARD_INPUT

from . import worker
from .facts import Facts, read_facts
from .stored import Entry, Texts, packed, unpacked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from mcpcfg.compiler.disk.files import FoundFile
    from mcpcfg.compiler.project.discovery import Project

    from .stored import Plain


class Options(NamedTuple):
    """What a call says about how to read its files.

    Attributes:
        closed: The given files are all there is.
        namespace: For documents that state none; goes before the configuration's.
        read_as: The input kind that the first path is read as.
        first: That path.
        stdin_name: How standard input is called in findings.
        reference_engine: Whether the libraries jsonschema and cel-python decide, instead of the generated code.
        stdin_text: What standard input held, where it has been read already.
        buffers: Texts that count in place of what files hold, by the paths of the files.
        jobs: How many processes read; 0 for as many as there are processors.
    """

    closed: bool = False
    namespace: str | None = None
    read_as: str | None = None
    first: str | None = None
    stdin_name: str = "<stdin>"
    reference_engine: bool = False
    stdin_text: bytes | None = None
    buffers: Mapping[str, bytes] = {}
    jobs: int = 0


class Gathered(NamedTuple):
    """The facts of the files of a call.

    Attributes:
        facts: In the order of the files.
        entries: The same as plain data, by file, for the cache. Files that could not be read, or hold what is no plain
            data, are missing.
        memories: What rules found about each part of the files, where several processes read them.
    """

    facts: list[Facts]
    entries: dict[str, Entry]
    memories: list[Plain]


class _Part(NamedTuple):
    """What was read of some files.

    Attributes:
        fresh: File to its text and facts, where this process read it.
        entries: File to its facts as plain data, where another one did.
        memory: What rules found about them.
    """

    fresh: dict[str, tuple[bytes | None, Facts | None]]
    entries: dict[str, Entry]
    memory: Plain


Judge: TypeAlias = "Callable[[list[Facts], Texts], Plain]"
"""Finds out what rules say about a part of the files, as if there were no other; gives it as plain data."""

_MOST_AT_ONCE: Final = 2_500
"""Files whose data a process holds; of those before only facts and verdicts are kept, as plain data."""
_SAMPLE: Final = 24
"""Files that are read before work is shared: what is loaded for them need not be loaded by each process."""


def gather(  # noqa: PLR0913 - what is known, and what is asked for
    project: Project,
    options: Options,
    texts: Texts,
    *,
    known: Mapping[str, Entry] | None = None,
    judge: Judge | None = None,
    whole: bool = True,
    keep: bool = False,
) -> Gathered:
    """Give the facts of all files.

    Args:
        project: The files.
        options: How they are read.
        texts: Takes up the files that hold something of ours.
        known: Facts that need not be found again.
        judge: What several processes do with their parts, so that rules need not be run here.
        whole: Facts from other processes, and entries, hold the data of resources.
        keep: Whether the entries are asked for.
    """
    entries = dict(known or {})
    found = list(_files(project, options))
    unknown = [file for file in found if file.path not in entries]
    fresh: dict[str, tuple[bytes | None, Facts | None]] = {}
    memories: list[Plain] = []
    workers = _workers(unknown, options)
    if workers > 1 and (judge is not None or whole):
        for part in _read_by_several(unknown, project, options, workers, judge=judge, whole=whole, keep=keep):
            fresh |= part.fresh
            entries |= part.entries
            memories.append(part.memory)
        unknown = [file for file in unknown if file.path not in entries and file.path not in fresh]
    fresh |= _read_part(unknown, project, options, None, 1).fresh
    if keep:
        for path, (text, facts) in fresh.items():
            _keep(path, text, facts, entries, whole=whole, keep=True)
    gathered = []
    for file in found:
        text = None
        if file.path in fresh:
            text, one = fresh[file.path]
        else:
            stored = entries[file.path].facts
            one = None if stored is None else unpacked(stored, texts)
        if one is None:
            continue
        gathered.append(one)
        if text is not None or file.path not in fresh:
            texts.add(one.file, text)
    return Gathered(gathered, entries, memories)


def _workers(found: Sequence[FoundFile], options: Options) -> int:
    """Give how many processes are to read the files."""
    if options.read_as is not None or any(file.path == STANDARD_INPUT for file in found):
        return 1
    return min(options.jobs or worker.processors(), len(found) // worker.FEWEST + 1) if worker.may_fork() else 1


def _files(project: Project, options: Options) -> Iterator[FoundFile]:
    """Yield the files to read. Of a folder that is read as a skill its ``SKILL.md`` stands for all that is in it."""
    folder = _first(options) if options.read_as == "skill" else None
    if folder is None or not os.path.isdir(folder):
        yield from project.files
        return
    yield files.FoundFile(os.path.normpath(f"{folder}/{inputs.SKILL_FILE}"), is_named=True)
    inside = "" if folder == "." else f"{folder.rstrip('/')}/"
    yield from (file for file in project.files if not file.path.startswith(inside) or (not inside and file.is_named))


def _first(options: Options) -> str | None:
    """Give the first path as the list of files has it."""
    return options.first if options.first in {None, "", STANDARD_INPUT} else os.path.normpath(str(options.first))


def _read(file: FoundFile, project: Project, options: Options) -> tuple[bytes | None, Facts | None]:
    """Give the text of a file, and its facts; ``None`` for what there is not."""
    name = options.stdin_name if file.path == STANDARD_INPUT else file.path
    forced = inputs.named(options.read_as) if options.read_as and file.path == _first(options) else None
    kind = forced or inputs.by_name(name)
    is_skill = kind is not None and kind.name == "skill"
    if file.path == STANDARD_INPUT:
        text = files.read_stdin(name) if options.stdin_text is None else options.stdin_text
    elif file.path in options.buffers:
        text = files.bounded(options.buffers[file.path], name)
    else:
        text = files.read_file(file._replace(is_named=file.is_named and not is_skill))
    if not isinstance(text, bytes):
        if not is_skill:
            return None, Facts(name, [text], 0)
        text = b""  # the check of the folder says why
    if not (file.is_named or kind is not None or inputs.worth_reading(text) or kustomize.is_file_name(file.path)):
        return text, None
    profile = project.settings.profile
    return text, read_facts(text, name, profile=profile, forced=kind, reference=options.reference_engine)


def _keep(
    path: str, text: bytes | None, facts: Facts | None, entries: dict[str, Entry], *, whole: bool, keep: bool
) -> None:
    """Note the facts of a file as plain data, where they can be; with ``keep`` under the digest of the text."""
    if text is None:
        return
    digest = b""
    if keep:
        from .cache import text_digest

        digest = text_digest(text)
    if facts is None:
        entries[path] = Entry(digest, None)
    elif (stored := packed(facts, whole=whole)) is not None:
        entries[path] = Entry(digest, stored)


def _read_part(
    found: Sequence[FoundFile], project: Project, options: Options, judge: Judge | None, workers: int
) -> _Part:
    """Read some files, and judge what is in them."""
    fresh = {}
    with stage("read"):
        for number, file in enumerate(found):
            step("read", number * workers, len(found) * workers)
            fresh[file.path] = _read(file, project, options)
    memory: Plain = ()
    if judge is None:
        return _Part(fresh, {}, memory)
    with stage("judge"):
        texts = Texts(project.settings.profile)
        for text, facts in fresh.values():
            if facts is not None and text is not None:
                texts.add(facts.file, text)
        memory = judge([facts for _, facts in fresh.values() if facts is not None], texts)
    return _Part(fresh, {}, memory)


def _read_by_several(  # noqa: PLR0913 - as of `gather`
    found: Sequence[FoundFile],
    project: Project,
    options: Options,
    workers: int,
    *,
    judge: Judge | None,
    whole: bool,
    keep: bool,
) -> list[_Part]:
    """Read files by several processes; files whose facts are not plain data are left out where others read them."""

    def work(share: Sequence[FoundFile]) -> list[_Part | bytes]:
        done: list[_Part | bytes] = []
        for at in range(0, len(share), _MOST_AT_ONCE):
            done = [packed_part(part) for part in done]
            done.append(_read_part(share[at : at + _MOST_AT_ONCE], project, options, judge, workers))
        return [packed_part(part) for part in done] if keep and len(done) > 1 else done

    def packed_part(part: _Part | bytes) -> bytes:
        if isinstance(part, bytes):
            return part
        entries: dict[str, Entry] = {}
        for path, (text, facts) in part.fresh.items():
            _keep(path, text, facts, entries, whole=whole, keep=keep)
        return marshal.dumps(({path: tuple(entry) for path, entry in entries.items()}, part.memory))

    def unpacked_part(part: _Part | bytes) -> _Part:
        if isinstance(part, _Part):
            return part
        entries, memory = marshal.loads(part)  # noqa: S302 - our own
        return _Part({}, {path: Entry(*entry) for path, entry in entries.items()}, memory)

    work(found[:: max(1, len(found) // _SAMPLE)][:_SAMPLE])
    shares = worker.share(work, found, workers, pack=lambda parts: [packed_part(part) for part in parts])
    return [unpacked_part(part) for parts in shares for part in parts]
