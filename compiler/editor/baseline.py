"""Hide the findings that the project's baseline lists."""

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
        InputError: The baseline cannot be read.
    """
    if project.settings.baseline is None:
        return findings
    accepted = baseline.load(os.path.join(project.root, project.settings.baseline))
    # A baseline names files as they are called from the project's folder.
    shown = [_relative_to(project.root, finding) for finding in findings]
    originals = dict(zip(map(id, shown), findings, strict=True))
    return [originals[id(finding)] for finding in baseline.compare(shown, accepted).new]


def _relative_to(folder: str, finding: Finding) -> Finding:
    """Return the finding with paths relative to the folder, as the baseline stores them."""
    span = finding.span._replace(file=os.path.relpath(finding.span.file, folder))
    return finding._replace(span=span, message=finding.message.replace(folder.rstrip(os.sep) + os.sep, ""))
