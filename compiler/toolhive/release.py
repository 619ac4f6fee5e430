"""The releases of the operator, and comparisons between them.

Source: the tags of ToolHive's repository, v0.21.0 to v0.44.0; for 0.45.0 its main branch as of 21 August 2026.
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
    "0.45.0",
)
"""The modelled releases, oldest first."""

SCHEMA_CHANGES: Final = (
    *("0.22.0", "0.23.0", "0.26.0", "0.27.0", "0.27.1", "0.27.2", "0.28.0", "0.28.3", "0.29.0", "0.29.2", "0.30.0"),
    *("0.30.1", "0.31.0", "0.32.0", "0.33.0", "0.34.0", "0.37.0", "0.41.0", "0.42.0", "0.42.1", "0.43.0", "0.44.0"),
    "0.45.0",
)
"""The modelled releases whose CRDs differ from those of the release before."""

OLDEST: Final = RELEASES[0]
NEWEST: Final = RELEASES[-1]

_RELEASE: Final = re.compile(r"v?(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(?:\.(0|[1-9][0-9]*))?")
_MOST_DIGITS: Final = 9
"""Maximum digits of a number in a release. Python does not parse numbers of thousands of digits."""

SECOND_VERSION_SINCE: Final = "0.23.0"
"""The first release that serves v1beta1 besides v1alpha1, with one schema for both."""

# Releases of changes that several modules need: compile steps, checks of a process, and rules.

BEST_EFFORT_SINCE: Final = "0.22.0"
"""The first release whose vMCP process accepts ``best_effort``, and no longer ``bestEffort``."""
DEFAULT_REDIRECT_SINCE: Final = "0.23.0"
"""The first release that sets a default redirect URI for upstream providers."""
EMBEDDING_TEMPLATE_SINCE: Final = "0.26.0"
"""The first release that merges the whole pod template of an EmbeddingServer instead of a few fields."""
PROXY_PULL_SECRETS_SINCE: Final = "0.26.0"
"""The first release that reads the imagePullSecrets of an MCPRemoteProxy."""
GROUP_TYPE_SINCE: Final = "0.26.1"
"""The first release with a configurable entity type of groups."""
CHECKSUM_KEPT_SINCE: Final = "0.27.0"
"""The first release that keeps the checksum annotation of a proxy's pods if the resource sets other annotations."""
PRIMARY_UPSTREAM_REPORTED_SINCE: Final = "0.27.1"
"""The first release that reports that it ignores the primaryUpstreamProvider of a proxy."""
ENTRY_HEADERS_SINCE: Final = "0.27.2"
"""The first release that reads the Secrets of an MCPServerEntry's headers and sends the headers."""
SESSION_PASSWORD_SINCE: Final = "0.28.1"  # noqa: S105 - a release
"""The first release that passes the password of an MCPServer's session storage to its proxy."""
VIRTUAL_POLICIES_SINCE: Final = "0.28.3"
"""The first release whose virtual servers support policies in a ConfigMap, entities, and group and role claims."""
BODY_LIMIT_SINCE: Final = "0.30.0"
"""The first release that limits the size of a request."""
AUTHZ_CONFIG_SINCE: Final = "0.30.1"
"""The first release that reads the MCPAuthzConfig of a workload; the field exists one release earlier."""
OPTIMIZER_GUARDED_SINCE: Final = "0.31.0"
"""The first release that refuses an optimizer together with policies."""
PROXY_CA_BUNDLE_SINCE: Final = "0.32.0"
"""The first release that mounts the CA bundle of the OIDC provider into an MCPRemoteProxy."""
VIRTUAL_TEMPLATE_SINCE: Final = "0.32.0"
"""The first release that merges every pod template of a virtual server, whatever its content."""
EXPLICIT_PROVIDER_SINCE: Final = "0.34.0"
"""The first release that selects no default upstream provider for type xaa if there are several."""
VIRTUAL_CA_BUNDLE_SINCE: Final = "0.41.0"
"""The first release whose virtual servers read the CA bundle of the OIDC provider."""
UNTRIMMED_SECRETS_SINCE: Final = "0.41.0"
"""The first release whose authorization server counts white space around an HMAC secret as part of it."""
CLAIM_SETS_SINCE: Final = "0.41.0"
"""The first release whose authorizer supports claims with several values."""
PROVIDER_URLS_SINCE: Final = "0.42.1"
"""The first release whose operator checks the URLs of an OIDC provider; before, only the proxy did."""
ADDRESSES_KEPT_SINCE: Final = "0.43.0"
"""The first release whose authorizer uses the unchanged URI of a resource as its id."""
BACKEND_OWNED_SINCE: Final = "0.45.0"
"""The first release whose operator owns the StatefulSet of an MCPServer, and recreates it after deletion."""
METRICS_PORT_SINCE: Final = "0.45.0"
"""The first release whose proxies serve metrics on a port of their own, before they listen for clients."""
PRIVATE_ENDPOINT_SINCE: Final = "0.45.0"
"""The first release with a setting that allows a private address of the remote server."""


def whole_release(text: str) -> str | None:
    """Return a release as ``X.Y.Z``: ``0.44.0`` for ``v0.44.0``, and the newest patch ``0.28.3`` for ``0.28``.

    Releases outside the modelled range are returned, too. ``None`` means that the text is not a release.
    """
    match = _RELEASE.fullmatch(text)
    if match is None or len(max(match.groups(""), key=len)) > _MOST_DIGITS:
        return None
    if match[3] is None:
        beginning = f"{match[1]}.{match[2]}."
        matching = [release for release in RELEASES if release.startswith(beginning)]
        return matching[-1] if matching else f"{beginning}0"
    return ".".join(match.groups())


def judge_of(release: str) -> str:
    """Return the modelled release nearest to ``release``: itself, or the oldest or newest modelled release."""
    return min(max(release, OLDEST, key=release_key), NEWEST, key=release_key)


def releases_after(release: str) -> Iterator[str]:
    """Yield the modelled releases after ``release``, oldest first."""
    return (later for later in RELEASES if release_key(later) > release_key(release))


@cache
def release_key(release: str) -> tuple[int, ...]:
    """Return the sort key of a release: the numbers in ``0.28.3`` or ``v0.28.3``."""
    return tuple(map(int, release.removeprefix("v").split(".")))


def holds(since: str | None, until: str | None, release: str) -> bool:
    """Return whether ``release`` is in the range from ``since`` (inclusive) to ``until`` (exclusive).

    ``None`` means that the range has no limit at that end.
    """
    key = release_key(release)
    return (since is None or release_key(since) <= key) and (until is None or key < release_key(until))


def have_other_schemas(release: str, other: str) -> bool:
    """Return whether two releases ship different CRDs; false if one of them is not modelled."""
    if release not in RELEASES or other not in RELEASES:
        return False
    first, last = sorted((RELEASES.index(release), RELEASES.index(other)))
    return not set(RELEASES[first + 1 : last + 1]).isdisjoint(SCHEMA_CHANGES)
