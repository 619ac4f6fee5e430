"""Mount declarations: a path, ``host:container``, or ``scheme://resource:container``.

Source: toolhive-core 0.0.16, permissions: parsing of mount declarations.
"""

from __future__ import annotations

import posixpath
import re

from ..diagnostics.named_tuple import NamedTuple

_DRIVE = r"[a-zA-Z]:[/\\]"
_SCHEME = r"[a-zA-Z][a-zA-Z0-9_-]*\Z"
_DANGEROUS = r"[$&;|`\x00]"


class MountError(ValueError):
    """The product refuses a mount declaration. The message is a clause with the reason."""


class Mount(NamedTuple):
    """A parsed mount.

    Attributes:
        source: Normalized path on the host, or a resource with its scheme.
        target: Normalized path in the container.
    """

    source: str
    target: str

    @property
    def is_resource(self) -> bool:
        """True if the source is a resource instead of a path. The service does not mount resources."""
        return "://" in self.source


def parse_mount(text: str) -> Mount:
    """Parse a mount declaration. A single path is both source and target.

    Raises:
        MountError: The product refuses the declaration.
    """
    mount = _parse_resource(text)
    if mount is not None:
        return mount
    if ":" not in text:
        path = clean(_checked(text))
        return Mount(path, path)
    colons = [i for i, character in enumerate(text) if character == ":"]
    if re.match(_DRIVE, text) and len(colons) <= 2:
        if len(colons) == 1:
            path = clean(_checked(text))
            return Mount(path, path)
        return _split(text, colons[1])
    if len(colons) > 1:
        raise MountError("it contains more than the one colon between host and container")
    return _split(text, colons[0])


def clean(path: str) -> str:
    """Return the shortest equivalent path, as Go's ``path.Clean`` does; ``.`` for an empty path."""
    normal = posixpath.normpath(path)
    return normal[1:] if normal.startswith("//") else normal


def split_volume(volume: str) -> tuple[str, bool]:
    """Return the mount declaration in a workload's volume, and whether the volume ends with ``:ro`` (read-only)."""
    return (volume[:-3], True) if volume.endswith(":ro") else (volume, False)


def _parse_resource(text: str) -> Mount | None:
    scheme, separator, rest = text.partition("://")
    if not separator or not re.match(_SCHEME, scheme):
        return None
    for colon in range(len(rest) - 1, -1, -1):
        target = rest[colon + 1 :]
        if rest[colon] != ":" or not target or not _may_be_target(target):
            continue
        resource = rest[:colon]
        if not resource:
            return None
        _refuse_windows(target)
        return Mount(f"{scheme}://{clean(_checked(resource))}", clean(_checked(target)))
    return None


def _may_be_target(path: str) -> bool:
    return path.startswith("/") or _is_windows(path) or ":" not in path


def _split(text: str, colon: int) -> Mount:
    source, target = text[:colon], text[colon + 1 :]
    _refuse_windows(target)
    return Mount(clean(_checked(source)), clean(_checked(target)))


def _is_windows(path: str) -> bool:
    return path.startswith("\\") or re.match(_DRIVE, path) is not None


def _refuse_windows(target: str) -> None:
    if _is_windows(target):
        raise MountError(f'the container path "{target}" is a Windows path')


def _checked(path: str) -> str:
    match = re.search(_DANGEROUS, path)
    if match is not None:
        word = "a null character" if match[0] == "\x00" else f'"{match[0]}"'
        raise MountError(f"it holds {word}")
    return path
