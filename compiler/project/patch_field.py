"""The fields of a kustomization that list patches. A module of its own, because importing `alteration` is slow."""

from typing import Final

PATCH_FIELDS: Final = ("patches", "patchesStrategicMerge", "patchesJson6902")
"""The fields that list patches. They are read in kustomizations, and in objects of Flux and Argo CD."""
