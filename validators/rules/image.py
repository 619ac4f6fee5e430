"""Rules about images that are missing or no image, or whose tag may move to another image."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ...compiler.diagnostics.placeholder import is_placeholder, is_template_placeholder
from ...compiler.diagnostics.shown import shown
from ...compiler.diagnostics.version import RECORDED
from ..pod import containers_of, may_be_server
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.embeddingserver import EmbeddingServerSpec
    from ...compiler.models.mcpserver import MCPServerSpec
    from ...compiler.models.spec import TemplatedSpec
    from ..rule import Check, Finding, Path, Resource, Workspace

UNTAGGED = rule("IMG001 untagged-image", "lint", "An image has no tag, or the tag latest", severity="info")
EMPTY = rule("IMG002 empty-image", "operator", "An MCPServer has an empty image")

FLAG = rule(
    "IMG003 image-read-as-flag",
    "process",
    "The image of an MCPServer begins with a hyphen, so the proxy runner takes it for a flag",
    verified=RECORDED,
)

UNREADABLE = rule(
    "IMG004 unreadable-image", "process", "An image that the kubelet cannot read", verified=RECORDED, unmodelled="all"
)

_PLAIN: Final = re.compile(r"[a-z0-9]{1,60}(?:[./-][a-z0-9]{1,60}){0,8}:[a-z0-9]{1,30}(?:[.-][a-z0-9]{1,30}){0,3}")
"""Most references, which need no import of the whole grammar."""


@reads("image")
def check(resource: Resource[EmbeddingServerSpec | MCPServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report an image that is missing or that the kubelet cannot read, or whose tag is missing or ``latest``."""
    image: str = resource.spec["image"]
    path = ("spec", "image")
    if not image:
        if resource.kind == "MCPServer":
            yield resource.finding(EMPTY, path, "the image is empty", hint="name the image")
        return
    is_flag = image.startswith("-") and image != "-" and resource.kind == "MCPServer"
    if is_flag and not is_placeholder(image):
        message = f"the proxy runner takes {shown(image)} for a flag, and gets no image"
        yield resource.finding(FLAG, path, message, hint="name the image: HOST/NAME:TAG")
        return
    if not _is_readable(image):
        yield _unreadable(resource, path, image)
        return
    tag = image.rpartition("/")[2].partition(":")[2]
    if "@" in image or (tag and tag != "latest") or is_placeholder(image) or not resource.states("spec", "image"):
        return
    message = f'"{image}" names no version' if not tag else f'"{image}" may be a different image tomorrow'
    yield resource.finding(UNTAGGED, path, message, hint="name a version or a digest")


@reads("podTemplateSpec")
def check_pod(resource: Resource[TemplatedSpec], _: Workspace) -> Iterator[Finding]:
    """Report an image in the pod template that the kubelet cannot read. The server's container has another image."""
    for path, container in containers_of(resource.spec):
        image = container.get("image")
        is_replaced = resource.kind == "MCPServer" and may_be_server(container.get("name"))
        if isinstance(image, str) and image and not is_replaced and not _is_readable(image):
            yield _unreadable(resource, (*path, "image"), image)


def _is_readable(image: str) -> bool:
    is_unknown = is_placeholder(image) or is_template_placeholder(image)
    return _PLAIN.fullmatch(image) is not None or is_unknown or _can_be_pulled(image)


def _unreadable(resource: Resource, path: Path, image: str) -> Finding:
    return resource.finding(UNREADABLE, path, f"the kubelet cannot read the image {shown(image)}", hint=_hint(image))


def _can_be_pulled(image: str) -> bool:
    from ...compiler.golang.image_reference import can_be_pulled

    return can_be_pulled(image)


def _hint(image: str) -> str:
    corrected = "".join(image.split()).removeprefix("https://").removeprefix("docker://")
    host, slash, rest = corrected.partition("/")
    name, colon, tag = rest.partition(":")
    corrected = f"{host}{slash}{name.lower()}{colon}{tag}" if slash else corrected.lower()
    is_readable = _can_be_pulled(corrected) and corrected != image
    return f"write {shown(corrected)}" if is_readable else "write HOST/NAME:TAG, the name in lower case without spaces"


CHECKS: dict[str, tuple[Check, ...]] = {
    "MCPServer": (check, check_pod),
    "EmbeddingServer": (check,),
    "MCPRegistry": (check_pod,),
    "VirtualMCPServer": (check_pod,),
}
