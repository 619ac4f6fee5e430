"""What the files of a call say: what is known, and the rest from their texts, by one process or several."""

from __future__ import annotations

import itertools
import marshal
import os
from typing import TYPE_CHECKING, Final, NamedTuple

from ..diagnostics.timing import stage, step
from ..disk import files
from ..disk.chart import chart_templates
from ..project import input_kind, kustomize
from ..project.discovery import STANDARD_INPUT
from .facts import Facts, read_facts
from .part import as_read, concatenate, is_packable, pack, reduce, unpack, with_left
from .stored import Texts

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from ..disk.files import FoundFile
    from ..project.discovery import Project
    from ..project.options import Options
    from .memory import Seen
    from .part import Part
    from .stored import Plain
    from .worker import Work


class Known(NamedTuple):
    """Facts that need not be found again.

    Attributes:
        plain: As `part.pack` gives them.
        files: The files about which all is known, also that they hold nothing of ours.
    """

    plain: Plain
    files: Sequence[str]


class Share(NamedTuple):
    """What one process read.

    Attributes:
        parts: What the files say, in their order.
        packed: The same as plain data; empty where nobody asked for it.
        left: Files whose facts no plain data can stand for; they are among the parts all the same.
        seen: The files that were read, where they are to be kept.
    """

    parts: list[Part]
    packed: list[Plain]
    left: list[str]
    seen: dict[str, Seen]


_MOST_LIVE: Final = 5_000
"""Files whose data one of several processes holds as it was read: the last ones."""
_MOST_PACKED: Final = 2_500
"""Files whose data is packed at once."""
_MOST_HELD: Final = 4 * 1024 * 1024
"""Bytes of texts that a process holds where it does not hold the data of all; others are read again."""


def workers(found: Sequence[FoundFile], options: Options) -> int:
    """Return how many processes are to read files."""
    if len(found) < 2 or options.read_as is not None or any(file.path == STANDARD_INPUT for file in found):
        return 1
    from . import worker

    return min(options.jobs or worker.processors(), len(found) // worker.FEWEST + 1) if worker.may_fork() else 1


def texts_of(project: Project, options: Options) -> Texts:
    """Return what opens the files of a call; it knows of none yet."""
    return Texts(project.settings.profile, options.buffers)


def files_of(project: Project, options: Options) -> Iterator[FoundFile]:
    """Yield the files to read. Of a folder that is read as a skill its ``SKILL.md`` stands for all that is in it."""
    folder = _first(options) if options.read_as == "skill" else None
    if folder is None or not os.path.isdir(folder):
        yield from project.files
        return
    yield files.FoundFile(os.path.normpath(f"{folder}/{input_kind.SKILL_FILE}"), is_named=True)
    inside = "" if folder == "." else f"{folder.rstrip('/')}/"
    yield from (file for file in project.files if not file.path.startswith(inside) or (not inside and file.is_named))


def order_of(found: Iterable[FoundFile]) -> Callable[[str], int]:
    """Return what tells the place of a file in reading order."""
    return {file.path: number for number, file in enumerate(found)}.__getitem__


def _first(options: Options) -> str | None:
    """Return the first path as the list of files has it."""
    return options.first if options.first in {None, "", STANDARD_INPUT} else os.path.normpath(str(options.first))


def _read(
    file: FoundFile, project: Project, options: Options, templates: Collection[str]
) -> tuple[bytes | None, os.stat_result | None, Facts | None]:
    """Return the text of a file, its state when that was read, and its facts; ``None`` for what there is not.

    Args:
        file: The file.
        project: Its project.
        options: How it is read.
        templates: The files that are templates of charts, and are not read as anything else.
    """
    name = options.stdin_name if file.path == STANDARD_INPUT else file.path
    is_first = options.read_as is not None and file.path == _first(options)
    forced = input_kind.named(str(options.read_as)) if is_first else None
    kind = forced or input_kind.by_name(name)
    is_skill = kind is not None and kind.name == "skill"
    status = None
    if file.path == STANDARD_INPUT:
        text = files.read_stdin(name) if options.stdin_text is None else options.stdin_text
    elif file.path in options.buffers:
        text = files.bounded(options.buffers[file.path], name)
    else:
        text, status = files.open_file(file._replace(is_named=False) if is_skill else file)
    if name in templates and not is_first:
        return (text if isinstance(text, bytes) else None), status, Facts(name, [], 0, templates=1)
    if not isinstance(text, bytes):
        if not is_skill:
            return None, None, Facts(name, [text], 0)
        text = b""  # the check of the folder says why
    if not (file.is_named or kind is not None or input_kind.worth_reading(text) or kustomize.is_file_name(file.path)):
        return text, status, None
    facts = read_facts(
        text,
        name,
        profile=project.settings.profile,
        forced=kind,
        reference=options.reference_engine,
        named=file.is_named or file.path == STANDARD_INPUT,
    )
    return text, status, facts


def read(  # noqa: PLR0913 - what is read, how, and what is asked for
    found: Sequence[FoundFile],
    project: Project,
    options: Options,
    texts: Texts,
    *,
    whole: bool | None = None,
    keep: bool = False,
    processes: int = 1,
) -> Share:
    """Read files in this process.

    Args:
        found: The files.
        project: Their project.
        options: How they are read.
        texts: Takes up the files that hold something of ours.
        whole: Whether plain data is to hold what resources say, where it is asked for; ``None`` where it is not.
        keep: Whether it is asked which files were read.
        processes: How many read as much as this one, for the progress that is shown.
    """
    share = Share([], [], [], {})
    if keep:
        from ..disk.stamp import stamp_of
        from .cache_file import digest
    templates = chart_templates([options.stdin_name if one.path == STANDARD_INPUT else one.path for one in found])
    with stage("read"):
        packed = 0 if processes == 1 else max(0, len(found) - _MOST_LIVE)
        bounds = [*range(0, packed, _MOST_PACKED), packed, len(found)]
        held = 0
        for start, end in itertools.pairwise(bounds):
            is_live = start == packed
            some: list[Facts] = []
            for number, file in enumerate(found[start:end], start):
                step("read", number * processes, len(found) * processes)
                text, status, facts = _read(file, project, options, templates)
                if keep and text is not None:
                    share.seen[file.path] = digest(text), None if status is None else stamp_of(status)
                if facts is not None:
                    some.append(facts)
                    held += len(text or b"")
                    texts.add(facts.file, text if is_live or held <= _MOST_HELD else None)
            _add(share, some, texts, is_live=is_live, whole=whole)
    return share


def _add(share: Share, found: list[Facts], texts: Texts, *, is_live: bool, whole: bool | None) -> None:
    """Add what some files say to a share."""
    part = as_read(found)
    if whole is None:
        share.parts.append(part)
        return
    for facts in found:
        if not is_packable(facts):
            share.left.append(facts.file)
            share.seen.pop(facts.file, None)  # it is read each time
    plain = pack(part, found, whole=whole or not is_live)
    share.packed.append(plain if is_live or whole else reduce(plain))
    share.parts.append(part if is_live else with_left(unpack(plain, texts), part))


def load_parts(project: Project, options: Options, texts: Texts, known: Sequence[Known] = ()) -> list[Part]:
    """Read all files, by one process or several; resources hold their data.

    Args:
        project: The files.
        options: How they are read.
        texts: Takes up the files that hold something of ours.
        known: What need not be read.

    Returns:
        Parts in no particular order where something is known, else in that of the files.
    """
    parts = [unpack(one.plain, texts) for one in known]
    covered = {file for one in known for file in one.files}
    found = [file for file in files_of(project, options) if file.path not in covered]
    number = workers(found, options)
    several = _load_by_several(found, project, options, texts, number) if number > 1 else None
    parts += several or read(found, project, options, texts).parts
    for part in parts:
        texts.add_unread(part.files)
    return parts


def pack_all(project: Project, options: Options) -> Known:
    """Read all files, by one process or several; give what they say with the data of resources."""
    from . import worker

    found = list(files_of(project, options))
    shares = worker.divide(found, workers(found, options))

    def work(at: int) -> Work:
        known = _packed(shares[at], project, options, len(shares))
        yield from ()  # there is nothing to tell one another
        return marshal.dumps((known.plain, list(known.files)))

    results = worker.together(work, len(shares)) if len(shares) > 1 else None
    if results is None:
        return _packed(found, project, options, 1)
    known = [Known(*marshal.loads(one)) for one in results]  # noqa: S302 - from our own copies
    return Known(concatenate([one.plain for one in known]), [file for one in known for file in one.files])


def _packed(found: Sequence[FoundFile], project: Project, options: Options, processes: int) -> Known:
    texts = texts_of(project, options)
    share = read(found, project, options, texts, whole=True, keep=True, processes=processes)
    return Known(concatenate(share.packed), list(share.seen))


def _load_by_several(
    found: Sequence[FoundFile], project: Project, options: Options, texts: Texts, number: int
) -> list[Part] | None:
    from . import worker

    shares = worker.divide(found, number)
    own: list[Share] = []

    def work(share: int) -> Work:
        done = read(shares[share], project, options, texts, whole=True if share else None, processes=number)
        own.append(done)
        yield from ()  # as there
        return marshal.dumps((concatenate(done.packed), done.left)) if share else b""

    results = worker.together(work, number)
    if results is None:
        return None
    parts = own[0].parts
    for share, result in zip(shares[1:], results[1:], strict=True):
        plain, left = marshal.loads(result)  # noqa: S302 - from our own copy
        parts.append(unpack(plain, texts))
        parts += read_left(left, share, project, options, texts)
    return parts


def read_left(
    left: Collection[str], found: Sequence[FoundFile], project: Project, options: Options, texts: Texts
) -> list[Part]:
    """Read what another process could not tell as plain data."""
    return read([file for file in found if file.path in left], project, options, texts).parts if left else []
