"""A project in an editor: its files, with open buffers in place of their content, checked after each edit."""

from __future__ import annotations

import os
from bisect import insort
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from ..check.full import check
from ..diagnostics import file_path, timing
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.shown import sanitized
from ..diagnostics.span import InputError
from ..disk.files import FoundFile, is_configuration, lies_in
from ..disk.gitignore import is_ignored, patterns
from ..fix.fix import kinds_of
from ..project import baseline
from ..project.discovery import Project, discover, nearest_settings
from ..project.settings import ProjectSettings
from .memory import Memory

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..check.full import Loaded, Options, Report
    from ..diagnostics.finding import Finding
    from ..project.input_kind import InputKind
    from ..workspace.workspace import Workspace

MOST_FILES: Final = 30_000
"""Maximum number of files in a folder without a configuration. In a larger folder, each file is checked alone.

So the first check ends soon even if the folder contains much more than a project.
"""


class Home(NamedTuple):
    """The location of a document's project.

    Attributes:
        root: Folder of the project. If no project is found, the path of the document.
        settings: Path of the configuration file, or ``None``.
    """

    root: str
    settings: str | None


class Snapshot(NamedTuple):
    """The result of the last check.

    Attributes:
        findings: Findings by file, without those of the baseline.
        loaded: The content of all files.
        kinds: Last known kind of the records in each file. A file whose records have several kinds is missing.
    """

    project: Project
    findings: Mapping[str, Sequence[Finding]]
    workspace: Workspace
    loaded: Loaded
    kinds: Mapping[str, InputKind]
    report: Report


class ProjectSession:
    """A project of an editor, which is checked after each edit.

    Attributes:
        snapshot: Result of the last successful check; ``None`` before it.
        fault: The reason why the last check failed, or ran with an earlier configuration or without the baseline.

    Args:
        options: Options for reading files.
    """

    def __init__(self, home: Home, options: Options) -> None:
        self.home = home
        self.snapshot: Snapshot | None = None
        self.fault: InputError | None = None
        self._options = options
        self._memory = Memory()
        self._project: Project | None = None
        self._names: dict[str, str] = {}

    def rediscover(self) -> None:
        """Discover the files of the project again at the next check."""
        self._project = None

    def forget(self, path: str) -> None:
        """Read a changed file again at the next check."""
        self._memory.forget(path)

    def name_of(self, path: str) -> str:
        """Return the name that findings use for the file at ``path``, which may differ because of symbolic links."""
        return self._names.get(path, path)

    def may_hold(self, path: str) -> bool:
        """Return whether ``path`` is below the project's root. The project may still exclude the file."""
        return lies_in(path, self.home.root)

    def is_known_outside(self, path: str) -> bool:
        """Return whether the file surely does not belong to the project. Before the first check, return false."""
        if self._project is None:
            return False
        name = self.name_of(path)
        return all(file.path != name for file in self._project.files)

    def check(self, buffers: Mapping[str, bytes]) -> Snapshot | None:
        """Check the project. ``buffers`` replace the content of files.

        Return ``None`` if the configuration cannot be used or a required file is missing; ``fault`` then has the
        reason.
        """
        self.fault = None
        try:
            project, buffers = self._with_buffers(self._current_project(), buffers)
            self.snapshot = self._check_with(project, buffers)
        except InputError as fault:
            self.fault = fault
            self._project = None
            return None
        except BaseException:
            self._memory = Memory()  # the check may have left it incomplete
            raise
        return self.snapshot

    def _check_with(self, project: Project, buffers: Mapping[str, bytes]) -> Snapshot:
        has_changed = self._memory.begin(project.files, buffers)
        last = self.snapshot
        if not has_changed and last is not None and last.project == project:
            return last
        options = self._options._replace(buffers=buffers)
        timing.forget()
        report = check(project, options, self._memory.known)
        self._memory.save(report.loaded.facts)
        findings: dict[str, list[Finding]] = {}
        for finding in self._without_known(report.findings, project):
            findings.setdefault(finding.span.file, []).append(finding)
        before = last.kinds if last is not None else {}  # a file that is half written keeps its last kind
        kinds = {**before, **kinds_of(report.loaded.records)}
        return Snapshot(project, findings, report.workspace, report.loaded, kinds, report)

    def _without_known(self, findings: Sequence[Finding], project: Project) -> Sequence[Finding]:
        try:
            return without_known(findings, project)
        except InputError as fault:
            self.fault = fault
            return findings

    def _current_project(self) -> Project:
        """Return the project, discovered again if `rediscover` was called.

        If its configuration has become invalid, return the project of the last check and set `fault`.
        """
        if self._project is not None:
            return self._project
        last = self.snapshot.project if self.snapshot is not None else None
        try:
            discovered = self._discovered()
        except InputError as fault:
            if last is None:
                raise
            self.fault = fault
            return last
        if last is not None and last.settings != discovered.settings:
            self._memory = Memory()
        self._project = discovered
        return discovered

    def _discovered(self) -> Project:
        root = self.home.root
        if not os.path.isdir(root):
            only_file = (FoundFile(root, is_named=False),)
            return Project(only_file, None, complete=False, settings=ProjectSettings(), root=root, asked=(root,))
        discovered = discover((root,), settings_file=self.home.settings)
        # Without a configuration the folder may be anything, such as a home folder: it is not read as a whole.
        if len(discovered.files) > MOST_FILES and self.home.settings is None:
            return discovered._replace(files=(), complete=False)
        return discovered

    def _with_buffers(self, project: Project, buffers: Mapping[str, bytes]) -> tuple[Project, Mapping[str, bytes]]:
        """Return the project with the files that exist only in the editor, and the buffers by the project's file names.

        Buffers of files that do not belong to the project are left out.
        """
        project_paths = {file.path for file in project.files}
        files = list(project.files)
        named: dict[str, bytes] = {}
        self._names = {}
        for path, text in sorted(buffers.items()):
            name = path if path in project_paths else _same_file(path, project)
            if name is not None:
                self._names[path] = name
                named[name] = text
            elif self._is_new(path, project):
                insort(files, FoundFile(path, is_named=False), key=attrgetter("path"))
                named[path] = text
        return project._replace(files=tuple(files)) if len(files) > len(project.files) else project, named

    def _is_new(self, path: str, project: Project) -> bool:
        """Return whether ``path`` belongs to the project although it is not among its files, as it is not saved yet.

        If the project is too large to be read as a whole, every open file belongs to it.
        """
        if not project.files and not project.complete:
            return True
        root = self.home.root
        name = os.path.basename(path)
        if not is_configuration(name) or os.path.lexists(path) or not lies_in(path, root):
            return False
        below = file_path.relpath(path, root)
        is_settings = project.settings.file is not None and file_path.abspath(project.settings.file) == path
        *folders, _ = below.split("/")
        is_hidden = any(step.startswith(".") for step in folders)
        excluded = patterns(project.settings.exclude)
        around = ["/".join(folders[: count + 1]) for count in range(len(folders))]
        is_left_out = is_ignored(below, excluded, is_folder=False) or any(
            is_ignored(folder, excluded, is_folder=True) for folder in around
        )
        return not (is_settings or is_hidden or is_left_out)


def home_of(path: str, folders: Sequence[str]) -> Home:
    """Return the project of a document: the folder of the nearest configuration, or else the innermost open folder.

    Args:
        path: Path of the document, which need not exist.
    """
    folder = os.path.dirname(path)
    while not os.path.isdir(folder) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    settings = nearest_settings((folder,))
    if settings is not None:
        settings = file_path.abspath(settings)
        return Home(os.path.dirname(settings), settings)
    enclosing = [folder_ for folder_ in folders if lies_in(path, folder_)]
    return Home(max(enclosing, key=len), None) if enclosing else Home(path, None)


def names_of(snapshot: Snapshot) -> list[object]:
    """Return the identity and the references of each resource. If they are equal in two snapshots, so are all names."""
    return [(resource.identity, resource.stated_references) for resource in snapshot.workspace.resources]


def _same_file(path: str, project: Project) -> str | None:
    name = os.path.basename(path)
    candidates = [file.path for file in project.files if file.path.endswith(name)]
    if not candidates or not os.path.lexists(path):
        return None
    real = file_path.realpath(path)
    return next((candidate for candidate in candidates if file_path.realpath(candidate) == real), None)


def without_known(findings: Sequence[Finding], project: Project) -> Sequence[Finding]:
    """Return the findings that are not in the baseline which the configuration names.

    Raises:
        InputError: The baseline cannot be read.
    """
    if project.settings.baseline is None:
        return findings
    accepted = baseline.load(file_path.join(project.root, project.settings.baseline))
    # A baseline names files as they are called from the project's folder.
    shown = [_relative_to(project.root, finding) for finding in findings]
    originals = dict(zip(map(id, shown), findings, strict=True))
    return [originals[id(finding)] for finding in baseline.compare(shown, accepted).new]


def _relative_to(folder: str, finding: Finding) -> Finding:
    span = finding.span._replace(file=file_path.relpath(finding.span.file, folder))
    return finding._replace(span=span, message=sanitized(finding.message.replace(folder.rstrip("/") + "/", "")))
