"""The releases of the operator, and comparisons between them.

Source: the tags of ToolHive's repository, v0.21.0 to v0.44.0; for 0.45.0 its main branch as of 21 August 2026; for
later releases the release pages, the reference of fields, and the versions of the Go package ``pkg/authserver``.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from ..diagnostics.version import RECORDED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal, TypeAlias

    Level: TypeAlias = Literal["recorded", "read", "schemas known", "documented"]
    """How well a release is known: the behavior of its operator was recorded; its changes were read; its CRDs are
    known; or some of its changes are documented. The newest modelled release judges all else.
    """

RELEASE_DATES: Final[dict[str, str]] = {
    "0.21.0": "2026-04-16",
    "0.22.0": "2026-04-21",
    "0.23.0": "2026-04-21",
    "0.23.1": "2026-04-21",
    "0.24.0": "2026-04-22",
    "0.24.1": "2026-04-23",
    "0.25.0": "2026-04-28",
    "0.26.0": "2026-04-29",
    "0.26.1": "2026-04-30",
    "0.27.0": "2026-05-07",
    "0.27.1": "2026-05-11",
    "0.27.2": "2026-05-12",
    "0.28.0": "2026-05-19",
    "0.28.1": "2026-05-20",
    "0.28.2": "2026-05-21",
    "0.28.3": "2026-05-22",
    "0.29.0": "2026-06-03",
    "0.29.1": "2026-06-04",
    "0.29.2": "2026-06-10",
    "0.29.3": "2026-06-10",
    "0.30.0": "2026-06-16",
    "0.30.1": "2026-06-23",
    "0.31.0": "2026-06-24",
    "0.32.0": "2026-06-30",
    "0.33.0": "2026-07-01",
    "0.34.0": "2026-07-07",
    "0.35.0": "2026-07-13",
    "0.36.0": "2026-07-14",
    "0.37.0": "2026-07-15",
    "0.38.0": "2026-07-15",
    "0.39.0": "2026-07-16",
    "0.40.0": "2026-07-17",
    "0.40.1": "2026-07-20",
    "0.41.0": "2026-07-28",
    "0.42.0": "2026-08-05",
    "0.42.1": "2026-08-10",
    "0.43.0": "2026-08-14",
    "0.44.0": "2026-08-18",
    "0.45.0": "2026-08-26",
    "0.46.0": "2026-08-27",
    "0.47.0": "2026-09-08",
    "0.47.1": "2026-09-08",
    "0.48.0": "2026-09-10",
    "0.49.0": "2026-09-11",
    "0.50.0": "2026-09-18",
    "0.51.0": "2026-09-22",
    "0.51.1": "2026-09-22",
    "0.51.2": "2026-09-25",
    "0.51.3": "2026-09-26",
    "0.51.4": "2026-09-27",
    "0.52.0": "2026-10-12",
    "0.53.0": "2026-10-13",
    "0.54.0": "2026-10-14",
    "0.55.0": "2026-10-19",
    "0.55.1": "2026-10-19",
    "0.55.2": "2026-10-19",
    "0.56.0": "2026-10-22",
    "0.57.0": "2026-10-26",
    "0.58.0": "2026-10-27",
    "0.59.0": "2026-10-28",
    "0.60.0": "2026-11-02",
    "0.61.0": "2026-11-03",
    "0.62.0": "2026-11-04",
    "0.63.0": "2026-11-06",
    "0.64.0": "2026-11-10",
    "0.65.0": "2026-11-13",
    "0.66.0": "2026-11-16",
    "0.67.0": "2026-11-20",
    "0.67.1": "2026-11-21",
    "0.68.0": "2026-11-23",
    "0.69.0": "2026-11-24",
    "0.69.1": "2026-11-25",
}
"""The known releases with the day of each, oldest first."""

RELEASES: Final = tuple(RELEASE_DATES)
"""The known releases, oldest first."""

SCHEMA_CHANGES: Final = (
    *("0.22.0", "0.23.0", "0.26.0", "0.27.0", "0.27.1", "0.27.2", "0.28.0", "0.28.3", "0.29.0", "0.29.2", "0.30.0"),
    *("0.30.1", "0.31.0", "0.32.0", "0.33.0", "0.34.0", "0.37.0", "0.41.0", "0.42.0", "0.42.1", "0.43.0", "0.44.0"),
    *("0.45.0", "0.46.0", "0.47.0", "0.49.0", "0.50.0", "0.51.0", "0.52.0", "0.54.0", "0.55.0"),
)
"""The known releases whose CRDs differ from those of the release before."""

SCHEMAS_KNOWN: Final[tuple[str, ...]] = ()
"""The releases after the newest modelled one whose CRDs were taken in, so admission is exact."""

OLDEST: Final = RELEASES[0]
NEWEST_MODELLED: Final = "0.51.4"
"""The newest modelled release. Of later releases only some changes are documented."""
NEWEST_KNOWN: Final = RELEASES[-1]
"""The newest known release."""

_DOCUMENTED_SINCE: Final = RELEASES[RELEASES.index(NEWEST_MODELLED) + 1]

_RELEASE: Final = r"v?(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(?:\.(0|[1-9][0-9]*))?"
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
TIMEOUTS_READ_SINCE: Final = "0.45.0"
"""The first release whose virtual servers may use ``operational.timeouts``; 0.46.0 certainly does."""
PRIVATE_ENDPOINT_SINCE: Final = "0.45.0"
"""The first release with a setting that allows a private address of the remote server."""
READ_UNTIL: Final = "0.46.0"
"""The first release whose compiled output was written from documentation, not from the operator's source."""
UPSTREAM_CA_SINCE: Final = "0.46.0"
"""The first release that mounts CA bundles of upstream providers and trusted issuers."""
DEFAULT_PASSWORD_SINCE: Final = "0.51.0"  # noqa: S105 - a release
"""The first release that passes the password of the operator's default Redis to proxies.

Proxies with any session storage of their own no longer use that Redis.
"""
PRIORITY_NEEDS_ALL_SINCE: Final = "0.51.0"
"""The first release whose virtual servers drop all tools of one name unless the priority order lists all backends."""
CALLBACK_BOUND_SINCE: Final = "0.51.3"
"""The first release whose authorization server takes a callback at the host of its login alone."""
SESSION_TLS_SINCE: Final = "0.52.0"
"""The first release that connects to the Redis of sessions by TLS."""
PROFILE_IGNORED_SINCE: Final = "0.53.0"
"""The first release that ignores the permissionProfile of an MCPServer."""
BUNDLE_FILE_SINCE: Final = "0.54.0"
"""The first release that reads the keys of a SPIFFE trust domain from a ConfigMap."""
LISTENER_PORT_SINCE: Final = "0.64.0"
"""The first release whose Services have the port of the authorization server's listener for HTTPS."""
PROXY_RESOURCES_SINCE: Final = "0.67.0"
"""The first release that sets CPU and memory of an MCPRemoteProxy that states none."""


def whole_release(text: str) -> str | None:
    """Return a release as ``X.Y.Z``: ``0.44.0`` for ``v0.44.0``, and the newest patch ``0.28.3`` for ``0.28``.

    Releases outside the modelled range are returned, too. ``None`` means that the text is not a release.
    """
    match = re.fullmatch(_RELEASE, text)
    if match is None or len(max(match.groups(""), key=len)) > _MOST_DIGITS:
        return None
    if match[3] is None:
        beginning = f"{match[1]}.{match[2]}."
        matching = [release for release in RELEASES if release.startswith(beginning)]
        return matching[-1] if matching else f"{beginning}0"
    return ".".join(match.groups())


def judge_of(release: str) -> str:
    """Return the modelled release nearest to ``release``: itself, or the oldest or newest modelled release."""
    return min(max(release, OLDEST, key=release_key), NEWEST_MODELLED, key=release_key)


def nearest_known(release: str) -> str:
    """Return the known release nearest to ``release``: itself, or the oldest or newest known release."""
    return min(max(release, OLDEST, key=release_key), NEWEST_KNOWN, key=release_key)


def level_of(release: str) -> Level:
    """Return how well a known release is known."""
    if release in RECORDED:
        return "recorded"
    if holds(None, _DOCUMENTED_SINCE, release):
        return "read"
    return "schemas known" if release in SCHEMAS_KNOWN else "documented"


def releases_after(release: str) -> Iterator[str]:
    """Yield the known releases after ``release``, oldest first."""
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
    """Return whether two releases ship different CRDs; false if one of them is not known."""
    if release not in RELEASES or other not in RELEASES:
        return False
    first, last = sorted((RELEASES.index(release), RELEASES.index(other)))
    return not set(RELEASES[first + 1 : last + 1]).isdisjoint(SCHEMA_CHANGES)
