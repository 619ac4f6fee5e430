"""A check as the command makes it, with a cache that keeps what it finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcpcfg.compiler.check.serialize import pack_all
from mcpcfg.compiler.cli.check import check_known, open_cache
from mcpcfg.compiler.disk import cache_file

if TYPE_CHECKING:
    from mcpcfg.compiler.check.full import Report
    from mcpcfg.compiler.project.discovery import Project
    from mcpcfg.compiler.project.settings import Options


def check_kept(project: Project, options: Options, *, keep: bool) -> Report:
    """Check a project; with ``keep``, by what its cache knows, and into its cache."""
    cache = open_cache(project, options, cache_file.folder()) if keep else None
    report, known = check_known(project, options, cache)
    if cache is not None:
        cache.save(pack_all(report.loaded.facts, known, report.loaded.texts), "", None)
    return report
