"""How far rules have run over the resources of a call."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Run:
    """How far rules have run over a workspace, and over what those of its files see.

    Attributes:
        refused: Position of a resource to the rule by which the operator refuses it, as far as rules have run.
        unreadable: Those of them that admission found.
        all_readable: Whether there is none that the operator cannot read.
        own: Positions of the resources that are judged here one after the other; ``None`` for all.
        sees: Tells of a position that is not among them whether rules have run about its resource.
        reported: Positions of the resources about which surveys are to tell something; ``None`` for all.
        referring: Ids of resources whose references were asked for, where that is noted.
    """

    def __init__(self) -> None:
        self.refused: dict[int, str] = {}
        self.unreadable: dict[int, str] = {}
        self.all_readable = True
        self.own: frozenset[int] | None = None
        self.sees: Callable[[int], bool] = lambda _: True
        self.reported: frozenset[int] | None = None
        self.referring: set[int] | None = None
