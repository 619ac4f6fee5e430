"""Settings that the operator reads from its own environment, with their defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..diagnostics.named_tuple import NamedTuple
from .constants import PROXY_RUNNER_IMAGE, REGISTRY_IMAGE, VMCP_IMAGE
from .release import holds

if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    from .profile import Profile

    Platform: TypeAlias = Literal["kubernetes", "openshift"]


class Images(NamedTuple):
    """Images that the operator reads from its own environment; an empty string selects the default image.

    Attributes:
        proxy_runner: Image of the proxies of servers and remote servers.
        vmcp: Image of virtual servers.
        registry: Image of registry servers.
    """

    proxy_runner: str = ""
    vmcp: str = ""
    registry: str = ""


_DEFAULTS: Final = Images(PROXY_RUNNER_IMAGE, VMCP_IMAGE, REGISTRY_IMAGE)
_REGISTRY_SINCE: Final = (("0.24.1", "v1.3.0"), ("0.21.0", "v1.1.1"))
"""The tag of the registry server's image in the chart, each with the first release that has it; newest first."""


REDIS_SINCE: Final = "0.30.1"
"""The first release that reads a default Redis from its environment."""
PULL_SECRETS_SINCE: Final = "0.26.0"
"""The first release that reads default image pull secrets from its environment."""


class OperatorSettings(NamedTuple):
    """Settings of the operator that change the objects that it creates.

    Attributes:
        images: Images of the pods that the operator starts.
        is_charted: True if the chart installs the operator. The chart sets images of its own release.
        proxy_host: Host that proxies listen on.
        platform: Platform of the cluster, which determines security contexts.
        usage_metrics: True if proxies report anonymous usage; false if the operator runs in CI.
        pull_secrets: Names of image pull secrets that all pods get.
        redis_address: Host and port of the default Redis for sessions, from 0.30.1 on. A resource that states a Redis
            does not use the default one.
        redis_password: Name and key of the Secret with the password of the default Redis; ``None`` for no password.
    """

    images: Images = Images()
    proxy_host: str = "0.0.0.0"  # noqa: S104 - the operator's default, inside a pod
    platform: Platform = "kubernetes"
    usage_metrics: bool = True
    is_charted: bool = False
    pull_secrets: tuple[str, ...] = ()
    redis_address: str = ""
    redis_password: tuple[str, str] | None = None

    def default_redis(self, release: str) -> tuple[str, tuple[str, str] | None]:
        """Return the address of the default Redis, and the name and key of the Secret with its password.

        The address is empty if none is set, or if the release does not read the setting. The second value is ``None``
        if the Redis has no password.
        """
        is_read = holds(REDIS_SINCE, None, release)
        return (self.redis_address, self.redis_password) if is_read and self.redis_address else ("", None)

    def proxy_runner_image(self, profile: Profile) -> str:
        """Return the image of proxies, as set or as the default for the profile's release."""
        return self.images.proxy_runner or self._default(_DEFAULTS.proxy_runner, _release_tag(profile), profile)

    def vmcp_image(self, profile: Profile) -> str:
        """Return the image of virtual servers, as set or as the default for the profile's release."""
        return self.images.vmcp or self._default(_DEFAULTS.vmcp, _release_tag(profile), profile)

    def registry_image(self, profile: Profile) -> str:
        """Return the image of registry servers, as set or as the default for the profile's release."""
        tag = next(tag for since, tag in _REGISTRY_SINCE if holds(since, None, profile.judging_release))
        return self.images.registry or self._default(_DEFAULTS.registry, tag, profile)

    def _default(self, image: str, tag: str, profile: Profile) -> str:
        """Return a default image spelled for the profile, with ``tag`` as its tag if the chart installs the operator.

        Source: ``values.yaml`` of the operator's chart, v0.21.0 to v0.44.0.
        """
        spelt = profile.spell(image)
        return f"{spelt.rpartition(':')[0]}:{tag}" if self.is_charted else spelt


def _release_tag(profile: Profile) -> str:
    return f"v{profile.installed_release}"
