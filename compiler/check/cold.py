"""A check of which nothing is known: files are read and judged, by one process or several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..diagnostics.timing import stage
from ..intake import gather
from .join import Piece, join
from .judged import Judged, rules_over

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..disk.files import FoundFile
    from ..intake.gather import Share
    from ..intake.memory import Kept
    from ..project.discovery import Project
    from ..project.options import Options
    from .judged import Words

_SAMPLE: Final = 12
"""Of each sort: files that stand together and often belong together, and such from everywhere."""


def judge(project: Project, options: Options, words: Words | None = None, *, keep: bool) -> Judged:
    """Read and judge all files.

    Args:
        project: The files.
        options: How they are read.
        words: Puts findings into words, where that is all that is asked for.
        keep: Whether it is asked what is to be kept.
    """
    found = list(gather.files_of(project, options))
    number = gather.workers(found, options)
    if number > 1:
        from . import several

        _alone(_sample(found), project, options, keep=keep)
        judged = several.judge(found, project, options, number, words, keep=keep)
        if judged is not None:
            return judged
    return _alone(found, project, options, keep=keep)


def _sample(found: Sequence[FoundFile]) -> list[FoundFile]:
    """Return some files that are checked before work is shared: what is loaded for them no process need load again."""
    return [*found[:_SAMPLE], *found[_SAMPLE :: max(1, len(found) // _SAMPLE)]]


def _alone(found: Sequence[FoundFile], project: Project, options: Options, *, keep: bool) -> Judged:
    texts = gather.texts_of(project, options)
    with stage("read and admit files"):
        share = gather.read(found, project, options, texts, whole=False if keep else None, keep=keep)
    with stage("join"):
        pieces = [Piece(part) for part in share.parts]
        loaded = join(pieces, texts, project, options)
        workspace, rules = rules_over(loaded, project, options, watched=keep)
    with stage("rules"):
        verdicts = rules.judge()
        judged = Judged(loaded, workspace, verdicts, rules.survey(rules.noted(verdicts)))
    return judged._replace(kept=_kept(judged, share, pieces)) if keep else judged


def _kept(judged: Judged, share: Share, pieces: Sequence[Piece]) -> Kept:
    """Return what is to be kept of a check by one process."""
    import marshal

    from ..intake.memory import Kept, Segment, basis_of, pack_surveys, pack_verdicts
    from ..intake.part import concatenate
    from .join import in_one

    facts = concatenate(share.packed)
    instances = in_one(judged.loaded.of_pieces(len(pieces)), pieces)
    told = pack_verdicts(judged.verdicts, instances, judged.workspace)
    segment = Segment(marshal.dumps(facts), marshal.dumps(told), facts[0])
    return Kept([segment], share.seen, basis_of(judged.workspace), pack_surveys(judged.surveys))
