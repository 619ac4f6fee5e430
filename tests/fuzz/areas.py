"""All areas of the attack."""

from __future__ import annotations

import file_areas
import project_areas
import text_areas

AREAS = (*text_areas.AREAS, *project_areas.AREAS, *file_areas.AREAS)
