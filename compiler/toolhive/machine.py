"""What programs of the product take from around them: the machine of the service, the environment of records."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from .profile import TOOLHIVE, Profile

if TYPE_CHECKING:
    from collections.abc import Callable


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """What the service takes from the machine that it runs on.

    Attributes:
        proxy_port: The free port that it would find for the proxy.
        target_port: The free port that it would find for the container.
        usage_metrics: Whether usage metrics are on.
        registry_url: The registry URL of its configuration.
        registry_api_url: The registry API URL of its configuration.
        seconds: The time of the call, for names and tags that hold it.
        authz: Reads an authorization file by its path: its content, or ``None`` where it cannot be read.
        is_complete: Whether a file that cannot be read is not there; else it may be on the machine.
        secrets_provider: What keeps its secrets; empty where it is not known.
        profile: The names that the service goes by.
    """

    proxy_port: int | None = None
    target_port: int | None = None
    usage_metrics: bool = True
    registry_url: str = ""
    registry_api_url: str = ""
    seconds: int = 0
    authz: Callable[[str], Any] = field(default=lambda _: None)
    is_complete: bool = True
    secrets_provider: str = ""
    profile: Profile = TOOLHIVE
