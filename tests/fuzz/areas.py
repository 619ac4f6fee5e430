"""All areas of the attack."""

from __future__ import annotations

import deployment_area
import file_areas
import project_areas
import secret_area
import text_areas
import writing_areas

AREAS = (
    *(*text_areas.AREAS, *project_areas.AREAS, *file_areas.AREAS, *deployment_area.AREAS, *writing_areas.AREAS),
    *secret_area.AREAS,
)
