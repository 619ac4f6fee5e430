"""Where objects and files state values of a chart, in the order in which Helm merges them.

Source: docs of Flux (HelmRelease), Argo CD (Application: helm), k3s (HelmChart), helmfile (releases) and Helm
(``--set``), as of 2026.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from ..diagnostics import file_path
from ..diagnostics.placeholder import UNKNOWN, is_placeholder
from ..diagnostics.plain import listed, mapping, text_at, value_at
from ..reading.document import read_documents
from ..reading.inner_place import stretch_of
from .other_kind import GENERATOR, VALUES_FILE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..diagnostics.finding import Finding, Note, Rule
    from ..diagnostics.span import Path
    from ..reading.document import Document
    from .resource import Resource
    from .workspace import Workspace

Form: TypeAlias = Literal["mapping", "text", "settings", "files", "config maps"]
"""How values are stated; files may stand beside mappings."""
_NAME: Final = r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*"


class ValuesPlaces(NamedTuple):
    """Where objects of a kind state which chart they install, and its values; paths begin at ``above``.

    Attributes:
        above: The paths of what installs one chart; ``*`` stands for each entry of a list.
        chart: The paths of the name of the chart, or of its address; the first that is stated counts.
        version: The path of the version.
        values: The forms and paths of the values, in the order in which they are merged.
        folder: The path of the folder that holds the chart, if it is no name.
        unknown: Paths whose presence means that more decides.
    """

    above: tuple[Path, ...]
    chart: tuple[Path, ...]
    version: Path
    values: tuple[tuple[Form, Path], ...]
    folder: Path | None = None
    unknown: tuple[Path, ...] = ()


PLACES: Final[dict[str, ValuesPlaces]] = {
    "Application": ValuesPlaces(
        above=(("spec", "source"), ("spec", "sources", "*")),
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
        above=(("spec",),),
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
        above=(("spec",),),
        chart=(("chart",),),
        version=("version",),
        values=(("text", ("valuesContent",)), ("mapping", ("values",)), ("settings", ("set",))),
        unknown=(("valuesSecrets",), ("chartContent",)),
    ),
    "Helmfile": ValuesPlaces(
        above=(("releases", "*"),),
        chart=(("chart",),),
        version=("version",),
        values=(("files", ("values",)), ("settings", ("set",))),
        unknown=(("secrets",), ("valuesTemplate",), ("setTemplate",), ("setString",), ("inherit",), ("condition",)),
    ),
}


class Values(NamedTuple):
    """Values of one chart that stand in one place.

    Attributes:
        source: The object or file that states them.
        path: The path of the values in the source.
        data: The values, as the chart sees them.
        above: The keys above these values, such as the name of a dependency.
        text: The document of the text that holds them, if they stand in a text.
        settings: The places of single values, by the path of the value, if each is stated by its name.
    """

    source: Resource
    path: Path
    data: Mapping[str, Any]
    above: Path = ()
    text: Document | None = None
    settings: Mapping[Path, Path] = {}

    def below(self, key: str) -> Values:
        """Return the values below the name or alias of a dependency. ``enabled`` there belongs to the outer chart."""
        inner = mapping(self.data.get(key))
        data = {name: value for name, value in inner.items() if name != "enabled"}
        return self._replace(data=data, above=(*self.above, key))

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
        """Return a finding about the value, or the key, at a path of the values."""
        whole, span = (*self.above, *path), None
        if self.settings:
            at = next(place for name, place in self.settings.items() if name[: len(whole)] == whole)
            on = "value"
        elif self.text is not None:
            at = self.path
            inner = self.text.key_span(whole) if on == "key" else self.text.span(whole)
            text = str(value_at(self.source.data, at))
            span = self.source.at_offset(at, *stretch_of(text, inner))
        else:
            at = (*self.path, *whole)
        found = self.source.finding(rule, at, message, hint=hint, notes=notes, on=on, span=span)
        return found._replace(subject=None) if self.source.is_file else found


class ValuesSources:
    """The values that objects of a workspace state, or the files that they name.

    Args:
        workspace: The workspace, which is not changed.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        others = workspace.world.others
        self._files = {file_path.normpath(other.name): other for other in others if other.kind == VALUES_FILE}
        self._by_end = by_end(self._files)
        self._generated: dict[tuple[str, str], set[str]] = {}
        for other in others:
            generators = listed(other.data.get("configMapGenerator")) if other.kind == GENERATOR else ()
            for generator in map(mapping, generators):
                for key, path in map(_key_and_file, listed(generator.get("files"))):
                    file = file_path.normpath(file_path.join(os.path.dirname(other.document.file), path))
                    self._generated.setdefault((str(generator.get("name")), key), set()).add(file)

    def stated(self, source: Resource, above: Path, folder: str) -> Iterator[Values | None]:
        """Yield the values that an object states for one chart; ``None`` for those that are not known.

        Args:
            source: The object.
            above: The path of what installs the chart.
            folder: The folder of the project that holds the chart; empty if none does.
        """
        places = PLACES[source.kind]
        has_text = False
        for form, path in places.values:
            at = (*above, *path)
            value = value_at(source.data, at)
            if not value:
                continue
            if form == "text":
                has_text = True
                yield in_text(source, at)
            elif form == "settings":
                yield _single_values(source, at, value)
            elif form == "mapping":
                if has_text:
                    yield None  # which of the two counts depends on the program
                yield Values(source, at, value) if isinstance(value, dict) else None
            else:
                for number, entry in enumerate(listed(value)):
                    yield self._entry_values(source, (*at, number), entry, folder)
        if any(value_at(source.data, (*above, *path)) for path in places.unknown):
            yield None

    def _entry_values(self, source: Resource, path: Path, entry: Any, folder: str) -> Values | None:
        """Return the values of a file, a ConfigMap or a mapping that stands in a list."""
        if isinstance(entry, str):
            return self.of_file(_file_name(entry, source, folder), is_exact=source.kind == "Helmfile")
        if source.kind == "HelmRelease":
            return self._config_map_values(source, mapping(entry))
        return Values(source, path, entry) if isinstance(entry, dict) else None

    def of_file(self, name: str, *, is_exact: bool) -> Values | None:
        """Return the values in a file.

        Args:
            name: The path of the file: from the root of a repository, unless it is exact.
            is_exact: Whether the path is that of the call.
        """
        file = self._files.get(name if is_exact or "/" not in name else self._by_end.get(name, ""))
        return Values(file, (), file.data) if file is not None else None

    def _config_map_values(self, source: Resource, entry: Mapping[str, Any]) -> Values | None:
        name, key = text_at(entry, "name"), text_at(entry, "valuesKey") or "values.yaml"
        if entry.get("kind") != "ConfigMap" or entry.get("targetPath") or not name:
            return None
        stated = self._workspace.find("ConfigMap", source.namespace, name, source.document.file)
        if stated is not None:
            return in_text(stated, ("data", key))
        files = self._generated.get((name, key), set())
        return self.of_file(next(iter(files)), is_exact=True) if len(files) == 1 else None


def by_end(paths: Iterable[str]) -> dict[str, str]:
    """Return paths by the ends that no other path has, in whole steps, as a repository may lie below the folder."""
    found: dict[str, str] = {}
    for path in paths:
        steps = path.split("/")
        for number in range(len(steps)):
            end = "/".join(steps[number:])
            found[end] = "" if end in found else path
    return found


def _key_and_file(entry: Any) -> tuple[str, str]:
    """Return key and file of an entry of a generator, which states the key if it is not the name of the file."""
    key, sign, path = str(entry).partition("=")
    return (key, path) if sign else (os.path.basename(key), key)


def _file_name(entry: str, source: Resource, folder: str) -> str:
    if entry.startswith("$") and "/" in entry:
        return file_path.normpath(entry.partition("/")[2])  # a source of Argo CD that holds values
    above = os.path.dirname(source.document.file) if source.kind == "Helmfile" else folder
    return file_path.normpath(file_path.join(above, entry))


def in_text(source: Resource, path: Path) -> Values | None:
    """Return the values in the text at a path; ``None`` if they cannot be read."""
    text = value_at(source.data, path)
    document = _read(text) if isinstance(text, str) else None
    return Values(source, path, document.data, text=document) if document is not None else None


@lru_cache(maxsize=16)
def _read(text: str) -> Document | None:
    documents, findings = read_documents(text, "")
    is_one = len(documents) == 1 and not findings and isinstance(documents[0].data, dict)
    return documents[0] if is_one else None


def _single_values(source: Resource, path: Path, value: Any) -> Values | None:
    """Return single values, as ``--set`` takes them: a mapping, or a list of names with values."""
    if isinstance(value, dict):
        each = [((*path, name), name, item, False) for name, item in value.items()]
    else:
        entries = enumerate(map(mapping, listed(value)))
        each = [
            ((*path, number, "name"), entry.get("name"), entry.get("value"), bool(entry.get("forceString")))
            for number, entry in entries
        ]
    data: dict[str, Any] = {}
    places: dict[Path, Path] = {}
    for at, name, item, is_text in each:
        stem, sign, _ = str(name).partition("[")
        if re.fullmatch(_NAME, stem) is None or isinstance(item, (dict, list)):
            continue  # a name with a quoted dot, mostly that of an annotation
        *outer, last = stem.split(".")
        holder = data
        for key in outer:
            if not isinstance(holder.get(key), dict):
                holder[key] = {}
            holder = holder[key]
        holder[last] = [UNKNOWN] if sign else item if is_text else _as_set(item)
        places[*outer, last] = at
    return Values(source, path, data, settings=places) if len(places) == len(each) else None


def _as_set(value: Any) -> Any:
    """Return what ``--set`` makes of a value."""
    if not isinstance(value, str) or is_placeholder(value):
        return value
    if value[:1] == "{" and value[-1:] == "}":
        return value[1:-1].split(",")
    return {"true": True, "false": False, "null": None}.get(value, value)


def merged(values: Sequence[Values]) -> dict[str, Any]:
    """Return what a chart gets of values: those that stand later replace the others."""
    data: dict[str, Any] = {}
    for stated in values:
        data = _merge(data, stated.data)
    return data


def _merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    both = {
        key: _merge(base[key], value)
        for key, value in over.items()
        if isinstance(value, dict) and isinstance(base.get(key), dict)
    }
    return {**base, **over, **both}
