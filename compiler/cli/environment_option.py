"""Options for the environment of the operator and of the workload service."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, Final

import click

from ..diagnostics.named_tuple import NamedTuple
from ..toolhive.operator import Images, OperatorSettings
from .section import section

if TYPE_CHECKING:
    from .option import Command


class OperatorCall(NamedTuple):
    """Options for the environment of the operator. ``None`` stands for the value of the configuration."""

    platform: Any = None
    proxy_host: str | None = None
    usage_metrics: bool | None = None
    proxy_runner_image: str | None = None
    vmcp_image: str | None = None
    registry_image: str | None = None

    def over(self, settings: OperatorSettings) -> OperatorSettings:
        """Return the configured settings, with the stated options in place of their values."""
        images = Images(
            proxy_runner=self.proxy_runner_image or settings.images.proxy_runner,
            vmcp=self.vmcp_image or settings.images.vmcp,
            registry=self.registry_image or settings.images.registry,
        )
        return settings._replace(
            images=images,
            proxy_host=self.proxy_host or settings.proxy_host,
            platform=self.platform or settings.platform,
            usage_metrics=settings.usage_metrics if self.usage_metrics is None else self.usage_metrics,
        )


def operator_options(function: Command) -> Command:
    """Add the options for the environment of the operator to a command, which gets ``operator: OperatorCall``."""

    @section("Environment of the operator")
    @click.option(
        "--platform",
        type=click.Choice(["kubernetes", "openshift"]),
        help="Platform, which determines the security contexts.",
    )
    @click.option("--proxy-host", metavar="HOST", help="Host that proxies listen on.")
    @click.option("--usage-metrics/--no-usage-metrics", default=None, help="Whether proxies report anonymous usage.")
    @click.option("--proxy-runner-image", metavar="IMAGE", help="Image of the proxy runner.")
    @click.option("--vmcp-image", metavar="IMAGE", help="Image of the virtual server.")
    @click.option("--registry-image", metavar="IMAGE", help="Image of the registry server.")
    @wraps(function)
    def with_operator(**given: Any) -> Any:
        call = OperatorCall(**{name: given.pop(name) for name in OperatorCall._fields})
        return function(operator=call, **given)

    return with_operator


_OF_MACHINE: Final = ("proxy_port", "target_port", "seconds", "registry_url", "registry_api_url")


def machine_options(function: Command) -> Command:
    """Add the options for the machine of the management service to a command.

    The command gets ``machine``, the stated options as arguments of `Machine`.
    """

    @section("Workload requests")
    @click.option("--proxy-port", type=click.IntRange(1, 65535), help="Free port for proxies of workload requests.")
    @click.option("--target-port", type=click.IntRange(1, 65535), help="Free port for containers of workload requests.")
    @click.option("--time", "seconds", type=click.IntRange(0), help="Unix time for names that contain a timestamp.")
    @click.option("--registry-url", metavar="URL", help="Registry file that the workload service is configured with.")
    @click.option(
        "--registry-api-url", metavar="URL", help="Registry API that the workload service is configured with."
    )
    @wraps(function)
    def with_machine(**given: Any) -> Any:
        options = {name: given.pop(name) for name in _OF_MACHINE}
        return function(machine={name: value for name, value in options.items() if value is not None}, **given)

    return with_machine
