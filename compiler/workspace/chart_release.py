"""The objects and files that install the charts of the operator, with the release and the values that they state.

Source: docs of Flux (HelmRelease, OCIRepository), Argo CD (Application), k3s (HelmChart), helmfile and Helm.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..diagnostics import file_path
from ..diagnostics.plain import expanded, mapping, text_at, value_at
from ..toolhive.release import whole_release
from .values_source import PLACES, ValuesSources, by_end, in_text, merged

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..diagnostics.span import Path
    from .resource import Resource
    from .values_source import Values
    from .workspace import Workspace

_TAG: Final[Path] = ("spec", "ref", "tag")
FILES: Final = ("Chart", "Helmfile")
"""Files that install charts: which cluster they are for is not known."""
INSTALLING: Final = (*PLACES, "Chart")


class ChartRelease(NamedTuple):
    """One chart that an object or a file installs.

    Attributes:
        source: The object or file.
        chart: The name of the chart.
        release: The exact version that is installed; empty if it is not known.
        pin: The object that states the version, with its path.
        values: The known values, in the order in which they are merged.
        is_whole: True if there are no other values.
    """

    source: Resource
    chart: str
    release: str
    pin: tuple[Resource, Path]
    values: tuple[Values, ...] = ()
    is_whole: bool = False

    @property
    def is_of_crds(self) -> bool:
        """Whether the chart holds the definitions alone."""
        return self.chart.endswith("-crds")

    def merged(self) -> Mapping[str, Any]:
        """Return what the chart gets of the values."""
        return merged(self.values)

    def stating(self, path: Path) -> Values:
        """Return the values that decide what the chart gets at a path. Some values must have that path."""
        deciding: Values = next(values for values in reversed(self.values) if value_at(values.data, path) is not None)
        return deciding


def chart_releases(workspace: Workspace) -> list[ChartRelease]:
    """Return what installs charts of the operator at a version that is known."""
    return [chart for chart in installed_charts(workspace) if chart.release]


def installed_charts(workspace: Workspace) -> list[ChartRelease]:
    """Return what installs charts of the operator, except what nothing applies."""
    others = workspace.world.others
    if not others:
        return []  # a file that stands alone
    product = others[0].profile.product
    installer = _Installer(workspace, (f"{product}-operator", f"{product}-operator-crds"))
    return [
        chart
        for source in others
        if source.kind in INSTALLING
        for chart in installer.read(source)
        if chart.source.kind in FILES
        or not {chart.source.document.file, chart.pin[0].document.file} & workspace.world.unapplied.keys()
    ]


class _Installer:
    """Reads which of some charts the objects and files of a workspace install."""

    def __init__(self, workspace: Workspace, charts: Iterable[str]) -> None:
        self._wanted = frozenset(charts)
        self._sources = ValuesSources(workspace)
        self._called: dict[tuple[str, str], list[Resource]] = {}
        for other in workspace.world.others:
            folder = file_path.normpath(os.path.dirname(other.document.file))
            name = folder if other.kind in {"Chart", "ChartLock"} else other.name
            self._called.setdefault((other.kind, name), []).append(other)
        self._folders = by_end(name for kind, name in self._called if kind == "Chart")

    def read(self, source: Resource) -> Iterator[ChartRelease]:
        """Yield each chart that an object or a file installs."""
        if source.kind == "Chart":
            yield from self._dependencies(source, (), source)
            return
        places = PLACES[source.kind]
        for above in (each for path in places.above for each in expanded(source.data, path)):
            holder = value_at(source.data, above)
            stated = next(filter(None, (value_at(holder, path) for path in places.chart)), "")
            folder = value_at(holder, places.folder) if places.folder is not None else None
            if folder is None and isinstance(stated, str) and stated.startswith((".", "/")):
                folder = stated
            if isinstance(folder, str) and folder:
                chart = self._chart_in(folder, source)
                if chart is not None:
                    yield from self._dependencies(source, self._values(source, above, folder), chart)
                continue
            name, version, pin = _last(stated), value_at(holder, places.version), (source, (*above, *places.version))
            if source.kind == "HelmRelease" and mapping(holder).get("chartRef"):
                name, version, pin = self._referred(source, holder["chartRef"])
            release = _exact(version)
            if name in self._wanted and mapping(holder).get("installed") is not False:
                yield _release(source, name, release, pin, self._values(source, above, ""))

    def _referred(self, source: Resource, reference: Any) -> tuple[str, Any, tuple[Resource, Path]]:
        """Return name and version of the chart in an OCIRepository, and its pin; if it is elsewhere its name alone."""
        name = mapping(reference).get("name")
        namespace = mapping(reference).get("namespace") or source.namespace
        called = self._called.get(("OCIRepository", str(name)), ())
        fitting = [
            repository
            for repository in called
            if None in (namespace, repository.namespace) or repository.namespace == namespace
        ]
        pins = {
            (_last(value_at(repository.data, ("spec", "url"))), _tag(repository)): (repository, _TAG)
            for repository in fitting
        }
        if len(pins) != 1:
            return "" if pins else str(name), None, (source, ())
        [((chart, version), pin)] = pins.items()
        return chart, version, pin

    def _values(self, source: Resource, above: Path, folder: str) -> Iterator[Values | None]:
        """Yield the values that an object states, and those that k3s merges into them; arguments as of `stated`."""
        yield from self._sources.stated(source, above, folder)
        for config in self._called.get(("HelmChartConfig", source.name), ()) if source.kind == "HelmChart" else ():
            yield in_text(config, ("spec", "valuesContent"))

    def _chart_in(self, folder: str, source: Resource) -> Resource | None:
        """Return the chart in a folder; a helmfile states it from its own folder, others from that of a repository."""
        if source.kind == "Helmfile":
            path = file_path.normpath(file_path.join(os.path.dirname(source.document.file), folder))
        else:
            path = self._folders.get(file_path.normpath(folder).lstrip("/"), "")
        return next(iter(self._called.get(("Chart", path), ())), None)

    def _dependencies(
        self, source: Resource, values: Iterable[Values | None], chart: Resource
    ) -> Iterator[ChartRelease]:
        """Yield the charts that another chart depends on, with the values that are meant for them.

        Args:
            source: What installs the other chart; the chart itself if that is not known.
            values: The values that it states.
            chart: The other chart.
        """
        folder = file_path.normpath(os.path.dirname(chart.document.file))
        locks = self._called.get(("ChartLock", folder), ())
        locked = {entry.get("name"): entry.get("version") for lock in locks for entry in lock.data["dependencies"]}
        default = self._sources.of_file(file_path.normpath(file_path.join(folder, "values.yaml")), is_exact=True)
        stated = [*values] if default is None else [default, *values]
        for number, dependency in enumerate(chart.data["dependencies"]):
            name, alias = text_at(dependency, "name"), text_at(dependency, "alias") or text_at(dependency, "name")
            release = _exact(dependency.get("version")) or _exact(locked.get(name))
            if name in self._wanted:
                pin = (chart, ("dependencies", number, "version"))
                inside = [part and part.below(alias) for part in stated]
                installed = _release(source, name, release, pin, inside)
                yield installed._replace(is_whole=installed.is_whole and source is not chart)


def _release(
    source: Resource, name: str, release: str, pin: tuple[Resource, Path], values: Iterable[Values | None]
) -> ChartRelease:
    stated = [*values]
    known_values = tuple([each for each in stated if each is not None])
    return ChartRelease(source, name, release, pin, known_values, is_whole=None not in stated)


def _tag(repository: Resource) -> str | None:
    """Return the tag of an OCIRepository; ``None`` where something else decides which version it is."""
    ref = mapping(value_at(repository.data, ("spec", "ref")))
    tag = ref.get("tag")
    return tag if isinstance(tag, str) and not (ref.get("semver") or ref.get("digest")) else None


def _last(address: Any) -> str:
    return address.rstrip("/").rpartition("/")[2] if isinstance(address, str) else ""


def _exact(version: Any) -> str:
    """Return the release that a version names exactly; empty for a range, a branch or no text."""
    is_exact = isinstance(version, str) and version.count(".") == 2
    return (whole_release(version) or "") if is_exact else ""
