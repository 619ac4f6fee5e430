"""The baseline of a project: findings that it knows are not shown."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..project import baseline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..diagnostics.finding import Finding
    from ..project.discovery import Project


def without_known(findings: Sequence[Finding], project: Project) -> Sequence[Finding]:
    """Return the findings that the baseline of the configuration does not list.

    Raises:
        InputError: It cannot be read.
    """
    if project.settings.baseline is None:
        return findings
    known = baseline.load(os.path.join(project.root, project.settings.baseline))
    # A baseline names files as they are called from the project's folder.
    shown = [_from(project.root, finding) for finding in findings]
    originals = dict(zip(map(id, shown), findings, strict=True))
    return [originals[id(one)] for one in baseline.compare(shown, known).new]


def _from(folder: str, finding: Finding) -> Finding:
    span = finding.span._replace(file=os.path.relpath(finding.span.file, folder))
    return finding._replace(span=span, message=finding.message.replace(folder.rstrip(os.sep) + os.sep, ""))
