"""The environment that records are for."""

from __future__ import annotations

from typing import NamedTuple


class Environment(NamedTuple):
    """The environment that records are for.

    Attributes:
        closed: Whether the given files are all there is.
        secrets_provider: Which provider keeps the secrets; empty where it is not known.
    """

    closed: bool = False
    secrets_provider: str = ""
