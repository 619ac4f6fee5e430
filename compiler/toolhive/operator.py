"""What the operator reads from its own environment, with its defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from .constants import PROXY_RUNNER_IMAGE, REGISTRY_IMAGE, VMCP_IMAGE
from .release import holds

if TYPE_CHECKING:
    from .profile import Profile

Platform: TypeAlias = Literal["kubernetes", "openshift"]


class Images(NamedTuple):
    """The images that the operator takes from its own environment; an empty one is the default.

    Attributes:
        proxy_runner: Of the proxies of servers and remote servers.
        vmcp: Of virtual servers.
        registry: Of registry servers.
    """

    proxy_runner: str = ""
    vmcp: str = ""
    registry: str = ""


_DEFAULTS: Final = Images(PROXY_RUNNER_IMAGE, VMCP_IMAGE, REGISTRY_IMAGE)
_REGISTRY_SINCE: Final = (("0.24.1", "v1.3.0"), ("0.21.0", "v1.1.1"))
"""Release of the operator to the image of registry servers that its chart sets from there on, the newest first."""


class OperatorSettings(NamedTuple):
    """What the operator reads from its own environment and what changes its output.

    Attributes:
        images: Images of the pods that it starts.
        is_charted: Whether its chart installs it, which sets images of its own release.
        proxy_host: Host that proxies listen on.
        platform: Decides the security contexts.
        usage_metrics: Whether proxies report anonymous usage; off where the operator runs inside CI.
    """

    images: Images = Images()
    proxy_host: str = "0.0.0.0"  # noqa: S104 - the operator's default, inside a pod
    platform: Platform = "kubernetes"
    usage_metrics: bool = True
    is_charted: bool = False

    def proxy_runner_image(self, profile: Profile) -> str:
        """Return the image of proxies, as the operator of a profile's release starts them."""
        return self.images.proxy_runner or self._default(_DEFAULTS.proxy_runner, _of_release(profile), profile)

    def vmcp_image(self, profile: Profile) -> str:
        """Return the image of virtual servers."""
        return self.images.vmcp or self._default(_DEFAULTS.vmcp, _of_release(profile), profile)

    def registry_image(self, profile: Profile) -> str:
        """Return the image of registry servers."""
        tag = next(tag for since, tag in _REGISTRY_SINCE if holds(since, None, profile.judging_release))
        return self.images.registry or self._default(_DEFAULTS.registry, tag, profile)

    def _default(self, image: str, tag: str, profile: Profile) -> str:
        """Return the operator's default, or what its chart sets in its place.

        Source: ``values.yaml`` of the operator's chart, v0.21.0 to v0.44.0.
        """
        spelt = profile.spell(image)
        return f"{spelt.rpartition(':')[0]}:{tag}" if self.is_charted else spelt


def _of_release(profile: Profile) -> str:
    return f"v{profile.installed_release}"
