"""MCPToolConfig: which tools of a server are shown, and under which names."""

from __future__ import annotations

from typing import Annotated, TypedDict

from .dated import Since
from .declare import Go, ListSet
from .status import Conditions, ConfigHash, ObservedGeneration, ReferenceCount, ReferencingWorkloads


class ToolAnnotationsOverride(TypedDict, total=False):
    """Other annotations of a tool. One that is missing stays; false and the empty text are values."""

    title: Annotated[str, "Title for people.", Go(pointer=True)]
    readOnlyHint: Annotated[bool, "Whether the tool changes nothing.", Go(pointer=True)]
    destructiveHint: Annotated[bool, "Whether the tool may destroy.", Go(pointer=True)]
    idempotentHint: Annotated[bool, "Whether calling it again changes nothing more.", Go(pointer=True)]
    openWorldHint: Annotated[bool, "Whether the tool deals with the world outside.", Go(pointer=True)]


class ToolOverride(TypedDict, total=False):
    """Another name or description of a tool; one of the two at least."""

    name: Annotated[str, "New name."]
    description: Annotated[str, "New description."]
    annotations: Annotated[ToolAnnotationsOverride, "New annotations."]


class MCPToolConfigSpec(TypedDict, total=False):
    """Filter and new names of tools."""

    toolsFilter: Annotated[list[str], "Tools that are shown; all when empty.", ListSet()]
    toolsOverride: Annotated[dict[str, ToolOverride], "What changes for a tool, by its actual name."]


class MCPToolConfigStatus(TypedDict, total=False):
    """The configuration as it was last seen."""

    conditions: Conditions
    observedGeneration: ObservedGeneration
    configHash: ConfigHash
    referenceCount: Annotated[ReferenceCount, Since("0.28.0")]
    referencingWorkloads: ReferencingWorkloads
