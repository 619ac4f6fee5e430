"""A check of which most is known from the last one: only what has changed is read, and judged what that may change."""

from __future__ import annotations

import marshal
from typing import TYPE_CHECKING, NamedTuple

from ...validators.recall import Changed
from ..diagnostics.timing import stage
from ..intake import gather
from ..intake.memory import (
    Kept,
    Recollection,
    Segment,
    basis_of,
    pack_surveys,
    pack_verdicts,
    unpack_surveys,
)
from ..intake.part import concatenate, select, unpack
from ..intake.stored import StoredFindings, store
from .join import Piece, in_one, join
from .judged import Judged, rules_over

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from ...validators.rule import Verdict
    from ..intake.gather import Share
    from ..intake.memory import Instance, Keeper, Seen
    from ..intake.part import Part
    from ..intake.stored import Plain, Texts
    from ..project.discovery import Project
    from ..project.options import Options
    from ..workspace.workspace import Workspace
    from .join import Loaded

_MOST_SEGMENTS = 16
"""More are put together to one."""


class _Opened(NamedTuple):
    """A segment of last time.

    Attributes:
        segment: As it was kept.
        facts: As `part.pack` gave them.
        part: What they stand for.
        verdicts: As `pack_verdicts` gave them.
        current: Those of its files that have not changed.
    """

    segment: Segment
    facts: Plain
    part: Part
    verdicts: Plain
    current: Collection[str]


def judge(project: Project, options: Options, cache: Keeper) -> Judged | None:
    """Read what has changed, and judge what that may change; ``None`` where it is not known what was.

    Args:
        project: The files.
        options: How they are read.
        cache: What is known.
    """
    with stage("read the cache"):
        kept = cache.kept()
        if kept is None:
            return None
        texts = gather.texts_of(project, options)
        opened = [_open(segment, cache.unchanged, texts) for segment in kept.segments]
    found = list(gather.files_of(project, options))
    with stage("read and admit files"):
        changed = [file for file in found if file.path not in cache.unchanged]
        share = gather.read(changed, project, options, texts, whole=False, keep=True)
    with stage("join"):
        pieces = [Piece(one.part, one.current) for one in opened]
        pieces += map(Piece, share.parts)
        for one in opened:
            texts.add_unread(one.current)
        loaded = join(pieces, texts, project, options, gather.order_of(found))
        workspace, rules = rules_over(loaded, project, options, watched=True)
        of_pieces = loaded.of_pieces(len(pieces))
    basis = basis_of(workspace)
    stands = kept.basis == basis
    with stage("recall"):
        recollection, gone = _recollected(opened, of_pieces, workspace, stands=stands)
    with stage("rules"):
        refused = {one: verdict.refused for one, verdict in recollection.known.items() if verdict.refused is not None}
        judged = rules.judge_anew(recollection.due, refused, recollection.learn)
        verdicts = recollection.standing(judged)
        said = unpack_surveys(kept.surveys) if stands else {}
        said = {name: one for name, one in said.items() if recollection.leaves(name, one)}
        noted = {} if all(survey.name in said for survey in rules.surveys) else rules.noted(verdicts)
        surveys = rules.survey(noted, said)
    files = gone.union([loaded.resources.files[position] for position in judged])
    segments = _segments(opened, of_pieces, share, pieces, _Renewed(workspace, recollection, judged, files))
    outdated = kept.seen.keys() - cache.unchanged
    now = Kept(segments, _without(kept.seen, outdated) | share.seen, basis, pack_surveys(surveys))
    touched = None
    if stands and _tells_apart(loaded, pieces):
        touched = files.union(outdated, [file.path for file in changed], _told_otherwise(kept, now))
    return Judged(loaded, workspace, verdicts, surveys, now, touched)


def _without(seen: Mapping[str, Seen], outdated: Iterable[str]) -> dict[str, Seen]:
    rest = dict(seen)
    for path in outdated:
        del rest[path]
    return rest


def _tells_apart(loaded: Loaded, pieces: Sequence[Piece]) -> bool:
    """Tell whether what is told of a file is a matter of it and of verdicts: of later versions the first is told."""
    if loaded.is_one_matter:
        return False
    return not any(
        own.later is not None and (piece.current is None or file not in piece.current)
        for piece in pieces
        for file, own in piece.part.said.items()
    )


def _told_otherwise(before: Kept, now: Kept) -> Iterator[str]:
    """Yield the files in which surveys tell, or told, something else."""
    for name in before.surveys.keys() | now.surveys.keys():
        old, new = (kept.surveys[name][0] if name in kept.surveys else store(()) for kept in (before, now))
        if old != new:
            yield from (one.span.file for one in frozenset(StoredFindings(old)) ^ frozenset(StoredFindings(new)))


def _recollected(
    opened: Sequence[_Opened], of_pieces: Sequence[Sequence[Instance]], workspace: Workspace, *, stands: bool
) -> tuple[Recollection, set[str]]:
    """Return what still stands, and the files of resources that do not.

    Args:
        opened: What is known.
        of_pieces: The resources of now: first those of the segments, then those that were read.
        workspace: What the rules look at.
        stands: Whether all that counts for every verdict is as it was.
    """
    matched = [_match(one, own, workspace) for one, own in zip(opened, of_pieces, strict=False)]
    remembered = [(one.verdicts, match.positions) for one, match in zip(opened, matched, strict=True)]
    gone = [changed for match in matched for changed in match.gone]
    fresh = [position for match in matched for position in match.fresh]
    fresh += [position for own in of_pieces[len(opened) :] for position, _ in own]
    shaken = [name for match in matched for name in match.noting]
    recollection = Recollection(workspace, remembered, gone, fresh, shaken=shaken, stands=stands)
    return recollection, {file for match in matched for file in match.files}


class _Match(NamedTuple):
    """What became of the resources of a segment.

    Attributes:
        positions: Of those of last time: ``None`` for those that are not there any more, or stand otherwise now.
        gone: These.
        files: Theirs.
        fresh: The positions of those that were not there, or stood otherwise.
        noting: The surveys that noted something about those that are gone.
    """

    positions: list[int | None]
    gone: list[Changed]
    files: set[str]
    fresh: list[int]
    noting: Collection[str]


def _match(opened: _Opened, instances: Sequence[Instance], workspace: Workspace) -> _Match:
    """Find the resources of last time: those of the same row that other files settle in the same way."""
    inventory = workspace.inventory
    now = {(row, inventory.namespaces[position], inventory.admitted[position]): position for position, row in instances}
    positions = [now.get(settled) for settled in opened.verdicts[0]]
    lost = [number for number, position in enumerate(positions) if position is None]
    known = set(positions)
    fresh = [position for position, _ in instances if position not in known]
    if not lost:
        return _Match(positions, [], set(), fresh, ())
    was = set(opened.segment.files)  # what another segment knows better is not gone
    columns = opened.part.columns
    gone: list[Changed] = []
    files: set[str] = set()
    noting: set[str] = set()
    settled, *_, notes = opened.verdicts
    for number in lost:
        row, namespace, _ = settled[number]
        if columns.files[row] in was:
            gone.append(Changed(columns.kinds[row], namespace, columns.names[row], columns.targets[row]))
            files.add(columns.files[row])
            noting.update(notes.get(number, ()))
    return _Match(positions, gone, files, fresh, noting)


def _open(segment: Segment, unchanged: Collection[str], texts: Texts) -> _Opened:
    facts, verdicts = marshal.loads(segment.facts), marshal.loads(segment.verdicts)  # noqa: S302 - as we wrote them
    current = {file for file in segment.files if file in unchanged}
    return _Opened(segment, facts, unpack(facts, texts), verdicts, current)


class _Renewed(NamedTuple):
    """What is to be written anew.

    Attributes:
        workspace: The resources of now.
        recollection: What is known of them.
        judged: The new verdicts.
        files: Those about which something is new.
    """

    workspace: Workspace
    recollection: Recollection
    judged: Mapping[int, Verdict | None]
    files: Collection[str]

    def verdict(self, position: int) -> Verdict | None:
        """Return the verdict of now about the resource at a position."""
        return self.judged[position] if position in self.judged else self.recollection.remembered(position)


def _segments(
    opened: Sequence[_Opened],
    of_pieces: Sequence[Sequence[Instance]],
    share: Share,
    pieces: Sequence[Piece],
    renewed: _Renewed,
) -> list[Segment]:
    """Return what is to be kept: segments as they are for files about which nothing is new, and one for all others."""
    segments: list[Segment] = []
    plains = list(share.packed)
    instances = in_one(of_pieces[len(opened) :], pieces[len(opened) :])
    rows_before = sum(len(piece.part.columns.files) for piece in pieces[len(opened) :])
    puts_together = len(opened) >= _MOST_SEGMENTS
    for one, own in zip(opened, of_pieces, strict=False):
        files = {file for file in one.current if puts_together or file in renewed.files}
        if files:
            plain, rows = select(one.facts, files)
            plains.append(plain)
            new_rows = {row: number for number, row in enumerate(rows, rows_before)}
            instances += [(position, new_rows[row]) for position, row in own if row in new_rows]
            rows_before += len(rows)
        if len(files) < len(one.current):
            rest = [file for file in one.segment.files if file in one.current and file not in files]
            segments.append(one.segment._replace(files=rest))
    facts = concatenate(plains)
    if facts[0]:
        verdicts = {position: renewed.verdict(position) for position, _ in instances}
        judged = pack_verdicts(verdicts, instances, renewed.workspace)
        segments.append(Segment(marshal.dumps(facts), marshal.dumps(judged), facts[0]))
    return segments
