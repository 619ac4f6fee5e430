"""The objects that install the charts of the operator, with the release and the values that they state.

Source: docs of Flux (HelmRelease, OCIRepository) and of Argo CD (Application).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..diagnostics.plain import listed, mapping, value_at
from ..toolhive.release import whole_release

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..diagnostics.span import Path
    from .resource import Resource


_VERSION: Final[Path] = ("spec", "chart", "spec", "version")
_TAG: Final[Path] = ("spec", "ref", "tag")


class ChartRelease(NamedTuple):
    """One chart that an object installs.

    Attributes:
        source: The object.
        chart: The name of the chart.
        release: The exact version that is installed.
        pin: The object that states the version, with its path.
        values: The values that the object states.
        path: The path of the values.
        parameters: The names of single values, with their paths.
        is_whole: Whether nothing else states values.
    """

    source: Resource
    chart: str
    release: str
    pin: tuple[Resource, Path]
    values: Mapping[str, Any]
    path: Path
    parameters: tuple[tuple[Path, str], ...] = ()
    is_whole: bool = False


def chart_releases(others: Iterable[Resource], charts: Iterable[str]) -> Iterator[ChartRelease]:
    """Yield what installs charts of some names at a version that is known.

    Args:
        others: The objects of other programs in a project.
        charts: The names of the charts.
    """
    found, wanted = list(others), frozenset(charts)
    repositories = [one for one in found if one.kind == "OCIRepository"]
    for one in found:
        if one.kind == "HelmRelease":
            each = [_of_flux(one, repositories)]
        else:
            each = [*_of_argo_cd(one)] if one.kind == "Application" else []
        yield from (release for release in each if release is not None and release.chart in wanted)


def _of_flux(source: Resource, repositories: Iterable[Resource]) -> ChartRelease | None:
    spec = mapping(source.data.get("spec"))
    chart = mapping(mapping(spec.get("chart")).get("spec"))
    name, version, pin = str(chart.get("chart", "")), chart.get("version"), (source, _VERSION)
    reference = mapping(spec.get("chartRef"))
    if reference:
        namespace = reference.get("namespace") or source.namespace
        called = (one for one in repositories if one.name == reference.get("name"))
        fitting = [one for one in called if None in (namespace, one.namespace) or one.namespace == namespace]
        pins = {(_last(value_at(one.data, ("spec", "url"))), _tag(one)): (one, _TAG) for one in fitting}
        (name, version), pin = next(iter(pins.items())) if len(pins) == 1 else (("", None), pin)
    release = _exact(version)
    values, is_whole = mapping(spec.get("values")), not spec.get("valuesFrom")
    made = ChartRelease(source, _last(name), release, pin, values, ("spec", "values"), is_whole=is_whole)
    return made if release else None


def _tag(repository: Resource) -> str | None:
    """Return the tag of an OCIRepository; ``None`` where something else decides which version it is."""
    ref = mapping(value_at(repository.data, ("spec", "ref")))
    tag = ref.get("tag")
    return tag if isinstance(tag, str) and not (ref.get("semver") or ref.get("digest")) else None


def _of_argo_cd(source: Resource) -> Iterator[ChartRelease]:
    spec = mapping(source.data.get("spec"))
    paths: list[Path] = [("spec", "source")]
    paths += [("spec", "sources", number) for number in range(len(listed(spec.get("sources"))))]
    for path in paths:
        one = mapping(value_at(source.data, path))
        helm, release = mapping(one.get("helm")), _exact(one.get("targetRevision"))
        parameters = enumerate(map(mapping, listed(helm.get("parameters"))))
        named = tuple(
            ((*path, "helm", "parameters", number, "name"), each["name"])
            for number, each in parameters
            if isinstance(each.get("name"), str)
        )
        is_whole = not (named or helm.get("values") or helm.get("valueFiles") or helm.get("fileParameters"))
        chart = _last(one.get("chart") or one.get("repoURL"))
        values = mapping(helm.get("valuesObject"))
        if release:
            pin = (source, (*path, "targetRevision"))
            yield ChartRelease(source, chart, release, pin, values, (*path, "helm", "valuesObject"), named, is_whole)


def _last(address: Any) -> str:
    return address.rstrip("/").rpartition("/")[2] if isinstance(address, str) else ""


def _exact(version: Any) -> str:
    """Return the release that a version names exactly; empty for a range, a branch or no text."""
    is_exact = isinstance(version, str) and version.count(".") == 2
    return (whole_release(version) or "") if is_exact else ""
