"""Find the files that a call reads: its paths, the project around them, and the configuration."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics import file_path
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.span import InputError
from ..disk.confinement import confinement
from ..disk.files import FoundFile, find_files, lies_in, read_whole
from ..toolhive.profile import ReleaseChoice
from .settings import ProjectSettings, profile_with_release

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

SETTINGS_FILE = "mcpcfg.yaml"
SETTINGS_FILES = (SETTINGS_FILE, "pyproject.toml")
STANDARD_INPUT = "-"
_TEMPLATES: Final = "/templates/"
_CHART: Final = "Chart.yaml"


class Project(NamedTuple):
    """The files and the configuration of one call.

    Attributes:
        files: Files to read, sorted.
        reported: Paths that findings are limited to; ``None`` for no limit.
        complete: True if folders are checked or the project around the files is known. Otherwise, an object that is not
            in the files may be declared in a file that was not read.
        root: Folder of the configuration file, or the current folder.
        asked: Paths that the call names.
        remarks: Sentences about skipped files that the user may miss.
    """

    files: tuple[FoundFile, ...]
    reported: frozenset[str] | None
    complete: bool
    settings: ProjectSettings
    root: str
    asked: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def release(self) -> ReleaseChoice:
        """The release that judges the project, and its origin."""
        stated = self.settings
        source = stated.release_from or "default"
        return ReleaseChoice(
            stated.profile, source, stated.release_by, stated.unread_pin, stated.other_pins, stated.old_charts
        )


def discover(  # noqa: PLR0913 - the options of a call that decide about its files
    paths: tuple[str, ...],
    *,
    settings_file: str | None = None,
    alone: bool = False,
    within: str | None = None,
    release: str | None = None,
    crds: tuple[str, ...] = (),
    cache_name: str | None = None,
    stdin_name: str | None = None,
    exclude: tuple[str, ...] = (),
) -> Project:
    """Find the files and the configuration of a call.

    If all paths are single files, the rest of their project is read too, but findings are limited to the paths.

    Args:
        paths: Files and folders to check; the current folder if empty.
        settings_file: Configuration file that the call names; by default, the nearest one is searched.
        alone: True if single files are read without the rest of their project.
        within: Folder at which the search for a configuration ends; by default, the root of the Git repository.
        release: Release of the operator that overrides the configuration.
        crds: Files and folders of CRDs that replace those of the configuration.
        cache_name: Folder of the cache for compiled CRDs; see `with_crds`.
        stdin_name: Name of standard input in findings, if the project around the current folder is read too.
        exclude: Patterns relative to the current folder, in addition to those of the configuration.

    Raises:
        InputError: A path does not exist, the configuration is unreadable or not valid, or the release does not exist.
    """
    asked = paths or (".",)
    for path in asked:
        if path != STANDARD_INPUT and not os.path.lexists(path):
            raise InputError(f"no such file or folder: {path}")
    configuration = settings_file or nearest_settings(asked, within)
    settings = with_release(_read_settings(configuration) if configuration else ProjectSettings(), release)
    root = os.path.dirname(file_path.abspath(configuration)) if configuration else file_path.getcwd()
    settings = with_crds(settings, crds, root, cache_name, asked)
    exclusion = f"`exclude` in {configuration}" if settings.exclude else "--exclude"
    settings = settings._replace(exclude=(*settings.exclude, *(_from_root(pattern, root) for pattern in exclude)))
    left_out: dict[str, str | None] = {}
    selected = _without_file(find_files(asked, settings.exclude, base=root, left_out=left_out), configuration)
    has_folder = any(path != STANDARD_INPUT and os.path.isdir(path) for path in asked)
    is_piped = STANDARD_INPUT in asked and stdin_name is not None and (configuration is not None or not _is_home(root))
    if alone or has_folder or not (is_piped or (configuration is not None and STANDARD_INPUT not in asked)):
        is_complete, remarks = has_folder or configuration is not None, _skipped_remarks(selected, left_out, exclusion)
        return Project(tuple(selected), None, is_complete, settings, root, asked, remarks)
    named = frozenset(file.path for file in selected)
    # Single files are asked for: references need the rest of their project, but findings are limited to the files.
    everything = (file_path.relpath(root), *asked)
    members = _without_file(find_files(everything, settings.exclude, base=root, left_out=left_out), configuration)
    reported = frozenset(file.path for file in members if file.is_named) or named
    if is_piped:
        # Editors pipe unsaved text under the name of its file. Without this, the saved text would be checked as well.
        members = _without_file(members, stdin_name)
        reported |= {str(stdin_name)}
    # A folder with no other files and no configuration is not known to be a project.
    is_complete = configuration is not None or len(members) > len(named)
    remarks = _skipped_remarks(members, left_out, exclusion)
    return Project(tuple(members), reported, is_complete, settings, root, asked, remarks)


def _from_root(pattern: str, root: str) -> str:
    """Convert an exclusion pattern that is relative to the current folder into a pattern relative to ``root``.

    A pattern without a slash stays as it is, because it matches in any folder.
    """
    here = file_path.relpath(os.curdir, root)
    is_name = "/" not in pattern.rstrip("/")
    return pattern if is_name or here == "." else f"/{here}/{pattern.lstrip('/')}"


def _is_home(folder: str) -> bool:
    return lies_in(file_path.realpath(file_path.expanduser("~")), file_path.realpath(folder))


def project_of_texts(
    names: Iterable[str], *, settings_file: str | None = None, release: str | None = None, crds: tuple[str, ...] = ()
) -> Project:
    """Return the project of texts in memory. No other file is read, except those of the configuration.

    Args:
        names: Names of the texts, as findings print them. Files of these names need not exist.
        release: Release of the operator that overrides the configuration.
        crds: Files and folders of CRDs that replace those of the configuration.

    Raises:
        InputError: The configuration cannot be read or is not valid, or the release does not exist.
    """
    settings = with_release(_read_settings(settings_file) if settings_file else ProjectSettings(), release)
    root = os.path.dirname(file_path.abspath(settings_file)) if settings_file else file_path.getcwd()
    settings = with_crds(settings, crds, root)
    asked = tuple(names)
    files = tuple(FoundFile(name, is_named=True) for name in sorted(asked))
    return Project(files, None, settings_file is not None, settings, root, asked)


def with_texts(project: Project, names: Iterable[str]) -> tuple[Project, dict[str, str]]:
    """Return the project with a file for each text in memory, and the path of this file by the name of the text.

    A text replaces the file that its name leads to, after links are followed. If there is no such file, the project
    gets a new one.
    """
    paths = {file.path for file in project.files}
    paths_by_name = {name: name for name in names}
    if not paths_by_name.keys() <= paths:
        path_by_target = {file_path.realpath(path): path for path in paths}
        paths_by_name = {
            name: name if name in paths else path_by_target.get(file_path.realpath(name), name)
            for name in paths_by_name
        }
    new_paths = {path for path in paths_by_name.values() if path not in paths}
    if not new_paths:
        return project, paths_by_name
    files = sorted([*project.files, *(FoundFile(path, is_named=True) for path in new_paths)])
    reported = None if project.reported is None else project.reported | new_paths
    return project._replace(files=tuple(files), reported=reported), paths_by_name


def _skipped_remarks(files: list[FoundFile], left_out: Mapping[str, str | None], exclusion: str) -> tuple[str, ...]:
    """Return sentences about skipped files that the user may miss.

    Args:
        left_out: Skipped files and folders; see `find_files`.
        exclusion: Origin of the patterns that exclude files, for messages.
    """
    remarks = []
    ignored = {path: why for path, why in left_out.items() if why is not None}
    if ignored:
        count, verb = _count_text(ignored)
        *_, why = ignored.values()
        remarks.append(
            f"{count} {verb} not read because ignore files match, tracked or not: Git gives no answer ({why})"
        )
    excluded = left_out.keys() - ignored
    if excluded and not files:
        count, verb = _count_text(excluded)
        remarks.append(f"no file is left to check: {count} {verb} left out by {exclusion}")
    return tuple(remarks)


def _count_text(paths: Collection[str]) -> tuple[str, str]:
    folders = sum(map(os.path.isdir, paths))
    parts = ((len(paths) - folders, "file"), (folders, "folder"))
    text = " and ".join(f"{count} {name}{'s' if count > 1 else ''}" for count, name in parts if count)
    return text, "is" if len(paths) == 1 else "are"


def _without_file(files: list[FoundFile], path: str | None) -> list[FoundFile]:
    """Return the files without those that are ``path`` or links to it. Standard input is kept."""
    if path is None:
        return files
    target = file_path.realpath(path)
    return [file for file in files if file.path == STANDARD_INPUT or file_path.realpath(file.path) != target]


def nearest_settings(paths: tuple[str, ...], within: str | None = None) -> str | None:
    """Return the configuration file in the folder of the first path, or in the nearest folder above it.

    Args:
        paths: Paths of the call; standard input is skipped.
        within: Last folder to search; by default, the folder that files are confined to, or the root of the Git
            repository.
    """
    first = next((path for path in paths if path != STANDARD_INPUT), ".")
    folder = file_path.abspath(first if os.path.isdir(first) else os.path.dirname(first) or ".")
    within = within or confinement()
    last_folder = None if within is None else file_path.abspath(within)
    while True:
        for name in SETTINGS_FILES:
            candidate = file_path.join(folder, name)
            if os.path.isfile(candidate) and (name == SETTINGS_FILE or _has_table(candidate)):
                return refuse_outside(file_path.relpath(candidate), folder, "--config")
        parent = os.path.dirname(folder)
        if folder in {parent, last_folder} or os.path.exists(file_path.join(folder, ".git")):
            return None
        folder = parent


def refuse_outside(file: str, root: str, option: str) -> str:
    """Return ``file`` unchanged if it is inside of ``root``.

    Messages quote the content of the file, so a hostile project that states its path could otherwise show files of the
    user.

    Args:
        file: Path that the project states.
        root: Folder of the project.
        option: Option with which a user can name a file outside of the project, for the message.

    Raises:
        InputError: The path, or the target of a link, is outside of the project.
    """
    from ..disk.walk import leads_out

    if file_path.is_remote(file, root) or (not os.path.isdir(file) and leads_out(file, root)):
        raise InputError(f"{file}: it is outside of the project; where it is meant, name it with {option}")
    return file


def _has_table(file: str) -> bool:
    try:
        return b"[tool.mcpcfg" in read_whole(file)
    except InputError:  # It probably belongs to another program, so it is no fault.
        return False


def settings_at(folder: str = ".", settings_file: str | None = None, release: str | None = None) -> ProjectSettings:
    """Return the configuration of a folder, for commands that read no project.

    Raises:
        InputError: The configuration cannot be read or is not valid, or the release does not exist.
    """
    file = settings_file or nearest_settings((folder,))
    if file is None:
        return with_release(ProjectSettings(), release)
    return with_release(_read_settings(file), release)


def settings_of_pages(settings_file: str | None, release: str | None = None) -> ProjectSettings:
    """Return the configuration of the current folder, for commands that print pages, schemas or lists of rules.

    An invalid configuration is ignored unless the call names it, since users read the pages to fix it.

    Raises:
        InputError: The named configuration cannot be read or is not valid, or the release does not exist.
    """
    try:
        return settings_at(settings_file=settings_file, release=release)
    except InputError:
        if settings_file is not None:
            raise
        return with_release(ProjectSettings(), release)


def with_release(settings: ProjectSettings, release: str | None) -> ProjectSettings:
    """Return the configuration with the release that ``--release`` states; unchanged for ``None``.

    Raises:
        InputError: The text is not a release.
    """
    if release is None:
        return settings
    return settings._replace(
        profile=profile_with_release(settings.profile, release), release_from="--release", release_by="statement"
    )


def with_crds(
    settings: ProjectSettings,
    named: tuple[str, ...],
    root: str,
    cache_name: str | None = None,
    asked: tuple[str, ...] = (),
) -> ProjectSettings:
    """Return the configuration with compiled CRDs: those that the call names, otherwise those of the configuration.

    Args:
        named: Files and folders that the call names; ``-`` is standard input.
        root: Folder of the configuration. Paths in the configuration must be in its Git repository.
        cache_name: Folder of the cache for compiled CRDs; empty for the default one, and ``None`` to use none. It is
            not used if it could be forged.
        asked: Paths that the call names.

    Raises:
        InputError: A path does not exist or cannot be read.
    """
    paths = named or _configured_crds(settings, root)
    if not paths:
        return settings
    if STANDARD_INPUT in named and STANDARD_INPUT in asked:
        raise InputError("standard input holds either the CRDs or the project, so only one of them can be -")
    from ..disk.cache_file import chosen_folder, refusal
    from .crd_files import load

    cache_folder = None if cache_name is None else chosen_folder(cache_name)
    if cache_folder is not None and refusal(cache_folder, (root, *asked, *named)) is not None:
        cache_folder = None
    return settings._replace(profile=settings.profile._replace(crds=load(paths, cache_folder)))


def crds_of_pages(settings: ProjectSettings, named: tuple[str, ...] = ()) -> dict[str, dict[str, Any]]:
    """Return the CRDs of the operator that a call names, or else those of the configuration, by kind.

    Raises:
        InputError: A path does not exist, cannot be read, or has no CRD.
    """
    root = os.path.dirname(file_path.abspath(settings.file)) if settings.file else file_path.getcwd()
    paths = named or _configured_crds(settings, root)
    if not paths:
        return {}
    from .crd_files import read_definitions

    return read_definitions(paths, settings.profile.api_group).by_kind


def _configured_crds(settings: ProjectSettings, root: str) -> tuple[str, ...]:
    return tuple(_path_inside(path, root) for path in settings.crds)


def _path_inside(path: str, root: str) -> str:
    from ..disk.walk import boundary, leads_out

    actual = file_path.relpath(file_path.join(root, path))
    is_folder = not file_path.is_remote(actual, root) and os.path.isdir(actual)
    if not lies_in(file_path.realpath(actual), boundary(root)) if is_folder else leads_out(actual, root):
        raise InputError(f"{path}: it is outside of the project; where it is meant, name it with --crds")
    return file_path.join(".", actual) if actual == STANDARD_INPUT else actual


def _read_settings(file: str) -> ProjectSettings:
    from .settings_file import read_settings

    return read_settings(file)


def chart_templates(paths: Iterable[str]) -> frozenset[str]:
    """Return the paths that are inside the ``templates`` folder of a Helm chart.

    Files there are Go templates, which are not YAML until Helm renders them. A folder with a ``Chart.yaml`` is a
    chart; a chart may contain others.
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
