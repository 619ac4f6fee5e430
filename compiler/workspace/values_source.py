"""Find the values of a chart that objects and files state, in the order in which Helm merges them.

Source: docs of Flux (HelmRelease), Argo CD (Application: helm), k3s (HelmChart), helmfile (releases) and Helm
(``--set``), as of 2026.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from ..diagnostics import file_path
from ..diagnostics.budget import cache_by_text
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.placeholder import UNKNOWN, is_placeholder
from ..diagnostics.plain import listed, mapping, text_at, value_at
from ..reading.document import read_documents
from ..reading.inner_place import offset_and_length
from .other_kind import GENERATOR, VALUES_FILE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..diagnostics.finding import Finding, Note, Rule
    from ..diagnostics.span import Path
    from ..reading.document import Document
    from .resource import Resource
    from .workspace import Workspace

Form: TypeAlias = Literal["mapping", "text", "settings", "files", "config maps"]
"""The form in which an object states the values of a chart. A list of ``files`` may also contain mappings."""
_NAME: Final = r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*"
"""The name of a value for ``--set``, without quotes and indices."""


class ValuesPlaces(NamedTuple):
    """The places where objects of a kind state a chart and its values. All paths except ``holders`` start at a holder.

    Attributes:
        holders: The paths of mappings that install one chart each; ``*`` stands for each item of a list.
        chart: The paths of the name or the address of the chart. The first that exists counts.
        values: The forms and paths of values, in the order in which Helm merges them.
        folder: The path of the chart's folder, for charts that have no name.
        unknown: Paths of further values that cannot be read here.
    """

    holders: tuple[Path, ...]
    chart: tuple[Path, ...]
    version: Path
    values: tuple[tuple[Form, Path], ...]
    folder: Path | None = None
    unknown: tuple[Path, ...] = ()


PLACES: Final[dict[str, ValuesPlaces]] = {
    "Application": ValuesPlaces(
        holders=(("spec", "source"), ("spec", "sources", "*")),
        chart=(("chart",), ("repoURL",)),
        version=("targetRevision",),
        values=(
            ("files", ("helm", "valueFiles")),
            ("text", ("helm", "values")),
            ("mapping", ("helm", "valuesObject")),
            ("settings", ("helm", "parameters")),
        ),
        folder=("path",),
        unknown=(("helm", "fileParameters"),),
    ),
    "HelmRelease": ValuesPlaces(
        holders=(("spec",),),
        chart=(("chart", "spec", "chart"),),
        version=("chart", "spec", "version"),
        values=(
            ("files", ("chart", "spec", "valuesFiles")),
            ("config maps", ("valuesFrom",)),
            ("mapping", ("values",)),
        ),
        unknown=(("postRenderers",),),
    ),
    "HelmChart": ValuesPlaces(
        holders=(("spec",),),
        chart=(("chart",),),
        version=("version",),
        values=(("text", ("valuesContent",)), ("mapping", ("values",)), ("settings", ("set",))),
        unknown=(("valuesSecrets",), ("chartContent",)),
    ),
    "Helmfile": ValuesPlaces(
        holders=(("releases", "*"),),
        chart=(("chart",),),
        version=("version",),
        values=(("files", ("values",)), ("settings", ("set",))),
        unknown=(("secrets",), ("valuesTemplate",), ("setTemplate",), ("setString",), ("inherit",), ("condition",)),
    ),
}


class ChartValues(NamedTuple):
    """The values of a chart that an object or file states at one path.

    Attributes:
        data: The values, as the chart receives them.
        outer_keys: The keys of the source's values that contain ``data``, such as the name of a dependency.
        settings: The path of each value in the source, by its path in ``data``, if values are stated one by one.
    """

    source: Resource
    path: Path
    data: Mapping[str, Any]
    outer_keys: Path = ()
    text: Document | None = None
    settings: Mapping[Path, Path] = {}

    def below(self, key: str) -> ChartValues:
        """Return the values below a dependency's name or alias, except ``enabled``, which the outer chart reads."""
        values = mapping(self.data.get(key))
        data = {name: value for name, value in values.items() if name != "enabled"}
        return self._replace(data=data, outer_keys=(*self.outer_keys, key))

    def finding(
        self,
        rule: Rule,
        path: Path,
        message: str,
        *,
        hint: str | None = None,
        notes: tuple[Note, ...] = (),
        on: Literal["value", "key"] = "value",
    ) -> Finding:
        """Return a finding about the value, or the key, at a path of ``data``."""
        full_path, span = (*self.outer_keys, *path), None
        if self.settings:
            source_path = next(
                setting_place
                for setting_path, setting_place in self.settings.items()
                if setting_path[: len(full_path)] == full_path
            )
            on = "value"
        elif self.text is not None:
            source_path = self.path
            inner_span = self.text.key_span(full_path) if on == "key" else self.text.span(full_path)
            text = str(value_at(self.source.data, source_path))
            span = self.source.at_offset(source_path, *offset_and_length(text, inner_span))
        else:
            source_path = (*self.path, *full_path)
        finding = self.source.finding(rule, source_path, message, hint=hint, notes=notes, on=on, span=span)
        return finding._replace(subject=None) if self.source.is_file else finding


class ValuesSources:
    """Finds the values that objects of a workspace state for charts, also in files and ConfigMaps that they name."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        others = workspace.context.others
        self._files = {file_path.normpath(other.name): other for other in others if other.kind == VALUES_FILE}
        self._by_end = paths_by_ending(self._files)
        self._generated: dict[tuple[str, str], set[str]] = {}
        for other in others:
            generators = listed(other.data.get("configMapGenerator")) if other.kind == GENERATOR else ()
            for generator in map(mapping, generators):
                for key, path in map(_key_and_file, listed(generator.get("files"))):
                    file = file_path.normpath(file_path.join(os.path.dirname(other.document.file), path))
                    self._generated.setdefault((str(generator.get("name")), key), set()).add(file)

    def stated(self, source: Resource, holder_path: Path, folder: str) -> Iterator[ChartValues | None]:
        """Yield the values that an object states for a chart, in the order in which they are merged.

        ``None`` stands for values that are unknown: unreadable, filled in later, or dependent on the program.

        Args:
            source: The object that installs the chart, such as a HelmRelease or an Argo CD Application.
            holder_path: The path of the mapping that installs the chart.
            folder: The folder of the project with the chart; empty if the chart comes from elsewhere.
        """
        places = PLACES[source.kind]
        has_text = False
        for form, path in places.values:
            values_path = (*holder_path, *path)
            value = value_at(source.data, values_path)
            if not value:
                continue
            if form == "text":
                has_text = True
                yield values_in_text(source, values_path)
            elif form == "settings":
                yield _single_values(source, values_path, value)
            elif form == "mapping":
                if has_text:
                    yield None  # which of the two counts depends on the program
                yield ChartValues(source, values_path, value) if isinstance(value, dict) else None
            else:
                for index, entry in enumerate(listed(value)):
                    yield self._entry_values(source, (*values_path, index), entry, folder)
        if any(value_at(source.data, (*holder_path, *path)) for path in places.unknown):
            yield None

    def _entry_values(self, source: Resource, path: Path, entry: Any, folder: str) -> ChartValues | None:
        """Return the values that a list item states, or its file or ConfigMap; ``None`` if they are unknown."""
        if isinstance(entry, str):
            return self.of_file(_file_name(entry, source, folder), is_exact=source.kind == "Helmfile")
        if source.kind == "HelmRelease":
            return self._config_map_values(source, mapping(entry))
        return ChartValues(source, path, entry) if isinstance(entry, dict) else None

    def of_file(self, name: str, *, is_exact: bool) -> ChartValues | None:
        """Return the values in a file of values, or ``None`` if no such file was read.

        Args:
            is_exact: True if the path is relative to the current folder. Otherwise, it is relative to the root of a
                repository, so the file with that ending is used, if there is only one.
        """
        file = self._files.get(name if is_exact or "/" not in name else self._by_end.get(name, ""))
        return ChartValues(file, (), file.data) if file is not None else None

    def _config_map_values(self, source: Resource, entry: Mapping[str, Any]) -> ChartValues | None:
        """Return the values in the ConfigMap that a ``valuesFrom`` entry names; ``None`` if they are unknown."""
        name, key = text_at(entry, "name"), text_at(entry, "valuesKey") or "values.yaml"
        if entry.get("kind") != "ConfigMap" or entry.get("targetPath") or not name:
            return None
        config_map = self._workspace.find("ConfigMap", source.namespace, name, source.document.file)
        if config_map is not None:
            return values_in_text(config_map, ("data", key))
        files = self._generated.get((name, key), set())
        return self.of_file(next(iter(files)), is_exact=True) if len(files) == 1 else None


def paths_by_ending(paths: Iterable[str]) -> dict[str, str]:
    """Return a dict from each ending of each path, such as ``a/b.yaml`` and ``b.yaml``, to this path.

    If several paths share an ending, it maps to an empty text. A repository may be checked out below the current
    folder, so a path from the root of the repository is only the ending of a path from the current folder.
    """
    path_by_ending: dict[str, str] = {}
    for path in paths:
        steps = path.split("/")
        for start in range(len(steps)):
            ending = "/".join(steps[start:])
            path_by_ending[ending] = "" if ending in path_by_ending else path
    return path_by_ending


def _key_and_file(entry: Any) -> tuple[str, str]:
    """Return the key and the file of a ``configMapGenerator`` entry, such as ``values.yaml`` or ``key=values.yaml``."""
    key, separator, path = str(entry).partition("=")
    return (key, path) if separator else (os.path.basename(key), key)


def _file_name(entry: str, source: Resource, folder: str) -> str:
    """Return the path of a file of values.

    In a helmfile, the entry is relative to the helmfile; in other objects, to the folder of the chart. After
    ``$NAME/``, where Argo CD names another source, it is relative to the root of a repository.
    """
    if entry.startswith("$") and "/" in entry:
        return file_path.normpath(entry.partition("/")[2])  # Argo CD: $NAME is another source with values
    base_folder = os.path.dirname(source.document.file) if source.kind == "Helmfile" else folder
    return file_path.normpath(file_path.join(base_folder, entry))


def values_in_text(source: Resource, path: Path) -> ChartValues | None:
    """Return the values in the text at a path, or ``None`` if the text is not a single YAML mapping."""
    text = value_at(source.data, path)
    document = _read(text) if isinstance(text, str) else None
    return ChartValues(source, path, document.data, text=document) if document is not None else None


@cache_by_text(16)  # a project has few texts with values
def _read(text: str) -> Document | None:
    documents, findings = read_documents(text, "")
    is_single = len(documents) == 1 and not findings and isinstance(documents[0].data, dict)
    return documents[0] if is_single else None


def _single_values(source: Resource, path: Path, value: Any) -> ChartValues | None:
    """Return the values of ``--set``: a mapping, or a list of ``name`` and ``value``; ``None`` if unreadable."""
    if isinstance(value, dict):
        settings = [((*path, name), name, item, False) for name, item in value.items()]
    else:
        entries = enumerate(map(mapping, listed(value)))
        settings = [
            ((*path, number, "name"), entry.get("name"), entry.get("value"), bool(entry.get("forceString")))
            for number, entry in entries
        ]
    data: dict[str, Any] = {}
    places: dict[Path, Path] = {}
    for place, name, item, is_text in settings:
        stem, bracket, _ = str(name).partition("[")
        if re.fullmatch(_NAME, stem) is None or isinstance(item, (dict, list)):
            continue  # the name contains an escaped dot, usually for an annotation
        *outer, last = stem.split(".")
        holder = data
        for key in outer:
            if not isinstance(holder.get(key), dict):
                holder[key] = {}
            holder = holder[key]
        # An index such as "[0]" sets one item, so the whole list is unknown.
        holder[last] = [UNKNOWN] if bracket else item if is_text else _set_value(item)
        places[*outer, last] = place
    return ChartValues(source, path, data, settings=places) if len(places) == len(settings) else None


def _set_value(value: Any) -> Any:
    """Return the value that ``--set`` makes of a text: a list for ``{a,b}``, a boolean, null, or the text.

    Values that are not texts stay unchanged.
    """
    if not isinstance(value, str) or is_placeholder(value):
        return value
    if value[:1] == "{" and value[-1:] == "}":
        return value[1:-1].split(",")
    return {"true": True, "false": False, "null": None}.get(value, value)


def merged(values: Sequence[ChartValues]) -> dict[str, Any]:
    """Return the merged values. Later values replace earlier ones, except that mappings are merged key by key."""
    data: dict[str, Any] = {}
    for stated in values:
        data = _merge(data, stated.data)
    return data


def _merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    merged_mappings = {
        key: _merge(base[key], value)
        for key, value in over.items()
        if isinstance(value, dict) and isinstance(base.get(key), dict)
    }
    return {**base, **over, **merged_mappings}
