"""Several processes check together: each reads a share of the files, and judges the resources in it.

They tell one another what they read, in short, and then the data of what the others probably look into. So each has all
resources to look at; what is asked for beyond that is read again.
"""

from __future__ import annotations

import itertools
import marshal
from typing import TYPE_CHECKING, Final, NamedTuple

from mcpcfg.compiler.intake import gather, worker
from mcpcfg.compiler.intake.memory import Kept, Segment, basis_of, pack_surveys, pack_verdicts, unpack_told
from mcpcfg.compiler.intake.part import DETAILED, SLIM, concatenate, data_of, unpack
from mcpcfg.compiler.intake.stored import forget, pack_findings, unpack_findings
from mcpcfg.validators.rule import Verdict

from .join import Loaded, Piece, in_one, join
from .judged import Judged, rules_over
from .progress import stage

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mcpcfg.compiler.disk.files import FoundFile
    from mcpcfg.compiler.intake.gather import Share
    from mcpcfg.compiler.intake.memory import Instance
    from mcpcfg.compiler.intake.options import Options
    from mcpcfg.compiler.intake.stored import Texts
    from mcpcfg.validators.engine import Rules

    from .project.discovery import Project
    from .workspace import Workspace


def judge(found: Sequence[FoundFile], project: Project, options: Options, number: int, *, keep: bool) -> Judged | None:
    """Read and judge all files by ``number`` processes; ``None`` where they cannot, or one has failed.

    Args:
        found: The files.
        project: Their project.
        options: How they are read.
        number: How many processes.
        keep: Whether it is asked what is to be kept.
    """
    several = _Several(found, project, options, number, keep=keep)
    results = worker.together(several.work, number)
    return None if results is None else several.outcome(results)


_MOST_JUDGED: Final = 2_500
"""Resources that are judged one kind after the other: what is decoded for some of them is there for the others."""
_MOST_SHOWN: Final = 4 * 1024 * 1024
"""Bytes of texts that are sent because the lines of findings are shown; others are read again for that."""


def _shown(loaded: Loaded, verdicts: Mapping[int, Verdict], texts: Texts) -> dict[str, bytes]:
    """Give the texts of a share of which lines will probably be shown."""
    findings = [*loaded.findings, *(finding for verdict in verdicts.values() for finding in verdict.findings)]
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
    """Give verdicts as plain data, piece by piece, or both ends would hold much of it twice.

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


class _Own(NamedTuple):
    """What became of the share of this process: what all files say, and the verdicts about the share."""

    loaded: Loaded
    workspace: Workspace
    rules: Rules
    verdicts: dict[int, Verdict]


class _Several:
    """What several processes have in common, and what this one knows at the end."""

    def __init__(
        self, found: Sequence[FoundFile], project: Project, options: Options, number: int, *, keep: bool
    ) -> None:
        self._found = found
        self._shares = worker.divide(found, number)
        self._project = project
        self._options = options
        self._keep = keep
        self._own: _Own
        self._facts: list[tuple[bytes, Sequence[str]]] = []
        self._instances: list[list[Instance]] = []
        self._data: list[dict[int, bytes] | list[bytes | None]] = []
        """By share, the data of resources that others sent; of this process's own share nobody asks for it here."""

    def work(self, at: int) -> worker.Work:
        """Read the share of that number, tell the others, and judge its resources."""
        texts = gather.texts_of(self._project, self._options)
        number = len(self._shares)
        with stage("read and admit files"):
            packing = DETAILED if self._keep else SLIM
            files = self._shares[at]
            share = gather.read(
                files, self._project, self._options, texts, packing=packing, keep=self._keep, processes=number
            )
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
        own = self._instances[at]
        with stage("rules"):
            verdicts: dict[int, Verdict] = {}
            for some in range(0, len(own), _MOST_JUDGED):
                verdicts |= rules.judge([position for position, _ in own[some : some + _MOST_JUDGED]])
            forget()
        if not at:
            self._own = _Own(loaded, workspace, rules, verdicts)
        shown = _shown(loaded, verdicts, texts) if at else {}
        if self._keep:
            return marshal.dumps((marshal.dumps(pack_verdicts(verdicts, own, workspace)), shown, share.digests))
        return marshal.dumps((list(_pack(verdicts)) if at else (), shown))

    def outcome(self, results: list[worker.Message]) -> Judged:
        """Put the results of all together; they are taken out of the list one by one."""
        loaded, workspace, rules, verdicts = self._own
        segments: list[Segment] = []
        digests: dict[str, bytes] = {}
        for at, instances in enumerate(self._instances):
            told, shown, *of_share = marshal.loads(results.pop(0))  # noqa: S302 - from our own copies
            if self._keep:
                facts, files = self._facts[at]
                segments.append(Segment(facts, told, files))
                digests |= of_share[0]
                if at:
                    said = marshal.loads(told)[2:]  # noqa: S302 - as above
                    verdicts.update(unpack_told(said, [position for position, _ in instances]))
            elif at:
                verdicts.update(_unpack(told))
            for file, text in shown.items():
                loaded.texts.add(file, text)
        with stage("surveys"):
            surveys = rules.survey(verdicts)
        kept = Kept(segments, digests, basis_of(workspace), pack_surveys(surveys)) if self._keep else None
        return Judged(loaded, workspace, verdicts, surveys, kept)

    def _asked_for(self, at: int, workspace: Workspace) -> dict[int, bytes]:
        """Give the data of the resources of a share that others probably look into, by row."""
        own = dict(self._instances[at])
        return {
            own[position]: marshal.dumps(workspace.inventory[position].data) for position in workspace.within_reach(own)
        }

    def _joined(self, told: Sequence[worker.Message], at: int, share: Share, texts: Texts) -> Loaded:
        """Join the shares of all. What is told about the whole is told by the first process alone."""
        pieces: list[Piece] = []
        bounds = [0]
        left: list[Piece] = []
        for one, message in enumerate(told):
            facts, others = marshal.loads(message)  # noqa: S302 - from our own copies
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
        loaded = join([*pieces, *left], texts, self._project, self._options, order, tells=not at)
        of_pieces = loaded.of_pieces(len(pieces) + len(left))
        self._instances = [in_one(of_pieces[start:end], pieces[start:end]) for start, end in itertools.pairwise(bounds)]
        return loaded
