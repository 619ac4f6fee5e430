"""From the files of a call to the facts of each: known from before, or read here.

By which release of the operator a file is judged is known when all are read: what is stated decides, what the project
pins, or what a document needs.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..diagnostics import file_path
from ..diagnostics.shown import shown
from ..diagnostics.timing import step
from ..diagnostics.version import RELEASE
from ..disk import files
from ..project import input_kind, kustomize
from ..project.discovery import STANDARD_INPUT, chart_templates
from ..project.kustomize import DeliveryObjects
from ..reading.document import Place
from ..toolhive.profile import profile_of_release
from ..toolhive.release import NEWEST, judge_of
from ..workspace.external import ProjectContext
from ..workspace.other_kind import may_be_values
from ..workspace.workspace import Workspace
from .facts import Facts, Stored, read_facts, read_values

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..diagnostics.finding import Finding
    from ..disk.files import FoundFile, Texts
    from ..project.discovery import Project
    from ..project.settings import Options
    from ..toolhive.profile import Reason


def judged(
    project: Project, options: Options, texts: Texts, known: Mapping[str, Facts | None], *, keep: bool
) -> tuple[Project, Mapping[str, Facts | None]]:
    """Return the facts of files, each judged by its release, and the project with the one that the summary names.

    If nothing states a release, the nearest pin does for each file. If nothing pins one either, a document that the
    default release refuses and the newest one takes makes the newest one judge.
    """
    facts = load(project, options, texts, known, keep=keep)
    project = _with_environment(project, facts)
    releases, project = _decided(project, facts)
    for release in sorted({releases[path] for path, one in facts.items() if _is_of_another(one, releases[path])}):
        fresh = {
            path: one for path, one in facts.items() if releases[path] != release or not _is_of_another(one, release)
        }
        judged_again = load(_with_release(project, release), options, texts, fresh, keep=keep)
        facts = {path: _with_newer(after, facts[path]) for path, after in judged_again.items()}
    return project, facts


def load(
    project: Project, options: Options, texts: Texts, known: Mapping[str, Facts | None], *, keep: bool = False
) -> dict[str, Facts | None]:
    """Return the facts of the files of a call, by path and in reading order; ``None`` of a file with nothing of ours.

    Args:
        project: The files.
        options: How they are read.
        texts: Takes up the files that hold something of ours.
        known: The facts of files that need not be read.
        keep: Whether the facts are kept, under the digests of their texts.
    """
    found = list(files_of(project, options))
    reader = _Reader(project, options, texts, keep=keep)
    read = reader.read([file for file in found if file.path not in known])
    facts = {file.path: known[file.path] if file.path in known else read[file.path] for file in found}
    texts.arrange(one.file for one in facts.values() if one is not None)
    return facts


def files_of(project: Project, options: Options) -> Iterator[FoundFile]:
    """Yield the files to read. Of a folder that is read as a skill its ``SKILL.md`` stands for all that is in it."""
    folder = _first(options) if options.read_as == "skill" else None
    if folder is None or not os.path.isdir(folder):
        yield from project.files
        return
    yield files.FoundFile(file_path.normpath(f"{folder}/{input_kind.SKILL_FILE}"), is_named=True)
    inside = "" if folder == "." else f"{folder.rstrip('/')}/"
    yield from (file for file in project.files if not file.path.startswith(inside) or (not inside and file.is_named))


def _first(options: Options) -> str | None:
    """Return the first path as the list of files has it."""
    return options.first if options.first in {None, "", STANDARD_INPUT} else file_path.normpath(str(options.first))


def _with_newer(after: Facts | None, before: Facts | None) -> Facts | None:
    """Return facts with what the file needs according to its first judging, by the default release."""
    if after is None or before is None or before.judgment.newer is None:
        return after
    return after._replace(judgment=after.judgment._replace(newer=before.judgment.newer))


def _is_of_another(facts: Facts | None, release: str) -> bool:
    return facts is not None and facts.judgment.release != release and facts.is_judged


def _decided(project: Project, facts: Mapping[str, Facts | None]) -> tuple[Mapping[str, str], Project]:
    """Return the release of each file, by path, and the project with the one that the summary names."""
    stated = project.settings.profile.release
    if stated is not None:
        return dict.fromkeys(facts, stated), project
    read = {path: one for path, one in facts.items() if one is not None}
    unread = min(
        ((one.file, pin) for one in read.values() for pin in one.delivery.pins if pin.unread),
        key=lambda pinned: pinned[0],
        default=None,
    )
    if unread is not None:
        file, pin = unread
        version = f"{shown(pin.unread)} ({file}:{pin.place.span.line})"
        project = project._replace(settings=project.settings._replace(unread_pin=version))
    if any(pin.release for one in read.values() for pin in one.delivery.pins):
        releases, release, place, others = _pinned(read)
        project = _with_release(project, release, pin=place)
        project = project._replace(settings=project.settings._replace(other_pins=others))
        return dict.fromkeys(facts, release) | releases, project
    needing = next((one for one in read.values() if one.judgment.newer is not None), None)
    if needing is not None:
        place = f"{needing.file}:{needing.judgment.newer}"
        return dict.fromkeys(facts, NEWEST), _with_release(project, NEWEST, document=place)
    return dict.fromkeys(facts, RELEASE), project


def _pinned(read: Mapping[str, Facts]) -> tuple[dict[str, str], str, str, tuple[tuple[str, str], ...]]:
    """Return the release that is pinned for each file, and the one that counts for all of ours, with its place.

    The last part are the other releases that are pinned for some of ours and not modelled, each with its place.
    """
    from ..project.pin import NearestPins, Pinned, merge_crd_pins

    pins = merge_crd_pins([Pinned(one.file, pin) for one in read.values() for pin in one.delivery.pins if pin.release])
    folders = {path: os.path.dirname(one.file) or "." for path, one in read.items()}
    nearest = NearestPins(pins)
    by_folder = {folder: nearest.pin_for(folder).pin.release for folder in set(folders.values())}
    releases = {path: by_folder[folder] for path, folder in folders.items()}
    ours = [folders[path] for path, one in _judged(read).items() if one.has_own] or [*by_folder]
    stream = read.get(STANDARD_INPUT)
    inside = [] if stream is None else [one for one in pins if one.file == stream.file]
    file, pin = (NearestPins(inside) if inside else nearest).pin_for(file_path.commonpath(map(file_path.abspath, ours)))
    if stream is not None:
        releases[STANDARD_INPUT] = pin.release
    others = dict.fromkeys(nearest.pin_for(folder) for folder in ours)
    unmodelled = {
        other.pin.release: f"{other.file}:{other.pin.place.span.line}"
        for other in reversed(others)  # of one release the first place counts
        if other.pin.release not in (pin.release, judge_of(other.pin.release))
    }
    return releases, pin.release, f"{file}:{pin.place.span.line}", tuple(sorted(unmodelled.items()))


def _judged(facts: Mapping[str, Facts | None]) -> dict[str, Facts]:
    """Return the facts of the files that the check is about: standard input if it is read, else all."""
    paths = [STANDARD_INPUT] if facts.get(STANDARD_INPUT) is not None else [*facts]
    return {path: one for path in paths if (one := facts[path]) is not None}


def _with_environment(project: Project, facts: Mapping[str, Facts | None]) -> Project:
    """Return the project with what the operator's chart and its values set, where the configuration does not."""
    read = [one for one in facts.values() if one is not None]
    if any(pin.is_chart and pin.release for one in read for pin in one.delivery.pins):
        charted = project.settings.operator._replace(is_charted=True)
        project = project._replace(settings=project.settings._replace(operator=charted))
    others = [other for facts_of_file in read for other in facts_of_file.others]
    if not others:
        return project
    from ..workspace.chart_release import INSTALLING, installed_charts

    if not any(other.kind in INSTALLING and other.data.keys() - {"metadata"} for other in others):
        return project
    from ..project.pin import NearestPins, Pin, Pinned
    from ..toolhive.chart import with_chart_values

    resources = [resource for facts_of_file in read for resource in facts_of_file.resources]
    maps = [resource for resource in resources if resource.kind == "ConfigMap"]
    # What a file holds goes by the names of the built-in profile until it is placed.
    placed = [other.placed(other.namespace, project.settings.profile) for other in others]
    charts = [
        chart for chart in installed_charts(Workspace(maps, ProjectContext(others=placed))) if not chart.is_of_crds
    ]
    installing = {chart.source.document.file: chart for chart in reversed(charts) if chart.values}
    if not installing:
        return project
    pins = [Pinned(file, Pin("", Place(chart.source.document, ()))) for file, chart in installing.items()]
    ours = [file_path.abspath(os.path.dirname(one.file)) for one in _judged(facts).values() if one.has_own]
    nearest = installing[NearestPins(pins).pin_for(file_path.commonpath(ours or [os.curdir])).file]
    settings = project.settings
    operator = with_chart_values(settings.operator, nearest.merged(), settings.profile)
    return project._replace(settings=settings._replace(operator=operator))


def _with_release(project: Project, release: str, *, pin: str = "", document: str = "") -> Project:
    """Return the project with a release, and the place of the pin or the document that decides it."""
    settings = project.settings._replace(profile=profile_of_release(project.settings.profile, release))
    by: Reason = "pin" if pin else "document"
    return project._replace(settings=settings._replace(release_from=pin or document, release_by=by))


class _Reader:
    """Reads files of one call."""

    def __init__(self, project: Project, options: Options, texts: Texts, *, keep: bool) -> None:
        self._is_kept = keep
        self._project = project
        self._options = options
        self._texts = texts
        names = [options.stdin_name if one.path == STANDARD_INPUT else one.path for one in project.files]
        self._templates = chart_templates(names)

    def read(self, found: Sequence[FoundFile]) -> dict[str, Facts | None]:
        """Return the facts of files by path; ``None`` for a file with nothing of ours."""
        read: dict[str, Facts | None] = {}
        for number, file in enumerate(found):
            step("read", number, len(found))
            text, facts = self._read_file(file)
            if facts is not None:
                self._texts.add(facts.file, text)
            read[file.path] = facts
        return read

    def _read_file(self, file: FoundFile) -> tuple[bytes | None, Facts | None]:
        """Return the text of a file and its facts; ``None`` for what there is not."""
        options = self._options
        name = options.stdin_name if file.path == STANDARD_INPUT else file.path
        is_first = options.read_as is not None and file.path == _first(options)
        forced = input_kind.kind_named(str(options.read_as)) if is_first else None
        kind = forced or input_kind.kind_of_file(name)
        is_skill = kind is not None and kind.name == "skill"
        text = self._text(file._replace(is_named=False) if is_skill else file, name)
        if name in self._templates and not is_first:
            return (text if isinstance(text, bytes) else None), Facts(file=name, delivery=DeliveryObjects(templates=1))
        if not isinstance(text, bytes):
            if not is_skill:
                return None, Facts(file=name, findings=(text,))
            text = b""  # the check of the folder reports why
        profile = self._project.settings.profile
        facts: Facts | None
        if file.is_named or kind is not None or self._is_worth_reading(text) or kustomize.is_file_name(name):
            facts = read_facts(
                text,
                name,
                profile=profile,
                forced=kind,
                reference=options.reference,
                named=file.is_named or file.path == STANDARD_INPUT,
            )
        else:
            facts = read_values(text, name, profile.product) if may_be_values(text, name, profile.product) else None
        if facts is not None and self._is_kept:
            from ..disk.stamp import digest

            facts = facts._replace(stored=Stored(digest(text)))
        return text, facts

    def _is_worth_reading(self, text: bytes) -> bool:
        crds = self._project.settings.profile.crds
        return input_kind.may_hold_input(text) or (crds is not None and crds.may_judge(text))

    def _text(self, file: FoundFile, name: str) -> bytes | Finding:
        if file.path == STANDARD_INPUT:
            held = self._options.stdin_text
            if held is None:
                held = self._texts.held(name)  # it is read a second time where another release judges
            return files.read_stdin(name) if held is None else held
        if file.path in self._options.buffers:
            return files.bounded(self._options.buffers[file.path], name)
        return files.read_file(file)
