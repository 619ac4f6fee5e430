"""A change that a release of the operator made to the objects and configurations compiled from a resource."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from .concern import PROXIES, VIRTUAL

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace

STARTED: Final = (*PROXIES, *VIRTUAL)
"""The kinds whose pods run an image of the operator's release."""


OBJECTS: Final = ("kubernetes",)
TEXTS: Final = ("kubernetes", "runconfig", "vmcp")
"""Targets whose output contains RunConfigs or vMCP configurations. Target ``kubernetes`` has them in ConfigMaps."""
BACKEND: Final = ("backend",)


class OutputChange(NamedTuple):
    """A change of the objects or configurations that the operator creates from a resource.

    Attributes:
        since: The first release with the change.
        name: A noun phrase for the change.
        means: The consequence for users as a clause; empty if they notice at most a restart.
        restarts: True if the pods restart when the operator is upgraded across this release.
        concerns: Returns whether the change affects a resource of these kinds. Default: every resource.
        targets: The targets of ``build`` whose output changes.
        is_compiled: True if the compile steps implement the change.
        missing: A clause about what the output lacks; empty if it lacks nothing.
    """

    since: str
    kinds: tuple[str, ...]
    name: str
    means: str = ""
    restarts: bool = True
    concerns: Callable[[Workspace, Resource[Any]], bool] = lambda *_: True
    targets: tuple[str, ...] = OBJECTS
    is_compiled: bool = True
    missing: str = ""
