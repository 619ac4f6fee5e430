"""What walks leave out, for the remarks of a call."""

from __future__ import annotations


class LeftOut:
    """What walks have left out, as far as it has to be reported.

    Attributes:
        excluded: Files and folders that ``exclude`` matches.
        ignored: Files and folders that ignore files name, where Git has not listed what it tracks of them.
        why: Why Git has not.
    """

    def __init__(self) -> None:
        self.excluded: set[str] = set()
        self.ignored: set[str] = set()
        self.why = ""
