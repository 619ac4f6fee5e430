"""Values that checks and the management service take from the machine or the project, such as free ports."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..diagnostics.named_tuple import NamedTuple
from .profile import TOOLHIVE, Profile

if TYPE_CHECKING:
    from collections.abc import Callable


class Environment(NamedTuple):
    """The project settings that checks of records depend on.

    Attributes:
        closed: True if the given files are complete, so any other file does not exist.
        secrets_provider: Provider of the secrets, such as ``encrypted``; empty if unknown.
    """

    closed: bool = False
    secrets_provider: str = ""
    profile: Profile = TOOLHIVE


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """Values that the service takes from the machine that it runs on.

    Attributes:
        proxy_port: Free port that the service would choose for the proxy.
        target_port: Free port that the service would choose for the container.
        usage_metrics: True if usage metrics are on.
        registry_url: Registry URL in the configuration of the service.
        registry_api_url: Registry API URL in the configuration of the service.
        seconds: Time of the call in seconds since 1970, for names and tags that contain it.
        authz: Function that returns the content of an authorization file, or ``None`` if it cannot be read.
        is_complete: True if a file that cannot be read does not exist; otherwise it may be on the machine.
        secrets_provider: Provider of the secrets; empty if unknown.
        profile: The names of the edition of the product.
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
