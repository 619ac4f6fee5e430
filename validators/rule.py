"""What a rule module offers to the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from mcpcfg.compiler.finding import Finding, Rule

if TYPE_CHECKING:
    from mcpcfg.compiler.resource import Resource
    from mcpcfg.compiler.workspace import Workspace

Check: TypeAlias = Callable[["Resource", "Workspace"], Iterator[Finding]]
"""Looks at one admitted resource; the workspace answers what it refers to and what refers to it."""

ProjectCheck: TypeAlias = Callable[["Workspace"], Iterator[Finding]]
"""Looks at all resources together: what collides, what nothing uses."""

__all__ = ["Check", "Finding", "ProjectCheck", "Rule"]
