"""Image references, parsed like go-containerregistry, and like the kubelet.

Source: go-containerregistry 0.21, package name: ParseReference with weak validation. For the kubelet:
github.com/distribution/reference 0.6, ParseNormalizedNamed; github.com/opencontainers/go-digest, Digest.Validate.
"""

from __future__ import annotations

import re

from ..diagnostics.named_tuple import NamedTuple
from . import url

DEFAULT_REGISTRY = "index.docker.io"

# The characters and lengths that the library allows (repositoryChars, tagChars). `parse_image` checks the lower bound.
_REPOSITORY = re.compile(r"[a-z0-9_.\-/]{1,255}\Z", re.ASCII)
_TAG = re.compile(r"[A-Za-z0-9_.\-]{1,128}\Z", re.ASCII)
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}\Z", re.ASCII)


# The grammar of the kubelet. Compiled on first use, since few images need it.
_COMPONENT = r"[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*"
_LABEL = r"[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?"
_HOST = rf"(?:{_LABEL}(?:\.{_LABEL})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?"
_PULLED = (
    rf"(?=[^@]{{1,384}}(?:@|\Z))(?:{_HOST}/)?{_COMPONENT}(?:/{_COMPONENT})*(?::[\w][\w.-]{{0,127}})?"
    r"(?:@(?:sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128}))?\Z"
)


class ImageReference(NamedTuple):
    """The parts of an image reference.

    Attributes:
        registry: Host and port of the registry; the host of Docker Hub if the reference has none.
        repository: Path of the repository in the registry.
        tag: The tag; ``latest`` if the reference has neither tag nor digest, empty if it has only a digest.
        digest: The digest, or an empty string.
    """

    registry: str
    repository: str
    tag: str
    digest: str


def parse_image(text: str, *, shortest: int = 2) -> ImageReference | None:
    """Return the parts of an image reference, or ``None`` if it is invalid.

    Args:
        shortest: Minimum characters of a repository. The library requires 2; registries accept 1.
    """
    name, at, digest = text.partition("@")
    if at and not _DIGEST.match(digest):
        return None
    name, tag = _split_tag(name)
    if tag is None:
        return None
    registry, slash, rest = name.partition("/")
    if slash and ("." in registry or ":" in registry):
        name = rest
    else:
        registry = ""
    if len(name) < shortest or not _REPOSITORY.match(name) or not _is_host(registry):
        return None
    if registry in {"", "docker.io"}:
        registry = DEFAULT_REGISTRY
    return ImageReference(registry, name, tag or ("" if digest else "latest"), digest)


def can_be_pulled(image: str) -> bool:
    """Return whether the kubelet can read an image reference. If not, the container waits with ``InvalidImageName``."""
    return re.match(_PULLED, image, re.ASCII) is not None


def _split_tag(name: str) -> tuple[str, str | None]:
    """Return the name without its tag, and the tag: empty if missing, ``None`` if invalid."""
    head, colon, tail = name.rpartition(":")
    if not colon or "/" in tail:
        return name, ""
    return head, tail if _TAG.match(tail) else None


def _is_host(text: str) -> bool:
    try:
        return url.parse(f"//{text}").host == text
    except url.UrlError:
        return False


def repository(image: str) -> str:
    """Return an image reference without its tag and digest, otherwise as written."""
    name = image.partition("@")[0]
    head, slash, last = name.rpartition("/")
    return f"{head}{slash}{last.partition(':')[0]}"
