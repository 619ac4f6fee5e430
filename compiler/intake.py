"""The facts of all files of a call: known ones, and others from their texts, by one process or several."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from . import inputs, worker
from .disk import files
from .facts import Facts, read_facts
from .progress import step
from .project import kustomize
from .project.discovery import STANDARD_INPUT
from .stored import Entry, packed, unpacked

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .disk.files import FoundFile
    from .project.discovery import Project
    from .stored import Texts


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
        jobs: How many processes read; 0 for as many as there are processors.
    """

    closed: bool = False
    namespace: str | None = None
    read_as: str | None = None
    first: str | None = None
    stdin_name: str = "<stdin>"
    reference_engine: bool = False
    stdin_text: bytes | None = None
    jobs: int = 0


class Gathered(NamedTuple):
    """The facts of the files of a call.

    Attributes:
        facts: In the order of the files.
        entries: The same as plain data, by file, for the cache. Files that could not be read, or hold what is no plain
            data, are missing.
    """

    facts: list[Facts]
    entries: dict[str, Entry]


def gather(
    project: Project, options: Options, texts: Texts, *, known: Mapping[str, Entry] | None = None, keep: bool = False
) -> Gathered:
    """Give the facts of all files.

    Args:
        project: The files.
        options: How they are read.
        texts: Takes up the files that hold something of ours.
        known: Facts that need not be found again.
        keep: Whether the entries are asked for.
    """
    entries = dict(known or {})
    found = list(_files(project, options))
    fresh: dict[str, Facts | None] = {}
    held: dict[str, bytes] = {}
    unknown = [file for file in found if file.path not in entries]
    if (workers := _workers(unknown, options)) > 1:
        entries |= _read_by_several(unknown, project, options, workers=workers, keep=keep)
        unknown = [file for file in unknown if file.path not in entries]
    for number, file in enumerate(unknown):
        step("read", number, len(unknown))
        text, facts = _read(file, project, options)
        fresh[file.path] = facts
        if text is not None and facts is not None:
            held[facts.file] = text
        if keep:
            _keep(file, text, facts, entries, keep=True)
    gathered = []
    for file in found:
        if file.path in fresh:
            one = fresh[file.path]
        else:
            stored = entries[file.path].facts
            one = None if stored is None else unpacked(stored, texts)
        if one is None:
            continue
        gathered.append(one)
        if one.file in held or file.path not in fresh:
            texts.add(one.file, held.get(one.file))
    return Gathered(gathered, entries)


def _workers(found: Sequence[FoundFile], options: Options) -> int:
    """Give how many processes are to read the files."""
    if options.read_as is not None or any(file.path == STANDARD_INPUT for file in found):
        return 1
    return min(options.jobs or worker.processors(), len(found) // worker.FEWEST + 1)


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


def _keep(file: FoundFile, text: bytes | None, facts: Facts | None, entries: dict[str, Entry], *, keep: bool) -> None:
    """Note the facts of a file as plain data, where they can be; with ``keep`` under the digest of the text."""
    if text is None:
        return
    digest = b""
    if keep:
        from .cache import text_digest

        digest = text_digest(text)
    if facts is None:
        entries[file.path] = Entry(digest, None)
    elif (stored := packed(facts)) is not None:
        entries[file.path] = Entry(digest, stored)


def _read_by_several(
    found: Sequence[FoundFile], project: Project, options: Options, *, workers: int, keep: bool
) -> dict[str, Entry]:
    """Read files by several processes; those whose facts are not plain data are left out."""

    def work(share: Sequence[FoundFile]) -> dict[str, tuple[Any, ...]]:
        entries: dict[str, Entry] = {}
        for number, file in enumerate(share):
            step("read", number * workers, len(found))
            _keep(file, *_read(file, project, options), entries, keep=keep)
        return {path: tuple(entry) for path, entry in entries.items()}

    return {path: Entry(*plain) for part in worker.share(work, found, workers) for path, plain in part.items()}
