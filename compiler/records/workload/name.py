"""Names of workloads: which names the API accepts, how the builder fixes others, and names derived from images.

Source: toolhive 0.21.0, workload types: name validation; container: base names.
"""

from __future__ import annotations

import posixpath
import re

from ...toolhive.mount import clean

LONGEST_NAME = 100
"""The maximum length of a name in bytes. The API refuses longer names."""

_ALLOWED = re.compile(r"[a-zA-Z0-9._-]+\Z")
_DANGEROUS = re.compile(r"[$&;|`]")
_REFUSED = re.compile(r"[^a-zA-Z0-9._-]")
_NOT_IN_IMAGE_NAME = re.compile(r"[^a-zA-Z0-9-]")


def name_fault(name: str) -> str | None:
    """Return the first reason why the API refuses a name, as a clause, or ``None``."""
    faults = _faults(name)
    return faults[0][1] if faults else None


def safe_name(name: str) -> str:
    """Return the name for the files and containers of a workload: ``name`` with every fault corrected."""
    result = name
    for kind, _ in _faults(name):
        result = _fix(result, kind)
    return result or ("workload" if name else "")


def image_base_name(image: str) -> str:
    """Return the last two parts of an image's path as a name: ``acme-fetch`` for ``ghcr.io/acme/fetch:1``.

    All characters except ASCII letters and digits become hyphens.
    """
    head, colon, tail = image.rpartition(":")
    if colon and "/" not in tail:
        image = head
    parts = image.split("/")
    name = parts[-1]
    if len(parts) > 1 and parts[-2]:
        name = f"{parts[-2].partition(':')[0]}-{name}"
    return _NOT_IN_IMAGE_NAME.sub("-", name)


def _faults(name: str) -> list[tuple[str, str]]:
    if not name:
        return [("empty", "it is empty")]
    faults: list[tuple[str, str]] = []
    if "\x00" in name:
        faults.append(("null", "it contains a null character"))
    cleaned = clean(name)
    if cleaned != name:
        faults.append(("path", "it is not a normalized path"))
    if posixpath.isabs(cleaned):
        faults += [("absolute", "it is an absolute path")]
    elif cleaned.startswith(".."):
        faults.append(("parent", "it begins with two dots"))
    if _DANGEROUS.search(name):
        faults.append(("shell", "it contains a character with a special meaning in shells"))
    if not _ALLOWED.match(name):
        faults.append(
            ("characters", "it contains characters other than letters, digits, dots, hyphens and underscores")
        )
    if len(name.encode("utf-8", "surrogatepass")) > LONGEST_NAME:
        faults.append(("long", f"it is longer than {LONGEST_NAME} bytes"))
    return faults


def _fix(name: str, kind: str) -> str:
    if kind == "null":
        return name.replace("\x00", "")
    if kind == "path":
        return clean(name)
    if kind == "parent":
        return name.replace("..", "--")
    if kind == "absolute":
        return name.lstrip("/\\")
    if kind == "shell":
        return _DANGEROUS.sub("-", name)
    if kind == "characters":
        return _REFUSED.sub("-", name)
    return name[:LONGEST_NAME]
