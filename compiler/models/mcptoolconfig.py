"""MCPToolConfig: the tools of a server that clients see, and their names."""

from __future__ import annotations

from typing import Annotated, TypedDict

from .dated import Since
from .declare import Go, ListSet
from .status import ConfigStatus, ReferenceCount, ReferencingWorkloads


class ToolAnnotationsOverride(TypedDict, total=False):
    """New annotations of a tool. A missing field keeps its value; false and the empty string are new values."""

    title: Annotated[str, "Display name.", Go(pointer=True)]
    readOnlyHint: Annotated[bool, "Whether the tool changes nothing.", Go(pointer=True)]
    destructiveHint: Annotated[bool, "Whether the tool may destroy data.", Go(pointer=True)]
    idempotentHint: Annotated[bool, "Whether repeated calls change nothing more.", Go(pointer=True)]
    openWorldHint: Annotated[bool, "Whether the tool reaches external systems.", Go(pointer=True)]


class ToolOverride(TypedDict, total=False):
    """New name, description or annotations of a tool. Proxies refuse an override without name and description."""

    name: Annotated[str, "New name."]
    description: Annotated[str, "New description."]
    annotations: Annotated[ToolAnnotationsOverride, "New annotations."]


class MCPToolConfigSpec(TypedDict, total=False):
    """Filter and overrides of tools."""

    toolsFilter: Annotated[list[str], "Tools that clients see; all when empty.", ListSet()]
    toolsOverride: Annotated[dict[str, ToolOverride], "Overrides by the original name of the tool."]


class MCPToolConfigStatus(ConfigStatus, total=False):
    """The last observed state of the configuration."""

    referenceCount: Annotated[ReferenceCount, Since("0.28.0")]
    referencingWorkloads: ReferencingWorkloads
