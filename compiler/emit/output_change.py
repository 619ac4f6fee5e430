"""A change that a release of the operator made to the objects and configurations compiled from a resource."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ..diagnostics.named_tuple import NamedTuple
from .concern import PROXIES, VIRTUAL

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace

    Concerns: TypeAlias = Callable[[Workspace, Resource[Any]], bool]

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
        concerns: Returns whether the change affects a resource of these kinds. Default: every resource.
        means: The consequence for users as a clause; empty if they notice at most a restart.
        restarts: True if the pods restart when the operator is upgraded across this release.
        targets: The targets of ``build`` whose output changes.
        is_compiled: True if the compile steps implement the change.
        missing: A clause about what the output lacks; empty if it lacks nothing.
    """

    since: str
    kinds: tuple[str, ...]
    name: str
    concerns: Concerns = lambda *_: True
    means: str = ""
    restarts: bool = True
    targets: tuple[str, ...] = OBJECTS
    is_compiled: bool = True
    missing: str = ""


def in_texts(*facts: Any, **others: Any) -> OutputChange:
    """Return a change of RunConfigs or vMCP configurations. The arguments are those of `OutputChange`."""
    return OutputChange(*facts, **others)._replace(targets=TEXTS)


def at_runtime(since: str, kinds: tuple[str, ...], means: str, concerns: Concerns) -> OutputChange:
    """Return a change of what a process does with the same configuration."""
    return OutputChange(since, kinds, means, concerns, means, restarts=False, targets=(), is_compiled=False)
