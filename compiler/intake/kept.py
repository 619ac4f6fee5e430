"""What a check is told of the one before: by the cache on the disk, or by who checks the same files again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from .stored import Entry, Plain


class Kept(Protocol):
    """What is kept between checks of the same files, under the same configuration and options."""

    @property
    def unchanged(self) -> frozenset[str]:
        """The files whose texts are still what they were."""

    def known(self) -> dict[str, Entry]:
        """Give what is kept of the files that have not changed."""

    @property
    def memory(self) -> Any:
        """What the rules left there last time; to be asked for after `known`."""

    @property
    def stale(self) -> Sequence[Plain]:
        """The facts of files that have changed or gone since; to be asked for after `known`."""

    def save(
        self,
        entries: Mapping[str, Entry],
        findings: Plain,
        documents: int,
        *,
        nothing: bool,
        memory: Any,
        touched: Container[str],
    ) -> None:
        """Keep what a check found.

        Args:
            entries: The facts of all files.
            findings: As plain data.
            documents: How many there were.
            nothing: Whether there was nothing to check.
            memory: What rules found; of files that are not touched it is not looked at.
            touched: The files about which something is new, beside those that have changed.
        """
