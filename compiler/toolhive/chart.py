"""The values that the operator's chart reads, by release.

Source: values.yaml and templates of the chart in the operator, v0.15.0 to v0.44.0.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeGuard

from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.placeholder import is_placeholder
from ..diagnostics.plain import listed, mapping, value_at
from .operator import Images, OperatorSettings
from .release import holds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .profile import Profile

_FIRST, _BEHIND_LAST = "0.15.0", "0.45.0"
"""The first release whose charts were read, and the first release after the last of them."""
_MAPPINGS: Final = (
    "affinity containerSecurityContext livenessProbe nodeSelector podAnnotations podLabels podSecurityContext"
    " readinessProbe resources serviceAccount.annotations serviceAccount.labels"
)
_LISTS: Final = "imagePullSecrets leaderElectionRole.rules ports tolerations volumeMounts volumes"
_TEXTS: Final = (
    "gc.gogc image imagePullPolicy leaderElectionRole.binding.name leaderElectionRole.name proxyHost rbac.scope"
    " serviceAccount.name toolhiveRunnerImage vmcpImage"
)
_NUMBERS: Final = (
    "autoscaling.maxReplicas autoscaling.minReplicas autoscaling.targetCPUUtilizationPercentage"
    " autoscaling.targetMemoryUtilizationPercentage replicaCount"
)
_SWITCHES: Final = (
    "autoscaling.enabled features.experimental serviceAccount.automountServiceAccountToken serviceAccount.create"
)


class ChartValue(NamedTuple):
    """The type of a value that the chart reads, and the releases whose chart reads it.

    Attributes:
        type: ``mapping``, ``list``, ``string``, ``integer`` or ``boolean``. The chart reads everything below a mapping
            or a list.
        since: The first release whose chart reads the value; ``None`` for the oldest known chart.
        until: The first release whose chart no longer reads the value; ``None`` if the newest known chart does.
    """

    type: str
    since: str | None = None
    until: str | None = None


_VALUES: Final[dict[str, ChartValue]] = {
    "fullnameOverride": ChartValue("string"),
    "nameOverride": ChartValue("string"),
    "registryAPI.image": ChartValue("string"),
    **{f"operator.{name}": ChartValue("mapping") for name in _MAPPINGS.split()},
    **{f"operator.{name}": ChartValue("list") for name in _LISTS.split()},
    **{f"operator.{name}": ChartValue("string") for name in _TEXTS.split()},
    **{f"operator.{name}": ChartValue("integer") for name in _NUMBERS.split()},
    **{f"operator.{name}": ChartValue("boolean") for name in _SWITCHES.split()},
    "operator.defaultImagePullSecrets": ChartValue("list", since="0.26.0"),
    "operator.defaultRedis.addr": ChartValue("string", since="0.30.1"),
    "operator.defaultRedis.existingSecret": ChartValue("string", since="0.30.1"),
    "operator.defaultRedis.existingSecretKey": ChartValue("string", since="0.30.1"),
    "operator.env": ChartValue("list"),
    "operator.features.registry": ChartValue("boolean", until="0.28.0"),
    "operator.features.server": ChartValue("boolean", until="0.28.0"),
    "operator.features.storageVersionMigrator": ChartValue("boolean", since="0.29.0"),
    "operator.features.virtualMCP": ChartValue("boolean", until="0.28.0"),
    "operator.gc.gomeglimit": ChartValue("string", until="0.16.0"),
    "operator.gc.gomemlimit": ChartValue("string", since="0.16.0"),
    "operator.imageDiscovery.enabled": ChartValue("boolean", since="0.41.0"),
    "operator.imageDiscovery.resources": ChartValue("mapping", since="0.41.0"),
    "operator.rbac.allowedNamespaces": ChartValue("list"),
}
"""The values of the operator's chart, by their name in ``--set``."""

_CRD_VALUES: Final[dict[str, ChartValue]] = {
    "crds.keep": ChartValue("boolean"),
    "crds.install": ChartValue("boolean", since="0.28.0"),
    "crds.install.registry": ChartValue("boolean", until="0.28.0"),
    "crds.install.server": ChartValue("boolean", until="0.28.0"),
    "crds.install.virtualMcp": ChartValue("boolean", until="0.28.0"),
}
"""The values of the chart of the CRDs, by their name in ``--set``."""


CONTROLLERS: Final = {"server": "MCPServer", "registry": "MCPRegistry", "virtualMCP": "VirtualMCPServer"}
"""The kind of the controller that each field of ``operator.features`` enables."""
DEFINITIONS: Final = {
    "server": ("MCPServer", "MCPRemoteProxy", "MCPGroup"),
    "registry": ("MCPRegistry",),
    "virtualMcp": ("VirtualMCPServer",),
}
"""The main kinds whose CRDs each field of ``crds.install`` installs."""
TYPE_WORDS: Final = {
    "mapping": "a mapping",
    "list": "a list",
    "string": "a text",
    "integer": "a whole number",
    "boolean": "true or false",
}
"""The noun phrase for each type of value in a message."""


@cache
def chart_values(release: str, *, is_of_crds: bool) -> dict[str, ChartValue]:
    """Return the values that the chart of a release reads, by name; empty if the chart of the release is unknown.

    Args:
        is_of_crds: True for the chart of the CRDs instead of the operator's chart.
    """
    if not holds(_FIRST, _BEHIND_LAST, release):
        return {}
    values = _CRD_VALUES if is_of_crds else _VALUES
    return {name: value for name, value in values.items() if holds(value.since, value.until, release)}


def ever_read(name: str, *, is_of_crds: bool) -> ChartValue | None:
    """Return the chart value called ``name`` if the chart of any known release reads it, or ``None``.

    ``is_of_crds`` selects the chart of the CRDs instead of the operator's chart.
    """
    return (_CRD_VALUES if is_of_crds else _VALUES).get(name)


_IMAGES: Final = {
    "proxy_runner": ("operator", "toolhiveRunnerImage"),
    "vmcp": ("operator", "vmcpImage"),
    "registry": ("registryAPI", "image"),
}
_LONGEST: Final = 256
"""Chart values with this many characters or more are ignored. Host names and images are usually far shorter."""


def with_chart_values(settings: OperatorSettings, values: Mapping[str, Any], profile: Profile) -> OperatorSettings:
    """Return the operator's settings, with unset ones taken from ``values`` of the operator's chart.

    Chart values with placeholders are ignored.

    Source: templates/deployment.yaml of the chart in the operator, v0.44.0.
    """
    default = OperatorSettings()
    images = {name: getattr(settings.images, name) or _text(values, path, profile) for name, path in _IMAGES.items()}
    address, secret, key = (
        _text(values, ("operator", "defaultRedis", name), profile)
        for name in ("addr", "existingSecret", "existingSecretKey")
    )
    host = _text(values, ("operator", "proxyHost"), profile) if settings.proxy_host == default.proxy_host else ""
    entries = listed(value_at(values, ("operator", "defaultImagePullSecrets")))
    names = [entry if isinstance(entry, str) else mapping(entry).get("name") for entry in entries]
    secrets = tuple([name.strip() for name in names if _is_known(name) and name.strip()])
    return settings._replace(
        images=Images(**images),
        proxy_host=host or settings.proxy_host,
        pull_secrets=settings.pull_secrets or secrets,
        redis_address=settings.redis_address or address,
        redis_password=settings.redis_password or ((secret, key or "redis-password") if secret else None),
    )


def _text(values: Mapping[str, Any], path: tuple[str, ...], profile: Profile) -> str:
    text = value_at(values, tuple(profile.spell(step) for step in path))
    return text if _is_known(text) else ""


def _is_known(text: Any) -> TypeGuard[str]:
    return isinstance(text, str) and len(text) < _LONGEST and not is_placeholder(text)
