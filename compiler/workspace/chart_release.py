"""Find the objects and files that install the operator's charts, with the version and the values that they state.

Source: docs of Flux (HelmRelease, OCIRepository), Argo CD (Application), k3s (HelmChart), helmfile and Helm.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics import file_path
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.plain import expanded, mapping, text_at, value_at
from ..toolhive.release import whole_release
from .values_source import PLACES, ValuesSources, merged, paths_by_ending, values_in_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..diagnostics.span import Path
    from .resource import Resource
    from .values_source import ChartValues
    from .workspace import Workspace

_TAG: Final[Path] = ("spec", "ref", "tag")
_URL: Final[Path] = ("spec", "url")
CHART_REFERENCE: Final[Path] = ("spec", "chartRef", "name")
FILES: Final = ("Chart", "Helmfile")
"""Kinds that stand for files. Nothing tells which cluster such a file installs its charts into."""
INSTALLING: Final = (*PLACES, "Chart")
"""Kinds of objects and files that can install a chart."""


class ChartRelease(NamedTuple):
    """A chart that an object or a file installs.

    Attributes:
        chart: Name such as ``toolhive-operator``.
        release: The exact version that is installed; empty for a range, or if the version is unknown.
        pin: The object that states the version, and the path of the version in it.
        named: The object that states the chart, and the path of its name or address in it.
        values: The known values, in the order in which Helm merges them.
        is_whole: True if all values are known.
    """

    source: Resource
    chart: str
    release: str
    pin: tuple[Resource, Path]
    named: tuple[Resource, Path]
    values: tuple[ChartValues, ...] = ()
    is_whole: bool = False

    @property
    def is_of_crds(self) -> bool:
        """True if the chart installs only the CRDs."""
        return self.chart.endswith("-crds")

    def merged(self) -> Mapping[str, Any]:
        """Return the known values, merged in the order of Helm."""
        return merged(self.values)

    def stating(self, path: Path) -> ChartValues:
        """Return the last of the `values` that states a path, because Helm lets it override the others.

        At least one of the values must state the path.
        """
        deciding: ChartValues = next(
            values for values in reversed(self.values) if value_at(values.data, path) is not None
        )
        return deciding


def chart_releases(workspace: Workspace) -> list[ChartRelease]:
    """Return the installed charts of the operator whose exact version is known."""
    return [chart for chart in installed_charts(workspace) if chart.release]


def installed_charts(workspace: Workspace) -> list[ChartRelease]:
    """Return the operator's charts that the project installs, including the chart of the CRDs.

    Objects are left out if nothing applies their file, or the file with the version.
    """
    others = workspace.context.others
    if not others:
        return []
    product = others[0].profile.product
    installer = _Installer(workspace, (f"{product}-operator", f"{product}-operator-crds"))
    return [
        chart
        for source in others
        if source.kind in INSTALLING
        for chart in installer.read(source)
        if chart.source.kind in FILES
        or not {chart.source.document.file, chart.pin[0].document.file} & workspace.context.unapplied.keys()
    ]


class _Installer:
    """Reads which of the given charts the objects and files of a workspace install."""

    def __init__(self, workspace: Workspace, chart_names: Iterable[str]) -> None:
        self._wanted = frozenset(chart_names)
        self._sources = ValuesSources(workspace)
        self._by_kind_and_name: dict[tuple[str, str], list[Resource]] = {}
        for other in workspace.context.others:
            folder = file_path.normpath(os.path.dirname(other.document.file))
            name = folder if other.kind in {"Chart", "ChartLock"} else other.name
            self._by_kind_and_name.setdefault((other.kind, name), []).append(other)
        self._folders = paths_by_ending(name for kind, name in self._by_kind_and_name if kind == "Chart")

    def read(self, source: Resource) -> Iterator[ChartRelease]:
        """Yield each wanted chart that an object or a file installs.

        For a chart in a folder of the project, its wanted dependencies are yielded.
        """
        if source.kind == "Chart":
            yield from self._dependencies(source, (), source)
            return
        places = PLACES[source.kind]
        for holder_path in (path for pattern in places.holders for path in expanded(source.data, pattern)):
            holder = value_at(source.data, holder_path)
            chart_path = next((path for path in places.chart if value_at(holder, path)), places.chart[0])
            stated = value_at(holder, chart_path)
            folder = value_at(holder, places.folder) if places.folder is not None else None
            if folder is None and isinstance(stated, str) and stated.startswith((".", "/")):
                folder = stated
            if isinstance(folder, str) and folder:
                chart = self._chart_in(folder, source)
                if chart is not None:
                    yield from self._dependencies(source, self._values(source, holder_path, folder), chart)
                continue
            name, version, pin = (
                _last_segment(stated),
                value_at(holder, places.version),
                (source, (*holder_path, *places.version)),
            )
            named: tuple[Resource, Path] = (source, (*holder_path, *chart_path))
            if source.kind == "HelmRelease" and mapping(holder).get("chartRef"):
                name, version, pin = self._repository_chart(source, holder["chartRef"])
                named = (pin[0], _URL) if pin[1] else (source, CHART_REFERENCE)
            release = _exact_release(version)
            if name in self._wanted and mapping(holder).get("installed") is not False:
                yield _release(source, name, release, pin, named, self._values(source, holder_path, ""))

    def _repository_chart(self, source: Resource, reference: Any) -> tuple[str, Any, tuple[Resource, Path]]:
        """Return the name, the version and the pin of the chart that an OCIRepository states.

        The version is ``None`` if a digest or a range decides it. If the project does not declare the OCIRepository,
        the chart is assumed to have the same name, and the version is ``None``. If several matching OCIRepositories
        differ, the name is empty.
        """
        name = mapping(reference).get("name")
        namespace = mapping(reference).get("namespace") or source.namespace
        repositories = self._by_kind_and_name.get(("OCIRepository", str(name)), ())
        candidates = [
            repository
            for repository in repositories
            if None in (namespace, repository.namespace) or repository.namespace == namespace
        ]
        pins = {
            (_last_segment(value_at(repository.data, _URL)), _tag(repository)): (repository, _TAG)
            for repository in candidates
        }
        if len(pins) != 1:
            return "" if pins else str(name), None, (source, ())
        [((chart, version), pin)] = pins.items()
        return chart, version, pin

    def _values(self, source: Resource, holder_path: Path, folder: str) -> Iterator[ChartValues | None]:
        """Yield the values that an object states, and ``None`` for unknown values.

        The arguments are those of `ValuesSources.stated`. For a HelmChart, the values of the HelmChartConfig with the
        same name follow, because k3s merges them into it.
        """
        yield from self._sources.stated(source, holder_path, folder)
        for config in (
            self._by_kind_and_name.get(("HelmChartConfig", source.name), ()) if source.kind == "HelmChart" else ()
        ):
            yield values_in_text(config, ("spec", "valuesContent"))

    def _chart_in(self, folder: str, source: Resource) -> Resource | None:
        """Return the ``Chart.yaml`` in a folder, or ``None`` if the project has none there.

        A helmfile states the folder relative to itself, other objects relative to the root of a repository.
        """
        if source.kind == "Helmfile":
            path = file_path.normpath(file_path.join(os.path.dirname(source.document.file), folder))
        else:
            path = self._folders.get(file_path.normpath(folder).lstrip("/"), "")
        return next(iter(self._by_kind_and_name.get(("Chart", path), ())), None)

    def _dependencies(
        self, source: Resource, values: Iterable[ChartValues | None], chart: Resource
    ) -> Iterator[ChartRelease]:
        """Yield the wanted charts that another chart depends on, with the values that it passes to them."""
        folder = file_path.normpath(os.path.dirname(chart.document.file))
        locks = self._by_kind_and_name.get(("ChartLock", folder), ())
        locked = {entry.get("name"): entry.get("version") for lock in locks for entry in lock.data["dependencies"]}
        # Values of the chart's own file count least, so they come first.
        default = self._sources.of_file(file_path.normpath(file_path.join(folder, "values.yaml")), is_exact=True)
        all_values = [*values] if default is None else [default, *values]
        for index, dependency in enumerate(chart.data["dependencies"]):
            name, alias = text_at(dependency, "name"), text_at(dependency, "alias") or text_at(dependency, "name")
            release = _exact_release(dependency.get("version")) or _exact_release(locked.get(name))
            if name in self._wanted:
                pin = (chart, ("dependencies", index, "version"))
                named = (chart, ("dependencies", index, "name"))
                dependency_values = [part and part.below(alias) for part in all_values]
                installed = _release(source, name, release, pin, named, dependency_values)
                yield installed._replace(is_whole=installed.is_whole and source is not chart)


def _release(
    source: Resource,
    name: str,
    release: str,
    pin: tuple[Resource, Path],
    named: tuple[Resource, Path],
    values: Iterable[ChartValues | None],
) -> ChartRelease:
    """Return a chart release; ``None`` among the values stands for unknown values."""
    all_values = [*values]
    known_values = tuple([part for part in all_values if part is not None])
    return ChartRelease(source, name, release, pin, named, known_values, is_whole=None not in all_values)


def _tag(repository: Resource) -> str | None:
    ref = mapping(value_at(repository.data, ("spec", "ref")))
    tag = ref.get("tag")
    return tag if isinstance(tag, str) and not (ref.get("semver") or ref.get("digest")) else None


def _last_segment(address: Any) -> str:
    return address.rstrip("/").rpartition("/")[2] if isinstance(address, str) else ""


def _exact_release(version: Any) -> str:
    """Return the release that a version names exactly; empty for a range, a branch or a value that is not a text."""
    is_exact = isinstance(version, str) and version.count(".") == 2
    return (whole_release(version) or "") if is_exact else ""
