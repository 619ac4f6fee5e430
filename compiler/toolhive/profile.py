"""The names that one edition of the product goes by, as data.

Models, rules and compile steps are written with the names of the built-in profile. Another profile (a re-branded
build of the operator) differs in these names alone.
"""

from __future__ import annotations

from typing import NamedTuple


class Profile(NamedTuple):
    """Names of one edition.

    Attributes:
        name: What the configuration file calls it.
        api_group: API group of the kinds.
        versions: Served versions of the kinds, the stored one first.
        prefix: Short product prefix of file keys and, in capitals, of variables (``thv_ca_bundle``, ``THV_…``).
        product: Long product prefix of labels and, in capitals, of variables (``toolhive-name``, ``TOOLHIVE_…``).
        cloud: The cloud word in field names and values (``awsSts``, ``aws-mcp``).
    """

    name: str
    api_group: str
    versions: tuple[str, ...]
    prefix: str
    product: str
    cloud: str

    def api_version(self) -> str:
        """Write ``apiVersion`` of the stored version."""
        return f"{self.api_group}/{self.versions[0]}"

    def serves(self, api_version: object) -> bool:
        """Return whether an object of this ``apiVersion`` is one of the profile's kinds."""
        return any(api_version == f"{self.api_group}/{version}" for version in self.versions)

    def spell(self, name: str) -> str:
        """Respell a field name or value of the models; most are the same in every profile."""
        pattern = _BRANDED.get(name)
        return name if pattern is None else pattern.format(cloud=self.cloud, prefix=self.prefix)


_BRANDED = {
    "awsSts": "{cloud}Sts",
    "aws-mcp": "{cloud}-mcp",
    "aws_sts_config": "{cloud}_sts_config",
    "awssts": "{cloud}sts",
    "thv_ca_bundle": "{prefix}_ca_bundle",
}

TOOLHIVE = Profile(
    name="toolhive",
    api_group="toolhive.stacklok.dev",
    versions=("v1alpha1",),
    prefix="thv",
    product="toolhive",
    cloud="aws",
)

LATER_VERSION = "v1beta1"
"""A version that later operators serve: such objects are read by the models of the stored version."""

LATER_VERSION_SINCE = (0, 23, 0)
"""The first release that serves it: nothing that is gone by then can be wrong with such an object."""
