"""Check the roles of an ``awsSts`` block like the operator and the proxy."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..compiler.diagnostics.span import Path
    from ..compiler.models.mcpexternalauthconfig import MCPExternalAuthConfigSpec
    from ..compiler.workspace.resource import Resource

STS: Path = ("spec", "awsSts")


def role_problems(config: Resource[MCPExternalAuthConfigSpec]) -> Iterator[tuple[Path, str]]:
    """Yield the path and the message of each fault in an ``awsSts`` block that both the operator and the proxy refuse.

    The path starts at the block. It is empty if the block has no role.
    """
    sts = config.spec["awsSts"]
    mappings = sts.get("roleMappings")
    if not mappings and not sts.get("fallbackRoleArn"):
        yield (), f"{config.profile.spell('awsSts')} has neither fallbackRoleArn nor roleMappings"
    if not isinstance(mappings, list):
        return
    for i, mapping in enumerate(mappings):
        if mapping.get("claim") and mapping.get("matcher"):
            yield ("roleMappings", i), f"role mapping {i} has both claim and matcher"
        elif not mapping.get("claim") and not mapping.get("matcher"):
            yield ("roleMappings", i), f"role mapping {i} has neither claim nor matcher"
