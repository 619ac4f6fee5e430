"""The fields of a kustomization that list patches. A module of its own, because importing `alteration` is slow."""

from typing import Final

PATCH_FIELDS: Final = ("patches", "patchesStrategicMerge", "patchesJson6902")
"""The fields of a kustomization, and of a Flux Kustomization in earlier API versions, that list patches."""
