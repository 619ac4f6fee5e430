"""Report resource files that the kustomization of their folder does not list, and listed files that do not exist."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..admission.table import KINDS
from ..diagnostics import file_path
from ..disk.walk import may_exist
from ..project.unapplied import report_left_out, report_missing

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from ..diagnostics.finding import Finding
    from .merge import Loaded


def find_left_out(loaded: Loaded, reported: Container[str]) -> Iterator[Finding]:
    """Yield a finding for each kustomization that leaves out resources of the operator or lists missing files.

    Missing files are only reported if the kustomization is in a folder with resources of the operator or lists some.

    Args:
        loaded: The files that were read.
        reported: The files with findings. Most folders are omitted on purpose, so a whole folder is reported only if a
            file in it has a finding.
    """
    read = {file_path.normpath(path) for path in loaded.facts}
    holding = {resource.document.file for resource in loaded.resources if resource.kind in KINDS}
    paths = {file_path.normpath(file) for file in holding}
    folders = {os.path.dirname(path) or "." for path in paths}
    stated = {
        facts.file: facts.delivery.kustomizations[0]
        for facts in loaded.facts.values()
        if facts is not None and facts.delivery.kustomizations
    }
    by_folder = {file_path.normpath(kustomization.folder or "."): file for file, kustomization in stated.items()}

    plan = loaded.plan
    installing = {facts.file for facts in loaded.facts.values() if facts is not None and facts.delivery.pins}
    switching = {plan.switched_off[file] for file in (holding | installing) & plan.switched_off.keys()} - {""}
    left_out = {
        file: folder
        for file, folder in plan.left_out.items()
        if file in switching
        or (file in holding | installing and not plan.switched_off[file] and _is_omitted(file, folder, reported))
    }
    delivering = [
        facts.file
        for facts in loaded.facts.values()
        if facts is not None and (facts.delivery.kustomizations or facts.delivery.controllers)
    ]
    yield from report_left_out(left_out, by_folder, delivering, switching, loaded.texts)
    near = {
        file: stated[file]
        for folder, file in by_folder.items()
        if folder in folders or not stated[file].listed.isdisjoint(paths)
    }
    yield from report_missing(near, loaded.texts, lambda path: path in read or may_exist(path))


def _is_omitted(file: str, folder: str, reported: Container[str]) -> bool:
    return file in reported or (os.path.dirname(file_path.normpath(file)) or ".") == folder
