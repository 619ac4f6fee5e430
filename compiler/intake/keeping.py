"""Whether a call keeps what it finds, and where."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from ..project.discovery import STANDARD_INPUT

if TYPE_CHECKING:
    from ..project.discovery import Project
    from ..project.options import Options
    from .cache import Cache

FEWEST: Final = 64
"""Fewer files are checked sooner than a cache is opened."""


def open_cache(project: Project, options: Options) -> Cache | None:
    """Return the cache of a call, ``None`` where the call has none."""
    settings = project.settings
    is_plain = not (options.read_as or options.reference_engine)
    if len(project.files) < FEWEST or not is_plain or any(file.path == STANDARD_INPUT for file in project.files):
        return None
    from ..disk.chart import chart_templates
    from .cache import Cache

    external = sorted((kind, sorted(names)) for kind, names in settings.external.items())
    templates = sorted(chart_templates([file.path for file in project.files]))
    asked = (options.closed, options.namespace, options.isolated)
    basis = (settings._replace(external={}), external, *asked, project.complete, templates)
    place = (os.getcwd(), project.root if settings.file else project.asked)
    return Cache(place, basis, project.files)
