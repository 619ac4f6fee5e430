"""Load the facts of each file, judged by the right release of the operator.

The release is only known after all files are read, because a file may pin it. Files that this release may judge
differently are then read again.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..diagnostics import file_path
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.shown import shown
from ..diagnostics.timing import step
from ..disk import files
from ..project import input_kind, kustomize
from ..project.discovery import STANDARD_INPUT, chart_templates
from ..project.kustomize import DeliveryObjects
from ..reading.document import Place
from ..toolhive.constants import SKILL_FILE
from ..toolhive.profile import profile_of_release
from ..toolhive.release import NEWEST_MODELLED, judge_of
from ..workspace.context import ProjectContext
from ..workspace.other_kind import may_be_values
from ..workspace.workspace import Workspace
from .facts import Facts, read_facts, read_values

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..diagnostics.finding import Finding
    from ..disk.files import FoundFile, Texts
    from ..project.discovery import Project
    from ..project.pin import Pinned
    from ..project.settings import Options


def load_judged(
    project: Project, options: Options, texts: Texts, reusable: Mapping[str, Facts | None]
) -> tuple[Project, Mapping[str, Facts | None]]:
    """Return the project with the release that the summary names, and the facts of each file, judged by its release.

    If the options and the configuration state no release, the nearest pin decides for each file. Without a pin, the
    newest modelled release judges.
    """
    assert options.schema_of is not None or not options.reference_engine, "`with_schemas` sets it"
    facts = load(project, options, texts, reusable)
    project = _with_environment(project, facts)
    releases, project = _choose_releases(project, facts)
    for release in sorted(
        {releases[path] for path, file_facts in facts.items() if _needs_release(file_facts, releases[path])}
    ):
        up_to_date = {
            path: file_facts
            for path, file_facts in facts.items()
            if releases[path] != release or not _needs_release(file_facts, release)
        }
        facts = load(_with_release(project, release), options, texts, up_to_date)
    return project, facts


def load(
    project: Project, options: Options, texts: Texts, reusable: Mapping[str, Facts | None]
) -> dict[str, Facts | None]:
    """Return the facts of the files of a call, by path and in reading order; ``None`` for a file with nothing to check.

    Args:
        texts: Receives the files with something to check.
        reusable: Facts that are already known, by path. These files are not read.
    """
    selected = list(files_of(project, options))
    reader = _FileReader(project, options, texts)
    read = reader.read([file for file in selected if file.path not in reusable])
    facts = {file.path: reusable[file.path] if file.path in reusable else read[file.path] for file in selected}
    texts.arrange(file_facts.file for file_facts in facts.values() if file_facts is not None)
    return facts


def files_of(project: Project, options: Options) -> Iterator[FoundFile]:
    """Yield the files to read. Of a folder that is read as a skill, only ``SKILL.md`` is yielded."""
    folder = _first_path(options) if options.read_as == "skill" else None
    if folder is None or not os.path.isdir(folder):
        yield from project.files
        return
    yield files.FoundFile(file_path.normpath(f"{folder}/{SKILL_FILE}"), is_named=True)
    prefix = "" if folder == "." else f"{folder.rstrip('/')}/"
    yield from (file for file in project.files if not file.path.startswith(prefix) or (not prefix and file.is_named))


def _first_path(options: Options) -> str | None:
    return options.first if options.first in {None, "", STANDARD_INPUT} else file_path.normpath(str(options.first))


def _needs_release(facts: Facts | None, release: str) -> bool:
    return facts is not None and facts.release != release and facts.depends_on_release


def _choose_releases(project: Project, facts: Mapping[str, Facts | None]) -> tuple[Mapping[str, str], Project]:
    """Return the release that judges each file, by path, and the project with the release that the summary names."""
    stated = project.settings.profile.release
    if stated is not None:
        return dict.fromkeys(facts, stated), project
    read = {path: file_facts for path, file_facts in facts.items() if file_facts is not None}
    unreadable = min(
        ((file_facts.file, pin) for file_facts in read.values() for pin in file_facts.delivery.pins if pin.unread),
        key=lambda pinned: pinned[0],
        default=None,
    )
    if unreadable is not None:
        file, pin = unreadable
        version = f"{shown(pin.unread)} ({file}:{pin.place.span.line})"
        project = project._replace(settings=project.settings._replace(unread_pin=version))
    if any(pin.release for file_facts in read.values() for pin in file_facts.delivery.pins):
        pinned = _pinned_releases(read)
        project = _with_release(project, pinned.release, pinned.place)
        settings = project.settings._replace(other_pins=pinned.others, old_charts=pinned.old_charts)
        return dict.fromkeys(facts, pinned.release) | pinned.releases, project._replace(settings=settings)
    return dict.fromkeys(facts, NEWEST_MODELLED), project


class _Pinned(NamedTuple):
    """The releases that the pins of a project state.

    Attributes:
        releases: The release of each file by path.
        release: The release of the project, whose pin is at ``place``.
        others: Other pinned releases that are not modelled, each with the place of its pin.
        old_charts: A clause about each pin with an old number of a chart, by its place.
    """

    releases: dict[str, str]
    release: str
    place: str
    others: tuple[tuple[str, str], ...]
    old_charts: Mapping[str, str]


def _pinned_releases(read: Mapping[str, Facts]) -> _Pinned:
    from ..project.pin import NearestPins, Pinned, merge_crd_pins

    pins = merge_crd_pins(
        [
            Pinned(file_facts.file, pin)
            for file_facts in read.values()
            for pin in file_facts.delivery.pins
            if pin.release
        ]
    )
    folders = {path: file_path.folder_of(file_facts.file) or "." for path, file_facts in read.items()}
    nearest = NearestPins(pins)
    by_folder = {folder: nearest.pin_for(folder) for folder in set(folders.values())}
    judging = {pinned: pinned.pin.release for pinned in by_folder.values()}
    old_charts: dict[str, str] = {}
    for pinned in [pinned for pinned in judging if pinned.pin.era]:
        needing = [read[path] for path, folder in folders.items() if by_folder[folder] is pinned]
        judging[pinned], old_charts[_place(pinned)] = _judging_old_chart(pinned, needing)
    releases = {path: judging[by_folder[folder]] for path, folder in folders.items()}
    checked_folders = [
        folders[path] for path, file_facts in _facts_to_check(read).items() if file_facts.has_operator_objects
    ] or [*by_folder]
    piped = read.get(STANDARD_INPUT)
    piped_pins = [] if piped is None else [pinned for pinned in pins if pinned.file == piped.file]
    chosen = (NearestPins(piped_pins) if piped_pins else nearest).pin_for(
        file_path.commonpath(map(file_path.abspath, checked_folders))
    )
    release = judging.get(chosen, chosen.pin.release)
    if piped is not None:
        releases[STANDARD_INPUT] = release
    nearest_pins = dict.fromkeys(nearest.pin_for(folder) for folder in checked_folders)
    unmodelled = {
        other.pin.release: _place(other)
        for other in reversed(nearest_pins)  # reversed, so the first place of a release wins
        if other.pin.release not in (chosen.pin.release, judge_of(other.pin.release))
    }
    return _Pinned(releases, release, _place(chosen), tuple(sorted(unmodelled.items())), old_charts)


def _place(pinned: Pinned) -> str:
    return f"{pinned.file}:{pinned.pin.place.span.line}"


def _judging_old_chart(pinned: Pinned, needing: Iterable[Facts]) -> tuple[str, str]:
    """Return the release that judges files whose pin is an old number of a chart, and a clause about the number.

    If a file needs a later release, that release judges, because the number cannot be what runs.
    """
    from .old_chart import latest_need

    number, need = pinned.pin.release, latest_need(needing)
    clause = f"{number} ({_place(pinned)}) is a number of the old charts ({pinned.pin.era})"
    if need is None:
        return number, f"{clause}; judged by {judge_of(number)}"
    cause = f"{need.place} has {need.what}, which needs release {need.release}"
    return need.release, f"{clause} and cannot be what runs: {cause}; judged by {need.release}"


def _facts_to_check(facts: Mapping[str, Facts | None]) -> dict[str, Facts]:
    paths = [STANDARD_INPUT] if facts.get(STANDARD_INPUT) is not None else [*facts]
    return {path: file_facts for path in paths if (file_facts := facts[path]) is not None}


def _with_environment(project: Project, facts: Mapping[str, Facts | None]) -> Project:
    """Return the project with operator settings of the installed chart's values. Configured settings win."""
    read = [file_facts for file_facts in facts.values() if file_facts is not None]
    if any(pin.is_chart and pin.release for file_facts in read for pin in file_facts.delivery.pins):
        with_chart = project.settings.operator._replace(is_charted=True)
        project = project._replace(settings=project.settings._replace(operator=with_chart))
    others = [other for facts_of_file in read for other in facts_of_file.others]
    if not others:
        return project
    from ..workspace.chart_release import INSTALLING, installed_charts

    if not any(other.kind in INSTALLING and other.data.keys() - {"metadata"} for other in others):
        return project
    from ..project.pin import NearestPins, Pin, Pinned
    from ..toolhive.chart import with_chart_values

    resources = [resource for facts_of_file in read for resource in facts_of_file.resources]
    config_maps = [resource for resource in resources if resource.kind == "ConfigMap"]
    # Until it is placed, an object has the built-in profile, not that of the project.
    placed = [other.placed(other.namespace, project.settings.profile) for other in others]
    charts = [
        chart
        for chart in installed_charts(Workspace(config_maps, ProjectContext(others=placed)))
        if not chart.is_of_crds
    ]
    installing = {chart.source.document.file: chart for chart in reversed(charts) if chart.values}
    if not installing:
        return project
    pins = [Pinned(file, Pin("", Place(chart.source.document, ()))) for file, chart in installing.items()]
    checked_folders = [
        file_path.abspath(os.path.dirname(file_facts.file))
        for file_facts in _facts_to_check(facts).values()
        if file_facts.has_operator_objects
    ]
    nearest = installing[NearestPins(pins).pin_for(file_path.commonpath(checked_folders or [os.curdir])).file]
    settings = project.settings
    operator = with_chart_values(settings.operator, nearest.merged(), settings.profile)
    return project._replace(settings=settings._replace(operator=operator))


def _with_release(project: Project, release: str, pin: str = "") -> Project:
    settings = project.settings._replace(profile=profile_of_release(project.settings.profile, release))
    return project._replace(settings=settings._replace(release_from=pin, release_by="pin"))


class _FileReader:
    """Reads the files of a call, and collects the facts of each."""

    def __init__(self, project: Project, options: Options, texts: Texts) -> None:
        self._project = project
        self._options = options
        self._texts = texts
        names = [options.stdin_name if file.path == STANDARD_INPUT else file.path for file in project.files]
        self._templates = chart_templates(names)

    def read(self, selected: Sequence[FoundFile]) -> dict[str, Facts | None]:
        """Return the facts of files by path; ``None`` for a file with nothing to check."""
        facts_by_path: dict[str, Facts | None] = {}
        for index, file in enumerate(selected):
            step("read", index, len(selected))
            text, facts = self._read_file(file)
            if facts is not None:
                self._texts.add(facts.file, text)
            facts_by_path[file.path] = facts
        return facts_by_path

    def _read_file(self, file: FoundFile) -> tuple[bytes | None, Facts | None]:
        """Return the text and the facts of a file; ``None`` for an unreadable text, and for facts without content."""
        options = self._options
        name = options.stdin_name if file.path == STANDARD_INPUT else file.path
        is_first = options.read_as is not None and file.path == _first_path(options)
        forced = input_kind.kind_named(str(options.read_as)) if is_first else None
        kind = forced or (input_kind.kind_named("skill") if name.rpartition("/")[2] == SKILL_FILE else None)
        is_skill = kind is not None and kind.name == "skill"
        text = self._text(file._replace(is_named=False) if is_skill else file, name)
        if name in self._templates and not is_first:
            return (text if isinstance(text, bytes) else None), Facts(file=name, delivery=DeliveryObjects(templates=1))
        if not isinstance(text, bytes):
            if not is_skill:
                return None, Facts(file=name, findings=(text,))
            text = b""  # the check of the skill's folder reports the reason
        profile = self._project.settings.profile
        facts: Facts | None
        if file.is_named or kind is not None or self._is_worth_reading(text) or kustomize.has_kustomization_name(name):
            facts = read_facts(
                text,
                name,
                profile=profile,
                forced=kind,
                reference=options.schema_of,
                named=file.is_named or file.path == STANDARD_INPUT,
            )
        else:
            facts = read_values(text, name, profile.product) if may_be_values(text, name, profile.product) else None
        return text, facts

    def _is_worth_reading(self, text: bytes) -> bool:
        """Return whether a text may contain a resource or a record. The text is searched, not parsed."""
        crds = self._project.settings.profile.crds
        return input_kind.may_hold_input(text) or (crds is not None and crds.may_judge(text))

    def _text(self, file: FoundFile, name: str) -> bytes | Finding:
        if file.path == STANDARD_INPUT:
            stdin_text = self._options.stdin_text
            if stdin_text is None:
                stdin_text = self._texts.text_if_read(name)  # a second reading, by another release
            return files.read_stdin(name) if stdin_text is None else stdin_text
        if file.path in self._options.buffers:
            return files.bounded(self._options.buffers[file.path], name)
        return files.read_file(file)
