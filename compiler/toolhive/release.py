"""The releases of the operator, and what it means that something holds from one of them on.

Source: the tags of ToolHive's repository, v0.21.0 to v0.44.0.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

RELEASES: Final[tuple[str, ...]] = (
    "0.21.0",
    "0.22.0",
    "0.23.0",
    "0.23.1",
    "0.24.0",
    "0.24.1",
    "0.25.0",
    "0.26.0",
    "0.26.1",
    "0.27.0",
    "0.27.1",
    "0.27.2",
    "0.28.0",
    "0.28.1",
    "0.28.2",
    "0.28.3",
    "0.29.0",
    "0.29.1",
    "0.29.2",
    "0.29.3",
    "0.30.0",
    "0.30.1",
    "0.31.0",
    "0.32.0",
    "0.33.0",
    "0.34.0",
    "0.35.0",
    "0.36.0",
    "0.37.0",
    "0.38.0",
    "0.39.0",
    "0.40.0",
    "0.40.1",
    "0.41.0",
    "0.42.0",
    "0.42.1",
    "0.43.0",
    "0.44.0",
)
"""Those that the models describe, the oldest first."""

NEWEST: Final = RELEASES[-1]

_RELEASE: Final = re.compile(r"v?(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(?:\.(0|[1-9][0-9]*))?")
_MOST_DIGITS: Final = 9

SECOND_VERSION_SINCE: Final = "0.23.0"
"""The first release that serves v1beta1, with one schema for both versions."""


def whole_release(text: str) -> str | None:
    """Return a release as it is known: ``0.44.0`` of ``v0.44.0``, the newest ``0.28.3`` of ``0.28``.

    ``None`` where it is none, or one before those that the models describe. One after them is taken: it is judged as
    the newest, as far as that goes.
    """
    match = _RELEASE.fullmatch(text)
    if match is None or len(max(match.groups(""), key=len)) > _MOST_DIGITS:
        return None
    if match[3] is None:
        beginning = f"{match[1]}.{match[2]}."
        known = [release for release in RELEASES if release.startswith(beginning)]
        found = known[-1] if known else f"{beginning}0"
    else:
        found = ".".join(match.groups())
    return found if release_key(found) >= release_key(RELEASES[0]) else None


def is_newer(release: str) -> bool:
    """Return whether a release is newer than all that the models describe."""
    return release_key(release) > release_key(NEWEST)


def releases_after(release: str) -> Iterator[str]:
    """Yield the releases that the models describe and that came after ``release``, the oldest first."""
    return (one for one in RELEASES if release_key(one) > release_key(release))


@cache
def release_key(release: str) -> tuple[int, ...]:
    """Return what releases are ordered by: the numbers of ``0.28.3``, with or without a leading ``v``."""
    return tuple(map(int, release.removeprefix("v").split(".")))


def holds(since: str | None, until: str | None, release: str) -> bool:
    """Return whether what holds from ``since`` on and no longer in ``until`` holds in ``release``."""
    key = release_key(release)
    return (since is None or release_key(since) <= key) and (until is None or key < release_key(until))
