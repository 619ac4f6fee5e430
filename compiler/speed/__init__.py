"""Caching, which only improves speed: facts of read files, and output of runs.

Without this package and its call in `cli/check.py`, everything works the same, only slower.
"""

FEWEST_KEPT = 64
"""Minimum number of files for using the cache; for fewer files, opening it takes longer than checking."""
