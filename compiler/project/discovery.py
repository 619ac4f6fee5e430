"""Which files belong to a call: the named paths, the project around them, its configuration."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from ..diagnostics import file_path
from ..diagnostics.span import InputError
from ..disk.files import FoundFile, find_files, lies_in, read_whole
from .settings import Settings

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

SETTINGS_FILE = "mcpcfg.yaml"
SETTINGS_FILES = (SETTINGS_FILE, "pyproject.toml")
STANDARD_INPUT = "-"
_TEMPLATES: Final = "/templates/"
_CHART: Final = "Chart.yaml"


class Project(NamedTuple):
    """The files of one call.

    Attributes:
        files: All that are read, sorted.
        reported: The files that findings are limited to; ``None`` for all.
        complete: Whether the whole project is read: a folder was named or the project is known.
        settings: The configuration.
        root: The folder of the configuration, else the current folder.
        asked: The paths of the call.
        remarks: Notices about files that are not read, a sentence each.
    """

    files: tuple[FoundFile, ...]
    reported: frozenset[str] | None
    complete: bool
    settings: Settings
    root: str
    asked: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def discover(  # noqa: PLR0913 - the options of a call that decide about its files
    paths: tuple[str, ...],
    *,
    settings_file: str | None = None,
    alone: bool = False,
    within: str | None = None,
    release: str | None = None,
    crds: tuple[str, ...] = (),
    use_cache: bool = False,
    stdin_name: str | None = None,
    exclude: tuple[str, ...] = (),
) -> Project:
    """Find the files of a call.

    Args:
        paths: As the call names them; the current folder without any.
        settings_file: The configuration that the call names.
        alone: Nothing but the paths is asked for: of the project around single files its configuration alone is read.
        within: The folder above which no configuration is looked for; else the repository's root.
        release: The release of the operator that the call names; it goes before the configuration's.
        crds: Files and folders of CRDs that the call names; they go before the configuration's.
        use_cache: Whether compiled CRDs are kept for later calls.
        stdin_name: The name of standard input in findings, if the project of the current folder is read with it.
        exclude: Patterns of paths, relative to the current folder, that the call adds to those of the configuration.

    Raises:
        InputError: A named path does not exist, the configuration cannot be read or is not valid, or there is no such
            release.
    """
    asked = paths or (".",)
    for path in asked:
        if path != STANDARD_INPUT and not os.path.lexists(path):
            raise InputError(f"no such file or folder: {path}")
    file = settings_file or nearest_settings(asked, within)
    settings = with_release(_read_settings(file) if file else Settings(), release)
    root = os.path.dirname(file_path.abspath(file)) if file else file_path.getcwd()
    settings = with_crds(settings, crds, root, use_cache=use_cache)
    excluding = f"`exclude` in {file}" if settings.exclude else "--exclude"
    settings = settings._replace(exclude=(*settings.exclude, *(_from_root(one, root) for one in exclude)))
    left_out: dict[str, str | None] = {}
    found = _without_settings(find_files(asked, settings.exclude, base=root, left_out=left_out), file)
    has_folder = any(path != STANDARD_INPUT and os.path.isdir(path) for path in asked)
    is_piped = STANDARD_INPUT in asked and stdin_name is not None and (file is not None or not _is_home(root))
    if alone or has_folder or not (is_piped or (file is not None and STANDARD_INPUT not in asked)):
        is_complete = has_folder or file is not None
        return Project(tuple(found), None, is_complete, settings, root, asked, _remarks(found, left_out, excluding))
    named = frozenset(one.path for one in found)
    everything = (file_path.relpath(root), *asked)
    around = _without_settings(find_files(everything, settings.exclude, base=root, left_out=left_out), file)
    reported = frozenset(one.path for one in around if one.is_named) or named
    if is_piped:
        # An editor pipes a text that is not saved yet under the name of its file.
        place = file_path.realpath(str(stdin_name))
        around = [one for one in around if one.path == STANDARD_INPUT or file_path.realpath(one.path) != place]
        reported |= {str(stdin_name)}
    # A folder without files and without a configuration is no project.
    is_complete = file is not None or len(around) > len(named)
    return Project(tuple(around), reported, is_complete, settings, root, asked, _remarks(around, left_out, excluding))


def _from_root(pattern: str, root: str) -> str:
    """Return a pattern relative to the current folder as one relative to the root. Names alone hold in any folder."""
    here = file_path.relpath(os.curdir, root)
    is_name = "/" not in pattern.rstrip("/")
    return pattern if is_name or here == "." else f"/{here}/{pattern.lstrip('/')}"


def _is_home(folder: str) -> bool:
    """Return whether a folder is the user's, or one above it: too much to read for a project that nobody names."""
    return lies_in(file_path.realpath(file_path.expanduser("~")), file_path.realpath(folder))


def project_of_texts(
    names: Iterable[str],
    *,
    settings_file: str | None = None,
    release: str | None = None,
    crds: tuple[str, ...] = (),
) -> Project:
    """Return the project of texts that are all there is to read, whether there are files of their names or not.

    Args:
        names: As findings print them.
        settings_file: The configuration, if there is any.
        release: The release of the operator that the call names.
        crds: Files and folders of CRDs that the call names.

    Raises:
        InputError: The configuration cannot be read or is not valid, or the release is none.
    """
    settings = with_release(_read_settings(settings_file) if settings_file else Settings(), release)
    root = os.path.dirname(file_path.abspath(settings_file)) if settings_file else file_path.getcwd()
    settings = with_crds(settings, crds, root)
    asked = tuple(names)
    files = tuple(FoundFile(name, is_named=True) for name in sorted(asked))
    return Project(files, None, settings_file is not None, settings, root, asked)


def with_texts(project: Project, names: Iterable[str]) -> tuple[Project, dict[str, str]]:
    """Return a project with a file for each text, and by name the path of that file.

    A text counts in place of the file of that name, by whatever way its path leads there, else as one more file.
    """
    known = {file.path for file in project.files}
    places = {name: name for name in names}
    if not places.keys() <= known:
        real = {file_path.realpath(path): path for path in known}
        places = {name: name if name in known else real.get(file_path.realpath(name), name) for name in places}
    new = {path for path in places.values() if path not in known}
    if not new:
        return project, places
    files = sorted([*project.files, *(FoundFile(path, is_named=True) for path in new)])
    reported = None if project.reported is None else project.reported | new
    return project._replace(files=tuple(files), reported=reported), places


def _remarks(found: list[FoundFile], left_out: Mapping[str, str | None], excluding: str) -> tuple[str, ...]:
    """Return which files are not read although the user may count on it."""
    remarks = []
    ignored = {path: why for path, why in left_out.items() if why is not None}
    if ignored:
        count, verb = _counted(ignored)
        *_, why = ignored.values()
        remarks.append(
            f"{count} {verb} not read because ignore files match, tracked or not: Git gives no answer ({why})"
        )
    excluded = left_out.keys() - ignored
    if excluded and not found:
        count, verb = _counted(excluded)
        remarks.append(f"no file is left to check: {count} {verb} left out by {excluding}")
    return tuple(remarks)


def _counted(paths: Collection[str]) -> tuple[str, str]:
    folders = sum(map(os.path.isdir, paths))
    parts = ((len(paths) - folders, "file"), (folders, "folder"))
    text = " and ".join(f"{count} {name}{'s' if count > 1 else ''}" for count, name in parts if count)
    return text, "is" if len(paths) == 1 else "are"


def _without_settings(found: list[FoundFile], file: str | None) -> list[FoundFile]:
    if file is None:
        return found
    own = file_path.realpath(file)
    return [one for one in found if one.path == STANDARD_INPUT or file_path.realpath(one.path) != own]


def nearest_settings(paths: tuple[str, ...], within: str | None = None) -> str | None:
    """Return the configuration file of the folder of the first path or of one above it.

    Args:
        paths: As the call names them.
        within: The folder above which none is looked for; else the repository's root.
    """
    first = next((path for path in paths if path != STANDARD_INPUT), ".")
    folder = file_path.abspath(first if os.path.isdir(first) else os.path.dirname(first) or ".")
    last = None if within is None else file_path.abspath(within)
    while True:
        for name in SETTINGS_FILES:
            candidate = file_path.join(folder, name)
            if os.path.isfile(candidate) and (name == SETTINGS_FILE or _has_table(candidate)):
                return refuse_outside(file_path.relpath(candidate), folder, "--config")
        parent = os.path.dirname(folder)
        if folder in {parent, last} or os.path.exists(file_path.join(folder, ".git")):
            return None
        folder = parent


def refuse_outside(file: str, root: str, option: str) -> str:
    """Return a file that nobody but the project itself names.

    Raises:
        InputError: It is a link that leads, or a path, out of the project: messages show what is in it.
    """
    from ..disk.walk import leads_out

    if file_path.is_remote(file, root) or (not os.path.isdir(file) and leads_out(file, root)):
        raise InputError(f"{file}: it is outside of the project; where it is meant, name it with {option}")
    return file


def _has_table(file: str) -> bool:
    try:
        return b"[tool.mcpcfg" in read_whole(file)
    except InputError:  # of another program, as far as anybody can tell
        return False


def with_release(settings: Settings, release: str | None) -> Settings:
    """Return the configuration with the release of the operator that a call names, if it names one.

    Raises:
        InputError: The text names no release.
    """
    if release is None:
        return settings
    from .settings_data import of_release

    return settings._replace(
        profile=of_release(settings.profile, release), release_from="--release", release_by="statement"
    )


def with_crds(settings: Settings, named: tuple[str, ...], root: str, *, use_cache: bool = False) -> Settings:
    """Return the configuration with the CRDs of a call, or else with those that it names itself.

    Args:
        settings: The configuration.
        named: Files and folders that the call names.
        root: The folder of the configuration, outside of which it can name none.
        use_cache: Whether compiled CRDs are kept for later calls.

    Raises:
        InputError: There is no such file or folder, or it cannot be read.
    """
    paths = named or tuple(_inside(one, root) for one in settings.crds)
    if not paths:
        return settings
    from .crd_files import load

    return settings._replace(profile=settings.profile._replace(crds=load(paths, use_cache=use_cache)))


def _inside(path: str, root: str) -> str:
    """Return a path that the configuration names, from here.

    Raises:
        InputError: It leads out of the project.
    """
    from ..disk.walk import boundary, leads_out

    inside = file_path.relpath(file_path.join(root, path))
    is_folder = not file_path.is_remote(inside, root) and os.path.isdir(inside)
    if not lies_in(file_path.realpath(inside), boundary(root)) if is_folder else leads_out(inside, root):
        raise InputError(f"{path}: it is outside of the project; where it is meant, name it with --crds")
    return inside


def _read_settings(file: str) -> Settings:
    from .settings_file import read_settings

    return read_settings(file)


def chart_templates(paths: Iterable[str]) -> frozenset[str]:
    """Return those of some files that lie in the ``templates`` folder of a Helm chart, or below it.

    They are no YAML until Helm renders them, whatever they look like.

    A chart is a folder that holds a ``Chart.yaml``; charts within charts are charts like others.
    """
    here = file_path.getcwd()
    charts: dict[str, bool] = {}
    return frozenset([path for path in paths if _TEMPLATES in f"{here}/{path}" and _is_template(here, path, charts)])


def _is_template(here: str, path: str, charts: dict[str, bool]) -> bool:
    whole = file_path.normpath(file_path.join(here, path))
    at = whole.find(_TEMPLATES)
    while at >= 0:
        folder = whole[:at]
        if folder not in charts:
            charts[folder] = os.path.isfile(file_path.join(folder, _CHART))
        if charts[folder]:
            return True
        at = whole.find(_TEMPLATES, at + 1)
    return False
