"""Rules about images that are missing, or whose tag may move to another image."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.placeholder import is_placeholder
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.embeddingserver import EmbeddingServerSpec
    from ...compiler.models.mcpserver import MCPServerSpec
    from ..rule import Check, Finding, Resource, Workspace

UNTAGGED = rule("IMG001", "untagged-image", "An image has no tag, or the tag latest", stage="lint", severity="info")
EMPTY = rule("IMG002", "empty-image", "An MCPServer has an empty image", stage="operator")


@reads("image")
def check(resource: Resource[EmbeddingServerSpec | MCPServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report an image that is missing, or whose tag is missing or ``latest``."""
    image: str = resource.spec["image"]
    path = ("spec", "image")
    if not image:
        if resource.kind == "MCPServer":
            yield resource.finding(EMPTY, path, "the image is empty", hint="name the image")
        return
    tag = image.rpartition("/")[2].partition(":")[2]
    if "@" in image or (tag and tag != "latest") or is_placeholder(image) or not resource.states("spec", "image"):
        return
    message = f'"{image}" names no version' if not tag else f'"{image}" may be a different image tomorrow'
    yield resource.finding(UNTAGGED, path, message, hint="name a version or a digest")


CHECKS: dict[str, tuple[Check, ...]] = {"MCPServer": (check,), "EmbeddingServer": (check,)}
