"""What the operator reads from its own environment, with its defaults."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from .constants import PROXY_RUNNER_IMAGE, REGISTRY_IMAGE, VMCP_IMAGE

Platform: TypeAlias = Literal["kubernetes", "openshift"]


class Images(NamedTuple):
    """The images that the operator takes from its own environment, with its defaults.

    Attributes:
        proxy_runner: Of the proxies of servers and remote servers.
        vmcp: Of virtual servers.
        registry: Of registry servers.
    """

    proxy_runner: str = PROXY_RUNNER_IMAGE
    vmcp: str = VMCP_IMAGE
    registry: str = REGISTRY_IMAGE


class OperatorSettings(NamedTuple):
    """What the operator reads from its own environment and what changes its output.

    Attributes:
        images: Images of the pods that it starts.
        proxy_host: Host that proxies listen on.
        platform: Decides the security contexts.
        usage_metrics: Whether proxies report anonymous usage; off where the operator runs inside CI.
    """

    images: Images = Images()
    proxy_host: str = "0.0.0.0"  # noqa: S104 - the operator's default, inside a pod
    platform: Platform = "kubernetes"
    usage_metrics: bool = True
