"""By which release of the operator each file is judged: what is stated, what the project pins, or the API version."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..diagnostics.version import RELEASE
from ..toolhive.operator import OperatorSettings
from ..toolhive.profile import profile_of_release
from ..toolhive.release import NEWEST
from .load import load

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..disk.files import Texts
    from ..project.discovery import Project
    from ..project.settings import Options
    from .facts import Facts


def judged(
    project: Project, options: Options, texts: Texts, known: Mapping[str, Facts | None], *, keep: bool
) -> tuple[Project, Mapping[str, Facts | None]]:
    """Return the facts of files, each judged by its release, and the project with the one that the summary names.

    Where nothing states a release, the nearest pin does for each file; where nothing pins one either, one object of
    v1beta1 makes the newest release judge: 0.21.0 does not serve it.
    """
    facts = load(project, options, texts, known, keep=keep)
    project = _with_environment(project, facts)
    releases, project = _decided(project, facts)
    for release in sorted({releases[path] for path, one in facts.items() if _is_of_another(one, releases[path])}):
        fresh = {
            path: one for path, one in facts.items() if releases[path] != release or not _is_of_another(one, release)
        }
        facts = load(_with_release(project, release, ""), options, texts, fresh, keep=keep)
    return project, facts


def older_pin(project: Project, facts: Mapping[str, Facts | None]) -> str | None:
    """Return the sentence that a release before all that are known is installed, and which one judges instead.

    ``None`` where a release is stated that is known, or nothing of ours was read.

    Args:
        project: The files, with the release that judges them.
        facts: Of each, by path.
    """
    settings = project.settings
    read = [one for one in facts.values() if one is not None]
    is_stated = settings.release_from in {"--release", settings.file} and settings.release_from
    if is_stated or not any(one.has_own for one in read):
        return None
    older = [(one.file, pin) for one in read for pin in one.pins if pin.older]
    if not older or any(pin.release and not pin.is_schemas for one in read for pin in one.pins):
        return None
    # The operator's before that of its CRDs.
    file, pin = min(older, key=lambda one: (one[1].is_schemas, one[0]))
    judging = settings.profile.judging_release
    return (
        f"{file}:{pin.line} installs release {pin.older}, older than all that are known: {judging} judges in its place"
    )


def _is_of_another(facts: Facts | None, release: str) -> bool:
    return facts is not None and facts.release != release and facts.is_judged


def _decided(project: Project, facts: Mapping[str, Facts | None]) -> tuple[Mapping[str, str], Project]:
    """Return the release of each file, by path, and the project with the one that the summary names."""
    stated = project.settings.profile.release
    if stated is not None:
        return dict.fromkeys(facts, stated), project
    read = {path: one for path, one in facts.items() if one is not None}
    if any(pin.release for one in read.values() for pin in one.pins):
        releases, release, place = _pinned(read)
        return dict.fromkeys(facts, release) | releases, _with_release(project, release, place)
    second = next((one for one in read.values() if one.second is not None), None)
    if second is not None:
        return dict.fromkeys(facts, NEWEST), _with_release(project, NEWEST, f"{second.file}:{second.second}")
    return dict.fromkeys(facts, RELEASE), project


def _pinned(read: Mapping[str, Facts]) -> tuple[dict[str, str], str, str]:
    """Return the release that is pinned for each file, and the one that counts for all of ours, with its place."""
    from ..project.pin import Pinned, exact, nearest

    pins = exact([Pinned(one.file, pin) for one in read.values() for pin in one.pins if pin.release])
    folders = {path: os.path.dirname(path) or "." for path in read}
    by_folder = {folder: nearest(folder, pins).pin.release for folder in set(folders.values())}
    ours = [folders[path] for path, one in read.items() if one.has_own] or [*by_folder]
    file, pin = nearest(os.path.commonpath(map(os.path.abspath, ours)), pins)
    return {path: by_folder[folder] for path, folder in folders.items()}, pin.release, f"{file}:{pin.line}"


def _with_environment(project: Project, facts: Mapping[str, Facts | None]) -> Project:
    """Return the project with what the operator's chart and its values set, where the configuration does not."""
    read = [one for one in facts.values() if one is not None]
    if any(pin.is_chart and pin.release for one in read for pin in one.pins):
        charted = project.settings.operator._replace(is_charted=True)
        project = project._replace(settings=project.settings._replace(operator=charted))
    if not any(pin.values for one in read for pin in one.pins):
        return project
    from ..project.pin import Pinned, nearest

    stated = [Pinned(one.file, pin) for one in read for pin in one.pins if pin.values]
    ours = [os.path.abspath(os.path.dirname(one.file)) for one in read if one.has_own]
    values = dict(nearest(os.path.commonpath(ours or [os.curdir]), stated).pin.values)
    settings = project.settings
    host = values.pop("proxy_host", None)
    default, known = OperatorSettings(), settings.operator
    images = {name: text for name, text in values.items() if not getattr(known.images, name)}
    operator = known._replace(images=known.images._replace(**images))
    if host is not None and known.proxy_host == default.proxy_host:
        operator = operator._replace(proxy_host=host)
    return project._replace(settings=settings._replace(operator=operator))


def _with_release(project: Project, release: str, place: str) -> Project:
    settings = project.settings
    profile = profile_of_release(settings.profile, release)
    return project._replace(settings=settings._replace(profile=profile, release_from=place))
