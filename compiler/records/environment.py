"""The environment that records are for."""

from __future__ import annotations

from typing import NamedTuple

from ..toolhive.profile import TOOLHIVE, Profile


class Environment(NamedTuple):
    """The environment that records are for.

    Attributes:
        closed: Whether the given files are all there is.
        secrets_provider: Which provider keeps the secrets; empty where it is not known.
        profile: The names that the product goes by.
    """

    closed: bool = False
    secrets_provider: str = ""
    profile: Profile = TOOLHIVE
