"""From the files of a call to the facts of each: known from before, read by another process, or read here."""

from __future__ import annotations

import marshal
import os
from functools import partial
from typing import TYPE_CHECKING, Final

from .. import speed
from ..diagnostics.timing import step
from ..disk import files
from ..project import input_kind, kustomize
from ..project.discovery import STANDARD_INPUT, chart_templates
from .facts import Facts, read_facts
from .serialize import NOT_PACKABLE, pack, unpack_all

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..diagnostics.finding import Finding
    from ..disk.files import FoundFile, Texts
    from ..project.discovery import Project
    from ..project.settings import Options

_SAMPLE: Final = 24
"""Files."""


def load(
    project: Project, options: Options, texts: Texts, known: Mapping[str, Facts | None], *, keep: bool = False
) -> dict[str, Facts | None]:
    """Return the facts of the files of a call, by path and in reading order; ``None`` of a file with nothing of ours.

    Args:
        project: The files.
        options: How they are read.
        texts: Takes up the files that hold something of ours.
        known: The facts of files that need not be read.
        keep: Whether the facts are kept, under the digests of their texts.
    """
    found = list(files_of(project, options))
    reader = _Reader(project, options, texts, [one for one in found if one.path not in known], keep=keep)
    read = reader.read_all()
    facts = {file.path: known[file.path] if file.path in known else read[file.path] for file in found}
    texts.arrange(one.file for one in facts.values() if one is not None)
    return facts


def files_of(project: Project, options: Options) -> Iterator[FoundFile]:
    """Yield the files to read. Of a folder that is read as a skill its ``SKILL.md`` stands for all that is in it."""
    folder = _first(options) if options.read_as == "skill" else None
    if folder is None or not os.path.isdir(folder):
        yield from project.files
        return
    yield files.FoundFile(os.path.normpath(f"{folder}/{input_kind.SKILL_FILE}"), is_named=True)
    inside = "" if folder == "." else f"{folder.rstrip('/')}/"
    yield from (file for file in project.files if not file.path.startswith(inside) or (not inside and file.is_named))


def _first(options: Options) -> str | None:
    """Return the first path as the list of files has it."""
    return options.first if options.first in {None, "", STANDARD_INPUT} else os.path.normpath(str(options.first))


class _Reader:
    """Reads files of one call."""

    def __init__(
        self, project: Project, options: Options, texts: Texts, found: Sequence[FoundFile], *, keep: bool
    ) -> None:
        self._found = found
        self._is_kept = keep
        self._project = project
        self._options = options
        self._texts = texts
        names = [options.stdin_name if one.path == STANDARD_INPUT else one.path for one in project.files]
        self._templates = chart_templates(names)

    def read_all(self) -> dict[str, Facts | None]:
        """Read all files, with the help of other processes where there are many."""
        found, options = self._found, self._options
        if len(found) < speed.FEWEST_SHARED:
            return self._read_some(found)
        from ..speed import pool

        # Standard input can be read by one process alone.
        is_plain = options.read_as is None and all(one.path != STANDARD_INPUT for one in found)
        own, *others = pool.divide(found, pool.workers(len(found), options.jobs) if is_plain else 1)
        if others:  # what is imported for some files no process need import again
            self._read_some(found[:: max(1, len(found) // _SAMPLE)])
        workers = pool.start([partial(self._packed, share) for share in others])
        try:
            read = self._read_some(own)
            for worker in workers:
                read |= self._unpacked(worker.result())
        finally:
            for worker in workers:
                worker.end()
        # What a worker could not send, or died over, is read here.
        return read | self._read_some([file for file in found if file.path not in read])

    def _packed(self, found: Sequence[FoundFile]) -> bytes:
        """Return the facts of files as bytes, but for those that bytes cannot stand for."""
        packed = [(path, facts and pack(facts)) for path, facts in self._read_some(found).items()]
        return marshal.dumps([one for one in packed if one[1] != NOT_PACKABLE])

    def _unpacked(self, packed: bytes | None) -> dict[str, Facts | None]:
        """Return the facts of files from the bytes that another process has sent, if it has."""
        if packed is None:
            return {}
        from_copy = dict(marshal.loads(packed))  # noqa: S302 - from a copy of this process
        return unpack_all(from_copy, self._texts, keep=self._is_kept)

    def _read_some(self, found: Sequence[FoundFile]) -> dict[str, Facts | None]:
        """Read files in this process."""
        read: dict[str, Facts | None] = {}
        for number, file in enumerate(found):
            step("read", number, len(found))
            text, facts = self._read(file)
            if facts is not None:
                self._texts.add(facts.file, text)
            read[file.path] = facts
        return read

    def _read(self, file: FoundFile) -> tuple[bytes | None, Facts | None]:
        """Return the text of a file and its facts; ``None`` for what there is not."""
        options = self._options
        name = options.stdin_name if file.path == STANDARD_INPUT else file.path
        is_first = options.read_as is not None and file.path == _first(options)
        forced = input_kind.named(str(options.read_as)) if is_first else None
        kind = forced or input_kind.by_name(name)
        is_skill = kind is not None and kind.name == "skill"
        text = self._text(file._replace(is_named=False) if is_skill else file, name)
        if name in self._templates and not is_first:
            return (text if isinstance(text, bytes) else None), Facts(name, [], 0, templates=1)
        if not isinstance(text, bytes):
            if not is_skill:
                return None, Facts(name, [text], 0)
            text = b""  # the check of the folder reports why
        if not (file.is_named or kind is not None or self._is_worth_reading(text) or kustomize.is_file_name(name)):
            return text, None
        facts = read_facts(
            text,
            name,
            profile=self._project.settings.profile,
            forced=kind,
            reference=options.reference,
            named=file.is_named or file.path == STANDARD_INPUT,
        )
        if self._is_kept:
            from ..disk.stamp import digest

            facts = facts._replace(digest=digest(text))
        return text, facts

    def _is_worth_reading(self, text: bytes) -> bool:
        crds = self._project.settings.profile.crds
        return input_kind.worth_reading(text) or (crds is not None and crds.may_judge(text))

    def _text(self, file: FoundFile, name: str) -> bytes | Finding:
        if file.path == STANDARD_INPUT:
            held = self._options.stdin_text
            if held is None:
                held = self._texts.held(name)  # it is read a second time where another release judges
            return files.read_stdin(name) if held is None else held
        if file.path in self._options.buffers:
            return files.bounded(self._options.buffers[file.path], name)
        return files.read_file(file)
