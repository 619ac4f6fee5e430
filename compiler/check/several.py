"""Several processes check together: each reads a share of the files, and judges the resources in it.

They tell one another what they read, in short, and then the data of what the others probably look into. So each has all
resources to look at; what is asked for beyond that is read again. Where what is told of a file is a matter of it, its
resources and surveys, each process also puts into words what is told of its share: they tell one another what was noted
for surveys, and words are all that the first one is sent. Else it is sent what was found.
"""

from __future__ import annotations

import itertools
import marshal
from typing import TYPE_CHECKING, Final

from ...validators.rule import Verdict
from ..diagnostics.timing import stage
from ..intake import gather, worker
from ..intake.memory import (
    Kept,
    Segment,
    basis_of,
    join_surveys,
    pack_surveys,
    pack_verdicts,
    unpack_told,
)
from ..intake.part import concatenate, data_of, unpack
from ..intake.stored import forget, pack_findings, unpack_findings
from ..workspace.index import within_reach
from .join import Loaded, Piece, in_one, join
from .judged import Judged, rules_over, settled

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ...validators.engine import Rules
    from ..disk.files import FoundFile
    from ..intake.gather import Share
    from ..intake.memory import Instance, Seen
    from ..intake.stored import Plain, Texts
    from ..project.discovery import Project
    from ..project.options import Options
    from ..workspace.workspace import Workspace
    from .judged import Words


def judge(
    found: Sequence[FoundFile],
    project: Project,
    options: Options,
    number: int,
    words: Words | None = None,
    *,
    keep: bool,
) -> Judged | None:
    """Read and judge all files by ``number`` processes; ``None`` where they cannot, or one has failed.

    Args:
        found: The files.
        project: Their project.
        options: How they are read.
        number: How many processes.
        words: Puts findings into words, where that is all that is asked for.
        keep: Whether it is asked what is to be kept.
    """
    several = _Several(found, project, options, number, words, keep=keep)
    results = worker.together(several.work, number)
    return None if results is None else several.outcome(results)


_LESS: Final = 0.06
"""Of its share: what it takes the first process to write what is to be kept of all."""
_MOST_JUDGED: Final = 2_500
"""Resources that are judged one kind after the other: what is decoded for some of them is there for the others."""
_MOST_SHOWN: Final = 4 * 1024 * 1024
"""Bytes of texts that are sent because the lines of findings are shown; others are read again for that."""


def _shown(judged: Judged) -> dict[str, bytes]:
    """Return the texts of a share of which lines will probably be shown."""
    texts = judged.loaded.texts
    findings = [*judged.loaded.findings, *judged.findings()]
    found: dict[str, bytes] = {}
    size = 0
    for file in dict.fromkeys([finding.span.file for finding in findings]):
        text = texts.held(file)
        if text is not None:
            size += len(text)
            if size > _MOST_SHOWN:
                break
            found[file] = text
    return found


def _pack(verdicts: Mapping[int, Verdict]) -> Iterator[bytes]:
    """Yield verdicts as plain data, piece by piece, or both ends would hold much of it twice.

    A piece holds the findings of several one after the other, and of how many each consists.
    """
    told = list(verdicts.items())
    for at in range(0, len(told), _MOST_JUDGED):
        some = told[at : at + _MOST_JUDGED]
        said = [(position, len(one.findings), one.refused, dict(one.notes)) for position, one in some]
        yield marshal.dumps((said, pack_findings(finding for _, one in some for finding in one.findings)))


def _unpack(pieces: list[bytes]) -> Iterator[tuple[int, Verdict]]:
    """Yield the verdicts that plain data stands for, with their positions; pieces are taken out one by one."""
    while pieces:
        said, packed = marshal.loads(pieces.pop(0))  # noqa: S302 - from our own copies
        findings = iter(unpack_findings(packed))
        for position, count, refused, notes in said:
            yield position, Verdict(list(itertools.islice(findings, count)), refused, notes)


class _Several:
    """What several processes have in common, and what this one knows at the end."""

    def __init__(
        self,
        found: Sequence[FoundFile],
        project: Project,
        options: Options,
        number: int,
        words: Words | None,
        *,
        keep: bool,
    ) -> None:
        self._found = found
        self._words = words
        self._shares = worker.divide(found, number, less=_LESS if keep else 0)
        self._project = project
        self._options = options
        self._keep = keep
        self._own: Judged
        """What became of the share of this process: what all files say, and the verdicts about the share."""
        self._rules: Rules
        self._tells_apart = False
        """Whether each process tells of its share in words."""
        self._facts: list[tuple[bytes, Sequence[str]]] = []
        self._instances: list[list[Instance]] = []
        self._data: list[dict[int, bytes] | list[bytes | None]] = []
        """By share, the data of resources that others sent; of this process's own share nobody asks for it here."""

    def work(self, at: int) -> worker.Work:
        """Read the share of that number, tell the others, and judge its resources."""
        texts = gather.texts_of(self._project, self._options)
        number = len(self._shares)
        with stage("read and admit files"):
            files, keep = self._shares[at], self._keep
            share = gather.read(files, self._project, self._options, texts, whole=False, keep=keep, processes=number)
        told = yield marshal.dumps((marshal.dumps(concatenate(share.packed)), share.left))
        share.packed.clear()
        with stage("join"):
            loaded = self._joined(told, at, share, texts)
            workspace, rules = rules_over(loaded, self._project, self._options, watched=self._keep)
            sent = self._asked_for(at, workspace)
        told = yield marshal.dumps(sent)
        for data, message in zip(self._data, told, strict=True):
            for row, one in marshal.loads(message).items():  # noqa: S302 - from our own copy
                data[row] = one
        positions = [position for position, _ in self._instances[at]]
        with stage("rules"):
            verdicts: dict[int, Verdict] = {}
            for some in range(0, len(positions), _MOST_JUDGED):
                verdicts |= rules.judge(positions[some : some + _MOST_JUDGED])
            forget()
        judged = Judged(loaded, workspace, verdicts, {})
        if self._tells_apart:
            told = yield marshal.dumps(rules.noted(verdicts))
            judged = self._in_words(at, judged, rules, told)
        self._own, self._rules = judged, rules  # what is held on to is not taken apart before the result is sent
        return self._result(at, judged, share.seen)

    def _result(self, at: int, judged: Judged, seen: dict[str, Seen]) -> bytes:
        """Return what the first process is to know of what became of a share."""
        packed: bytes | list[bytes] = b""
        if self._keep:
            packed = marshal.dumps(pack_verdicts(judged.verdicts, self._instances[at], judged.workspace))
        elif at and judged.told is None:
            packed = list(_pack(judged.verdicts))
        shown = _shown(judged) if at and judged.told is None else {}
        surveys = pack_surveys(judged.surveys) if self._keep else {}
        return marshal.dumps((packed, shown, seen, surveys, judged.told if at else None))

    def outcome(self, results: list[worker.Message]) -> Judged:
        """Put the results of all together; they are taken out of the list one by one."""
        own = self._own
        verdicts = dict(own.verdicts)
        segments: list[Segment] = []
        seen: dict[str, Seen] = {}
        surveyed: list[Mapping[str, Plain]] = []
        told = None if own.told is None else dict(own.told)
        for at, instances in enumerate(self._instances):
            packed, shown, of_share, of_surveys, in_words = marshal.loads(results.pop(0))  # noqa: S302 - our own copies
            surveyed.append(of_surveys)
            if self._keep:
                facts, files = self._facts[at]
                segments.append(Segment(facts, packed, files))
                seen |= of_share
            if told is not None:
                told.update(in_words or ())
            elif at and self._keep:
                said = marshal.loads(packed)[2:]  # noqa: S302 - as above
                verdicts.update(unpack_told(said, [position for position, _ in instances]))
            elif at:
                verdicts.update(_unpack(packed))
            for file, text in shown.items():
                own.loaded.texts.add(file, text)
        surveys = own.surveys
        if told is None:
            with stage("surveys"):
                surveys = self._rules.survey(self._rules.noted(verdicts))
        kept = None
        if self._keep:
            of_all = pack_surveys(surveys) if told is None else join_surveys(surveyed)
            kept = Kept(segments, seen, basis_of(own.workspace), of_all)
        return own._replace(verdicts=verdicts, surveys=surveys, kept=kept, told=told)

    def _in_words(self, at: int, judged: Judged, rules: Rules, told: Sequence[worker.Message]) -> Judged:
        """Put into words what rules say of a share, and surveys, which take the notes about all resources."""
        assert self._words is not None, "or processes would not tell apart"
        noted, *others = [marshal.loads(message) for message in told]  # noqa: S302 - from our own copies
        for name, of_kinds in itertools.chain.from_iterable(one.items() for one in others):
            for kind, notes in of_kinds.items():
                noted[name].setdefault(kind, []).extend(notes)
        judged.workspace.run.reported = frozenset([position for position, _ in self._instances[at]])
        with stage("surveys"):
            judged = judged._replace(surveys=rules.survey(noted))
        findings = settled(judged, self._project, self._options, {file.path for file in self._shares[at]})
        with stage("words"):
            return judged._replace(told=self._words(findings, judged.loaded.texts))

    def _asked_for(self, at: int, workspace: Workspace) -> dict[int, bytes]:
        """Return the data of the resources of a share that others probably look into, by row."""
        own = dict(self._instances[at])
        return {
            own[position]: marshal.dumps(workspace.inventory[position].data)
            for position in within_reach(workspace.inventory, own)
        }

    def _joined(self, told: Sequence[worker.Message], at: int, share: Share, texts: Texts) -> Loaded:
        """Join the shares of all. What shows only now is reported by the first process, or by those that tell of it."""
        pieces: list[Piece] = []
        bounds = [0]
        left: list[Piece] = []
        is_left = False
        for one, message in enumerate(told):
            facts, others = marshal.loads(message)  # noqa: S302 - from our own copies
            is_left = is_left or bool(others)
            data: dict[int, bytes] | list[bytes | None] = {}
            if one == at:
                pieces += map(Piece, share.parts)
                files = [file for part in share.parts for file in part.files if file not in share.left]
            else:
                plain = marshal.loads(facts)  # noqa: S302 - as above
                part = unpack(plain, texts)
                data = data_of(plain)
                pieces.append(Piece(part))
                texts.add_unread(part.files)
                files = list(part.files)
                if not at:
                    parts = gather.read_left(others, self._shares[one], self._project, self._options, texts)
                    left += map(Piece, parts)
            bounds.append(len(pieces))
            self._data.append(data)
            self._facts.append((facts if self._keep else b"", files))
        order = gather.order_of(self._found) if left else None
        may_tell = self._words is not None and not is_left
        own_files = {file.path for file in self._shares[at]}

        def tells(file: str) -> bool:
            return not at or (may_tell and file in own_files)

        loaded = join([*pieces, *left], texts, self._project, self._options, order, tells=tells)
        self._tells_apart = may_tell and not loaded.is_one_matter
        of_pieces = loaded.of_pieces(len(pieces) + len(left))
        self._instances = [in_one(of_pieces[start:end], pieces[start:end]) for start, end in itertools.pairwise(bounds)]
        return loaded
