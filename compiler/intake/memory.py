"""What rules found, as plain data, in the cache or from another process; and what of it still stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from ...validators.recall import Changed, Dependents, bears_on
from ...validators.rule import Verdict
from .stored import StoredFindings, join_stored, store

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..disk.stamp import Stamp
    from ..workspace.workspace import Workspace
    from .stored import Plain

Instance: TypeAlias = tuple[int, int]
"""A resource as it stands in the workspace: its position, and its row among those of its files. Overlays may put one
into several namespaces: then there are several of one row.
"""


Seen: TypeAlias = "tuple[bytes, Stamp | None]"
"""The digest of a file's text, and the stamp that it had then, if it was read now."""


class Segment(NamedTuple):
    """What is kept of some files, as `marshal` writes it.

    Attributes:
        facts: As `part.pack` gives them.
        verdicts: About their resources, as `pack_verdicts` gives them.
        files: Those of the files about which it is right.
    """

    facts: bytes
    verdicts: bytes
    files: Sequence[str]


class Kept(NamedTuple):
    """What is kept of a check.

    Attributes:
        segments: What is known of each file that holds something of ours is in one of them.
        seen: All files that were read.
        basis: What verdicts depend on that is no matter of single resources.
        surveys: What surveys said, as `pack_surveys` gives it.
    """

    segments: list[Segment]
    seen: dict[str, Seen]
    basis: Plain
    surveys: Mapping[str, Plain]


class Keeper(Protocol):
    """What is told of the check before: by the cache on the disk, or by who checks the same files again and again."""

    @property
    def unchanged(self) -> frozenset[str]:
        """The files whose texts are still what they were."""

    def kept(self) -> Kept | None:
        """Return what was kept, also about files that have changed since; ``None`` where there is nothing."""

    def save(self, kept: Kept) -> None:
        """Keep what is to be known the next time."""


def basis_of(workspace: Workspace) -> Plain:
    """Return what verdicts depend on that is no matter of single resources."""
    world = workspace.world
    external = sorted((kind, tuple(sorted(names))) for kind, names in world.external.items())
    made = "" if world.made is None else world.made.digest()
    return any(workspace.inventory.unknown), world.complete, tuple(external), made, world.layout.digest()


def pack_verdicts(verdicts: Mapping[int, Verdict | None], instances: Sequence[Instance], workspace: Workspace) -> Plain:
    """Return verdicts as plain data: how their resources are settled, what rules looked at, what was found.

    What was found are findings, what is refused, and notes, each by the number of the instance.

    Args:
        verdicts: By position.
        instances: The resources that are meant.
        workspace: All resources.
    """
    namespaces, admitted = workspace.inventory.namespaces, workspace.inventory.admitted
    settled = [(row, namespaces[position], admitted[position]) for position, row in instances]
    known = [verdicts.get(position) for position, _ in instances]
    keys = [None if verdict is None else verdict.keys for verdict in known]
    findings: dict[int, bytes] = {}
    refused: dict[int, str] = {}
    notes: dict[int, Mapping[str, Any]] = {}
    for number, verdict in enumerate(known):
        if verdict is None:
            continue
        if verdict.findings:
            findings[number] = store(verdict.findings)
        if verdict.refused is not None:
            refused[number] = verdict.refused
        if verdict.notes:
            notes[number] = verdict.notes
    return settled, keys, findings, refused, notes


def unpack_told(plain: Plain, positions: Sequence[int | None]) -> dict[int, Verdict]:
    """Return the verdicts that have something to tell, by position.

    Args:
        plain: What was found, as `pack_verdicts` gave it.
        positions: Those of the instances; ``None`` for one that is not there any more.
    """
    findings, refused, notes = plain
    found: dict[int, Verdict] = {}
    for number in {*findings, *refused, *notes}:
        position = positions[number]
        if position is not None:
            told = StoredFindings(findings[number]) if number in findings else ()
            found[position] = Verdict(told, refused.get(number), notes.get(number, {}))
    return found


def pack_surveys(surveys: Mapping[str, Verdict]) -> dict[str, Plain]:
    """Return what surveys said as plain data."""
    return {name: (store(said.findings), tuple(said.keys)) for name, said in surveys.items()}


def join_surveys(of_shares: Sequence[Mapping[str, Plain]]) -> dict[str, Plain]:
    """Put together what surveys said about the resources of several shares, as `pack_surveys` gave it."""
    joined: dict[str, Plain] = {}
    for name in of_shares[0]:
        said, looked = zip(*(one[name] for one in of_shares), strict=True)
        joined[name] = join_stored(said), tuple(sorted(set().union(*looked)))
    return joined


def unpack_surveys(plain: Mapping[str, Plain]) -> dict[str, Verdict]:
    """Return what surveys said from plain data."""
    return {name: Verdict(StoredFindings(findings), keys=keys) for name, (findings, keys) in plain.items()}


class Recollection:
    """What still stands of the verdicts of last time, and what does not.

    Attributes:
        known: The verdicts of last time that have something to tell, by position.
        due: The positions of those that are to be judged anew.
        changed: The keys on which something bears, or bore, that has changed.
        shaken: The surveys about which something else is noted now.

    Args:
        workspace: What the rules look at now.
        remembered: What is known, as `pack_verdicts` gave it, each with the positions that instances have now: ``None``
            for those that are not there any more.
        gone: Those that are not there any more.
        fresh: The positions of resources of which nothing is known.
        shaken: The surveys that noted something about what is gone.
        stands: Whether all that counts for every verdict is as it was; else all are due.
    """

    def __init__(
        self,
        workspace: Workspace,
        remembered: Iterable[tuple[Plain, Sequence[int | None]]],
        gone: Iterable[Changed],
        fresh: Iterable[int],
        *,
        shaken: Iterable[str],
        stands: bool,
    ) -> None:
        self._inventory = workspace.inventory
        self.known: dict[int, Verdict] = {}
        self.keys: dict[int, Sequence[str]] = {}
        self.changed: set[str] = set()
        self.shaken = set(shaken)
        for plain, positions in remembered:
            self.known.update(unpack_told(plain[2:], positions))
            rows = zip(positions, plain[1], strict=True)
            self.keys.update([(at, looked) for at, looked in rows if at is not None and looked is not None])
        self._dependents = Dependents(workspace, self.keys)
        new = set(fresh)
        self.due = new if stands else set(range(len(self._inventory)))
        self.due = self.due | self._dependents.of(self._note([*gone, *map(self._at, new)]))

    def standing(self, judged: Mapping[int, Verdict | None]) -> dict[int, Verdict]:
        """Return the verdicts that there are now, those that were ``judged`` anew among them."""
        found = {position: verdict for position, verdict in self.known.items() if position not in judged}
        found.update((position, verdict) for position, verdict in judged.items() if verdict is not None)
        return found

    def remembered(self, position: int) -> Verdict | None:
        """Return a verdict of last time, with what rules looked at; ``None`` where there is none."""
        keys = self.keys.get(position)
        return None if keys is None else self.known.get(position, Verdict(()))._replace(keys=keys)

    def learn(self, position: int, verdict: Verdict | None) -> Iterable[int]:
        """Take note of a new verdict; give the positions of those that may change with it."""
        before = self.known.get(position)
        self.shaken.update(before.notes if before else (), verdict.notes if verdict else ())
        if (verdict.refused if verdict else None) == (before.refused if before else None):
            return ()
        return self._dependents.of(self._note([self._at(position)]))

    def leaves(self, survey: str, said: Verdict) -> bool:
        """Return whether a survey would say again what it said; to be asked when all is judged."""
        return survey not in self.shaken and self.changed.isdisjoint(said.keys)

    def _at(self, position: int) -> Changed:
        return Changed(*self._inventory.identity(position), self._inventory.targets[position])

    def _note(self, changed: list[Changed]) -> list[Changed]:
        for one in changed:
            self.changed |= bears_on(*one)
        return changed
