"""Which files are templates of a Helm chart: they are no YAML until Helm renders them, whatever they look like."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_FOLDER = "/templates/"
_CHART = "Chart.yaml"


def chart_templates(paths: Iterable[str]) -> frozenset[str]:
    """Return those of some files that lie in the ``templates`` folder of a chart, or below it.

    A chart is a folder that holds a ``Chart.yaml``; charts within charts are charts like others.
    """
    here = os.getcwd()
    charts: dict[str, bool] = {}
    return frozenset([path for path in paths if _FOLDER in f"{here}/{path}" and _is_template(here, path, charts)])


def _is_template(here: str, path: str, charts: dict[str, bool]) -> bool:
    whole = os.path.normpath(os.path.join(here, path))
    at = whole.find(_FOLDER)
    while at >= 0:
        folder = whole[:at]
        if folder not in charts:
            charts[folder] = os.path.isfile(os.path.join(folder, _CHART))
        if charts[folder]:
            return True
        at = whole.find(_FOLDER, at + 1)
    return False
