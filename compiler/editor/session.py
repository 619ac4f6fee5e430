"""One project as an editor has it open: its files, with the buffers laid over them, checked again after each edit."""

from __future__ import annotations

import os
from bisect import insort
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from ..check.full import check
from ..diagnostics import timing
from ..diagnostics.span import InputError
from ..disk.files import FoundFile, is_configuration, lies_in
from ..disk.gitignore import is_ignored, patterns
from ..fix.fix import kinds_of
from ..project.discovery import Project, discover, nearest_settings
from ..project.settings import Settings
from .baseline import without_known
from .memory import Memory

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..check.full import Loaded, Options
    from ..diagnostics.finding import Finding
    from ..project.input_kind import InputKind
    from ..workspace.workspace import Workspace

MOST_FILES: Final = 30_000
"""Of a folder that is not known to be a project; of one with more, files are looked at one by one."""


class Home(NamedTuple):
    """Where a document belongs.

    Attributes:
        root: The folder of its project; the document itself where there is none.
        settings: The project's configuration file.
    """

    root: str
    settings: str | None


class Snapshot(NamedTuple):
    """What the last check found.

    Attributes:
        project: What was checked.
        findings: By file.
        workspace: The resources, with what they refer to.
        loaded: What was read.
        kinds: What the records of files are, or were; files of several kinds are missing.
    """

    project: Project
    findings: Mapping[str, Sequence[Finding]]
    workspace: Workspace
    loaded: Loaded
    kinds: Mapping[str, InputKind]


class Session:
    """One project between edits.

    Attributes:
        home: Where it is.
        snapshot: What the last check found, ``None`` before the first.
        fault: Why there is no check: what is wrong with the configuration.

    Args:
        home: Where it is.
        options: How files are read.
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
        """Read a file again at the next check: it has changed."""
        self._memory.forget(path)

    def name_of(self, path: str) -> str:
        """Return how findings call the file at ``path``, which links may lead to under another name."""
        return self._names.get(path, path)

    def may_hold(self, path: str) -> bool:
        """Return whether a file at ``path`` would lie in the project."""
        return lies_in(path, self.home.root)

    def lacks(self, path: str) -> bool:
        """Return whether the files of the project, as far as they are known, are without that one."""
        if self._project is None:
            return False
        name = self.name_of(path)
        return all(file.path != name for file in self._project.files)

    def check(self, buffers: Mapping[str, bytes]) -> Snapshot | None:
        """Check the project with the texts of ``buffers`` in place of what files hold.

        ``None`` where the configuration cannot be used, or a file that it needs is not there: see ``fault``.
        """
        self.fault = None
        try:
            project, buffers = self._with_buffers(self._found(), buffers)
            self.snapshot = self._checked(project, buffers)
        except InputError as fault:
            self.fault = fault
            self._project = None
            return None
        except BaseException:
            self._memory = Memory()  # whatever it was: the next check begins anew
            raise
        return self.snapshot

    def _checked(self, project: Project, buffers: Mapping[str, bytes]) -> Snapshot:
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
        before = last.kinds if last is not None else {}  # of what is half written just now, too
        kinds = {**before, **kinds_of(report.loaded.records)}
        return Snapshot(project, findings, report.workspace, report.loaded, kinds)

    def _without_known(self, findings: Sequence[Finding], project: Project) -> Sequence[Finding]:
        try:
            return without_known(findings, project)
        except InputError as fault:
            self.fault = fault
            return findings

    def _found(self) -> Project:
        """Return the files of the project; where its configuration has become wrong, as they were."""
        if self._project is not None:
            return self._project
        last = self.snapshot.project if self.snapshot is not None else None
        try:
            found = self._discovered()
        except InputError as fault:
            if last is None:
                raise
            self.fault = fault
            return last
        if last is not None and last.settings != found.settings:
            self._memory = Memory()
        self._project = found
        return found

    def _discovered(self) -> Project:
        root = self.home.root
        if not os.path.isdir(root):
            alone = (FoundFile(root, is_named=False),)
            return Project(alone, None, complete=False, settings=Settings(), root=root, asked=(root,))
        found = discover((root,), settings_file=self.home.settings)
        # Nothing states that the folder is a project: a home folder, say, is not read as a whole.
        if len(found.files) > MOST_FILES and self.home.settings is None:
            return found._replace(files=(), complete=False)
        return found

    def _with_buffers(self, project: Project, buffers: Mapping[str, bytes]) -> tuple[Project, Mapping[str, bytes]]:
        """Return the project with the files that have not been saved yet, and the buffers under its names of them."""
        known = {file.path for file in project.files}
        files = list(project.files)
        named: dict[str, bytes] = {}
        self._names = {}
        for path, text in sorted(buffers.items()):
            name = path if path in known else _linked(path, project)
            if name is not None:
                self._names[path] = name
                named[name] = text
            elif self._is_new(path, project):
                insort(files, FoundFile(path, is_named=False), key=attrgetter("path"))
                named[path] = text
        return project._replace(files=tuple(files)) if len(files) > len(project.files) else project, named

    def _is_new(self, path: str, project: Project) -> bool:
        """Return whether a file that was not found belongs to the project all the same: it is only in the editor."""
        if not project.files and not project.complete:
            return True
        root = self.home.root
        name = os.path.basename(path)
        if not is_configuration(name) or os.path.lexists(path) or not lies_in(path, root):
            return False
        below = os.path.relpath(path, root).replace(os.sep, "/")
        is_settings = project.settings.file is not None and os.path.abspath(project.settings.file) == path
        *folders, _ = below.split("/")
        is_hidden = any(step.startswith(".") for step in folders)
        excluded = patterns(project.settings.exclude)
        around = ["/".join(folders[: count + 1]) for count in range(len(folders))]
        is_left_out = is_ignored(below, excluded, is_folder=False) or any(
            is_ignored(folder, excluded, is_folder=True) for folder in around
        )
        return not (is_settings or is_hidden or is_left_out)


def home_of(path: str, folders: Sequence[str]) -> Home:
    """Return where a document belongs: to the nearest configuration, else to the innermost of the editor's ``folders``.

    Args:
        path: Of the document, which need not be there.
        folders: The folders that the editor has open.
    """
    folder = os.path.dirname(path)
    while not os.path.isdir(folder) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    settings = nearest_settings((folder,))
    if settings is not None:
        settings = os.path.abspath(settings)
        return Home(os.path.dirname(settings), settings)
    around = [one for one in folders if lies_in(path, one)]
    return Home(max(around, key=len), None) if around else Home(path, None)


def _linked(path: str, project: Project) -> str | None:
    """Return the file of the project that is the same as ``path`` by another way, ``None`` where none is."""
    name = os.path.basename(path)
    alike = [file.path for file in project.files if file.path.endswith(name)]
    if not alike or not os.path.lexists(path):
        return None
    real = os.path.realpath(path)
    return next((one for one in alike if os.path.realpath(one) == real), None)
